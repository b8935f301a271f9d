"""Compiled ear clipping for polygons that are not convex. Kept apart so that numba loads only when one is met."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True)
def clip_ears(
    points: NDArray[np.float64], starts: NDArray[np.int64], counts: NDArray[np.int64], steps: int
) -> NDArray[np.int64]:
    """Triangles `[sum(counts - 2), 3]` of simple polygons in the plane, as indices into their corners.

    Args:
        points: `[C, 2]`, counter-clockwise polygons.
        starts: `[P]` first corner of each.
        counts: `[P]` corners of each, at least 3.
        steps: how many point-in-triangle tests may be made in all; what is left then is cut as fans. Polygons that
            cross themselves end as fans too.
    """
    total = 0
    for polygon in range(len(starts)):
        total += counts[polygon] - 2
    triangles = np.empty((total, 3), np.int64)
    filled = 0
    for polygon in range(len(starts)):
        count = counts[polygon]
        left = np.empty(count, np.int64)  # corners not cut off yet
        for corner in range(count):
            left[corner] = starts[polygon] + corner
        remaining = count
        at, tried = 0, 0
        while remaining > 3:
            a, b, c = int(left[(at - 1) % remaining]), int(left[at % remaining]), int(left[(at + 1) % remaining])
            ear = _turn(points, a, b, c) > 0.0 and steps > 0
            if ear:
                for other in range(remaining):
                    point = int(left[other])
                    steps -= 1
                    if point in (a, b, c):
                        continue
                    if _same(points, point, a) or _same(points, point, b) or _same(points, point, c):
                        continue  # where a hole is joined to the outside, corners stand twice
                    if (
                        _turn(points, a, b, point) >= 0.0
                        and _turn(points, b, c, point) >= 0.0
                        and _turn(points, c, a, point) >= 0.0
                    ):
                        ear = False
                        break
            if ear or tried > remaining:  # no ear anywhere: the polygon is not simple, any cut will do
                triangles[filled, 0], triangles[filled, 1], triangles[filled, 2] = a, b, c
                filled += 1
                cut = at % remaining
                for other in range(cut, remaining - 1):
                    left[other] = left[other + 1]
                remaining -= 1
                at, tried = cut % remaining, (tried if not ear else 0)
            else:
                at = (at + 1) % remaining
                tried += 1
        triangles[filled, 0], triangles[filled, 1], triangles[filled, 2] = left[0], left[1], left[2]
        filled += 1
    return triangles


@numba.njit(cache=True)
def _turn(points: NDArray[np.float64], a: int, b: int, c: int) -> float:
    """Twice the signed area of a triangle."""
    return (points[b, 0] - points[a, 0]) * (points[c, 1] - points[a, 1]) - (points[b, 1] - points[a, 1]) * (
        points[c, 0] - points[a, 0]
    )


@numba.njit(cache=True)
def _same(points: NDArray[np.float64], a: int, b: int) -> bool:
    return points[a, 0] == points[b, 0] and points[a, 1] == points[b, 1]
