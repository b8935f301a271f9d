"""Attribute values as arrays, in the sandbox. A file may give attributes any type; unsuitable values are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats
from kinema.errors import FormatError
from kinema.formats.checks import require
from kinema.formats.usd.openusd import Usd, Vt

MAX_SAMPLES = 200_000  # of one attribute
MAX_VALUES = 128 * 1024**2  # numbers that one animation may be sampled to


def place(prim: Any) -> str:
    """The name of a prim in messages: `</Root/Mesh>`."""
    return f"<{prim.GetPath()}>"


def first_value(attribute: Any) -> Any:
    """The value at rest: the default, or that at the first time sample; None if there is neither."""
    value = attribute.Get() if attribute else None
    return attribute.Get(Usd.TimeCode.EarliestTime()) if value is None and attribute else value


def as_array(value: Any, width: int, prim: Any, name: str) -> NDArray[Any]:
    """Numbers `[N, width]` (`[N]` for width 1, `[N, 4, 4]` for 16), float64 or int64.

    Quaternions come as w, x, y, z. Matrices act on row vectors, as USD has them.

    Raises:
        FormatError: the value is of another type.
    """
    try:
        array = np.array(value)
        array = array.astype({"f": np.float64, "b": np.int64, "i": np.int64, "u": np.int64}[array.dtype.kind])
        if 1 < width < 16 and array.size and (array.ndim < 2 or array.shape[-1] != width):
            raise ValueError
        array = array.reshape({1: -1, 16: (-1, 4, 4)}.get(width, (-1, width)))
    except (ValueError, TypeError, KeyError):
        raise FormatError(f"{name} has a value of an unexpected type", node=place(prim)) from None
    if isinstance(value, (Vt.QuatfArray, Vt.QuathArray, Vt.QuatdArray)):
        array = array[:, [3, 0, 1, 2]]
    return array


def numbers(prim: Any, name: str, width: int = 1) -> NDArray[Any] | None:
    """The value at rest of an attribute, or None where it has none; see `as_array`."""
    value = first_value(prim.GetAttribute(name))
    return None if value is None else as_array(value, width, prim, name)


def tokens(prim: Any, name: str) -> list[str] | None:
    """The tokens of an attribute, or None."""
    value = first_value(prim.GetAttribute(name))
    if value is None:
        return None
    require(isinstance(value, (Vt.TokenArray, Vt.StringArray)), f"{name} must be a list of tokens", node=place(prim))
    return [str(word) for word in value]


def token(prim: Any, name: str, fallback: str = "") -> str:
    """One token of an attribute."""
    value = first_value(prim.GetAttribute(name))
    return value if isinstance(value, str) else fallback


def flag(prim: Any, name: str) -> bool:
    """Whether a boolean attribute is true."""
    return first_value(prim.GetAttribute(name)) is True


def sample_times(attribute: Any) -> Floats:
    """Time codes `[K]` of an attribute's samples."""
    times = np.array(attribute.GetTimeSamples() if attribute else [], dtype=np.float64)
    if len(times) > MAX_SAMPLES:
        raise FormatError(
            f"{attribute.GetName()} has more than {MAX_SAMPLES} time samples", node=place(attribute.GetPrim())
        )
    return times[np.isfinite(times)]


def sampled(prim: Any, name: str, width: int, times: Floats, count: int) -> NDArray[Any] | None:
    """An array attribute at times `[F]`: `[F, N, width]`, or `[1, N, width]` where it does not change.

    Args:
        count: rows that every value must have.

    Raises:
        FormatError: the number of rows of a value is not `count`.
    """
    attribute = prim.GetAttribute(name)
    if not attribute:
        return None
    if attribute.GetNumTimeSamples() < 2:
        times = np.zeros(0)
    start = first_value(attribute)
    if start is None:
        return None
    rows = as_array(start, width, prim, name)
    if max(len(times), 1) * rows.size > MAX_VALUES:
        raise FormatError(
            f"{name} has {len(times)} frames of {rows.size} numbers, too many; try a lower fps", node=place(prim)
        )
    if not len(times):
        _check_rows(rows, count, prim, name)
        return rows[None]
    result = np.empty((len(times), *rows.shape), np.float64)
    for frame, time in enumerate(times.tolist()):
        rows = as_array(attribute.Get(time), width, prim, name)
        _check_rows(rows, count, prim, name)
        result[frame] = rows
    return result


def _check_rows(rows: NDArray[Any], count: int, prim: Any, name: str) -> None:
    if len(rows) != count:
        raise FormatError(f"{name} has {len(rows)} values for {count} joints or shapes", node=place(prim))


def column_matrix(matrix: Any) -> Floats:
    """A matrix `[4, 4]` that acts on column vectors."""
    return np.array(matrix, dtype=np.float64).T


def plain(value: Any) -> Any:
    """Custom data as a tree that can be packed: dictionaries, lists, arrays, text and numbers; others become None."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (Vt.TokenArray, Vt.StringArray)):
        return [str(item) for item in value]
    if isinstance(value, (Vt.IntArray, Vt.FloatArray, Vt.DoubleArray, Vt.UCharArray, Vt.Vec3fArray)):
        return np.array(value)
    return None
