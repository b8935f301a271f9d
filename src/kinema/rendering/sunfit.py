"""The view of the shadow map: tight around what casts visible shadows, and stable between pictures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats, Reals
from kinema.rendering.camera import Camera

_STEPS = 4.0  # sizes of the map are rounded to this many steps an octave, so that they do not change with every step


@dataclass(frozen=True, eq=False)
class SunFit:
    """An orthographic view along the sunlight.

    Attributes:
        matrix: `[4, 4]`, world to the clip space of the shadow map.
        texel: width of a texel, metres.
        depth: distance between the near and far ends, metres.
    """

    matrix: Floats
    texel: float
    depth: float


def light_axes(toward: tuple[float, float, float]) -> Floats:
    """`[3, 3]`: rows are right, up and toward the sun, unit. They depend on the sun alone, so texels stay in place."""
    ahead = np.asarray(toward, np.float64)
    length = float(np.linalg.norm(ahead))
    ahead = ahead / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
    side = np.cross((0.0, 0.0, 1.0) if abs(ahead[2]) < 0.9 else (1.0, 0.0, 0.0), ahead)
    side /= np.linalg.norm(side)
    return np.stack([side, np.cross(ahead, side), ahead])


def fit(
    toward: tuple[float, float, float],
    centers: Reals,
    radii: Reals,
    camera: Camera,
    aspect: float,
    reach: float,
    resolution: int,
) -> SunFit | None:
    """Fit the map around bodies that can cast a shadow into the picture; None if there are none.

    Args:
        toward: direction from the world to the sun.
        centers, radii: `[M, 3]` and `[M]`: bounding spheres of all bodies, metres, world.
        camera, aspect: camera and aspect ratio of the picture.
        reach: metres ahead of the camera up to which shadows are visible.
        resolution: texels of an edge.
    """
    if len(centers) == 0:
        return None
    axes = light_axes(toward)
    seen = np.asarray(centers, np.float64) @ axes.T
    radius = np.asarray(radii, np.float64)[:, None]
    low, high = seen - radius, seen + radius
    corners = frustum(camera, aspect, reach) @ axes.T
    # Only a body between the sun and a visible place can darken it.
    first, last = corners.min(0), corners.max(0)
    casts = (high[:, 0] > first[0]) & (low[:, 0] < last[0]) & (high[:, 1] > first[1]) & (low[:, 1] < last[1])
    casts &= high[:, 2] > first[2]
    if not casts.any():
        return None
    low, high = low[casts].min(0), high[casts].max(0)
    flat_low, flat_high = np.maximum(low[:2], first[:2]), np.minimum(high[:2], last[:2])
    span = max(float((flat_high - flat_low).max()), 1e-3) * (1 + 8 / resolution)
    span = 2.0 ** (np.ceil(np.log2(span) * _STEPS) / _STEPS)
    texel = span / resolution
    middle = np.round(0.5 * (flat_low + flat_high) / texel) * texel
    near = float(high[2]) + 0.01 * span
    depth = max(near - float(low[2]) + 0.05 * span, 1e-3)
    depth = 2.0 ** (np.ceil(np.log2(depth) * _STEPS) / _STEPS)
    matrix = np.eye(4)
    matrix[:2, :3] = axes[:2] * (2.0 / span)
    matrix[:2, 3] = -middle * (2.0 / span)
    matrix[2, :3] = -axes[2] * (2.0 / depth)
    matrix[2, 3] = near * (2.0 / depth) - 1.0
    return SunFit(matrix, texel, depth)


def frustum(camera: Camera, aspect: float, reach: float) -> Floats:
    """Corners `[8, 3]`, world, of the view volume up to `reach` metres ahead."""
    found = []
    for distance in (camera.near, max(min(camera.far, reach), camera.near * 2)):
        half = camera.half_height * (distance if camera.height is None else 1.0)
        for x in (-1.0, 1.0):
            for y in (-1.0, 1.0):
                across = camera.left * (x * half * aspect) + camera.up * (y * half)
                found.append(camera.position + camera.ahead * distance + across)
    return np.stack(found)
