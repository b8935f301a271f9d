"""A ground that moves along a path: lifts, ferries and turntables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Reals, Singles
from kinema.errors import UsageError
from kinema.terrain.ground import Ground
from kinema.terrain.placed import Placed, Vector

Path = Callable[[float], tuple[ArrayLike, float]]
"""Position `[3]`, metres, and heading, radians from +Z to +X, at a time in seconds."""

_STEP = 1e-4  # seconds, for the velocity


@dataclass(frozen=True)
class Moving(Ground):
    """A ground whose place is a function of time. Asked without a time, it is the ground at time 0.

    Attributes:
        ground: what moves, such as a `block`.
        path: where it is at a time. It should be smooth: velocities are its differences.

    Raises:
        UsageError: the path gives a place that is not finite.
    """

    ground: Ground
    path: Path

    def at(self, time: float) -> Ground:
        """See `Ground`."""
        (place, heading), (before, old), (after, new) = (self._place(time + step) for step in (0, -_STEP, _STEP))
        velocity = (after - before) / (2 * _STEP)
        turn_rate = (np.remainder(new - old + np.pi, 2 * np.pi) - np.pi) / (2 * _STEP)
        return Placed(self.ground.at(time), _vector(place), heading, _vector(velocity), float(turn_rate))

    def height(self, points: Reals) -> Singles:
        """See `Ground`."""
        return self.at(0.0).height(points)

    def normal(self, points: Reals) -> Singles:
        """See `Ground`."""
        return self.at(0.0).normal(points)

    def velocity(self, points: Reals) -> Singles:
        """See `Ground`."""
        return self.at(0.0).velocity(points)

    def _place(self, time: float) -> tuple[Reals, float]:
        position, heading = self.path(time)
        place = np.asarray(position, np.float64)
        if place.shape != (3,) or not np.isfinite([*place, heading]).all():
            raise UsageError(f"at {time:g} s the path of a moving ground gives {position} and the heading {heading}")
        return place, float(heading)


@dataclass(frozen=True)
class Shuttle:
    """A path that goes through stops, waits at each, and begins again: smooth, so that nobody is thrown off.

    Attributes:
        stops: positions `[3]`, metres; the last one leads back to the first.
        travel: seconds from one stop to the next. wait: seconds at each.
        start: seconds by which it is ahead at time 0.

    Raises:
        UsageError: there is no stop, or the times are not above zero (`wait` may be zero).
    """

    stops: tuple[Vector, ...]
    travel: float = 3.0
    wait: float = 1.0
    start: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "stops", tuple(_vector(stop) for stop in self.stops))
        if not self.stops or not (0 < self.travel < np.inf and 0 <= self.wait < np.inf and np.isfinite(self.start)):
            raise UsageError("a shuttle needs stops, a time to travel above zero, and a time to wait of at least zero")

    def __call__(self, time: float) -> tuple[ArrayLike, float]:
        """See `Path`."""
        leg, seconds = divmod(time + self.start, self.wait + self.travel)
        share = min(max((seconds - self.wait) / self.travel, 0.0), 1.0)
        ease = share**3 * (share * (6 * share - 15) + 10)  # speed and acceleration are zero at both ends
        first, second = (np.array(self.stops[(int(leg) + step) % len(self.stops)]) for step in (0, 1))
        return first + ease * (second - first), 0.0


def _vector(values: Reals | Sequence[float]) -> Vector:
    x, y, z = (float(value) for value in values)
    return x, y, z
