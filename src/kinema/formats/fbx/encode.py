"""Binary FBX 7.4: records to bytes. Arrays are deflated, and nothing depends on the time or the machine."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError

VERSION = 7400
FILE_ID = bytes.fromhex("28b32aebb624ccc2bfc8b02aa92bfcf1")
"""What a file must say it is when it was made at `CREATED`: the end of the file is a hash of both."""
CREATED = "1970-01-01 10:00:00:000"
_FOOTER_ID = bytes.fromhex("fabcab09d0c8d466b176fb831cf7267e")
_FOOTER_END = bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b")
_MAGIC = b"Kaydara FBX Binary  \x00\x1a\x00"
_NOTHING = b"\0" * 13  # the empty record that closes a list
_ARRAYS = {"f4": b"f", "f8": b"d", "i4": b"i", "i8": b"l"}
SMALL = 128  # bytes; shorter arrays are not deflated


class Long(int):
    """A whole number that is stored in 64 bits: ids and times."""


class Ready:
    """A value that is encoded already: the name of an object, or an array that many records share."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data


class Node:
    """A record to be written: `bool`, `int` (32 bits), `Long`, `float`, `str`, `bytes` and NumPy arrays as values.

    Args:
        children: child records; None for a record without a list of them.
        fields: child records with one value, or several as a tuple, before the other children.
    """

    __slots__ = ("children", "name", "values")

    def __init__(self, name: str, *values: Any, children: Iterable[Node] | None = None, **fields: Any) -> None:
        self.name, self.values = name, values
        self.children: list[Node] | None = None if children is None and not fields else [*(children or ())]
        if self.children is not None:
            self.children[:0] = _fields(fields)

    def add(self, name: str, *values: Any, children: Iterable[Node] | None = None, **fields: Any) -> Node:
        """Appends a child record and returns it."""
        child = Node(name, *values, children=children, **fields)
        self.extend((child,))
        return child

    def extend(self, children: Iterable[Node] = (), **fields: Any) -> None:
        """Appends fields, then child records."""
        self.children = [*(self.children or ()), *_fields(fields), *children]


def _fields(fields: Mapping[str, Any]) -> list[Node]:
    return [Node(name, *(value if isinstance(value, tuple) else (value,))) for name, value in fields.items()]


def encode(records: Sequence[Node]) -> bytes:
    """A whole file of top-level records.

    Raises:
        FormatError: it would be larger than the 4 GB that offsets of this version can count.
    """
    out = bytearray(_MAGIC + struct.pack("<I", VERSION))
    try:
        for record in records:
            _append(out, record)
    except struct.error:
        raise FormatError("would be larger than the 4 GB of an FBX 7.4 file; write fewer motions at once") from None
    out += _NOTHING + _FOOTER_ID
    out += bytes(-len(out) % 16)
    out += struct.pack("<II", 0, VERSION) + bytes(120) + _FOOTER_END
    return bytes(out)


def text(value: str) -> bytes:
    """UTF-8; halves of characters become `?`."""
    return value.encode("utf-8", "replace")


def named(name: str, kind: str) -> Ready:
    """The name of an object with its class, as the binary form stores it; a zero byte in it would end the name."""
    return Ready(_counted(b"S", text(name.replace("\0", "")) + b"\x00\x01" + text(kind)))


def _append(out: bytearray, record: Node) -> None:
    start = len(out)
    name = text(record.name)
    out += bytes(13) + name
    values = len(out)
    for value in record.values:
        out += _value(value)
    length = len(out) - values
    if record.children is not None:
        for child in record.children:
            _append(out, child)
        out += _NOTHING
    struct.pack_into("<IIIB", out, start, len(out), len(record.values), length, len(name))


def _value(value: Any) -> bytes:
    if isinstance(value, bool):
        return b"C" + bytes([value])
    if isinstance(value, Long):
        return struct.pack("<cq", b"L", value)
    if isinstance(value, int):
        return struct.pack("<ci", b"I", value)
    if isinstance(value, float):
        return struct.pack("<cd", b"D", value)
    if isinstance(value, str):
        return _counted(b"S", text(value))
    if isinstance(value, Ready):
        return value.data
    if isinstance(value, bytes):
        return _counted(b"R", value)
    return _array(value)


def _counted(kind: bytes, data: bytes) -> bytes:
    return struct.pack("<cI", kind, len(data)) + data


def shared(values: NDArray[Any]) -> Ready:
    """An array that is deflated once for all the records that hold it."""
    return Ready(_array(values))


def _array(values: Any) -> bytes:
    values = np.ascontiguousarray(values)
    kind = _ARRAYS[values.dtype.str[1:]]
    data = values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
    packed = zlib.compress(data, 6) if len(data) > SMALL else data
    return struct.pack("<cIII", kind, values.size, int(len(data) > SMALL), len(packed)) + packed
