"""Several grounds as one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Reals, Singles
from kinema.errors import UsageError
from kinema.terrain.ground import Ground, flat


@dataclass(frozen=True)
class Union(Ground):
    """The highest of several grounds at each point.

    Attributes:
        parts: the grounds; where two are equally high, normal and velocity are those of the first.

    Raises:
        UsageError: there are no parts.
    """

    parts: tuple[Ground, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        if not self.parts:
            raise UsageError("a union needs at least one ground")

    def height(self, points: Reals) -> Singles:
        """See `Ground`."""
        highest = self.parts[0].height(points)
        for part in self.parts[1:]:
            highest = np.maximum(highest, part.height(points))
        return highest

    def normal(self, points: Reals) -> Singles:
        """See `Ground`."""
        return self._of_highest(points, lambda part: part.normal(points))

    def velocity(self, points: Reals) -> Singles:
        """See `Ground`."""
        return self._of_highest(points, lambda part: part.velocity(points))

    def at(self, time: float) -> Ground:
        """See `Ground`."""
        parts = tuple(part.at(time) for part in self.parts)
        return self if all(new is old for new, old in zip(parts, self.parts, strict=True)) else Union(parts)

    def _of_highest(self, points: Reals, ask: Callable[[Ground], Singles]) -> Singles:
        """For each point the vector `[..., 3]` of the part that is highest there."""
        from kinema.terrain.kernels import overlay

        first, *others = self.parts
        highest, vectors = first.height(points).reshape(-1).copy(), flat(ask(first)).copy()
        for part in others:
            overlay(highest, vectors, part.height(points).reshape(-1), flat(ask(part)))
        return vectors.reshape(points.shape)
