"""Animation curves of FBX: keys, tangents, what is beyond the ends; evaluated for all frames at once.

Between two keys a cubic is a Bezier curve in time and value, whose inner points are the tangents: `slopes` in units a
second, `weights` as shares of the time between the keys (a third where a curve does not weigh them).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.formats.fbx.records import Record

Array = NDArray[np.float64]

CONSTANT, CONSTANT_NEXT, LINEAR, CUBIC = 0, 1, 2, 3
THIRD = 1 / 3
HOLD, SLOPE, REPEAT, MIRROR, RELATIVE = "C", "K", "R", "M", "A"  # as files write them
_NEAR = 1e-3  # weights this near to a third are a third
_SAME = 1e-6  # seconds; times this near to each other are one
_FARTHEST = 1e20  # larger numbers than this are none
_HALVINGS, _NEWTON_STEPS = 14, 4  # of solving for a curve's parameter: the second double its digits

# Bits of KeyAttrFlags
_IS_CONSTANT, _IS_CUBIC = 0x2, 0x8
_NEXT = 0x100  # of a constant key: it has the value of the next one
_TCB, _USER = 0x200, 0x400
_CLAMP, _TIME_INDEPENDENT, _CLAMP_PROGRESSIVE = 0x1000, 0x2000, 0x4000
_WEIGHTED_RIGHT, _WEIGHTED_NEXT_LEFT = 0x1000000, 0x2000000


@dataclass(frozen=True)
class Beyond:
    """What a curve does before its first or after its last key; `count` repetitions, below zero for no end."""

    kind: str = HOLD
    count: int = -1


@dataclass(eq=False)
class Curve:
    """One number over time.

    Attributes:
        times: float64 ``[K]``, seconds, ascending.
        values: float64 ``[K]``.
        modes: int8 ``[K]``: how each key goes on to the next.
        slopes: float64 ``[K, 2]``: left and right of each key, units a second.
        weights: float64 ``[K, 2]``: of the tangents to the left and right.
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
        """Values ``[F]`` at times ``[F]`` in seconds."""
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
                rest**3 * start + 3 * rest**2 * share * (start + rise)
                + 3 * rest * share**2 * (stop - fall) + share**3 * stop
            )  # fmt: skip
        return result


def _bezier_parameter(share: Array, first: Array, second: Array) -> Array:
    """Where on the curve ``0, first, second, 1`` the coordinate is `share`, all ``[N]``."""
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


def read_curve(record: Record, ticks: int) -> Curve | None:
    """An ``AnimationCurve`` of version 7; None where it has no keys.

    Raises:
        ValueError: its arrays do not fit together.
    """
    times, values = record.array("KeyTime", np.int64), record.array("KeyValueFloat")
    if times is None or values is None or not len(times):
        return None
    if len(times) != len(values):
        raise ValueError(f"has {len(times)} key times and {len(values)} values")
    _check(values)
    seconds = times / ticks
    if (np.diff(seconds) < 0).any():
        raise ValueError("has keys that go backwards in time")
    flags, counts = record.array("KeyAttrFlags", np.int64), record.array("KeyAttrRefCount", np.int64)
    raw = record.find("KeyAttrDataFloat")
    if flags is None or counts is None or raw is None or not len(flags):
        flags, data, owner = np.array([_IS_CUBIC]), np.zeros((1, 4), np.float32), np.zeros(len(times), int)
    else:
        data = _attributes(raw)
        if len(flags) != len(counts) or len(data) != len(flags):
            raise ValueError(f"has {len(flags)} key flags, {len(counts)} counts and {len(data)} rows of tangents")
        if (counts < 0).any() or (counts > len(times)).any() or counts.sum() < len(times):
            raise ValueError(f"has key attributes for {counts.clip(0, len(times)).sum()} of {len(times)} keys")
        owner = np.repeat(np.arange(len(flags)), counts)[: len(times)]
    return _solve(seconds, values, flags[owner], data[owner], _beyond_of(record, "Pre"), _beyond_of(record, "Post"))


def _check(numbers: Array) -> None:
    if not (np.abs(numbers) < _FARTHEST).all():
        raise ValueError("has a key that is not a finite number")


def _attributes(raw: Record) -> NDArray[np.float32]:
    """Four floats ``[N, 4]`` for each run of keys; text files hold their bits as whole numbers."""
    whole = len(raw.values) == 1 and isinstance(raw.values[0], np.ndarray) and raw.values[0].dtype.kind == "i"
    if whole or all(isinstance(value, int) for value in raw.values):
        numbers = raw.numbers(np.int64)
        data = (numbers & 0xFFFFFFFF).astype(np.uint32).view(np.float32)
    else:
        data = raw.numbers(np.float32)
    return data[: len(data) // 4 * 4].reshape(-1, 4)


def _beyond_of(record: Record, end: str) -> Beyond:
    found = record.find(f"{end}-Extrapolation")
    if found is None:
        return Beyond()
    kind = found.value("Type", HOLD)
    if isinstance(kind, int):  # binary files of version 6 hold the letter's code
        kind = chr(kind) if 0 < kind < 128 else HOLD
    count = found.integer("Repetition", -1)
    known = kind in (SLOPE, REPEAT, MIRROR, RELATIVE) and count != 0
    return Beyond(kind, count) if known else Beyond()


def _solve(
    times: Array, values: Array, flags: NDArray[np.int64], data: NDArray[np.float32], before: Beyond, after: Beyond
) -> Curve:
    """Tangents from the attributes of keys: given ones, automatic ones, tension-continuity-bias."""
    count = len(times)
    constant, cubic = (flags & _IS_CONSTANT) != 0, (flags & _IS_CUBIC) != 0
    modes = np.where(constant, np.where(flags & _NEXT, CONSTANT_NEXT, CONSTANT), np.where(cubic, CUBIC, LINEAR))
    cubic &= ~constant
    given = np.where(np.abs(data) < _FARTHEST, data, 0).astype(np.float64)
    slopes, weights = np.zeros((count, 2)), np.full((count, 2), THIRD)
    packed = np.ascontiguousarray(data[:, 2]).view(np.uint32).astype(np.int64)
    weighted = cubic & ((flags & _TCB) == 0)
    weights[:, 1] = np.where(weighted & ((flags & _WEIGHTED_RIGHT) != 0), (packed & 0xFFFF) * 1e-4, THIRD)
    next_left = np.where(weighted & ((flags & _WEIGHTED_NEXT_LEFT) != 0), (packed >> 16) * 1e-4, THIRD)
    weights[1:, 0] = next_left[:-1]
    slopes[:, 1] = np.where(cubic, given[:, 0], 0.0)
    left = np.where(cubic & ((flags & _TCB) == 0), given[:, 1], 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.diff(values) / np.diff(times)
    steps = np.where(np.isfinite(steps), steps, 0.0)
    left[:-1] = np.where(modes[:-1] == LINEAR, steps, left[:-1])
    slopes[1:, 0] = left[:-1]
    slopes[:-1, 1] = np.where(modes[:-1] == LINEAR, steps, slopes[:-1, 1])
    if cubic.any() and count > 1:
        _bend(times, values, steps, flags, given, cubic, slopes, weights)
    return Curve(times, values, modes.astype(np.int8), slopes, weights, before, after)


def _bend(
    times: Array, values: Array, steps: Array, flags: NDArray[np.int64], given: Array, cubic: NDArray[np.bool_],
    slopes: Array, weights: Array,
) -> None:  # fmt: skip
    """Fills in slopes ``[K, 2]`` of automatic and TCB keys. `steps` ``[K - 1]`` are the slopes of straight lines."""
    gaps = np.diff(times)
    inner = np.zeros(len(times), bool)
    inner[1:-1] = (gaps[:-1] > 0) & (gaps[1:] > 0)
    before, behind = np.append(0.0, steps), np.append(steps, 0.0)
    tcb = cubic & ((flags & _TCB) != 0)
    if tcb.any():
        tension, continuity, bias = given[:, 0], given[:, 1], given[:, 2]
        strength = np.where(inner, 0.5, 1.0) * (1 - tension)
        to = strength * ((1 + bias) * (1 - continuity) * before + (1 - bias) * (1 + continuity) * behind)
        fro = strength * ((1 + bias) * (1 + continuity) * before + (1 - bias) * (1 - continuity) * behind)
        slopes[tcb, 0], slopes[tcb, 1] = to[tcb], fro[tcb]
    automatic = cubic & ~tcb & ((flags & _USER) == 0)
    if not automatic.any():
        return
    broken = np.abs(slopes[:, 0] + slopes[:, 1]) > 1e-4  # what is stored are biases, the left one with its sign turned
    right = _automatic(times, values, steps, flags, weights, slopes[:, 1])
    lefts = np.where(broken, _automatic(times, values, steps, flags, weights, -slopes[:, 0]), right)
    for at_end, step, bias in ((0, steps[0], slopes[0, 1]), (-1, steps[-1], -slopes[-1, 0])):
        near = abs(values[1] - values[0]) if at_end == 0 else abs(values[-1] - values[-2])
        right[at_end] = lefts[at_end] = _automatic_end(step, near, int(flags[at_end]), bias)
    stuck = automatic & ~inner
    stuck[[0, -1]] = False
    lefts[stuck] = right[stuck] = 0.0
    slopes[automatic, 0], slopes[automatic, 1] = lefts[automatic], right[automatic]


def _automatic(
    times: Array, values: Array, steps: Array, flags: NDArray[np.int64], weights: Array, bias: Array
) -> Array:
    """Slopes ``[K]`` of automatic keys; those of the first and last key mean nothing."""
    result = np.zeros(len(times))
    if len(times) < 3:
        return result
    start, stop = times[1:-1] - times[:-2], times[2:] - times[1:-1]
    rise, climb = np.diff(values)[:-1], np.diff(values)[1:]
    flags, bias = flags[1:-1], bias[1:-1] / 100
    whole = start + stop
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (rise + climb) / whole
        # Tangents that heed the time between keys lie between that and the mean of both sides' slopes.
        share = start / whole
        heeding = slope * 0.5 + (steps[:-1] * (1 - share) + steps[1:] * share) * 0.5
        goal = np.where(bias > 0, steps[1:], steps[:-1])
        away, amount = goal - heeding, np.abs(bias)
        biased = heeding * (1 - amount) + goal * amount
        # Biases beyond 500 push further, by the square of what they exceed it.
        sign = np.where(np.where(np.abs(away) > 1e-5, away, bias) > 0, 1.0, -1.0)
        biased = biased + np.where(amount > 5, (amount - 5) ** 2 * sign * 40, 0.0)
        slope = np.where((flags & _TIME_INDEPENDENT) != 0, slope, np.where(amount > 1e-4, biased, heeding))
        # No further than where the tangents would leave the values of the neighbours.
        sign = np.where(slope >= 0, 1.0, -1.0)
        most = np.minimum(sign * rise / (weights[1:-1, 0] * start), sign * climb / (weights[1:-1, 1] * stop))
        most = np.where(most > 0, most, 0.0)
        slope = np.where((flags & _CLAMP_PROGRESSIVE) != 0, sign * np.minimum(np.abs(slope), most), slope)
    level = ((flags & _CLAMP) != 0) & (np.minimum(np.abs(rise), np.abs(climb)) <= 1e-3)
    result[1:-1] = np.where(level | ~np.isfinite(slope), 0.0, slope)
    return result


def _automatic_end(step: float, difference: float, flags: int, bias: float) -> float:
    """Slope of an automatic key that is the first or the last one."""
    if flags & _CLAMP_PROGRESSIVE or (flags & _CLAMP and difference <= 1e-3):
        return 0.0
    amount = abs(bias) / 100 - 5
    if not flags & _TIME_INDEPENDENT and amount > 0:
        step += amount**2 * (1 if bias > 0 else -1) * 40
    return float(step)


def read_keys(record: Record, ticks: int, version: int) -> Curve | None:
    """A ``Channel`` of version 6 with its row of keys; None where it has none.

    Raises:
        ValueError: the row is cut short or holds a key of an unknown kind.
    """
    found = record.find("Key")
    count = record.integer("KeyCount", 0)
    if found is None or not found.values or count <= 0:
        return None
    row = _row(found)
    if count * 3 > len(row):
        raise ValueError(f"has {len(row)} values for {count} keys")
    flags, data, weights = np.zeros(count, np.int64), np.zeros((count, 4), np.float32), np.zeros((count, 2))
    width = len(row) // count
    grid = row[: count * width].reshape(count, width)
    if width == 3 and (grid[:, 2] == ord("L")).all():
        flags[:] = 0x4
    elif width == 7 and (grid[:, [2, 3, 6]] == [ord("U"), ord("s"), ord("n")]).all():
        flags[:], data[:, :2] = _IS_CUBIC | _USER, np.clip(grid[:, 4:6], -_FARTHEST, _FARTHEST)
    else:
        grid = _keys_of_many_kinds(row.tolist(), count, version, flags, data, weights)
    times, values = grid[:, 0] / ticks, grid[:, 1]
    _check(values)
    _check(times)
    if (np.diff(times) < 0).any():
        raise ValueError("has keys that go backwards in time")
    curve = _solve(times, values.copy(), flags, data, _beyond_of(record, "Pre"), _beyond_of(record, "Post"))
    if len(curve.times) == count:
        curve.weights[:, 1] = np.where(weights[:, 0] > 0, weights[:, 0], THIRD)
        curve.weights[1:, 0] = np.where(weights[:-1, 1] > 0, weights[:-1, 1], THIRD)
    return curve


def _row(record: Record) -> Array:
    """The values of a row of keys ``[N]``, letters as their codes."""
    if len(record.values) == 1 and isinstance(record.values[0], np.ndarray):
        return np.clip(record.values[0].astype(np.float64), -_FARTHEST, _FARTHEST)
    try:
        row = np.array([ord(v[:1]) if isinstance(v, str) else v for v in record.values], dtype=np.float64)
        return np.clip(row, -_FARTHEST, _FARTHEST)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("has a row of keys that holds something else") from None


def _keys_of_many_kinds(
    row: list[float], count: int, version: int, flags: NDArray[np.int64], data: NDArray[np.float32], weights: Array
) -> Array:
    """Times and values ``[K, 2]`` of keys that differ in kind; fills in their flags, tangents and weights."""
    grid, place = np.zeros((count, 2)), 0
    try:
        for key in range(count):
            grid[key] = row[place], row[place + 1]
            flags[key], place = _key(row, place + 2, version, data[key], weights[key])
    except (IndexError, ValueError, OverflowError):
        raise ValueError(f"has a row of keys that breaks at value {place}") from None
    return grid


def _letter(code: float) -> str:
    return chr(int(code))


def _key(
    row: list[float], place: int, version: int, data: NDArray[np.float32], weights: NDArray[np.float64]
) -> tuple[int, int]:
    """Flags of one key, from its letter on, and where the next key begins."""
    kind = _letter(row[place])
    if kind == "L":
        return 0x4, place + 1
    if kind == "C":
        return _IS_CONSTANT | (_NEXT if _letter(row[place + 1]) == "n" else 0), place + 2
    if kind != "U":
        raise ValueError(kind)
    tangent = _letter(row[place + 1])
    place += 2
    flags, groups = _IS_CUBIC | _USER, 1
    if tangent in "sb":
        data[0], data[1] = row[place], row[place + 1]
        place += 2
    elif tangent == "a":
        flags = _IS_CUBIC | _TIME_INDEPENDENT | _CLAMP_PROGRESSIVE
        groups = 0 if version == 5000 else 1
    elif tangent == "p":
        place, groups = place + 2, 2
    elif tangent == "t":
        place, groups = place + 3, 0
    else:
        raise ValueError(tangent)
    for _ in range(groups):
        weight = _letter(row[place])
        place += 1
        if weight in "ar":
            weights[0] = row[place]
            place += 1
        if weight in "al":
            weights[1] = row[place]
            place += 1
        elif weight not in "ncr":
            raise ValueError(weight)
    return flags, place
