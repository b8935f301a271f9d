"""The bones of a body as shaded round sticks in space, in the colours of SCAIL: nearer sticks hide farther ones.

SCAIL is driven by such pictures, made of key points in three dimensions, instead of flat skeletons. Colours, order and
radius are those of its public renderer; its shader is not the same, so colours within a stick may differ slightly.
"""

from __future__ import annotations

import numpy as np

from kinema.arrays import Bytes, Floats, Ints, Singles
from kinema.keypoints.points import BODY
from kinema.rendering.camera import Camera
from kinema.rendering.conditions.pose_map import LIMBS
from kinema.rendering.film.output import Pixels

STICK_COLORS = (
    (255, 0, 0), (0, 255, 255), (255, 85, 0), (255, 170, 0), (0, 170, 255), (0, 85, 255),
    (180, 255, 0), (0, 255, 0), (0, 255, 85), (0, 0, 255), (85, 0, 255), (170, 0, 255),
    (150, 150, 150), (255, 0, 170), (50, 0, 255), (255, 0, 170), (50, 0, 255),
)  # fmt: skip
"""sRGB of the limbs of `kinema.rendering.conditions.pose_map.LIMBS`: warm on the person's right, cold on the left."""

RADIUS = 0.0215 / 1.7
"""Radius of a stick, share of the stature: SCAIL has 21.5 mm for adults."""

_SHADE = 0.35  # strength at the rim of a stick, which is full in its middle


def draw_cylinders(body: Singles, camera: Camera, width: int, height: int, radius: float) -> Pixels:
    """The sticks of a body `[height, width, 3]` on black.

    Args:
        body: `[18, 4]`, see `kinema.keypoints.points.BodyPoints`; limbs with absent ends are left out.
        radius: metres.
    """
    canvas, nearest = np.zeros((height, width, 3), np.uint8), np.full((height, width), np.inf)
    seen = camera.project(body[:, :3], width, height)
    for limb, (one, other) in enumerate(LIMBS):
        ends = [BODY.index(one), BODY.index(other)]
        if (body[ends, 3] > 0).all() and (seen[ends, 2] > 0).all():
            _draw(canvas, nearest, seen[ends], radius * _scale(camera, height), _color(limb), camera.height is None)
    return canvas


def _color(limb: int) -> Floats:
    return np.minimum(np.array(STICK_COLORS[limb]) / 300 + 0.15, 1.0)


def _scale(camera: Camera, height: int) -> float:
    """Pixels per metre, one metre ahead of a perspective camera or anywhere before another."""
    return height / 2 / camera.half_height


def _draw(canvas: Bytes, nearest: Floats, ends: Floats, scale: float, color: Floats, perspective: bool) -> None:
    """Draw a stick between two projected points `[2, 3]` where nothing nearer is drawn."""
    depths = ends[:, 2] if perspective else np.ones(2)
    radii = scale / depths
    low, high = (ends[:, :2] - radii[:, None]).min(axis=0), (ends[:, :2] + radii[:, None]).max(axis=0)
    left, top = np.maximum(np.floor(low), 0).astype(np.int64)
    right, bottom = np.minimum(np.ceil(high), canvas.shape[1::-1]).astype(np.int64)
    if right <= left or bottom <= top:
        return
    y, x = np.arange(top, bottom)[:, None] + 0.5, np.arange(left, right) + 0.5
    along, aside = _along(x, y, ends[0, :2], ends[1, :2])
    reach = radii[0] + along * (radii[1] - radii[0])
    rise = np.sqrt(np.maximum(1.0 - (aside / np.maximum(reach, 1e-9)) ** 2, 0.0))  # of the surface toward the viewer
    depth = 1.0 / (1.0 / ends[0, 2] + along * (1.0 / ends[1, 2] - 1.0 / ends[0, 2]))
    inside = (aside <= reach) & (depth < nearest[top:bottom, left:right])
    shade = _SHADE + (1 - _SHADE) * rise
    colors = np.rint(255 * shade[..., None] * color).astype(np.uint8)
    canvas[top:bottom, left:right][inside] = colors[inside]
    nearest[top:bottom, left:right][inside] = depth[inside]


def _along(x: Floats | Ints, y: Floats | Ints, start: Floats, end: Floats) -> tuple[Floats, Floats]:
    """Share of the way from start to end at the nearest point of a line, and pixels from it."""
    bone = end - start
    share = np.clip(((x - start[0]) * bone[0] + (y - start[1]) * bone[1]) / max(float(bone @ bone), 1e-9), 0.0, 1.0)
    return share, np.hypot(x - start[0] - share * bone[0], y - start[1] - share * bone[1])
