"""Plain values and arrays as bytes: the messages between the two processes of the USD reader, without pickles.

A message is a JSON tree in which a number stands for each array, followed by the arrays.
"""

from __future__ import annotations

import json
import struct
from math import prod
from typing import Any

import numpy as np

from kinema.errors import KinemaError

_HEAD = struct.Struct("<4sQ")
_MARK = b"KUM1"
_KINDS = ("|b1", "|u1", "<i4", "<i8", "<f4", "<f8")
_ALIGNED = 8


class PackingError(KinemaError):
    """Bytes are not a message."""


def pack(tree: Any) -> bytes:
    """A tree of dictionaries with text keys, lists, text, numbers, booleans, None and arrays as bytes."""
    arrays: list[np.ndarray] = []
    plain = _plain(tree, arrays)
    places, size = [], 0
    for array in arrays:
        places.append([array.dtype.str, list(array.shape), size])
        size += array.nbytes + -array.nbytes % _ALIGNED
    text = json.dumps([plain, places], ensure_ascii=True, allow_nan=True).encode("ascii")
    text += b" " * (-(len(text) + _HEAD.size) % _ALIGNED)
    parts = [_HEAD.pack(_MARK, len(text)), text]
    for array in arrays:
        parts += [array.tobytes(), b"\0" * (-array.nbytes % _ALIGNED)]
    return b"".join(parts)


def unpack(data: bytes) -> Any:
    """The tree that was packed; its arrays cannot be written to.

    Raises:
        PackingError: the bytes are not a message, or an array extends beyond them.
    """
    try:
        mark, length = _HEAD.unpack_from(data)
        if mark != _MARK:
            raise PackingError("not a message")
        tree, places = json.loads(data[_HEAD.size : _HEAD.size + length])
        start = _HEAD.size + length
        arrays = []
        for kind, shape, offset in places:
            if kind not in _KINDS or min(shape, default=0) < 0 or offset < 0:
                raise PackingError("not an array")
            dtype = np.dtype(kind)
            count = prod(shape)
            if start + offset + count * dtype.itemsize > len(data):
                raise PackingError("an array ends beyond the message")
            arrays.append(np.frombuffer(data, dtype, count, start + offset).reshape(shape))
        return _full(tree, arrays)
    except (struct.error, ValueError, TypeError, IndexError, KeyError, RecursionError) as error:
        raise PackingError(f"not a message ({type(error).__name__})") from None


def _plain(value: Any, arrays: list[np.ndarray]) -> Any:
    if isinstance(value, np.ndarray):
        kept = np.ascontiguousarray(value)
        if kept.dtype.str not in _KINDS:
            raise TypeError(f"arrays of {kept.dtype} are not packed")
        arrays.append(kept)
        return {"$": len(arrays) - 1}
    if isinstance(value, dict):
        return {key: _plain(item, arrays) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, arrays) for item in value]
    return value


def _full(value: Any, arrays: list[np.ndarray]) -> Any:
    if isinstance(value, dict):
        if len(value) == 1 and "$" in value:
            return arrays[value["$"]]
        return {key: _full(item, arrays) for key, item in value.items()}
    if isinstance(value, list):
        return [_full(item, arrays) for item in value]
    return value
