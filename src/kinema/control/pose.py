"""Poses of a crowd: the value that controllers hand out and stages change."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics
from kinema.control import pose_kernels


@dataclass(frozen=True, eq=False)
class Pose:
    """Poses of `n` characters. Top joints are relative to the root frame, all others to their parents.

    Attributes:
        root_positions: `[n, 3]`, on the ground of the world, metres.
        root_rotations: `[n, 4]`, heading about +Y.
        local_translations: `[n, J, 3]`, metres.
        local_rotations: `[n, J, 4]`, wxyz.
        contacts: `[n, C]` in 0 to 1, one column a foot (left, right).
    """

    root_positions: NDArray[np.float32]
    root_rotations: NDArray[np.float32]
    local_translations: NDArray[np.float32]
    local_rotations: NDArray[np.float32]
    contacts: NDArray[np.float32]

    @property
    def count(self) -> int:
        return self.root_positions.shape[0]

    def replace(self, **changes: NDArray[np.float32]) -> Pose:
        return dataclasses.replace(self, **changes)

    def in_root(self, parents: Sequence[int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Rotations `[n, J, 4]` and positions `[n, J, 3]` of all joints in the root frame."""
        return kinematics.forward(self.local_rotations, self.local_translations, parents)

    def globals(self, parents: Sequence[int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Rotations `[n, J, 4]` and positions `[n, J, 3]` of all joints in the world."""
        turned, positions = self.in_root(parents)
        pose_kernels.place(self.root_positions, self.root_rotations, turned, positions)
        return turned, positions
