"""The ground that characters stand on, shared by all stages and families."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Ground(Protocol):
    """A ground that gives its height and normal at any point."""

    def height(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """Heights `[...]` of the ground at points `[..., 3]` in the world, metres."""
        ...

    def normal(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """Unit normals `[..., 3]` of the ground at points `[..., 3]` in the world."""
        ...


@dataclass(frozen=True)
class Plane:
    """Level ground at one height.

    Attributes:
        y: height of the ground, metres.
    """

    y: float = 0.0

    def height(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """See `Ground`."""
        return np.full(points.shape[:-1], self.y, np.float32)

    def normal(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """See `Ground`."""
        return np.broadcast_to(np.array([0, 1, 0], np.float32), points.shape)
