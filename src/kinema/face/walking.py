"""Characters that walk along a way: `kinema.walk`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats
from kinema.errors import UsageError
from kinema.motion import Motion
from kinema.worlds.placing import carried

if TYPE_CHECKING:
    from kinema.character import Character
    from kinema.control.path import Path
    from kinema.control.presets import FamilyMaker, SpecMaker
    from kinema.formats import Asset
    from kinema.retargeting.retargeter import Retargeter
    from kinema.terrain import Ground

SPEED = 1.3
"""Metres a second at which people walk."""

FPS = 60.0
_REST = 3.0  # seconds that are left for standing still behind the end of a way
_STANDS, _STILL = 1.0, 0.15  # seconds of standing that are kept, and m/s of who stands
_SLOWER = 1.3  # times as long as at full speed that a way may take, for its bends


def walk(
    way: ArrayLike,
    *,
    ground: Ground | None = None,
    character: Character | Asset | None = None,
    speed: float = SPEED,
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    family: str | FamilyMaker = "motion-matching",
    features: str | SpecMaker | None = None,
    style: str | None = None,
    note: Callable[[str], None] = lambda line: None,
    progress: Callable[[int, int], None] | None = None,
) -> Motion:
    """A motion along a way, from standing to standing.

    Args:
        way: x and z of its corners `[K, 2]`, metres; `kinema.worlds.paths.find_path` finds one around obstacles.
        ground: what is walked on; None is level ground at height 0.
        character: who walks; None is the body of the data.
        speed: m/s; bends are taken more slowly.
        data: a database or motion files; nothing generates motion.
        family, features, style: as in `kinema.control.presets.controller_maker`.
        note, progress: as in `kinema.evaluate`.

    Raises:
        ControlError: the way has not two different points, or the speed is not above 0.
        KinemaError: the data cannot be used, or cannot move the character.
    """
    from kinema.control.drive import drive
    from kinema.control.path import Path, PathTrack
    from kinema.control.presets import controller_maker
    from kinema.control.retargeted import fits, retargeter_for, source_skeleton
    from kinema.control.subject import open_subject
    from kinema.retargeting.retargeter import target_skeleton
    from kinema.terrain import Placed, Plane, Scaled

    points = np.asarray(way, np.float64)
    if points.ndim != 2 or points.shape[1] != 2:
        raise UsageError(f"a way is x and z of corners, [K, 2], not an array {list(points.shape)}")
    heading = _heading(points)
    origin = np.insert(points[0], 1, 0.0)
    back = rotations.from_yaw(np.asarray(-heading))
    path = Path.through(rotations.rotate(back, np.insert(points, 1, 0.0, axis=1) - origin))
    moved = tuple((-rotations.rotate(back, origin)).tolist())
    local = Placed(Plane() if ground is None else ground, moved, -heading)
    target = None if character is None else target_skeleton(character)
    files = [data] if isinstance(data, str | os.PathLike) else list(data)
    make = controller_maker(family, features, style)
    with open_subject(files, None if target is None else source_skeleton(target), note, None, make.subject) as database:
        stage: Retargeter | None = None
        if character is not None and target is not None and not fits(target, database.skeleton):
            stage = retargeter_for(database, character)
        controller, scale = make(database), 1.0 if stage is None else float(stage.scale)
        track = PathTrack(path, speed, _seconds(path, speed), Scaled(local, 1.0 / scale) if scale != 1.0 else local)
        if scale != 1.0:
            track = PathTrack(path.scaled(1.0 / scale), speed / scale, track.seconds, track.ground)
        motion = _ended(drive(controller, track, FPS, progress=progress).motion)
    if stage is not None:
        motion = stage(motion, measured=False).motion
    return carried(motion.replace(name="walk"), origin, heading)


def _heading(points: Floats) -> float:
    """Where the way begins to go, radians about +Y from +Z."""
    away = points - points[0]
    far = np.flatnonzero(np.hypot(away[:, 0], away[:, 1]) > 1e-6)
    return float(np.arctan2(away[far[0], 0], away[far[0], 1])) if len(far) else 0.0


def _seconds(path: Path, speed: float) -> float:
    return _SLOWER * path.length / max(speed, 1e-9) + _REST


def _ended(motion: Motion) -> Motion:
    """The motion without most of the standing at its end."""
    places, _ = motion.root_frame()
    moving = np.flatnonzero(np.linalg.norm(np.diff(places, axis=0), axis=1) * motion.fps > _STILL)
    last = int(moving[-1]) if len(moving) else motion.frames
    return motion.cut(0, min(last + round(_STANDS * motion.fps), motion.frames))
