"""Even out the triangles of a mannequin and put them onto the zero set of its field."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats, Ints
from kinema.compiled import njit
from kinema.kernels import dot, scaled_sum, write_vector
from kinema.rendering.mannequin import field


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


@njit(error_model="numpy")
def _to_middle(vertices: Floats, starts: Ints, others: Ints, n: int) -> tuple[float, float, float]:
    """The way from a vertex to the middle of its neighbours."""
    middle = (0.0, 0.0, 0.0)
    for k in range(starts[n], starts[n + 1]):
        middle = scaled_sum(middle, 1.0, vertices[others[k]], 1.0)
    return scaled_sum(middle, 1.0 / (starts[n + 1] - starts[n]), vertices[n], -1.0)


@njit(error_model="numpy")
def relax(
    vertices: Floats, facing: Floats, starts: Ints, others: Ints, body: field.Field, step: float, share: float
) -> Floats:
    """Move vertices toward the middle of their neighbours along the surface, then onto it.

    Args:
        facing: unit normals `[V, 3]`.
        step: metres over which the field's slope is measured.
        share: how much of the way to the surface is taken.
    """
    near = np.empty(len(body[0]))
    moved = np.empty_like(vertices)
    for n in range(len(vertices)):
        middle = _to_middle(vertices, starts, others, n)
        along = scaled_sum(middle, 1.0, facing[n], -dot(middle, facing[n]))
        p = scaled_sum(vertices[n], 1.0, along, 0.7)
        for _ in range(2):
            value, _ = field.distance(body, near, p[0], p[1], p[2])
            q = scaled_sum(p, 1.0, facing[n], step)
            ahead, _ = field.distance(body, near, q[0], q[1], q[2])
            slope = max((ahead - value) / step, 0.5)
            p = scaled_sum(p, 1.0, facing[n], -share * min(max(value / slope, -2 * step), 2 * step))
        write_vector(moved[n], p)
    return moved


@njit
def smooth(vertices: Floats, starts: Ints, others: Ints, rounds: int) -> Floats:
    """Taubin's smoothing (1995): creases fade, volume stays."""
    for turn in range(2 * rounds):
        factor = 0.5 if turn % 2 == 0 else -0.52
        moved = vertices.copy()
        for n in range(len(vertices)):
            write_vector(moved[n], scaled_sum(vertices[n], 1.0, _to_middle(vertices, starts, others, n), factor))
        vertices = moved
    return vertices
