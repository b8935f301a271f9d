"""Polygons of any number of corners, cut into triangles; concave ones too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats, Ints, Reals

STEPS_PER_CORNER = 4096  # tests that clipping may take; a hostile polygon is cut as a fan once they are used up
MOST_STEPS = 400_000_000


def triangulate(counts: NDArray[np.integer], positions: Reals) -> tuple[Ints, Ints]:
    """Triangles of polygons, each wound as its polygon is.

    Args:
        counts: `[P]` corners of each polygon; those with fewer than three give no triangle.
        positions: `[C, 3]` of all corners in order, `C` the sum of `counts`. Values need not be finite.

    Returns:
        Corners `[T, 3]`, indices into `positions`, and the polygon `[T]` each triangle is of, ascending.

    Raises:
        ValueError: a count is negative, or they do not add up to the number of positions.
    """
    counts = np.asarray(counts, dtype=np.int64)
    if (counts < 0).any() or int(counts.sum()) != len(positions):
        raise ValueError(f"polygons of {int(counts.sum())} corners do not fit {len(positions)} positions")
    starts = np.cumsum(counts) - counts
    places = np.asarray(positions, dtype=np.float64)
    found: list[Ints] = []
    owners: list[Ints] = []
    for size in np.unique(counts[counts >= 3]).tolist():
        faces = np.flatnonzero(counts == size)
        first = starts[faces]
        if size == 3:
            pieces = first[:, None, None] + np.arange(3)
        else:
            pieces = _cut(size, first, places)
        found.append(pieces.reshape(-1, 3))
        owners.append(np.repeat(faces, size - 2))
    if not found:
        return np.zeros((0, 3), np.int64), np.zeros(0, np.int64)
    triangles, faces = np.concatenate(found), np.concatenate(owners)
    order = np.argsort(faces, kind="stable")
    return triangles[order], faces[order]


def _cut(size: int, first: Ints, places: Floats) -> Ints:
    """Triangles `[P, size - 2, 3]` of polygons that all have `size` corners, starting at `first` `[P]`."""
    fan = np.stack([np.zeros(size - 2, np.int64), np.arange(1, size - 1), np.arange(2, size)], axis=1)
    pieces = first[:, None, None] + fan
    with np.errstate(all="ignore"):
        corners = places[first[:, None] + np.arange(size)]
        corners = corners - corners.mean(axis=1, keepdims=True)
        following, before = np.roll(corners, -1, axis=1), np.roll(corners, 1, axis=1)
        normals = np.cross(corners, following).sum(axis=1)  # Newell's, twice the area long
        turns = np.einsum("pkc,pc->pk", np.cross(corners - before, following - corners), normals)
        reflex = turns < -1e-9 * np.einsum("pc,pc->p", normals, normals)[:, None]
    bent = np.flatnonzero(reflex.any(axis=1) & np.isfinite(turns).all(axis=1))
    if not bent.size:
        return pieces
    if size == 4:
        other = bent[reflex[bent][:, [1, 3]].any(axis=1)]  # a diagonal has to start at the reflex corner
        pieces[other] = first[other, None, None] + np.array([[1, 2, 3], [1, 3, 0]])
        return pieces
    from kinema.formats.polygon_kernels import clip_ears  # numba loads with the first concave polygon

    flat = _in_plane(corners[bent], normals[bent]).reshape(-1, 2)
    counts = np.full(len(bent), size, np.int64)
    steps = min(STEPS_PER_CORNER * len(flat), MOST_STEPS)
    clipped = clip_ears(flat, np.arange(len(bent)) * size, counts, steps).reshape(len(bent), size - 2, 3)
    pieces[bent] = clipped - (np.arange(len(bent)) * size - first[bent])[:, None, None]
    return pieces


def _in_plane(corners: Floats, normals: Floats) -> Floats:
    """Corners `[P, K, 3]` in the plane `[P, K, 2]`, seen from the tip of their normal `[P, 3]`."""
    along = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    least = np.eye(3)[np.abs(along).argmin(axis=1)]
    right = np.cross(least, along)
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    return np.stack(
        [np.einsum("pkc,pc->pk", corners, right), np.einsum("pkc,pc->pk", corners, np.cross(along, right))], axis=-1
    )
