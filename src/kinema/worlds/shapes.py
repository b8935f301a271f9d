"""Simple bodies as coloured triangles, to build worlds of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Floats
from kinema.worlds.surfels import ColouredSurface

_CUBE = np.asarray([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
_SIDES = np.asarray([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])


def box(centre: ArrayLike, size: ArrayLike, colour: ArrayLike, heading: float = 0.0) -> ColouredSurface:
    """A box.

    Args:
        centre: `[3]`, metres. size: `[3]`, of its sides. colour: `[3]`, sRGB.
        heading: radians about +Y, from +Z to +X.
    """
    corners = _turned(0.5 * _CUBE * np.asarray(size, np.float64), heading) + np.asarray(centre, np.float64)
    triangles = np.concatenate([_SIDES[:, [0, 1, 2]], _SIDES[:, [0, 2, 3]]])
    return ColouredSurface.of(corners, triangles, colour)


def column(
    foot: ArrayLike, height: float, radii: tuple[float, float], colour: ArrayLike, sides: int = 12
) -> ColouredSurface:
    """A round column, or a cone.

    Args:
        foot: centre of its lower end `[3]`, metres. radii: of the lower and the upper end.
    """
    angles = np.arange(sides) * (2.0 * np.pi / sides)
    ring = np.stack([np.sin(angles), np.zeros(sides), np.cos(angles)], axis=-1)
    low, high = radii[0] * ring, radii[1] * ring + np.asarray([0.0, height, 0.0])
    ends = np.asarray([[0.0, 0.0, 0.0], [0.0, height, 0.0]])
    vertices = np.concatenate([low, high, ends]) + np.asarray(foot, np.float64)
    here = np.arange(sides)
    there = (here + 1) % sides
    triangles = np.concatenate(
        [
            np.stack([here, there, there + sides], axis=-1),
            np.stack([here, there + sides, here + sides], axis=-1),
            np.stack([there, here, np.full(sides, 2 * sides)], axis=-1),
            np.stack([here + sides, there + sides, np.full(sides, 2 * sides + 1)], axis=-1),
        ]
    )
    return ColouredSurface.of(vertices, triangles, colour)


def ball(centre: ArrayLike, radii: ArrayLike, colour: ArrayLike, rows: int = 8) -> ColouredSurface:
    """An ellipsoid.

    Args:
        centre: `[3]`. radii: `[3]`, along the axes, metres.
    """
    up, around = np.linspace(0.0, np.pi, rows + 1), np.linspace(0.0, 2.0 * np.pi, 2 * rows + 1)
    grid = np.stack(
        [
            np.sin(up)[:, None] * np.sin(around),
            np.cos(up)[:, None] * np.ones_like(around),
            np.sin(up)[:, None] * np.cos(around),
        ],
        axis=-1,
    )
    vertices, triangles = _grid(grid * np.asarray(radii, np.float64) + np.asarray(centre, np.float64))
    return ColouredSurface.of(vertices, triangles, colour)


def relief(
    height: Callable[[Floats, Floats], Floats],
    colour: Callable[[Floats, Floats], Floats],
    low: tuple[float, float],
    high: tuple[float, float],
    cell: float,
) -> ColouredSurface:
    """A ground between two corners (x, z).

    Args:
        height: metres at x and z. colour: sRGB `[..., 3]` at x and z. cell: side of a square, metres.
    """
    x, z = (np.linspace(a, b, max(round((b - a) / cell), 1) + 1) for a, b in zip(low, high, strict=True))
    across, along = np.meshgrid(x, z)
    vertices, triangles = _grid(np.stack([across, height(across, along), along], axis=-1))
    return ColouredSurface.of(vertices, triangles, colour(vertices[:, 0], vertices[:, 2]))


def _grid(points: Floats) -> tuple[Floats, np.ndarray]:
    """Vertices `[R C, 3]` and triangles of points `[R, C, 3]`."""
    rows, columns = points.shape[:2]
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    first = np.stack([corner, corner + columns, corner + columns + 1], axis=-1)
    second = np.stack([corner, corner + columns + 1, corner + 1], axis=-1)
    return points.reshape(-1, 3), np.concatenate([first, second])


def _turned(points: Floats, heading: float) -> Floats:
    sine, cosine = np.sin(heading), np.cos(heading)
    x, y, z = points.T
    return np.stack([x * cosine + z * sine, y, z * cosine - x * sine], axis=-1)
