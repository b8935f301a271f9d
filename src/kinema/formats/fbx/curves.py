"""Animation curves of FBX: keys, tangents, what is beyond the ends; evaluated for all frames at once.

Between two keys a cubic is a Bezier curve in time and value, whose inner points are the tangents: `slopes` in units a
second, `weights` as shares of the time between the keys (a third where a curve does not weigh them).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CONSTANT, CONSTANT_NEXT, LINEAR, CUBIC = 0, 1, 2, 3
THIRD = 1 / 3
HOLD, SLOPE, REPEAT, MIRROR, RELATIVE = "C", "K", "R", "M", "A"  # as files write them
_NEAR = 1e-3  # weights this near to a third are a third
_SAME = 1e-6  # seconds; times this near to each other are one
_HALVINGS, _NEWTON_STEPS = 14, 4  # of solving for a curve's parameter: the second double its digits


@dataclass(frozen=True)
class Beyond:
    """What a curve does before its first or after its last key; `count` repetitions, below zero for no end."""

    kind: str = HOLD
    count: int = -1


@dataclass(eq=False)
class Curve:
    """One number over time.

    Attributes:
        times: float64 `[K]`, seconds, ascending.
        values: float64 `[K]`.
        modes: int8 `[K]`: how each key goes on to the next.
        slopes: float64 `[K, 2]`: left and right of each key, units a second.
        weights: float64 `[K, 2]`: of the tangents to the left and right.
    """

    times: Array
    values: Array
    modes: NDArray[np.int8]
    slopes: Array
    weights: Array
    before: Beyond = Beyond()
    after: Beyond = Beyond()

    def __post_init__(self) -> None:
        going = np.append(np.diff(self.times) > 0, True)
        if not going.all():  # of several keys at one time the last counts
            for name in ("times", "values", "modes", "slopes", "weights"):
                setattr(self, name, getattr(self, name)[going])

    def evaluate(self, at: Array) -> Array:
        """Values `[F]` at times `[F]` in seconds."""
        times, values = self.times, self.values
        if len(times) == 1:
            return np.full(len(at), values[0])
        shift = np.zeros(len(at))
        inside = np.clip(at, times[0], times[-1])
        for end, beyond in ((0, self.before), (-1, self.after)):
            out = at < times[0] if end == 0 else at > times[-1]
            if beyond.kind != HOLD and out.any():
                inside[out], shift[out] = self._beyond(at[out], end, beyond)
        return self._within(inside) + shift

    def strays(self, value: float, tolerance: float = 1e-6) -> bool:
        """Whether the curve is ever away from a value."""
        off = np.abs(self.values - value) > tolerance * max(1.0, abs(value))
        bent = (self.modes == CUBIC) & ((self.slopes != 0).any(axis=1))
        return bool(off.any() or (bent.any() and len(self.times) > 1 and self._bulges(value, tolerance)))

    def _bulges(self, value: float, tolerance: float) -> bool:
        gaps = np.diff(self.times)
        reach = np.abs(self.slopes[:-1, 1] * self.weights[:-1, 1] * gaps)
        reach = np.maximum(reach, np.abs(self.slopes[1:, 0] * self.weights[1:, 0] * gaps))
        return bool((reach[self.modes[:-1] == CUBIC] > tolerance * max(1.0, abs(value))).any())

    def _beyond(self, at: Array, end: int, beyond: Beyond) -> tuple[Array, Array]:
        """For times outside: the time inside that they repeat, and what is added to the value there."""
        first, last = self.times[0], self.times[-1]
        away = first - at if end == 0 else at - last
        if beyond.kind == SLOPE:
            slope = self._slope_at(end)
            return np.full(len(at), self.times[end]), slope * (at - self.times[end])
        span = last - first
        turns = np.floor(away / span)
        rest = away - turns * span
        if beyond.count >= 0:
            over = turns >= beyond.count
            turns[over], rest[over] = beyond.count - 1, span
        backwards = (turns % 2 == 0) if beyond.kind == MIRROR else np.zeros(len(at), bool)
        if end == 0:
            backwards = ~backwards
        inside = np.where(backwards, last - rest, first + rest)
        shift = np.zeros(len(at))
        if beyond.kind == RELATIVE:
            shift = (turns + 1) * (self.values[-1] - self.values[0]) * (-1 if end == 0 else 1)
        return inside, shift

    def _slope_at(self, end: int) -> float:
        if end == 0:
            gap, near, other = self.times[1] - self.times[0], 0, 1
        else:
            gap, near, other = self.times[-1] - self.times[-2], -2, -1
        if self.modes[near] == LINEAR:
            return float((self.values[other] - self.values[near]) / gap)
        if self.modes[near] == CUBIC:
            return float(self.slopes[0, 1] if end == 0 else self.slopes[-1, 0])
        return 0.0

    def _within(self, at: Array) -> Array:
        times, values = self.times, self.values
        # A frame that rounding puts just before its key must not show the key before it.
        key = np.clip(np.searchsorted(times, at + _SAME, side="right") - 1, 0, len(times) - 2)
        gap = times[key + 1] - times[key]
        share = np.clip((at - times[key]) / gap, 0.0, 1.0)
        start, stop, mode = values[key], values[key + 1], self.modes[key]
        held = (mode == CONSTANT) & (share < 1)
        held |= (mode == CONSTANT_NEXT) & (at <= times[key] + _SAME)  # the key itself keeps its value
        result = np.where(held, start, stop)
        linear = mode == LINEAR
        if linear.any():
            result = np.where(linear, start + (stop - start) * share, result)
        cubic = np.flatnonzero(mode == CUBIC)
        if cubic.size:
            key, gap, share = key[cubic], gap[cubic], share[cubic]
            right, left = self.weights[key, 1], self.weights[key + 1, 0]
            uneven = np.flatnonzero((np.abs(right - THIRD) > _NEAR) | (np.abs(left - THIRD) > _NEAR))
            if uneven.size:
                share = share.copy()
                share[uneven] = _bezier_parameter(share[uneven], right[uneven], 1 - left[uneven])
            rise, fall = right * gap * self.slopes[key, 1], left * gap * self.slopes[key + 1, 0]
            start, stop, rest = values[key], values[key + 1], 1 - share
            result[cubic] = (
                rest**3 * start
                + 3 * rest**2 * share * (start + rise)
                + 3 * rest * share**2 * (stop - fall)
                + share**3 * stop
            )
        return result


def _bezier_parameter(share: Array, first: Array, second: Array) -> Array:
    """Where on the curve `0, first, second, 1` the coordinate is `share`, all `[N]`."""
    # As a polynomial; between the ends it may be level, so Newton's method starts only where halving has led to.
    a, b, c = 1 + 3 * first - 3 * second, 3 * second - 6 * first, 3 * first
    low, width = np.zeros_like(share), 1.0
    for _ in range(_HALVINGS):
        width /= 2
        middle = low + width
        low = np.where(((a * middle + b) * middle + c) * middle < share, middle, low)
    found, high = low + width / 2, low + width
    for _ in range(_NEWTON_STEPS):
        slope = (3 * a * found + 2 * b) * found + c
        off = ((a * found + b) * found + c) * found - share
        step = off / np.where(np.abs(slope) > 1e-6, slope, np.inf)
        found = np.clip(found - step, low, high)
    return found
