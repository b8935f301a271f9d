"""Bodies put into scenes, to be filmed: where a motion begins, or the way along which a body walks."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Floats
from kinema.character import Character
from kinema.errors import UsageError
from kinema.face.acting import CameraCue, act
from kinema.face.grounds import ground_of, roomiest
from kinema.face.walking import SPEED, walk
from kinema.motion import Motion
from kinema.rendering.film.cues import Cue
from kinema.rendering.film.performance import Performance, Shot
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.grounding import SceneGround
from kinema.worlds.paths import find_path
from kinema.worlds.placing import placed

_SLIMMEST, _STOUTEST, _STOUT = 0.3, 1.0, 0.2  # metres of room to each side that bodies are given; of their height


@dataclass(frozen=True)
class Staging:
    """Where bodies are in a scene, and what they do there.

    Attributes:
        scene: a captured scene, its file, or the name of a made world; see `kinema.scene`.
        at: x and z where a motion begins, metres; None is the origin.
        heading: where the body faces there, radians about +Y from +Z; None leaves that to the motion.
        way: x and z of places `[K, 2]`, metres, between which the body walks around obstacles, instead of its motion.
        speed: at which it does, m/s.
        text: what it does instead, in words, such as "walk to the tree, wave, then run back"; it begins at `at`, or
            where there is most room.

    Raises:
        UsageError: a body cannot both begin at a place and go along a way, nor do both what words and what a way say.
    """

    scene: GaussianScene | str | os.PathLike[str]
    at: Sequence[float] | None = None
    heading: float | None = None
    way: ArrayLike | None = None
    speed: float = SPEED
    text: str | None = None

    def __post_init__(self) -> None:
        if self.text is not None and self.way is not None:
            raise UsageError("words and a way both say where a body goes; give one of them")
        if self.way is not None and (self.at is not None or self.heading is not None):
            raise UsageError(
                "a body begins where its way does and faces along it: give a way, or a place and a heading"
            )


def staged(shots: Sequence[Shot], staging: Staging, note: Callable[[str], None]) -> list[Shot]:
    """Shots in a scene.

    Raises:
        SceneError: no ground was found, or there is none where a body is to be.
    """
    from kinema.face.scenes import scene

    around = scene(staging.scene)
    ground = ground_of(around)
    if staging.way is not None:
        walkers = [_walking(shot, staging.way, ground, staging.speed, note) for shot in shots or [None]]
        return [replace(shot, scene=around) for shot in walkers]
    if staging.text is not None:
        return [_acting(shot, staging, around, note) for shot in shots or [None]]
    found = []
    for shot in shots:
        motion = shot.motion or Motion.from_pose(shot.skeleton.rest_pose[np.newaxis])
        put = placed(motion, ground, staging.at or (0.0, 0.0), staging.heading, Performance(shot).floor)
        found.append(replace(shot, motion=put, scene=around))
    return found


def around_origin(scene: GaussianScene | str | os.PathLike[str]) -> tuple[GaussianScene, SceneGround]:
    """A scene with its ground, moved so that the roomiest place near its middle is at the origin.

    Raises:
        SceneError: no ground was found on which anybody can walk.
    """
    from kinema.face.scenes import scene as open_scene

    around = open_scene(scene)
    ground = ground_of(around)
    x, z = roomiest(ground).tolist()
    height = float(ground.height(np.asarray([x, 0.0, z])))
    moved = around.moved(translation=(-x, -height, -z))
    return moved, ground_of(moved)


def routed(ground: SceneGround, places: ArrayLike, radius: float = _SLIMMEST) -> Floats:
    """A way `[N, 2]` over walkable ground through places `[K, 2]`, x and z, metres.

    Args:
        radius: room that the body needs to each side, metres.

    Raises:
        UsageError: there are fewer than two places.
        SceneError: nobody can be at one of them, or get from one to the next.
    """
    stops = np.asarray(places, np.float64)
    if stops.ndim != 2 or stops.shape[1] != 2 or len(stops) < 2:
        raise UsageError(f"a way needs two places, each x and z, not an array {list(stops.shape)}")
    parts = [find_path(ground, stops[number], stops[number + 1], radius=radius) for number in range(len(stops) - 1)]
    return np.concatenate([parts[0], *[part[1:] for part in parts[1:]]])


def _walking(
    shot: Shot | None, places: ArrayLike, ground: SceneGround, speed: float, note: Callable[[str], None]
) -> Shot:
    """What a shot shows, or a person, walking from place to place."""
    if shot is None:
        motion = walk(routed(ground, places), ground=ground, speed=speed, note=note)
        return Shot("walk", motion.skeleton, motion)
    route = routed(ground, places, float(np.clip(_STOUT * shot.skeleton.height, _SLIMMEST, _STOUTEST)))
    character = shot.character or Character(shot.title, shot.skeleton)
    motion = walk(route, ground=ground, character=character, speed=speed, note=note)
    return Shot(shot.title, motion.skeleton, motion, shot.character)


_KINDS = {"follow": "follow", "circle": "orbit", "static": "", "pan": ""}
_VIEWS: dict[str, tuple[str, float | None]] = {
    "behind": ("third", None), "front": ("front", None), "side": ("side", None), "above": ("follow", 1.1),
    "below": ("follow", -0.05),
}  # fmt: skip
_FRAMINGS, _ZOOMS = {"close": 0.5, "wide": 1.8}, {"zoom in": 0.45, "zoom out": 2.0}


def _acting(shot: Shot | None, staging: Staging, around: GaussianScene, note: Callable[[str], None]) -> Shot:
    """What a shot shows, or a person, doing in a scene what is said."""
    character = None if shot is None else shot.character or Character(shot.title, shot.skeleton)
    assert staging.text is not None
    done = act(staging.text, around, at=staging.at, heading=staging.heading or 0.0, character=character, note=note)
    cues = tuple(_cue(each) for each in done.cues)
    title = "act" if shot is None else shot.title
    return Shot(
        title, done.motion.skeleton, done.motion, None if shot is None else shot.character, scene=around, cues=cues
    )


def _cue(cue: CameraCue) -> Cue:
    """What a camera of a film does for a step of a programme."""
    kind, elevation = _VIEWS.get(cue.move.view, (_KINDS.get(cue.move.move, "follow"), None))
    return Cue(cue.time, kind, elevation, _FRAMINGS.get(cue.move.framing, 1.0), _ZOOMS.get(cue.move.move, 1.0), cue.aim)
