"""Grounds that functions take: terrains by name, the recovered grounds of scenes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from kinema.arrays import Floats
from kinema.errors import SceneError

if TYPE_CHECKING:
    from kinema.terrain import Ground
    from kinema.worlds.gaussians import GaussianScene
    from kinema.worlds.grounding import SceneGround

_ROOMY = 2.0  # metres around a place beyond which more room is of no use
_AWAY = 0.1  # metres of room that are as good as being a metre nearer to the middle


def open_terrain(terrain: Ground | str | os.PathLike[str] | None) -> Ground | None:
    """A ground as it is, or by its name or from a file with the defaults of `kinema.terrain.open_ground`."""
    if not isinstance(terrain, str | os.PathLike):
        return terrain
    from kinema.terrain import open_ground

    return open_ground(terrain)


_GROUNDS: WeakKeyDictionary[GaussianScene, SceneGround] = WeakKeyDictionary()


def ground_of(scene: GaussianScene) -> SceneGround:
    """The ground of a scene; it is recovered once.

    Raises:
        SceneError: there is none.
    """
    from kinema.worlds.grounding import recover_ground

    if scene not in _GROUNDS:
        _GROUNDS[scene] = recover_ground(scene)
    return _GROUNDS[scene]


def roomiest(ground: SceneGround) -> Floats:
    """The place `[2]` (x, z) near the middle of a scene where there is most room, metres.

    Raises:
        SceneError: nobody can walk anywhere.
    """
    from scipy.ndimage import distance_transform_edt

    if not ground.walkable.any():
        raise SceneError("nobody can walk anywhere in this scene; kinema scene convert --clean --level may help")
    padded = np.asarray(distance_transform_edt(np.pad(ground.walkable, 1)))
    room = np.minimum(ground.cell * padded[1:-1, 1:-1], _ROOMY)
    rows, columns = np.indices(room.shape)
    middle = np.argwhere(ground.walkable).mean(axis=0)
    away = ground.cell * np.hypot(rows - middle[0], columns - middle[1])
    score = np.where(ground.walkable, room - _AWAY * away, -np.inf)
    return ground.points_of(np.asarray(np.unravel_index(int(score.argmax()), score.shape)))
