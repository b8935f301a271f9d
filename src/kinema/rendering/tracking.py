"""Smoothing that does not depend on the frame rate: values that follow a moving goal, and views as two angles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations, springs
from kinema.arrays import Floats


@dataclass
class Chase:
    """A critically damped spring toward a goal that moves at constant velocity from one update to the next.

    Between updates the solution is exact, so that ten long steps end where a hundred short ones do.

    Attributes:
        halflife: seconds in which the distance to a goal at rest halves.
        snap: units per second; a goal that moves faster than this, and farther than `least`, has been teleported, and
            the value jumps with it. None: never.
        least: the smallest jump, units.
    """

    halflife: float
    snap: float | None = None
    least: float = 1.0
    value: Floats | None = None
    velocity: Floats | None = None
    goal: Floats | None = None

    def update(self, goal: ArrayLike, dt: float) -> Floats:
        """The value `dt` seconds later, when the goal is at `goal`. Goals that are not finite are ignored."""
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
        lag = self.lag * pace  # how far ahead a steady goal stays
        offset, slope = springs.decay(self.value - self.goal + lag, self.velocity - pace, self.halflife, dt)
        value = np.asarray(offset + wanted - lag, np.float64)
        self.value, self.velocity, self.goal = value, slope + pace, wanted.copy()
        return value

    def jumps(self, goal: ArrayLike, dt: float) -> bool:
        """Whether a goal is too far from the last one to have moved there in `dt` seconds."""
        if self.snap is None or self.goal is None:
            return False
        return float(np.linalg.norm(np.asarray(goal, np.float64) - self.goal)) > max(self.snap * dt, self.least)

    @property
    def lag(self) -> float:
        """Seconds by which the value lags a goal of constant velocity."""
        return 2.0 / springs.damping(self.halflife)

    def ahead(self, seconds: float) -> Floats:
        """The value without its lag, extrapolated by `seconds` at its velocity."""
        if self.value is None or self.velocity is None:
            return np.zeros(3)
        return self.value + (self.lag + seconds) * self.velocity

    def reset(self) -> None:
        """Forget everything: the value starts at the next goal."""
        self.value = self.velocity = self.goal = None


def nearest_turn(angle: float, reference: float) -> float:
    """The angle plus full turns that is nearest to a reference; radians."""
    return reference + (angle - reference + np.pi) % (2 * np.pi) - np.pi


def view_rotation(azimuth: float, elevation: float) -> Floats:
    """The rotation `[4]` of a camera that looks toward `azimuth` (from +Z toward +X) and `elevation` down.

    Defined and smooth everywhere: looking straight down, the top of the picture is where the camera looked before.
    """
    turn = np.array([np.cos(azimuth / 2), 0.0, np.sin(azimuth / 2), 0.0])
    tilt = np.array([np.cos(elevation / 2), np.sin(elevation / 2), 0.0, 0.0])
    return np.asarray(rotations.multiply(turn, tilt), np.float64)


def angles_of(way: ArrayLike, otherwise: float = 0.0) -> tuple[float, float]:
    """Azimuth and elevation of a view along `way` `[3]`; straight up or down the azimuth is `otherwise`."""
    x, y, z = np.asarray(way, np.float64).tolist()
    flat = float(np.hypot(x, z))
    azimuth = float(np.arctan2(x, z)) if flat > 1e-6 * max(abs(y), 1e-6) else otherwise
    return azimuth, float(np.arctan2(-y, flat))
