"""Frames, and the conversion between the axes of robots and ours.

Robots have Z up and face +X with Y to their left. Ours have Y up, face +Z, with X to their left: the axes of the
world and of every body are permuted, (x, y, z) becoming (y, z, x), without a rotation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats

IDENTITY: Floats = np.array([1.0, 0.0, 0.0, 0.0])


class RobotFrame(NamedTuple):
    """A position `[3]` and a rotation `[4]` (wxyz) in another frame."""

    position: Floats = np.zeros(3)
    rotation: Floats = IDENTITY

    def child(self, position: Floats, rotation: Floats) -> RobotFrame:
        """A frame given in this one, in the space that this one is in."""
        return RobotFrame(self.points(position), rotations.multiply(self.rotation, rotation))

    def points(self, points: Floats) -> Floats:
        """Points `[..., 3]` given in this frame, in the space that it is in."""
        return self.position + rotations.rotate(self.rotation, points)


def vectors_from_robot(vectors: ArrayLike) -> Floats:
    """Vectors `[..., 3]` of a robot's world (Z up, facing +X) in ours (Y up, facing +Z)."""
    return np.asarray(vectors, np.float64)[..., [1, 2, 0]]


def rotations_from_robot(quaternions: ArrayLike) -> Floats:
    """The same for quaternions wxyz `[..., 4]`: the axes of world and bodies change in the same way."""
    return np.asarray(quaternions, np.float64)[..., [0, 2, 3, 1]]


def vectors_to_robot(vectors: ArrayLike) -> Floats:
    """The inverse of `vectors_from_robot`."""
    return np.asarray(vectors, np.float64)[..., [2, 0, 1]]


def rotations_to_robot(quaternions: ArrayLike) -> Floats:
    """The inverse of `rotations_from_robot`."""
    return np.asarray(quaternions, np.float64)[..., [0, 3, 1, 2]]
