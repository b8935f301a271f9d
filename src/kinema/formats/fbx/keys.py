"""Keys of FBX curves as files store them: arrays with shared attributes in version 7, rows of letters before."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats, Ints, Singles
from kinema.formats.fbx import tangents
from kinema.formats.fbx.curves import HOLD, MIRROR, RELATIVE, REPEAT, SLOPE, Curve, Extrapolation
from kinema.formats.fbx.records import Record
from kinema.formats.fbx.tangents import IS_CUBIC, KeyAttributes

_GIVEN = IS_CUBIC | tangents.USER
_AUTOMATIC = IS_CUBIC | tangents.TIME_INDEPENDENT | tangents.CLAMP_PROGRESSIVE
# Cubic keys of version 6 by their second letter: flags, numbers that follow, groups of weights behind them.
_TANGENTS = {
    "s": (_GIVEN, 2, 1),
    "b": (_GIVEN, 2, 1),
    "a": (_AUTOMATIC, 0, 1),
    "p": (_GIVEN, 2, 2),
    "t": (_GIVEN, 3, 0),
}
# The weights that follow in a group, by its letter: 0 is right of the key, 1 left of the next one.
_WEIGHTS = {"a": (0, 1), "r": (0,), "l": (1,), "n": (), "c": ()}


def read_curve(record: Record, ticks: int) -> Curve | None:
    """An `AnimationCurve` of version 7; None if it has no keys.

    Raises:
        ValueError: its arrays do not fit together.
    """
    times, values = record.array("KeyTime", np.int64), record.array("KeyValueFloat")
    if times is None or values is None or not len(times):
        return None
    if len(times) != len(values):
        raise ValueError(f"has {len(times)} key times and {len(values)} values")
    return _curve(record, times / ticks, values, _attributes(record, len(times)))


def read_keys(record: Record, ticks: int, version: int) -> Curve | None:
    """A `Channel` of version 6 with its row of keys; None if it has none.

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
        flags[:] = tangents.IS_LINEAR
    elif width == 7 and (grid[:, [2, 3, 6]] == [ord("U"), ord("s"), ord("n")]).all():
        flags[:], data[:, :2] = _GIVEN, np.clip(grid[:, 4:6], -tangents.FARTHEST, tangents.FARTHEST)
    else:
        grid = _mixed_keys(row.tolist(), version, flags, data, weights)
    times = grid[:, 0] / ticks
    _check(times)
    return _curve(record, times, grid[:, 1].copy(), KeyAttributes(flags, data, np.ones(count, np.int64), weights))


def _curve(record: Record, times: Floats, values: Floats, attributes: KeyAttributes) -> Curve:
    _check(values)
    if (np.diff(times) < 0).any():
        raise ValueError("has keys that go backwards in time")
    return Curve(times, values, attributes, _extrapolation(record, "Pre"), _extrapolation(record, "Post"))


def _check(numbers: Floats) -> None:
    if not (np.abs(numbers) < tangents.FARTHEST).all():
        raise ValueError("has a key that is not a finite number")


def _attributes(record: Record, keys: int) -> KeyAttributes:
    """The attributes of the keys of version 7; automatic tangents without any."""
    flags, counts = record.array("KeyAttrFlags", np.int64), record.array("KeyAttrRefCount", np.int64)
    raw = record.find("KeyAttrDataFloat")
    if flags is None or counts is None or raw is None or not len(flags):
        return KeyAttributes(np.array([IS_CUBIC]), np.zeros((1, 4), np.float32), np.array([keys]))
    data = _bits(raw)
    if len(flags) != len(counts) or len(data) != len(flags):
        raise ValueError(f"has {len(flags)} key flags, {len(counts)} counts and {len(data)} rows of tangents")
    if (counts < 0).any() or (counts > keys).any() or counts.sum() < keys:
        raise ValueError(f"has key attributes for {counts.clip(0, keys).sum()} of {keys} keys")
    return KeyAttributes(flags, data, counts)


def _bits(raw: Record) -> Singles:
    """Four floats `[R, 4]` for each run of keys; text files hold their bits as integers."""
    whole = len(raw.values) == 1 and isinstance(raw.values[0], np.ndarray) and raw.values[0].dtype.kind == "i"
    if whole or all(isinstance(value, int) for value in raw.values):
        data = (raw.numbers(np.int64) & 0xFFFFFFFF).astype(np.uint32).view(np.float32)
    else:
        data = raw.numbers(np.float32)
    return data[: len(data) // 4 * 4].reshape(-1, 4)


def _row(record: Record) -> Floats:
    """The values of a row of keys `[N]`, letters as their codes."""
    if len(record.values) == 1 and isinstance(record.values[0], np.ndarray):
        return np.clip(record.values[0].astype(np.float64), -tangents.FARTHEST, tangents.FARTHEST)
    try:
        row = np.array([ord(v[:1]) if isinstance(v, str) else v for v in record.values], dtype=np.float64)
        return np.clip(row, -tangents.FARTHEST, tangents.FARTHEST)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("has a row of keys that holds something else") from None


def _mixed_keys(row: list[float], version: int, flags: Ints, data: Singles, weights: Floats) -> Floats:
    """Times and values `[K, 2]` of keys of different kinds; fills in their flags, tangents and weights."""
    grid, place = np.zeros((len(flags), 2)), 0
    try:
        for key in range(len(flags)):
            grid[key] = row[place], row[place + 1]
            flags[key], place = _key(row, place + 2, version, data[key], weights[key])
    except (IndexError, KeyError, ValueError, OverflowError):
        raise ValueError(f"has a row of keys that breaks at value {place}") from None
    return grid


def _key(row: list[float], place: int, version: int, data: Singles, weights: Floats) -> tuple[int, int]:
    """Flags of one key, from its letter on, and where the next key begins."""
    kind = chr(int(row[place]))
    if kind == "L":
        return tangents.IS_LINEAR, place + 1
    letter, place = chr(int(row[place + 1])), place + 2
    if kind == "C":
        return tangents.IS_CONSTANT | (tangents.NEXT if letter == "n" else 0), place
    if kind != "U":
        raise ValueError(kind)
    flags, numbers, groups = _TANGENTS[letter]
    if groups == 1 and numbers:
        data[:2] = row[place : place + 2]
    place += numbers
    for _ in range(0 if version == 5000 and letter == "a" else groups):
        for side in _WEIGHTS[chr(int(row[place]))]:
            place += 1
            weights[side] = row[place]
        place += 1
    return flags, place


def _extrapolation(record: Record, end: str) -> Extrapolation:
    found = record.find(f"{end}-Extrapolation")
    if found is None:
        return Extrapolation()
    kind = found.value("Type", HOLD)
    if isinstance(kind, int):  # binary files of version 6 hold the letter's code
        kind = chr(kind) if 0 < kind < 128 else HOLD
    count = found.integer("Repetition", -1)
    known = kind in (SLOPE, REPEAT, MIRROR, RELATIVE) and count != 0
    return Extrapolation(kind, count) if known else Extrapolation()
