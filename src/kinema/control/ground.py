"""The ground that characters stand on, as all stages and families see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Ground(Protocol):
    """Height and normal of the ground at points."""

    def height(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """Heights `[...]` of the ground, metres, under or above points `[..., 3]` in the world."""
        ...

    def normal(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """Unit normals `[..., 3]` of the ground at points `[..., 3]` in the world."""
        ...


@dataclass(frozen=True)
class Plane:
    """Level ground at one height.

    Attributes:
        y: its height, metres.
    """

    y: float = 0.0

    def height(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """See `Ground`."""
        return np.full(points.shape[:-1], self.y, np.float32)

    def normal(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """See `Ground`."""
        return np.broadcast_to(np.array([0, 1, 0], np.float32), points.shape)
