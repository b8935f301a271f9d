"""A ground at another place, which may move."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Reals, Singles
from kinema.errors import UsageError
from kinema.terrain.ground import VOID, Ground, flat, is_void

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Placed(Ground):
    """A ground that is turned about the vertical and moved.

    Attributes:
        ground: what is placed.
        position: where its origin is, metres, world.
        heading: where its +Z points, radians from +Z to +X.
        linear_velocity: velocity of its origin, m/s, world.
        turn_rate: how fast it turns, rad/s from +Z to +X.

    Raises:
        UsageError: a number is not finite.
    """

    ground: Ground
    position: Vector = (0.0, 0.0, 0.0)
    heading: float = 0.0
    linear_velocity: Vector = (0.0, 0.0, 0.0)
    turn_rate: float = 0.0

    def __post_init__(self) -> None:
        if not np.isfinite([*self.position, self.heading, *self.linear_velocity, self.turn_rate]).all():
            raise UsageError(f"a ground cannot be placed at {self.position}, heading {self.heading}")

    @property
    def is_level(self) -> bool:
        """See `Ground`."""
        return self.ground.is_level

    def height(self, points: Reals) -> Singles:
        """See `Ground`."""
        heights = self.ground.height(self._inside(points))
        lifted = np.where(is_void(heights), np.float32(VOID), heights + np.float32(self.position[1]))
        return lifted.reshape(points.shape[:-1])

    def normal(self, points: Reals) -> Singles:
        """See `Ground`."""
        return self._outside(self.ground.normal(self._inside(points)), points)

    def velocity(self, points: Reals) -> Singles:
        """See `Ground`."""
        velocity = self._outside(self.ground.velocity(self._inside(points)), points)
        velocity += np.asarray(self.linear_velocity, np.float32)
        velocity[..., 0] += self.turn_rate * (points[..., 2] - self.position[2])
        velocity[..., 2] -= self.turn_rate * (points[..., 0] - self.position[0])
        return velocity

    def at(self, time: float) -> Ground:
        """See `Ground`."""
        inner = self.ground.at(time)
        if inner is self.ground:
            return self
        return Placed(inner, self.position, self.heading, self.linear_velocity, self.turn_rate)

    def _inside(self, points: Reals) -> Singles:
        """Points `[N, 3]` in the frame of what is placed."""
        from kinema.terrain.kernels import to_local

        position = np.array(self.position, np.float64)
        return to_local(flat(points), position, math.sin(self.heading), math.cos(self.heading))

    def _outside(self, vectors: Singles, points: Reals) -> Singles:
        """Vectors `[N, 3]` of what is placed in the world, in the shape of the points; a new array."""
        from kinema.terrain.kernels import to_world

        return to_world(flat(vectors), math.sin(self.heading), math.cos(self.heading)).reshape(points.shape)
