"""Where things are in each other, and how the axes of robots and ours change places.

Robots have Z up and face +X with Y to their left. Ours have Y up, face +Z, with X to their left: the axes of the
world and of every body change places, (x, y, z) becoming (y, z, x), and nothing is turned.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations

Floats = NDArray[np.float64]
IDENTITY: Floats = np.array([1.0, 0.0, 0.0, 0.0])


class Frame(NamedTuple):
    """A position `[3]` and a rotation `[4]` (wxyz) in another frame."""

    position: Floats = np.zeros(3)
    rotation: Floats = IDENTITY

    def child(self, position: Floats, rotation: Floats) -> Frame:
        """A frame in this one, seen from where this one is."""
        return Frame(self.points(position), rotations.multiply(self.rotation, rotation))

    def points(self, points: Floats) -> Floats:
        """Points `[..., 3]` of this frame, seen from where it is."""
        return self.position + rotations.rotate(self.rotation, points)


def vectors_from_robot(vectors: ArrayLike) -> Floats:
    """Vectors `[..., 3]` of a robot's world (Z up, facing +X) in ours (Y up, facing +Z)."""
    return np.asarray(vectors, np.float64)[..., [1, 2, 0]]


def rotations_from_robot(quaternions: ArrayLike) -> Floats:
    """Quaternions wxyz `[..., 4]` likewise: world and bodies change their axes alike."""
    return np.asarray(quaternions, np.float64)[..., [0, 2, 3, 1]]


def vectors_to_robot(vectors: ArrayLike) -> Floats:
    """The inverse of `vectors_from_robot`."""
    return np.asarray(vectors, np.float64)[..., [2, 0, 1]]


def rotations_to_robot(quaternions: ArrayLike) -> Floats:
    """The inverse of `rotations_from_robot`."""
    return np.asarray(quaternions, np.float64)[..., [0, 3, 1, 2]]
