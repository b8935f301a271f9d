"""Animation curves of FBX: keys, tangents, extrapolation; evaluated for all frames at once.

Between two keys a cubic is a Bezier curve in time and value, whose inner points are the tangents: `slopes` in units a
second, `weights` as shares of the time between the keys (a third for a curve without weights).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats, Ints
from kinema.formats.fbx import tangents

HOLD, SLOPE, REPEAT, MIRROR, RELATIVE = "C", "K", "R", "M", "A"  # as files write them
_NEAR = 1e-3  # weights this near to a third are a third
_SAME = 1e-6  # seconds; times this near to each other are one
_ON_KEY = 1e-8  # seconds; a frame this near to a key has its value
_HALVINGS, _NEWTON_STEPS = 14, 4  # of solving for a curve's parameter: the second double its digits


@dataclass(frozen=True)
class Extrapolation:
    """What a curve does before its first or after its last key; `count` repetitions, below zero for no end."""

    kind: str = HOLD
    count: int = -1


@dataclass(eq=False)
class Curve:
    """One number over time.

    Tangents are solved only for frames between keys: most files have a key at every frame.

    Attributes:
        times: float64 `[K]`, seconds, ascending. If several keys have the same time, the last one counts.
        values: float64 `[K]`.
        attributes: how the keys are interpolated.
    """

    times: Floats
    values: Floats
    attributes: tangents.KeyAttributes
    before: Extrapolation = Extrapolation()
    after: Extrapolation = Extrapolation()

    def __post_init__(self) -> None:
        self._every = self.times, self.values
        self._index = np.flatnonzero(np.append(np.diff(self.times) > 0, True))  # of the keys that count
        if len(self._index) < len(self.times):
            self.times, self.values = self.times[self._index], self.values[self._index]

    def segments(self, keys: Ints) -> tangents.Segments:
        """Interpolation and tangents of some keys `[N]`."""
        wanted = self._index[keys]
        near = np.unique(np.clip(wanted[:, None] + [-1, 0, 1], 0, len(self._every[0]) - 1))  # tangents depend on both
        found = tangents.solve(self._every[0][near], self._every[1][near], self.attributes.of(near))
        places = np.searchsorted(near, wanted)
        return tangents.Segments(found.modes[places], found.slopes[places], found.weights[places])

    @property
    def _bends(self) -> bool:
        """Whether the curve may leave the range of its keys: a cubic does by stored tangents only."""
        flags, data = self.attributes.flags, self.attributes.data
        return len(self.times) > 1 and bool((flags & tangents.IS_CUBIC).any() and data[:, :2].any())

    def evaluate(self, at: Floats) -> Floats:
        """Values `[F]` at times `[F]` in seconds."""
        times, values = self.times, self.values
        if (values == values[0]).all() and not self._bends:
            return np.full(len(at), values[0])
        shift = np.zeros(len(at))
        inside = np.clip(at, times[0], times[-1])
        for end, beyond in ((0, self.before), (-1, self.after)):
            out = at < times[0] if end == 0 else at > times[-1]
            if beyond.kind != HOLD and out.any():
                inside[out], shift[out] = self._beyond(at[out], end, beyond)
        return self._within(inside) + shift

    def strays(self, value: float, tolerance: float = 1e-6) -> bool:
        """Whether the curve ever differs from a value."""
        tolerance *= max(1.0, abs(value))
        if (np.abs(self.values - value) > tolerance).any():
            return True
        if not self._bends:
            return False
        modes, slopes, weights = self.segments(np.arange(len(self.times)))
        reach = np.abs(slopes * weights)
        reach = np.maximum(reach[:-1, 1], reach[1:, 0]) * np.diff(self.times)
        return bool((reach[modes[:-1] == tangents.CUBIC] > tolerance).any())

    def _beyond(self, at: Floats, end: int, beyond: Extrapolation) -> tuple[Floats, Floats]:
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
        keys = np.array([0, 1]) if end == 0 else np.array([len(self.times) - 2, len(self.times) - 1])
        modes, slopes, _ = self.segments(keys)
        if modes[0] == tangents.LINEAR:
            return float(np.diff(self.values[keys])[0] / np.diff(self.times[keys])[0])
        return float(slopes[end, end + 1]) if modes[0] == tangents.CUBIC else 0.0

    def _within(self, at: Floats) -> Floats:
        if not (self.attributes.flags & (tangents.IS_CONSTANT | tangents.IS_CUBIC)).any():
            return np.interp(at, self.times, self.values)
        if len(at) == len(self.times) and (np.abs(at - self.times) < _ON_KEY).all():
            return self.values
        # A frame that rounding puts just before its key must not show the key before it.
        key = np.searchsorted(self.times, at + _SAME, side="right") - 1
        result = self.values[key]
        off = np.flatnonzero(np.abs(at - self.times[key]) >= _ON_KEY)
        if off.size:
            result[off] = self._between(at[off], np.minimum(key[off], len(self.times) - 2))
        return result

    def _between(self, at: Floats, key: Ints) -> Floats:
        """Values at times `[N]` between keys `[N]` and those behind them."""
        used = np.flatnonzero(np.bincount(key))
        keys = np.union1d(used, used + 1)
        modes, slopes, weights = self.segments(keys)
        first = np.searchsorted(keys, key)
        gap = self.times[key + 1] - self.times[key]
        share = np.clip((at - self.times[key]) / gap, 0.0, 1.0)
        start, stop, mode = self.values[key], self.values[key + 1], modes[first]
        held = (mode == tangents.CONSTANT) & (share < 1)
        held |= (mode == tangents.CONSTANT_NEXT) & (at <= self.times[key] + _SAME)  # the key itself keeps its value
        result = np.where(held, start, stop)
        result = np.where(mode == tangents.LINEAR, start + (stop - start) * share, result)
        right, left = weights[first, 1], weights[first + 1, 0]
        cubic = mode == tangents.CUBIC
        uneven = cubic & ((np.abs(right - tangents.THIRD) > _NEAR) | (np.abs(left - tangents.THIRD) > _NEAR))
        if uneven.any():
            share[uneven] = _bezier_parameter(share[uneven], right[uneven], 1 - left[uneven])
        rise, fall, rest = right * gap * slopes[first, 1], left * gap * slopes[first + 1, 0], 1 - share
        curved = rest**3 * start + 3 * rest * share * (rest * (start + rise) + share * (stop - fall)) + share**3 * stop
        return np.where(cubic, curved, result)


def _bezier_parameter(share: Floats, first: Floats, second: Floats) -> Floats:
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
