"""Heights of the ground on a grid around a character, turned with it: what networks see of uneven ground."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Reals, Singles
from kinema.terrain.ground import Ground

GRID = (16, 16)
"""Rows and columns."""

CELL = 0.15
"""Metres between two points."""


def heights_around(ground: Ground, positions: Reals, headings: Reals) -> Singles:
    """Heights `[..., 16, 16]` of the ground around characters, metres, above them.

    Rows go forward and columns to the left. The character is in the middle, between the points.

    Args:
        positions: `[..., 3]`, metres. headings: `[...]`, radians from +Z to +X.
    """
    ahead, left = ((np.arange(count) - 0.5 * (count - 1)) * CELL for count in GRID)
    points = np.zeros((*GRID, 3))
    points[..., 0], points[..., 2] = left, ahead[:, None]
    turned = rotations.rotate_yaw(np.asarray(headings, np.float64)[..., None, None], points)
    places = np.asarray(positions)[..., None, None, :]
    return ground.height(places + turned) - places[..., 1].astype(np.float32)
