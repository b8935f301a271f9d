"""What characters are to do: the command of one character, those of many at one moment, and scripted tracks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema.errors import ControlError

Vector = Sequence[float] | NDArray[np.floating]
"""Three numbers."""

_LEVEL = np.array([1, 0, 1], np.float32)


@dataclass(eq=False)
class Command:
    """What one character is to do, in the world (in a `World`: in the frame of its parent).

    Attributes:
        velocity: `[3]`, m/s, on the ground.
        facing: `[3]`, unit; None faces the direction of travel.
        style: how to move, such as `"proud"`; families without that style ignore it.
        action: what to do besides, such as `"jump"`; empty for nothing.
        goal: `[3]`, metres: a place to get to or to act on, such as a chair; None without one.
        goal_facing: `[3]`, unit: how to face there; None: either way.
    """

    velocity: Vector = (0.0, 0.0, 0.0)
    facing: Vector | None = None
    style: str = ""
    action: str = ""
    goal: Vector | None = None
    goal_facing: Vector | None = None


@dataclass(frozen=True, eq=False)
class Commands:
    """The commands of `n` characters at one moment, whoever made them: stick, keyboard, planner or script.

    Attributes:
        velocity: `[n, 3]`, m/s, wanted velocity on the ground, in the world.
        facing: `[n, 3]`, wanted facing on the ground, unit; rows of NaN face the direction of travel.
        styles, actions: `n` words each; empty where there is none.
        goals: `[n, 3]`, metres, world; rows of NaN where there is none. goal_facings: `[n, 3]`, unit, the same.
    """

    velocity: NDArray[np.float32]
    facing: NDArray[np.float32]
    styles: tuple[str, ...]
    actions: tuple[str, ...]
    goals: NDArray[np.float32]
    goal_facings: NDArray[np.float32]

    @staticmethod
    def create(
        velocity: ArrayLike,
        facing: ArrayLike | None = None,
        style: str | Sequence[str] = "",
        action: str | Sequence[str] = "",
        goal: ArrayLike | None = None,
        goal_facing: ArrayLike | None = None,
    ) -> Commands:
        """Commands from `[n, 3]` or `[3]` arrays, and words for all or for each.

        Raises:
            ControlError: something has another shape, or a velocity or facing is not finite.
        """
        wanted = _rows("velocity", velocity, None) * _LEVEL
        if not np.isfinite(wanted).all():
            raise ControlError("the commanded velocity holds a value that is not finite")
        count = len(wanted)
        return Commands(
            wanted,
            _rows("facing", facing, count),
            _words("style", style, count),
            _words("action", action, count),
            _rows("goal", goal, count),
            _rows("goal_facing", goal_facing, count),
        )

    @staticmethod
    def of(commands: Sequence[Command]) -> Commands:
        """The commands of several characters, in their order."""
        return Commands.create(
            np.asarray([command.velocity for command in commands], np.float32).reshape(-1, 3),
            _stacked([command.facing for command in commands]),
            [command.style for command in commands],
            [command.action for command in commands],
            _stacked([command.goal for command in commands]),
            _stacked([command.goal_facing for command in commands]),
        )

    @staticmethod
    def idle(count: int = 1) -> Commands:
        """Stand still."""
        return Commands.create(np.zeros((count, 3), np.float32))

    @property
    def count(self) -> int:
        return self.velocity.shape[0]

    def slowed(self, fastest: float) -> Commands:
        """The same with no velocity above a speed, m/s."""
        speed = np.linalg.norm(self.velocity.astype(np.float64), axis=-1, keepdims=True)
        share = np.minimum(1.0, fastest / np.maximum(speed, 1e-9))
        return replace(self, velocity=(self.velocity * share).astype(np.float32))


def _rows(name: str, values: ArrayLike | None, count: int | None) -> NDArray[np.float32]:
    if values is None:
        return np.full((count or 0, 3), np.nan, np.float32)
    try:
        with np.errstate(over="ignore"):  # too large becomes infinite, which is refused later
            rows = np.atleast_2d(np.asarray(values, np.float32))
    except (TypeError, ValueError):
        rows = np.zeros((0, 0), np.float32)
    if rows.ndim != 2 or rows.shape[1] != 3 or (count is not None and len(rows) not in (1, count)):
        raise ControlError(f"a commanded {name} is three numbers, or three for each character, not {values!r:.80}")
    return rows if count is None else np.broadcast_to(rows, (count, 3))


def _words(name: str, words: str | Sequence[str], count: int) -> tuple[str, ...]:
    listed = (words,) * count if isinstance(words, str) else tuple(words)
    if len(listed) != count:
        raise ControlError(f"{len(listed)} words of {name} were given for {count} characters")
    return listed


def _stacked(vectors: Sequence[Vector | None]) -> NDArray[np.float32]:
    missing = (np.nan,) * 3
    return np.asarray([missing if one is None else one for one in vectors], np.float32).reshape(-1, 3)


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

    def at(self, time: float) -> Commands:
        """The command for one character at a time in seconds."""
        step = max(int(np.searchsorted(self.times, time, side="right")) - 1, 0)
        return Commands.create(self.velocities[step], self.facings[step])

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
