"""Tangents of FBX keys from their attributes: given ones, automatic ones, tension-continuity-bias.

Automatic tangents follow what the ufbx project has found out about Maya and MotionBuilder.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Bools, Floats, Ints, Singles

CONSTANT, CONSTANT_NEXT, LINEAR, CUBIC = 0, 1, 2, 3
THIRD = 1 / 3
FARTHEST = 1e20  # larger numbers are taken as none

# Bits of KeyAttrFlags
IS_CONSTANT, IS_LINEAR, IS_CUBIC = 0x2, 0x4, 0x8
NEXT = 0x100  # of a constant key: it has the value of the next one
TCB, USER = 0x200, 0x400
CLAMP, TIME_INDEPENDENT, CLAMP_PROGRESSIVE = 0x1000, 0x2000, 0x4000
WEIGHTED_RIGHT, WEIGHTED_NEXT_LEFT = 0x1000000, 0x2000000


class KeyAttributes(NamedTuple):
    """How keys are interpolated, in `R` runs of keys with the same attributes.

    Attributes:
        flags: int64 `[R]`, the bits above.
        data: float32 `[R, 4]`: slopes right of a key and left of the next, packed weights, unused.
        counts: int64 `[R]`: keys in each run.
        weights: float64 `[K, 2]`: weights right of each key and left of the next; 0, or None for all, if not given.
    """

    flags: Ints
    data: Singles
    counts: Ints
    weights: Floats | None = None

    def of(self, keys: Ints) -> KeyAttributes:
        """The attributes of some keys `[N]`, a run for each."""
        runs = np.searchsorted(np.cumsum(self.counts), keys, side="right")
        weights = None if self.weights is None else self.weights[keys]
        return KeyAttributes(self.flags[runs], self.data[runs], np.ones(len(keys), np.int64), weights)


class Segments(NamedTuple):
    """How each key goes on to the next.

    Attributes:
        modes: int8 `[K]`.
        slopes: float64 `[K, 2]`: left and right of each key, units per second.
        weights: float64 `[K, 2]`: of the tangents to the left and right.
    """

    modes: NDArray[np.int8]
    slopes: Floats
    weights: Floats


def solve(times: Floats, values: Floats, attributes: KeyAttributes) -> Segments:
    """Tangents of keys at times `[K]` with values `[K]` and attributes, a run for each."""
    flags, data = attributes.flags, attributes.data
    constant, cubic = (flags & IS_CONSTANT) != 0, (flags & IS_CUBIC) != 0
    modes = np.where(constant, np.where(flags & NEXT, CONSTANT_NEXT, CONSTANT), np.where(cubic, CUBIC, LINEAR))
    cubic &= ~constant
    given = np.where(np.abs(data) < FARTHEST, data, 0).astype(np.float64)
    packed = np.ascontiguousarray(data[:, 2]).view(np.uint32).astype(np.int64)
    weighted = cubic & ((flags & TCB) == 0)
    right = np.where(weighted & ((flags & WEIGHTED_RIGHT) != 0), (packed & 0xFFFF) * 1e-4, THIRD)
    next_left = np.where(weighted & ((flags & WEIGHTED_NEXT_LEFT) != 0), (packed >> 16) * 1e-4, THIRD)
    weights = _left_and_right(next_left, right, THIRD)
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.diff(values) / np.diff(times)
    steps = np.where(np.isfinite(steps), steps, 0.0)
    linear = modes[:-1] == LINEAR
    outgoing, incoming = np.where(cubic, given[:, 0], 0.0), np.where(weighted, given[:, 1], 0.0)
    outgoing[:-1], incoming[:-1] = np.where(linear, steps, outgoing[:-1]), np.where(linear, steps, incoming[:-1])
    slopes = _left_and_right(incoming, outgoing, 0.0)
    if cubic.any() and len(times) > 1:
        _bend(times, values, steps, flags, given, cubic, slopes, weights)
    if attributes.weights is not None:
        right, next_left = np.where(attributes.weights > 0, attributes.weights, THIRD).T
        weights = _left_and_right(next_left, right, THIRD)
    return Segments(modes.astype(np.int8), slopes, weights)


def _left_and_right(next_left: Floats, right: Floats, first: float) -> Floats:
    """Values `[K, 2]` left and right of each key; `first` is left of the first one."""
    return np.stack([np.append(first, next_left[:-1]), right], axis=1)


def _bend(
    times: Floats,
    values: Floats,
    steps: Floats,
    flags: Ints,
    given: Floats,
    cubic: Bools,
    slopes: Floats,
    weights: Floats,
) -> None:
    """Fills in slopes `[K, 2]` of automatic and TCB keys. `steps` `[K - 1]` are the slopes of straight lines."""
    gaps = np.diff(times)
    inner = np.zeros(len(times), bool)
    inner[1:-1] = (gaps[:-1] > 0) & (gaps[1:] > 0)
    before, behind = np.append(0.0, steps), np.append(steps, 0.0)
    tcb = cubic & ((flags & TCB) != 0)
    if tcb.any():
        tension, continuity, bias = given[:, 0], given[:, 1], given[:, 2]
        strength = np.where(inner, 0.5, 1.0) * (1 - tension)
        to = strength * ((1 + bias) * (1 - continuity) * before + (1 - bias) * (1 + continuity) * behind)
        fro = strength * ((1 + bias) * (1 + continuity) * before + (1 - bias) * (1 - continuity) * behind)
        slopes[tcb, 0], slopes[tcb, 1] = to[tcb], fro[tcb]
    automatic = cubic & ~tcb & ((flags & USER) == 0)
    if not automatic.any():
        return
    broken = np.abs(slopes[:, 0] + slopes[:, 1]) > 1e-4  # biases are stored, the left one with the opposite sign
    right = _automatic(times, values, steps, flags, weights, slopes[:, 1])
    lefts = np.where(broken, _automatic(times, values, steps, flags, weights, -slopes[:, 0]), right)
    for at_end, step, bias in ((0, steps[0], slopes[0, 1]), (-1, steps[-1], -slopes[-1, 0])):
        near = abs(values[1] - values[0]) if at_end == 0 else abs(values[-1] - values[-2])
        right[at_end] = lefts[at_end] = _automatic_end(step, near, int(flags[at_end]), bias)
    stuck = automatic & ~inner
    stuck[[0, -1]] = False
    lefts[stuck] = right[stuck] = 0.0
    slopes[automatic, 0], slopes[automatic, 1] = lefts[automatic], right[automatic]


def _automatic(times: Floats, values: Floats, steps: Floats, flags: Ints, weights: Floats, bias: Floats) -> Floats:
    """Slopes `[K]` of automatic keys; those of the first and last key mean nothing."""
    result = np.zeros(len(times))
    if len(times) < 3:
        return result
    start, stop = times[1:-1] - times[:-2], times[2:] - times[1:-1]
    rise, climb = np.diff(values)[:-1], np.diff(values)[1:]
    flags, bias = flags[1:-1], bias[1:-1] / 100
    whole = start + stop
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (rise + climb) / whole
        # Tangents that respect the time between keys lie between that and the mean of both sides' slopes.
        share = start / whole
        timed = slope * 0.5 + (steps[:-1] * (1 - share) + steps[1:] * share) * 0.5
        goal = np.where(bias > 0, steps[1:], steps[:-1])
        away, amount = goal - timed, np.abs(bias)
        biased = timed * (1 - amount) + goal * amount
        # Biases beyond 500 push further, by the square of what they exceed it.
        sign = np.where(np.where(np.abs(away) > 1e-5, away, bias) > 0, 1.0, -1.0)
        biased = biased + np.where(amount > 5, (amount - 5) ** 2 * sign * 40, 0.0)
        slope = np.where((flags & TIME_INDEPENDENT) != 0, slope, np.where(amount > 1e-4, biased, timed))
        # No further than where the tangents would leave the values of the neighbours.
        sign = np.where(slope >= 0, 1.0, -1.0)
        most = np.minimum(sign * rise / (weights[1:-1, 0] * start), sign * climb / (weights[1:-1, 1] * stop))
        most = np.where(most > 0, most, 0.0)
        slope = np.where((flags & CLAMP_PROGRESSIVE) != 0, sign * np.minimum(np.abs(slope), most), slope)
    level = ((flags & CLAMP) != 0) & (np.minimum(np.abs(rise), np.abs(climb)) <= 1e-3)
    result[1:-1] = np.where(level | ~np.isfinite(slope), 0.0, slope)
    return result


def _automatic_end(step: float, difference: float, flags: int, bias: float) -> float:
    """Slope of an automatic key that is the first or the last one."""
    if flags & CLAMP_PROGRESSIVE or (flags & CLAMP and difference <= 1e-3):
        return 0.0
    amount = abs(bias) / 100 - 5
    if not flags & TIME_INDEPENDENT and amount > 0:
        step += amount**2 * (1 if bias > 0 else -1) * 40
    return float(step)
