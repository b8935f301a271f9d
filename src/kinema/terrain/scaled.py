"""A ground at another size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Reals, Singles
from kinema.errors import UsageError
from kinema.terrain.ground import VOID, Ground, is_void


@dataclass(frozen=True)
class Scaled(Ground):
    """A ground that is larger or smaller about the origin, as controllers need it whose characters have another size.

    Attributes:
        ground: what is scaled.
        scale: how many times larger it becomes.

    Raises:
        UsageError: the scale is not positive.
    """

    ground: Ground
    scale: float

    def __post_init__(self) -> None:
        if not 0 < self.scale < np.inf:
            raise UsageError(f"a ground cannot be scaled by {self.scale}")

    @property
    def is_level(self) -> bool:
        """See `Ground`."""
        return self.ground.is_level

    def height(self, points: Reals) -> Singles:
        """See `Ground`."""
        heights = self.ground.height(points / np.float32(self.scale))
        return np.where(is_void(heights), np.float32(VOID), np.float32(self.scale) * heights)

    def normal(self, points: Reals) -> Singles:
        """See `Ground`."""
        return self.ground.normal(points / np.float32(self.scale))

    def velocity(self, points: Reals) -> Singles:
        """See `Ground`."""
        return np.float32(self.scale) * self.ground.velocity(points / np.float32(self.scale))

    def at(self, time: float) -> Ground:
        """See `Ground`."""
        inner = self.ground.at(time)
        return self if inner is self.ground else Scaled(inner, self.scale)
