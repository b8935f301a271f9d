"""Triangles of a mannequin made even, and put onto the zero set of its field."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinema.rendering.mannequin import field

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def neighbours(count: int, faces: Ints) -> tuple[Ints, Ints]:
    """Neighbours of each vertex as row starts `[V + 1]` and columns."""
    pairs = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    return np.concatenate([[0], np.cumsum(np.bincount(pairs[:, 0], minlength=count))]).astype(np.int64), pairs[:, 1]


def normals(vertices: Floats, faces: Ints) -> Floats:
    """Unit normals `[V, 3]`: those of the triangles around, weighted by their angle at the vertex."""
    found = np.zeros_like(vertices)
    corners = vertices[faces]
    flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-30)
    for k in range(3):
        one, two = corners[:, (k + 1) % 3] - corners[:, k], corners[:, (k + 2) % 3] - corners[:, k]
        lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(two, axis=1)
        angle = np.arccos(np.clip((one * two).sum(-1) / np.maximum(lengths, 1e-30), -1, 1))
        for axis in range(3):
            found[:, axis] += np.bincount(faces[:, k], flat[:, axis] * angle, len(vertices))
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-30)


@njit(cache=True, error_model="numpy")
def relax(
    vertices: Floats,
    facing: Floats,
    starts: Ints,
    others: Ints,
    pieces: Floats,
    parents: Ints,
    depths: Ints,
    strangers: NDArray[np.bool_],
    pairs: Ints,
    blends: Floats,
    gaps: Floats,
    step: float,
    share: float,
) -> Floats:
    """Move vertices toward the middle of their neighbours along the surface, then onto it.

    Args:
        facing: unit normals `[V, 3]`. step: metres over which the field's slope is taken.
        share: of the way to the surface that is gone; 0 only evens out the triangles.
    """
    near = np.empty(len(pieces))
    moved = np.empty_like(vertices)
    for n in range(len(vertices)):
        middle = np.zeros(3)
        for k in range(starts[n], starts[n + 1]):
            middle += vertices[others[k]]
        middle = middle / (starts[n + 1] - starts[n]) - vertices[n]
        out = (middle * facing[n]).sum()
        p = vertices[n] + 0.7 * (middle - out * facing[n])
        for _ in range(2):
            value, _ = field.distance(pieces, parents, depths, strangers, pairs, blends, gaps, near, p[0], p[1], p[2])
            ahead, _ = field.distance(
                pieces,
                parents,
                depths,
                strangers,
                pairs,
                blends,
                gaps,
                near,
                p[0] + step * facing[n, 0],
                p[1] + step * facing[n, 1],
                p[2] + step * facing[n, 2],
            )
            slope = max((ahead - value) / step, 0.5)
            p = p - share * min(max(value / slope, -2 * step), 2 * step) * facing[n]
        moved[n] = p
    return moved


@njit(cache=True)
def smooth(vertices: Floats, starts: Ints, others: Ints, rounds: int) -> Floats:
    """Taubin's smoothing (1995): creases fade, volume stays."""
    now = vertices.copy()
    for turn in range(2 * rounds):
        factor = 0.5 if turn % 2 == 0 else -0.52
        then = now.copy()
        for n in range(len(now)):
            middle = np.zeros(3)
            for k in range(starts[n], starts[n + 1]):
                middle += now[others[k]]
            then[n] = now[n] + factor * (middle / (starts[n + 1] - starts[n]) - now[n])
        now = then
    return now
