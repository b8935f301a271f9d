"""Scripts of generated motion: segments of steady command, and the path on the ground that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats
from kinema.errors import ControlError

GAITS = ("idle", "walk", "jog", "run", "sprint", "turn", "strafe", "backward", "jump", "crouch")
"""Kinds of segment; the label `gait` holds indices into this tuple."""

REFERENCE_LEG = 0.9
"""Leg length in metres for which the default speeds are given."""

_SPEEDS = {"walk": 1.4, "jog": 2.5, "run": 3.8, "sprint": 5.4, "strafe": 1.0, "backward": 1.0}
_DIRECTIONS = {"strafe": 0.5 * np.pi, "backward": np.pi}
CROUCH = 0.26
RUNNING_JUMP = 2.2


@dataclass(frozen=True)
class Segment:
    """A stretch of steady command. The change from the segment before begins at its first moment.

    Attributes:
        kind: one of `GAITS`.
        seconds: how long it is commanded.
        speed: metres per second; None is the kind's own, scaled to the size of the character.
        turn: change of facing at the start, radians, positive to the left.
        curve: steady turning afterwards, radians per second, positive to the left.
        direction: travel relative to facing, radians, positive to the left; None is the kind's own
            (0 ahead, half pi for strafe, pi for backward).
        height: height of a jump, metres; None scales with the character.
    """

    kind: str
    seconds: float = 2.0
    speed: float | None = None
    turn: float = 0.0
    curve: float = 0.0
    direction: float | None = None
    height: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in GAITS:
            raise ControlError(f"no kind of motion is named {self.kind!r}; there are: {', '.join(GAITS)}")
        given = (self.seconds, self.speed, self.turn, self.curve, self.direction, self.height)
        numbers = [value for value in given if value is not None]
        if not np.isfinite(numbers).all() or self.seconds <= 0 or (self.speed or 0) < 0 or (self.height or 0) < 0:
            raise ControlError(
                f"a segment needs finite numbers, positive seconds and no negative speed or height: {self}"
            )


@dataclass(frozen=True)
class GroundPath:
    """The plan on the ground, one row per frame (with margins before and after the clip).

    Attributes:
        times: `[N]` seconds; the clip begins at 0.
        position, velocity, acceleration: `[N, 2]` as (x, z), metres and seconds.
        facing, turning: `[N]` radians (unwrapped) and radians per second.
        crouch: `[N]` share of the leg by which the hips are lower.
        gait: int8 `[N]`.
        jumps: (time of the command, height in metres, whether from a run) of each jump.
    """

    times: Floats
    position: Floats
    velocity: Floats
    acceleration: Floats
    facing: Floats
    turning: Floats
    crouch: Floats
    gait: NDArray[np.int8]
    jumps: tuple[tuple[float, float, bool], ...]

    @property
    def speed(self) -> Floats:
        """Length `[N]` of the velocity."""
        return np.linalg.norm(self.velocity, axis=-1)

    def travel(self) -> tuple[Floats, Floats]:
        """Components `[N]` of the velocity ahead and to the left, relative to the facing."""
        sine, cosine = np.sin(self.facing), np.cos(self.facing)
        x, z = self.velocity.T
        return x * sine + z * cosine, x * cosine - z * sine

    @property
    def fps(self) -> float:
        return 1.0 / float(self.times[1] - self.times[0])

    def at(self, values: Floats, times: Floats) -> Floats:
        """A column of the path, `[N]` or `[N, 2]`, at other times (clamped to the ends)."""
        if values.ndim == 1:
            return np.interp(times, self.times, values)
        return np.stack([np.interp(times, self.times, column) for column in values.T], axis=-1)


def smooth_step(x: Floats) -> Floats:
    """Minimum-jerk step from 0 to 1 over x in 0..1, flat outside; continuous to the second derivative."""
    x = np.clip(x, 0.0, 1.0)
    return x * x * x * (10.0 + x * (6.0 * x - 15.0))


@dataclass(frozen=True)
class _Stretch:
    """A segment with what it leaves open: when it begins, s, speed, m/s, travel relative to facing and facing, rad."""

    segment: Segment
    start: float
    speed: float
    direction: float
    facing: float


def _stretches(script: Sequence[Segment], leg: float, max_speed: float) -> list[_Stretch]:
    """All segments as commands, one after the other."""
    scale = np.sqrt(leg / REFERENCE_LEG)
    stretches: list[_Stretch] = []
    start, facing, speed, direction = 0.0, 0.0, 0.0, 0.0
    for segment in script:
        if segment.kind != "jump" or segment.speed is not None:  # a jump goes on as before
            own = segment.speed if segment.speed is not None else _SPEEDS.get(segment.kind, 0.0) * scale
            speed = min(own, max_speed * scale)
            direction = segment.direction if segment.direction is not None else _DIRECTIONS.get(segment.kind, 0.0)
        if segment.kind == "jump" and speed < RUNNING_JUMP * scale:
            speed = 0.0  # from a slow walk people stop and jump off both feet
        facing += segment.turn
        stretches.append(_Stretch(segment, start, speed, direction, facing))
        facing += segment.curve * segment.seconds
        start += segment.seconds
    return stretches


def plan_path(script: Sequence[Segment], fps: float, leg: float, max_speed: float, margin: float) -> GroundPath:
    """Join the segments' commands by minimum-jerk changes of velocity and facing of a human's size.

    Args:
        leg: leg length, metres; times of change scale with its square root.
        max_speed: highest speed of the style.
        margin: seconds planned before and after the clip, as if its first and last command went on.

    Raises:
        ControlError: the script is empty.
    """
    if not script:
        raise ControlError("the script is empty; it needs at least one Segment")
    total = float(sum(segment.seconds for segment in script))
    pad = round(margin * fps)
    times = (np.arange(max(round(total * fps), 1) + 2 * pad) - pad) / fps
    scale = np.sqrt(leg / REFERENCE_LEG)

    velocity = np.zeros((times.size, 2))
    facing, crouch = np.zeros(times.size), np.zeros(times.size)
    gait = np.full(times.size, GAITS.index(script[0].kind), np.int8)
    jumps: list[tuple[float, float, bool]] = []
    low, last_velocity, last_facing = 0.0, np.zeros_like(velocity), np.zeros_like(facing)
    for stretch in _stretches(script, leg, max_speed):
        segment, start = stretch.segment, stretch.start
        new_facing = stretch.facing + segment.curve * (times - start)
        angle = new_facing + stretch.direction
        new_velocity = stretch.speed * np.stack([np.sin(angle), np.cos(angle)], axis=-1)
        blend = swing = sunk = np.ones(times.size)
        if start > 0:
            here = int(np.clip(np.searchsorted(times, start), 0, times.size - 1))
            change = scale * (0.42 + float(np.linalg.norm(new_velocity[here] - last_velocity[here])) / scale / 6.0)
            blend = smooth_step((times - start) / change)
            swing = smooth_step((times - start) / max(scale * (0.42 + abs(segment.turn) / 2.8), 0.8 * change))
            sunk = smooth_step((times - start) / (0.6 * scale))
            gait[times >= start + 0.4 * change] = GAITS.index(segment.kind)
        velocity += (new_velocity - last_velocity) * blend[:, None]
        facing += (new_facing - last_facing) * swing
        new_low = CROUCH if segment.kind == "crouch" else 0.0
        crouch += (new_low - low) * sunk
        if segment.kind == "jump":
            height = segment.height if segment.height is not None else 0.34 * leg
            jumps.append((start, height, stretch.speed > 0))
        last_velocity, last_facing, low = new_velocity, new_facing, new_low
    steps = 0.5 * (velocity[1:] + velocity[:-1]) / fps
    position = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    position -= position[np.searchsorted(times, -0.5 / fps)]
    return GroundPath(
        times,
        position,
        velocity,
        np.stack([np.gradient(column, 1.0 / fps) for column in velocity.T], axis=-1),
        facing,
        np.gradient(facing, 1.0 / fps),
        crouch,
        gait,
        tuple(jumps),
    )
