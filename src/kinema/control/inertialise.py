"""Inertialisation: a switch between two plans without a jump, by an offset that decays.

After D. Bollo, "Inertialization", GDC 2018. A triple pole replaces the polynomial, so the offset may restart at any
time. Position, velocity *and* acceleration are continuous, which keeps the jerk of a switch low.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations, springs
from kinema.control import inertialise_kernels
from kinema.control.membership import carried


@dataclass
class Offset:
    """Offsets `[n, D]` with velocity and acceleration that decay to zero. The arrays are changed in place."""

    value: NDArray[np.float32]
    velocity: NDArray[np.float32]
    acceleration: NDArray[np.float32]

    @staticmethod
    def zeros(shape: tuple[int, ...]) -> Offset:
        return Offset(np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.zeros(shape, np.float32))

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the rows `keep`, in that order, and add `added` new ones without an offset."""
        self.value = carried(self.value, keep, added)
        self.velocity = carried(self.velocity, keep, added)
        self.acceleration = carried(self.acceleration, keep, added)

    def restart(self, rows: Any, history: NDArray[np.float32], dt: float) -> None:
        """Restart some rows from the offsets of the last three frames, newest first.

        Args:
            rows: selects rows, as an index of NumPy: a mask or integers.
            history: `[3, ...]`, offsets of the rows.
        """
        newest, older, oldest = history
        self.value[rows] = newest
        self.velocity[rows] = (newest - older) / dt
        self.acceleration[rows] = (newest - 2 * older + oldest) / (dt * dt)

    def step(self, halflife: float, dt: float) -> NDArray[np.float32]:
        """Decay by `dt` seconds with a half-life in seconds, and return the offsets."""
        value, velocity, acceleration = (part.reshape(-1) for part in (self.value, self.velocity, self.acceleration))
        inertialise_kernels.decay(value, velocity, acceleration, springs.triple_damping(float(halflife)), float(dt))
        return self.value


def rotation_offsets(output: NDArray[np.float32], plan: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rotation vectors `[K, ..., 3]` from `plan` to `output` (`[K, ..., 4]`), in the parent's frame.

    They are continuous along the first axis. Near a half turn, the shortest rotation would flip from frame to frame.
    """
    offsets = rotations.log(rotations.multiply(output, rotations.inverse(plan)))
    length = np.linalg.norm(offsets[1:], axis=-1, keepdims=True)
    flipped = offsets[1:] * (1.0 - 2.0 * np.pi / np.maximum(length, 1e-6))
    near = np.linalg.norm(offsets[1:] - offsets[:1], axis=-1, keepdims=True)
    far = np.linalg.norm(flipped - offsets[:1], axis=-1, keepdims=True)
    return np.concatenate([offsets[:1], np.where(far < near, flipped, offsets[1:])])


def add_rotation_offsets(plan: NDArray[np.float32], offset: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rotations `[..., 4]`: `plan` rotated by rotation vectors `[..., 3]` in the parent's frame."""
    return inertialise_kernels.add_rotations(plan.reshape(-1, 4), offset.reshape(-1, 3)).reshape(plan.shape)
