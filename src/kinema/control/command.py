"""Commands: of one character, of many characters at one moment, and scripted tracks of commands over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema.errors import ControlError
from kinema.rates import MOST_FRAMES, is_length
from kinema.terrain import Ground, Scaled

Vector = Sequence[float] | NDArray[np.floating]
"""Three numbers."""

_LEVEL = np.array([1, 0, 1], np.float32)


@dataclass(eq=False)
class Command:
    """The command of one character, in world space (in a `World`: in the frame of its parent).

    Attributes:
        velocity: `[3]`, m/s, on the ground. With a goal only its length counts: the speed to go there, zero for a walk.
        facing: `[3]`, unit; None faces the direction of travel.
        style: how to move, such as `"proud"`, or a mix such as `"old:0.3+proud:0.7"` (`kinema.mocap.styles.mix_of`);
            families without that style ignore it.
        action: an action besides moving, such as `"jump"`; empty for none.
        goal: `[3]`, metres: a place to reach, and to stop at; None for no goal.
        goal_facing: `[3]`, unit: facing at the goal; None accepts any.
    """

    velocity: Vector = (0.0, 0.0, 0.0)
    facing: Vector | None = None
    style: str = ""
    action: str = ""
    goal: Vector | None = None
    goal_facing: Vector | None = None


@dataclass(frozen=True, eq=False)
class Commands:
    """The commands of `n` characters at one moment, from a stick, a keyboard, a planner or a script.

    Attributes:
        velocity: `[n, 3]`, m/s, on the ground, in the world; with a goal, its length is the speed, zero for a walk.
        facing: `[n, 3]`, unit, on the ground. Rows of NaN face the direction of travel.
        styles, actions: one word per character; empty for none.
        goals: `[n, 3]`, metres, world; rows of NaN for no goal. goal_facings: `[n, 3]`, unit, likewise.
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
        """Create commands from `[n, 3]` or `[3]` arrays, with one word for all characters or one for each.

        Raises:
            ControlError: a shape does not fit, or a velocity or facing is not finite.
        """
        wanted = _rows("velocity", velocity, None) * _LEVEL
        if not np.isfinite(wanted).all():
            raise ControlError("the commanded velocity contains a value that is not finite")
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
        """Stack the commands of several characters, in their order."""
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
        """Commands to stand still."""
        return Commands.create(np.zeros((count, 3), np.float32))

    @property
    def count(self) -> int:
        return self.velocity.shape[0]

    def slowed(self, fastest: ArrayLike) -> Commands:
        """These commands with speeds limited to `fastest`, m/s: one number, or one for each character."""
        speed = np.hypot(self.velocity[:, 0], self.velocity[:, 2], dtype=np.float64)
        if not (speed > fastest).any():
            return self
        share = np.minimum(1.0, fastest / np.maximum(speed, 1e-9))
        return replace(self, velocity=(self.velocity * share[:, None]).astype(np.float32))


def _rows(name: str, values: ArrayLike | None, count: int | None) -> NDArray[np.float32]:
    if values is None:
        return np.full((count or 0, 3), np.nan, np.float32)
    try:
        with np.errstate(over="ignore"):  # values that are too large become infinite and are rejected later
            rows = np.atleast_2d(np.asarray(values, np.float32))
    except (TypeError, ValueError):
        rows = np.zeros((0, 0), np.float32)
    if rows.ndim != 2 or rows.shape[1] != 3 or (count is not None and len(rows) not in (1, count)):
        raise ControlError(f"a commanded {name} must be three numbers, or three for each character, not {values!r:.80}")
    return rows if count is None else np.broadcast_to(rows, (count, 3))


def _words(name: str, words: str | Sequence[str], count: int) -> tuple[str, ...]:
    listed = (words,) * count if isinstance(words, str) else tuple(words)
    if len(listed) != count:
        raise ControlError(f"{len(listed)} {name} words were given for {count} characters")
    return listed


def _stacked(vectors: Sequence[Vector | None]) -> NDArray[np.float32]:
    missing = (np.nan,) * 3
    return np.asarray([missing if one is None else one for one in vectors], np.float32).reshape(-1, 3)


Steering = Callable[[float, NDArray[np.float32]], Commands]
"""Called with the time in seconds and the position `[1, 3]` of a character in the world; returns its command."""


class Track(Protocol):
    """What a character can be driven along."""

    @property
    def seconds(self) -> float:
        """Length of the track."""
        ...

    @property
    def ground(self) -> Ground | None:
        """The ground that belongs to the track; None for any."""
        ...

    def steering(self) -> Steering:
        """The commands of one drive from its start on, asked for frame by frame."""
        ...

    def beside(self, positions: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """Metres `[F]` by which positions `[F, 3]` are beside the path of the track; None if it has no path."""
        ...

    def scaled(self, share: float) -> Track:
        """The same track for a body that goes at `share` of the speeds."""
        ...


@dataclass(frozen=True, eq=False)
class CommandTrack:
    """Commands that change at given times; a `Track`.

    Attributes:
        times: `[S]`, seconds at which each step begins; ascending from 0.
        velocities: `[S, 3]`, m/s.
        facings: `[S, 3]`, unit, or NaN to face the direction of travel.
        seconds: length of the track.
        ground: the ground that belongs to the track; None for any.
        goals, goal_facings: `[S, 3]`, as those of `Commands`; None for no goals.
    """

    times: NDArray[np.float64]
    velocities: NDArray[np.float32]
    facings: NDArray[np.float32]
    seconds: float
    ground: Ground | None = None
    goals: NDArray[np.float32] | None = None
    goal_facings: NDArray[np.float32] | None = None

    @cached_property
    def _commands(self) -> list[Commands]:
        none = np.full_like(self.velocities, np.nan)
        goals, turns = (none if part is None else part for part in (self.goals, self.goal_facings))
        return [
            Commands.create(velocity, facing, goal=goal, goal_facing=turn)
            for velocity, facing, goal, turn in zip(self.velocities, self.facings, goals, turns, strict=True)
        ]

    def at(self, time: float) -> Commands:
        """The command for one character at a time in seconds."""
        step = max(int(np.searchsorted(self.times, time, side="right")) - 1, 0)
        return self._commands[step]

    def steering(self) -> Steering:
        """See `Track`."""
        return lambda time, _: self.at(time)

    def beside(self, positions: NDArray[np.float32]) -> None:
        """See `Track`: there is no path."""

    def scaled(self, share: float) -> CommandTrack:
        """The same commands at `share` of their speeds."""
        ground = scaled_ground(self.ground, share)
        goals = None if self.goals is None else (self.goals * share).astype(np.float32)
        return replace(self, velocities=(self.velocities * share).astype(np.float32), ground=ground, goals=goals)

    def sampled(self, fps: float) -> NDArray[np.float32]:
        """Commanded velocities `[F, 3]` at each frame of a frame rate."""
        frames = np.arange(round(self.seconds * fps)) / fps
        return self.velocities[np.maximum(np.searchsorted(self.times, frames, side="right") - 1, 0)]


def scaled_ground(ground: Ground | None, scale: float) -> Ground | None:
    """The ground of a track for a body of another size; None stays None."""
    return ground if ground is None or scale == 1.0 else Scaled(ground, scale)


_DRIVE_RATE = 60.0  # frames per second of drives
HARSH_SPEEDS = (0.0, 0.9, 1.4, 2.0, 3.0)
"""Speeds of the standard test drive, m/s."""


def check_length(seconds: float) -> None:
    """ControlError for a track that is too long to be driven along in one go."""
    if not is_length(seconds, _DRIVE_RATE):
        raise ControlError(f"a track of {seconds:g} s is longer than {MOST_FRAMES / _DRIVE_RATE:,.0f} s")


def harsh_track(seconds: float, seed: int, speeds: tuple[float, ...] = HARSH_SPEEDS) -> CommandTrack:
    """The standard test drive: every 1.2 to 3 s a new speed, and a direction drawn uniformly from the whole circle.

    It is harsher than any person steers, so that differences between methods show.

    Raises:
        ControlError: the seed is negative, or the track is too long.
    """
    if seed < 0:
        raise ControlError(f"a seed must be an integer of at least 0, not {seed}")
    check_length(seconds)
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
