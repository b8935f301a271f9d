"""Compiled ear clipping for polygons that are not convex. A module of its own, so that Numba is loaded on demand."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats, Ints
from kinema.compiled import njit


@njit
def clip_ears(points: Floats, starts: Ints, counts: Ints, steps: int) -> Ints:
    """Triangles `[sum(counts - 2), 3]` of simple polygons in the plane, as indices into their corners.

    Args:
        points: `[C, 2]`, counter-clockwise polygons.
        starts: `[P]` first corner of each.
        counts: `[P]` corners of each, at least 3.
        steps: how many point-in-triangle tests may be made in all; what is left then is cut as fans. Polygons that
            cross themselves end as fans too.
    """
    triangles = np.empty((counts.sum() - 2 * len(counts), 3), np.int64)
    filled = 0
    for polygon in range(len(starts)):
        corners = starts[polygon] + np.arange(counts[polygon])
        steps = _clip(points, corners, triangles[filled : filled + len(corners) - 2], steps)
        filled += len(corners) - 2
    return triangles


@njit
def _clip(points: Floats, left: Ints, triangles: Ints, steps: int) -> int:
    """Cuts one polygon, whose corners are in `left`, into triangles; the steps that are left."""
    remaining, at, tried = len(left), 0, 0
    while remaining > 3:
        ear = steps > 0 and _is_ear(points, left[:remaining], at)
        steps -= remaining
        if ear or tried > remaining:  # no ear anywhere: the polygon is not simple, any cut will do
            triangle = triangles[len(left) - remaining]
            triangle[0], triangle[1], triangle[2] = left[(at - 1) % remaining], left[at], left[(at + 1) % remaining]
            for other in range(at, remaining - 1):
                left[other] = left[other + 1]
            remaining -= 1
            at, tried = at % remaining, (tried if not ear else 0)
        else:
            at = (at + 1) % remaining
            tried += 1
    triangles[-1] = left[:3]
    return steps


@njit
def _is_ear(points: Floats, left: Ints, at: int) -> bool:
    """Whether a corner can be cut off: it is convex, and no other point of the polygon is in its triangle."""
    a, b, c = int(left[at - 1]), int(left[at]), int(left[(at + 1) % len(left)])
    if _turn(points, a, b, c) <= 0.0:
        return False
    for point in left:
        # A corner that joins a hole to the outside is there twice.
        if _same(points, point, a) or _same(points, point, b) or _same(points, point, c):
            continue
        inside = _turn(points, a, b, point) >= 0.0 and _turn(points, b, c, point) >= 0.0
        if inside and _turn(points, c, a, point) >= 0.0:
            return False
    return True


@njit
def _turn(points: Floats, a: int, b: int, c: int) -> float:
    """Twice the signed area of a triangle."""
    return (points[b, 0] - points[a, 0]) * (points[c, 1] - points[a, 1]) - (points[b, 1] - points[a, 1]) * (
        points[c, 0] - points[a, 0]
    )


@njit
def _same(points: Floats, a: int, b: int) -> bool:
    return points[a, 0] == points[b, 0] and points[a, 1] == points[b, 1]
