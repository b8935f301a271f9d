"""Bodies put into scenes, to be filmed: where a motion begins, or the way along which a body walks."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import distance_transform_edt

from kinema.arrays import Floats
from kinema.character import Character
from kinema.errors import SceneError, UsageError
from kinema.face.walking import SPEED, walk
from kinema.motion import Motion
from kinema.rendering.film.performance import Performance, Shot
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.grounding import SceneGround, recover_ground
from kinema.worlds.paths import find_path
from kinema.worlds.placing import placed

_ROOMY = 2.0  # metres around a place beyond which more room is of no use
_SLIMMEST, _STOUTEST, _STOUT = 0.3, 1.0, 0.2  # metres of room to each side that bodies are given; of their height
_AWAY = 0.1  # metres of room that are as good as being a metre nearer to the middle


@dataclass(frozen=True)
class Staging:
    """Where bodies are in a scene, and what they do there.

    Attributes:
        scene: a captured scene, its file, or the name of a made world; see `kinema.scene`.
        at: x and z where a motion begins, metres; None is the origin.
        heading: where the body faces there, radians about +Y from +Z; None leaves that to the motion.
        way: x and z of places `[K, 2]`, metres, between which the body walks around obstacles, instead of its motion.
        speed: at which it does, m/s.

    Raises:
        UsageError: a body cannot both begin at a place and go along a way.
    """

    scene: GaussianScene | str | os.PathLike[str]
    at: Sequence[float] | None = None
    heading: float | None = None
    way: ArrayLike | None = None
    speed: float = SPEED

    def __post_init__(self) -> None:
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
    found = []
    for shot in shots:
        motion = shot.motion or Motion.from_pose(shot.skeleton.rest_pose[np.newaxis])
        put = placed(motion, ground, staging.at or (0.0, 0.0), staging.heading, Performance(shot).floor)
        found.append(replace(shot, motion=put, scene=around))
    return found


_GROUNDS: WeakKeyDictionary[GaussianScene, SceneGround] = WeakKeyDictionary()


def ground_of(scene: GaussianScene) -> SceneGround:
    """The ground of a scene; it is recovered once.

    Raises:
        SceneError: there is none.
    """
    if scene not in _GROUNDS:
        _GROUNDS[scene] = recover_ground(scene)
    return _GROUNDS[scene]


def around_origin(scene: GaussianScene | str | os.PathLike[str]) -> tuple[GaussianScene, SceneGround]:
    """A scene with its ground, moved so that the roomiest place near its middle is at the origin.

    Raises:
        SceneError: no ground was found on which anybody can walk.
    """
    from kinema.face.scenes import scene as open_scene

    around = open_scene(scene)
    ground = ground_of(around)
    if not ground.walkable.any():
        raise SceneError("nobody can walk anywhere in this scene; kinema scene convert --clean --level may help")
    padded = np.asarray(distance_transform_edt(np.pad(ground.walkable, 1)))
    room = np.minimum(ground.cell * padded[1:-1, 1:-1], _ROOMY)
    rows, columns = np.indices(room.shape)
    middle = np.argwhere(ground.walkable).mean(axis=0)
    away = ground.cell * np.hypot(rows - middle[0], columns - middle[1])
    score = np.where(ground.walkable, room - _AWAY * away, -np.inf)
    best = np.unravel_index(int(score.argmax()), score.shape)
    x, z = ground.points_of(np.asarray(best)).tolist()
    moved = around.moved(translation=(-x, -float(ground.heights[best]), -z))
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
