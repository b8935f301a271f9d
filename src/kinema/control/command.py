"""What a character is told: the command of one moment, and a scripted track of commands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.errors import ControlError

_GROUND = np.array([1, 0, 1], np.float32)


@dataclass(frozen=True, eq=False)
class Control:
    """The command for `n` characters at one moment, whoever made it: stick, keyboard, planner or script.

    Attributes:
        velocity: `[n, 3]`, m/s, wanted velocity on the ground, in the world.
        facing: `[n, 3]`, wanted facing on the ground, unit; rows of NaN face the direction of travel.
    """

    velocity: NDArray[np.float32]
    facing: NDArray[np.float32]

    @staticmethod
    def create(velocity: NDArray[np.floating], facing: NDArray[np.floating] | None = None) -> Control:
        """A command from `[n, 3]` or `[3]` arrays; without `facing`, characters face where they go."""
        wanted = np.atleast_2d(np.asarray(velocity, np.float32)) * _GROUND
        looked = np.full_like(wanted, np.nan) if facing is None else np.atleast_2d(np.asarray(facing, np.float32))
        return Control(wanted, np.broadcast_to(looked, wanted.shape))

    @staticmethod
    def idle(count: int = 1) -> Control:
        """Stand still."""
        return Control.create(np.zeros((count, 3), np.float32))

    @property
    def count(self) -> int:
        return self.velocity.shape[0]


@dataclass(frozen=True, eq=False)
class CommandTrack:
    """Commands that change in steps.

    Attributes:
        times: `[S]`, seconds, when each step begins; ascending from 0.
        velocities: `[S, 3]`, m/s.
        facings: `[S, 3]`, unit, or NaN to face the direction of travel.
        seconds: length of the track.
    """

    times: NDArray[np.float64]
    velocities: NDArray[np.float32]
    facings: NDArray[np.float32]
    seconds: float

    def at(self, time: float) -> Control:
        """The command for one character at a time in seconds."""
        step = max(int(np.searchsorted(self.times, time, side="right")) - 1, 0)
        return Control(self.velocities[step : step + 1], self.facings[step : step + 1])

    def sampled(self, fps: float) -> NDArray[np.float32]:
        """Wanted velocities `[F, 3]` at each frame of a rate."""
        frames = np.arange(round(self.seconds * fps)) / fps
        return self.velocities[np.maximum(np.searchsorted(self.times, frames, side="right") - 1, 0)]


HARSH_SPEEDS = (0.0, 0.9, 1.4, 2.0, 3.0)
"""Speeds in m/s of the standard test drive."""


def harsh_track(seconds: float, seed: int, speeds: tuple[float, ...] = HARSH_SPEEDS) -> CommandTrack:
    """The standard test drive: every 1.2 to 3 s a new speed and a direction drawn evenly from the whole circle.

    No person steers like this: it makes methods differ where an easy drive would not.

    Raises:
        ControlError: the seed is negative.
    """
    if seed < 0:
        raise ControlError(f"a seed is a whole number from 0 up, not {seed}")
    rng = np.random.default_rng(seed)
    starts = [0.0]
    while starts[-1] < seconds:
        starts.append(starts[-1] + rng.uniform(1.2, 3.0))
    times = np.asarray(starts[:-1])
    angles = rng.uniform(-np.pi, np.pi, len(times))
    speed = rng.choice(np.asarray(speeds), len(times))
    velocities = speed[:, None] * np.stack([np.sin(angles), np.zeros_like(angles), np.cos(angles)], -1)
    return CommandTrack(times, velocities.astype(np.float32), np.full((len(times), 3), np.nan, np.float32), seconds)


def scripted_track(steps: list[tuple[float, float, float]]) -> CommandTrack:
    """A track from `(seconds, speed in m/s, heading in degrees)` steps; heading 0 is +Z, 90 is +X."""
    lengths = np.asarray([step[0] for step in steps])
    angles = np.deg2rad([step[2] for step in steps])
    speed = np.asarray([step[1] for step in steps])
    velocities = speed[:, None] * np.stack([np.sin(angles), np.zeros_like(angles), np.cos(angles)], -1)
    times = np.cumsum(lengths) - lengths
    facings = np.full((len(steps), 3), np.nan, np.float32)
    return CommandTrack(times, velocities.astype(np.float32), facings, float(lengths.sum()))
