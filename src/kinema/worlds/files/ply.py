"""The PLY format (G. Turk, 1994): elements with properties of fixed size, as text or binary."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError, one_line

_TYPES = {
    "char": "i1",
    "int8": "i1",
    "uchar": "u1",
    "uint8": "u1",
    "short": "i2",
    "int16": "i2",
    "ushort": "u2",
    "uint16": "u2",
    "int": "i4",
    "int32": "i4",
    "uint": "u4",
    "uint32": "u4",
    "float": "f4",
    "float32": "f4",
    "double": "f8",
    "float64": "f8",
}
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">", "ascii": "<"}
_LONGEST_HEADER = 64 * 1024
_MOST_PROPERTIES = 4096


@dataclass(frozen=True)
class PlyElement:
    """A table: rows of the same properties, in order, with NumPy's letters for their types."""

    name: str
    count: int
    properties: tuple[tuple[str, str], ...]

    @property
    def row(self) -> np.dtype:
        """The type of a row."""
        return np.dtype(list(self.properties))


Tables = dict[str, NDArray[np.void]]
"""Rows of each element by name."""


def read(data: bytes | memoryview) -> Tables:
    """All tables of a file. Those of binary files are views of `data`.

    Raises:
        FormatError: the header is not one of PLY, has lists, or there are fewer bytes than it says.
    """
    kind, elements, start = _header(bytes(data[:_LONGEST_HEADER]))
    if kind == "ascii":
        return _text(elements, data[start:])
    tables: Tables = {}
    for element in elements:
        size = element.count * element.row.itemsize
        if size > len(data) - start:
            raise FormatError(
                f"has {len(data) - start} bytes for {element.count} of {element.name!r}, which need {size}: it was cut"
            )
        tables[element.name] = np.frombuffer(data, element.row, element.count, start)
        start += size
    return tables


def _header(head: bytes) -> tuple[str, list[PlyElement], int]:
    end = head.find(b"end_header")
    if not head.startswith(b"ply") or end < 0:
        raise FormatError("is no PLY file: it does not begin with 'ply' and a header that ends with 'end_header'")
    stop = head.find(b"\n", end)
    kind, elements = "", []
    for line in head[:end].decode("latin-1").splitlines()[1:]:
        words = line.split()
        match words:
            case ["format", kind, _] if kind in _ORDERS:
                continue
            case ["element", name, count] if count.isascii() and count.isdigit() and len(count) < 19:
                elements.append(PlyElement(name, int(count), ()))
            case ["property", form, name] if form in _TYPES and elements:
                last = elements[-1]
                if len(last.properties) == _MOST_PROPERTIES or name in dict(last.properties):
                    raise FormatError(
                        f"has the property {one_line(name)!r} of {one_line(last.name)!r} more than once, or too many"
                    )
                added = (name, _ORDERS.get(kind, "<") + _TYPES[form])
                elements[-1] = PlyElement(last.name, last.count, (*last.properties, added))
            case [] | ["comment" | "obj_info", *_]:
                continue
            case _:
                raise FormatError(f"has a header with a line that is not understood: {one_line(line)!r}")
    if not kind:
        raise FormatError("has a header that does not say whether it is text or binary")
    if any(not element.properties for element in elements) or not elements:
        raise FormatError("has an element without properties, or no element")
    if len({element.name for element in elements}) < len(elements):
        raise FormatError("has two elements of the same name")
    return kind, elements, len(head) if stop < 0 else stop + 1


def _text(elements: list[PlyElement], data: bytes | memoryview) -> Tables:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            numbers = np.fromstring(bytes(data).decode("latin-1"), np.float64, sep=" ")
        except (ValueError, DeprecationWarning):
            raise FormatError("has something other than numbers in its tables") from None
    tables: Tables = {}
    start = 0
    for element in elements:
        size = element.count * len(element.properties)
        if size > len(numbers) - start:
            raise FormatError(
                f"has {len(numbers) - start} numbers for {element.count} of {element.name!r}, which need {size}"
            )
        values = numbers[start : start + size]
        table = np.empty(element.count, element.row)
        for column, (name, _) in enumerate(element.properties):
            table[name] = values[column :: len(element.properties)]
        tables[element.name] = table
        start += size
    return tables


def write(tables: Mapping[str, NDArray[np.void]], comment: str = "") -> list[bytes]:
    """The pieces of a binary file, little-endian."""
    names = {letters: form for form, letters in reversed(_TYPES.items()) if not form[-1].isdigit()}
    lines = ["ply", "format binary_little_endian 1.0", *([f"comment {comment}"] if comment else [])]
    rows = []
    for name, table in tables.items():
        fields = table.dtype.fields or {}
        lines.append(f"element {name} {len(table)}")
        lines += [f"property {names[form.str[1:]]} {field}" for field, (form, *_) in fields.items()]
        rows.append(np.ascontiguousarray(table).tobytes())
    return [("\n".join([*lines, "end_header"]) + "\n").encode("ascii"), *rows]
