"""What is taken out of captured scenes: what lies outside a box, what can hardly be seen, and what floats alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from kinema.arrays import Bools, Floats
from kinema.errors import SceneError
from kinema.worlds.gaussians import GaussianScene

FAINT = 0.02
"""Opacity below which a Gaussian is left out."""

_LARGEST = 0.3  # standard deviation over the size of the scene: larger ones are fog
_CELLS = 4.0  # side of a cell over the distance of neighbours
_ALONE = 2e-3  # share of all that is seen: smaller islands float
_MOST_CELLS = 1000  # to a side


def cropped(scene: GaussianScene, low: ArrayLike, high: ArrayLike) -> GaussianScene:
    """What lies in a box.

    Args:
        low, high: corners `[3]`, metres; infinite leaves a side open.

    Raises:
        SceneError: nothing does, or the box is none.
    """
    lowest, highest = np.asarray(low, np.float64), np.asarray(high, np.float64)
    if lowest.shape != (3,) or highest.shape != (3,) or not (lowest < highest).all():
        raise SceneError(f"a box has two corners, the second larger on each axis, not {low} and {high}")
    inside = np.asarray(((scene.means >= lowest) & (scene.means <= highest)).all(axis=-1))
    if not inside.any():
        raise SceneError(f"nothing of the scene is in the box from {low} to {high}; it goes {describe_extent(scene)}")
    return scene.taken(inside)


def cleaned(scene: GaussianScene) -> GaussianScene:
    """The scene without what is faint, without fog, and without small islands in the air; `notes` say how many.

    Raises:
        SceneError: nothing would be left.
    """
    seen = scene.opacities >= FAINT
    large = scene.scales.max(axis=-1) > _LARGEST * _size(scene)
    alone = seen & ~large
    alone[alone] = islands(scene.taken(alone))
    kept = seen & ~large & ~alone
    if not kept.any():
        raise SceneError("nothing would be left of the scene")
    counts = {"faint": ~seen, "as large as fog": seen & large, "alone in the air": alone}
    said = ", ".join(f"{int(gone.sum()):,} {name}" for name, gone in counts.items() if gone.any())
    note = (f"left out of {len(scene):,} Gaussians: {said}",) if said else ()
    return replace(scene.taken(kept), notes=(*scene.notes, *note))


def islands(scene: GaussianScene) -> Bools:
    """Which Gaussians `[N]` belong to small groups that touch nothing else.

    Groups are cells of a grid that have neighbours; a group is small if little of all that is seen belongs to it.
    """
    cells = np.floor((scene.means - scene.means.min(axis=0)) / _cell(scene)).astype(np.int64)
    unique, of = np.unique(cells, axis=0, return_inverse=True)
    pairs = KDTree(unique).query_pairs(1.8, output_type="ndarray")
    links = coo_array((np.ones(len(pairs), np.bool_), (pairs[:, 0], pairs[:, 1])), shape=(len(unique), len(unique)))
    count, group = connected_components(links, directed=False)
    share = area(scene)
    of_groups = np.bincount(group[of], share, count)
    small = of_groups < _ALONE * share.sum()
    small[int(of_groups.argmax())] = False
    return small[group[of]]


def area(scene: GaussianScene) -> Floats:
    """How much is seen of each Gaussian `[N]`: opacity times its two largest axes, square metres."""
    scales = np.sort(scene.scales.astype(np.float64), axis=-1)
    return scene.opacities * scales[:, 1] * scales[:, 2]


def describe_extent(scene: GaussianScene) -> str:
    """From where to where a scene goes."""
    low, high = scene.means.min(axis=0), scene.means.max(axis=0)
    return " and ".join(f"from {a:.3g} to {b:.3g} m in {axis}" for axis, a, b in zip("xyz", low, high, strict=True))


def _size(scene: GaussianScene) -> float:
    """Diameter of nine tenths of a scene, metres."""
    low, high = np.quantile(scene.means, (0.05, 0.95), axis=0)
    return max(float(np.linalg.norm(high - low)), 1e-9)


def _cell(scene: GaussianScene) -> float:
    """Side of a cell: some times the distance of a typical Gaussian from its nearest ones."""
    some = scene.means[:: max(len(scene) // 2000, 1)]
    away, _ = KDTree(scene.means).query(some, min(5, len(scene)))
    near = float(np.median(np.atleast_2d(away)[:, -1]))
    extent = float((scene.means.max(axis=0) - scene.means.min(axis=0)).max())
    return max(_CELLS * near, extent / _MOST_CELLS, 1e-9)
