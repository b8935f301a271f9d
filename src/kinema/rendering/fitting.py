"""The nearest place from which a camera sees everything."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats
from kinema.errors import KinemaError
from kinema.rendering.camera import Camera
from kinema.rendering.tracking import view_rotation

_CLOSEST = 0.1


@dataclass(frozen=True)
class Margins:
    """Shares of the picture's width or height that stay free at each border."""

    left: float = 0.08
    right: float = 0.08
    top: float = 0.08
    bottom: float = 0.08

    @staticmethod
    def even(margin: float) -> Margins:
        """The same at all borders."""
        return Margins(margin, margin, margin, margin)

    def slopes(self, fov: float, aspect: float) -> tuple[Floats, Floats]:
        """Tangents `[2]` of the angles to the left and upper limits, and to the right and lower limits.

        Raises:
            KinemaError: the margins leave nothing of the picture.
        """
        free = np.array([[self.left, self.top], [self.right, self.bottom]])
        if not (free.sum(axis=0) < 0.98).all() or not 0 < fov < np.pi or not aspect > 0:
            raise KinemaError(
                f"nothing fits into a picture of aspect {aspect:g}, angle {fov:g} and margins {free.tolist()}"
            )
        half = np.tan(fov / 2) * np.array([aspect, 1.0])
        first, second = half * (1 - 2 * free)
        return first, second


def frame_points(
    points: ArrayLike,
    azimuth: float,
    elevation: float,
    fov: float = 0.6,
    aspect: float = 16 / 9,
    margin: float | Margins = 0.08,
) -> Camera:
    """The nearest camera that sees all points, looking in a given direction.

    Args:
        points: `[..., 3]`, metres, world.
        azimuth: view direction, radians from +Z toward +X.
        elevation: how far it looks down, radians.
        fov: vertical angle of view, radians.
        aspect: width over height of the picture.
        margin: share of the picture that stays free at each border, or `Margins`.

    Raises:
        KinemaError: there is no finite point, or the margins leave nothing of the picture.
    """
    rotation = view_rotation(azimuth, elevation)
    seen = seen_points(points, rotation)
    margins = margin if isinstance(margin, Margins) else Margins.even(margin)
    eye = fit(seen, *margins.slopes(fov, aspect))
    depths = seen[:, 2] - eye[2]
    position = rotations.rotate(rotation, eye)
    nearest, farthest = float(depths.min()), float(depths.max())
    return Camera(position, rotation, fov, min(0.05, 0.5 * nearest), max(200.0, 2 * farthest))


def seen_points(points: ArrayLike, rotation: Floats) -> Floats:
    """Finite points `[N, 3]` in the axes of a camera at the origin.

    Raises:
        KinemaError: there are none.
    """
    world = np.asarray(points, np.float64).reshape(-1, 3)
    world = world[np.isfinite(world).all(axis=-1)]
    if not len(world):
        raise KinemaError("a camera needs a point to look at")
    return rotations.inverse_rotate(rotation, world)


def fit(seen: Floats, first: Floats, second: Floats) -> Floats:
    """The place of a camera `[3]`, in its own axes, that sees points `[N, 3]` within slopes; see `Margins`.

    Each limit of the picture is a plane through the eye, placed by the point nearest to it. Where two opposite planes
    leave room, the eye is in the middle of it.
    """
    high = (seen[:, :2] - first * seen[:, 2:]).max(axis=0)
    low = (-seen[:, :2] - second * seen[:, 2:]).max(axis=0)
    back = float((-(high + low) / (first + second)).min())
    back = min(back, float(seen[:, 2].min()) - _CLOSEST)
    across = (high + first * back - low - second * back) / 2
    return np.array([*across, back])


def back_off(seen: Floats, eye: Floats, first: Floats, second: Floats) -> float:
    """Metres that an eye `[3]` must move back to see points `[N, 3]` in its axes within slopes; 0 if it does."""
    offset = seen - eye
    needed = np.maximum(offset[:, :2] / first, -offset[:, :2] / second).max(axis=-1) - offset[:, 2]
    return max(0.0, float(needed.max()), _CLOSEST - float(offset[:, 2].min()))
