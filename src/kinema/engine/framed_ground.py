"""The ground of a world in the frames of the characters of a group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Reals, Singles
from kinema.errors import WorldError
from kinema.terrain import Ground, is_void


@dataclass(frozen=True, eq=False)
class FramedGround(Ground):
    """A ground as `n` characters see it, each in a frame of its own.

    The first dimension of points is the characters'; only if there is one character, points may have any shape.

    Attributes:
        ground: the ground in the world.
        positions, rotations: `[n, 3]` and `[n, 4]`: the frames in the world.
    """

    ground: Ground
    positions: Singles
    rotations: Singles

    @property
    def is_level(self) -> bool:
        """See `Ground`."""
        return self.ground.is_level

    def height(self, points: Reals) -> Singles:
        """See `Ground`."""
        positions, turns = self._frames(points)
        heights = self.ground.height(positions + rotations.rotate(turns, points))
        return np.where(is_void(heights), heights, heights - positions[..., 1])

    def normal(self, points: Reals) -> Singles:
        """See `Ground`."""
        positions, turns = self._frames(points)
        return rotations.inverse_rotate(turns, self.ground.normal(positions + rotations.rotate(turns, points)))

    def velocity(self, points: Reals) -> Singles:
        """See `Ground`."""
        positions, turns = self._frames(points)
        return rotations.inverse_rotate(turns, self.ground.velocity(positions + rotations.rotate(turns, points)))

    def _frames(self, points: Reals) -> tuple[Singles, Singles]:
        """Positions and rotations of the frames, in a shape that broadcasts with points `[n, ..., 3]`."""
        count = len(self.positions)
        if count == 1:
            return self.positions[0], self.rotations[0]
        if points.ndim < 2 or len(points) != count:
            raise WorldError(f"a ground of {count} characters needs points [{count}, ..., 3], not {list(points.shape)}")
        middle = (1,) * (points.ndim - 2)
        return self.positions.reshape(count, *middle, 3), self.rotations.reshape(count, *middle, 4)
