"""The ground that characters stand on, as every stage and family sees it, and level ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kinema.arrays import Bools, Reals, Singles

VOID = -1e4
"""Height where there is no ground, metres. It is finite, so that arithmetic with it makes no NaN."""


def is_void(heights: Reals) -> Bools:
    """Where `heights` of any shape mean that there is no ground."""
    return heights < 0.5 * VOID


class Ground(Protocol):
    """A ground that gives its height and normal at any point.

    A ground is a value. One that moves is asked for with `at`, and gives the ground of that moment. A class that
    inherits from this one has to define `height` and `normal` only; then its ground stands still.
    """

    @property
    def is_level(self) -> bool:
        """Whether it has the same height everywhere, so that nobody needs to ask for it twice."""
        return False

    def height(self, points: Reals) -> Singles:
        """Heights `[...]` of the ground under or above points `[..., 3]`, metres, world. `VOID` where there is none."""
        ...

    def normal(self, points: Reals) -> Singles:
        """Unit normals `[..., 3]` of the ground at points `[..., 3]` in the world; straight up where there is none."""
        ...

    def velocity(self, points: Reals) -> Singles:
        """Velocities `[..., 3]` of the ground at points `[..., 3]` in the world, m/s; zero if it stands still."""
        return np.zeros(points.shape, np.float32)

    def at(self, time: float) -> Ground:
        """This ground at a time in seconds."""
        return self


@dataclass(frozen=True)
class Plane(Ground):
    """Level ground at one height.

    Attributes:
        y: height of the ground, metres.
    """

    y: float = 0.0

    @property
    def is_level(self) -> bool:
        """See `Ground`."""
        return True

    def height(self, points: Reals) -> Singles:
        """See `Ground`."""
        return np.full(points.shape[:-1], self.y, np.float32)

    def normal(self, points: Reals) -> Singles:
        """See `Ground`."""
        return up(points)


def up(points: Reals) -> Singles:
    """The normals `[..., 3]` of level ground at points `[..., 3]`; read-only."""
    return np.broadcast_to(np.array([0, 1, 0], np.float32), points.shape)


def flat(points: Reals) -> Singles:
    """Points or vectors `[..., 3]` as `[N, 3]`, as kernels take them."""
    return np.ascontiguousarray(np.asarray(points, np.float32).reshape(-1, 3))
