"""Smoothing that does not depend on the frame rate: values that chase a moving goal, and views as two angles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations, springs

Floats = NDArray[np.float64]


@dataclass
class Chase:
    """A critically damped spring toward a goal that is taken to move evenly from one update to the next.

    Within such a stretch the solution is exact, so that ten long steps lead to where a hundred short ones do.

    Attributes:
        halflife: seconds in which half of the way to a goal at rest is gone.
        snap: units a second; a goal that goes faster than this, and farther than `least`, has been put elsewhere, and
            the value goes along at once. None never does.
        least: units that are too little to be a jump.
    """

    halflife: float
    snap: float | None = None
    least: float = 1.0
    value: Floats | None = None
    velocity: Floats | None = None
    goal: Floats | None = None

    def update(self, goal: ArrayLike, dt: float) -> Floats:
        """The value `dt` seconds later, when the goal is at `goal`. Goals that are not finite are passed over."""
        wanted = np.asarray(goal, np.float64)
        if self.value is None or self.velocity is None or self.goal is None:
            if not np.isfinite(wanted).all():
                return np.zeros_like(wanted)
            self.value, self.velocity, self.goal = wanted.copy(), np.zeros_like(wanted), wanted.copy()
            return wanted
        if not np.isfinite(wanted).all():
            return self.value
        if self.jumps(wanted, dt):
            moved = self.value + wanted - self.goal
            self.value, self.goal = moved, wanted.copy()
            return moved
        if not dt > 0:
            return self.value
        pace = (wanted - self.goal) / dt
        lag = self.lag * pace  # what an even goal is ahead in the end
        offset, slope = springs.decay(self.value - self.goal + lag, self.velocity - pace, self.halflife, dt)
        value = np.asarray(offset + wanted - lag, np.float64)
        self.value, self.velocity, self.goal = value, slope + pace, wanted.copy()
        return value

    def jumps(self, goal: ArrayLike, dt: float) -> bool:
        """Whether a goal is too far from the one before to have gone there in `dt` seconds."""
        if self.snap is None or self.goal is None:
            return False
        return float(np.linalg.norm(np.asarray(goal, np.float64) - self.goal)) > max(self.snap * dt, self.least)

    @property
    def lag(self) -> float:
        """Seconds that the value is behind a goal that moves evenly."""
        return 2.0 / springs.damping(self.halflife)

    def ahead(self, seconds: float) -> Floats:
        """The value without its lag, and `seconds` further on, at the pace it has."""
        if self.value is None or self.velocity is None:
            return np.zeros(3)
        return self.value + (self.lag + seconds) * self.velocity

    def reset(self) -> None:
        """Forget everything: the next goal is taken at once."""
        self.value = self.velocity = self.goal = None


def nearest_turn(angle: float, reference: float) -> float:
    """The angle plus whole turns that is nearest to a reference; radians."""
    return reference + (angle - reference + np.pi) % (2 * np.pi) - np.pi


def view_rotation(azimuth: float, elevation: float) -> Floats:
    """The rotation `[4]` of a camera that looks toward `azimuth` (from +Z toward +X) and `elevation` down.

    Defined and smooth everywhere: straight down, the picture's top is where the camera looked before it tilted.
    """
    turn = np.array([np.cos(azimuth / 2), 0.0, np.sin(azimuth / 2), 0.0])
    tilt = np.array([np.cos(elevation / 2), np.sin(elevation / 2), 0.0, 0.0])
    return np.asarray(rotations.multiply(turn, tilt), np.float64)


def angles_of(way: ArrayLike, otherwise: float = 0.0) -> tuple[float, float]:
    """Azimuth and elevation of a look along `way` `[3]`; straight up or down the azimuth is `otherwise`."""
    x, y, z = np.asarray(way, np.float64).tolist()
    flat = float(np.hypot(x, z))
    azimuth = float(np.arctan2(x, z)) if flat > 1e-6 * max(abs(y), 1e-6) else otherwise
    return azimuth, float(np.arctan2(-y, flat))
