"""How bodies darken what they are close to: the light of the sky that they keep from a captured scene.

Bodies are spheres; a sphere takes light from a surface by the share of its sky that it fills (I. Quilez, "Sphere
Ambient Occlusion", 2006).
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from scipy.spatial import KDTree

from kinema import rotations
from kinema.arrays import Singles
from kinema.worlds.gaussians import GaussianScene

_FAR = 3.0  # radii from a sphere up to which it counts
_FULL = 0.6  # size of what is in a bounding sphere, over that of the sphere

_TREES: WeakKeyDictionary[GaussianScene, tuple[KDTree, Singles]] = WeakKeyDictionary()


def openness(scene: GaussianScene, centres: Singles, radii: Singles) -> Singles | None:
    """How much of its sky each Gaussian still sees `[N]`, 0 to 1; None if all of them see all of it.

    Args:
        centres: `[P, 3]`, radii: `[P]`: bounding spheres of parts of bodies, metres, world.
    """
    if not len(centres):
        return None
    tree, normals = _found(scene)
    sizes = _FULL * radii.astype(np.float64)
    near = tree.query_ball_point(centres.astype(np.float64), _FAR * sizes)
    part = np.repeat(np.arange(len(near)), [len(each) for each in near])
    if not len(part):
        return None
    which = np.concatenate([np.asarray(each, np.int64) for each in near])
    away = centres[part] - scene.means[which]
    squares = np.maximum((away * away).sum(-1), 1e-9)
    facing = np.abs((away * normals[which]).sum(-1)) / np.sqrt(squares)
    size = sizes[part]
    reach = np.clip(1.0 - np.sqrt(squares) / (_FAR * size), 0.0, 1.0)
    filled = np.clip(facing * size**2 / np.maximum(squares, size**2) * np.minimum(3.0 * reach, 1.0), 0.0, 0.95)
    closed = np.bincount(which, -np.log1p(-filled), len(scene))
    return np.exp(-closed).astype(np.float32)


def _found(scene: GaussianScene) -> tuple[KDTree, Singles]:
    """A tree of the centres, and the thinnest axis of each Gaussian `[N, 3]`."""
    found = _TREES.get(scene)
    if found is None:
        axes = rotations.to_matrix(scene.rotations)
        thinnest = scene.log_scales.argmin(axis=-1)
        found = KDTree(scene.means), axes[np.arange(len(scene)), :, thinnest].astype(np.float32)
        _TREES[scene] = found
    return found
