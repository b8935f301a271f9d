"""Keys of FBX curves as files store them: arrays with shared attributes in version 7, rows of letters before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.formats.fbx.curves import HOLD, MIRROR, RELATIVE, REPEAT, SLOPE, THIRD, Array, Beyond, Curve
from kinema.formats.fbx.records import Record
from kinema.formats.fbx.tangents import (
    CLAMP_PROGRESSIVE,
    FARTHEST,
    IS_CONSTANT,
    IS_CUBIC,
    NEXT,
    TIME_INDEPENDENT,
    USER,
    solve,
)


def read_curve(record: Record, ticks: int) -> Curve | None:
    """An `AnimationCurve` of version 7; None where it has no keys.

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
        flags, data, owner = np.array([IS_CUBIC]), np.zeros((1, 4), np.float32), np.zeros(len(times), int)
    else:
        data = _attributes(raw)
        if len(flags) != len(counts) or len(data) != len(flags):
            raise ValueError(f"has {len(flags)} key flags, {len(counts)} counts and {len(data)} rows of tangents")
        if (counts < 0).any() or (counts > len(times)).any() or counts.sum() < len(times):
            raise ValueError(f"has key attributes for {counts.clip(0, len(times)).sum()} of {len(times)} keys")
        owner = np.repeat(np.arange(len(flags)), counts)[: len(times)]
    return solve(seconds, values, flags[owner], data[owner], _beyond_of(record, "Pre"), _beyond_of(record, "Post"))


def read_keys(record: Record, ticks: int, version: int) -> Curve | None:
    """A `Channel` of version 6 with its row of keys; None where it has none.

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
        flags[:], data[:, :2] = IS_CUBIC | USER, np.clip(grid[:, 4:6], -FARTHEST, FARTHEST)
    else:
        grid = _keys_of_many_kinds(row.tolist(), count, version, flags, data, weights)
    times, values = grid[:, 0] / ticks, grid[:, 1]
    _check(values)
    _check(times)
    if (np.diff(times) < 0).any():
        raise ValueError("has keys that go backwards in time")
    curve = solve(times, values.copy(), flags, data, _beyond_of(record, "Pre"), _beyond_of(record, "Post"))
    if len(curve.times) == count:
        curve.weights[:, 1] = np.where(weights[:, 0] > 0, weights[:, 0], THIRD)
        curve.weights[1:, 0] = np.where(weights[:-1, 1] > 0, weights[:-1, 1], THIRD)
    return curve


def _row(record: Record) -> Array:
    """The values of a row of keys `[N]`, letters as their codes."""
    if len(record.values) == 1 and isinstance(record.values[0], np.ndarray):
        return np.clip(record.values[0].astype(np.float64), -FARTHEST, FARTHEST)
    try:
        row = np.array([ord(v[:1]) if isinstance(v, str) else v for v in record.values], dtype=np.float64)
        return np.clip(row, -FARTHEST, FARTHEST)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("has a row of keys that holds something else") from None


def _keys_of_many_kinds(
    row: list[float], count: int, version: int, flags: NDArray[np.int64], data: NDArray[np.float32], weights: Array
) -> Array:
    """Times and values `[K, 2]` of keys that differ in kind; fills in their flags, tangents and weights."""
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
        return IS_CONSTANT | (NEXT if _letter(row[place + 1]) == "n" else 0), place + 2
    if kind != "U":
        raise ValueError(kind)
    tangent = _letter(row[place + 1])
    place += 2
    flags, groups = IS_CUBIC | USER, 1
    if tangent in "sb":
        data[0], data[1] = row[place], row[place + 1]
        place += 2
    elif tangent == "a":
        flags = IS_CUBIC | TIME_INDEPENDENT | CLAMP_PROGRESSIVE
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


def _check(numbers: Array) -> None:
    if not (np.abs(numbers) < FARTHEST).all():
        raise ValueError("has a key that is not a finite number")


def _attributes(raw: Record) -> NDArray[np.float32]:
    """Four floats `[N, 4]` for each run of keys; text files hold their bits as whole numbers."""
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
