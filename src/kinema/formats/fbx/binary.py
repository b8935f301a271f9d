"""Binary FBX: headers with 32-bit or (from version 7500) 64-bit offsets, values, compressed arrays.

Every offset and count is checked against the size of the file before anything is allocated. Records are found first,
without recursion, and decoded when they are first needed.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError
from kinema.formats.budget import Budget
from kinema.formats.checks import require
from kinema.formats.fbx.records import MAX_DEPTH, OLDEST, RECORD_COST, UNSUPPORTED, ParsedFile, Record
from kinema.formats.fbx.scan_kernels import AFTER, CLOSED, CUT, IN_HEAD, NAME, OPEN, START, TOO_DEEP, scan

MAGIC = b"Kaydara FBX Binary  \x00"
HEADER = 27  # bytes: magic, byte order, version
LONG_ROW = 16  # values of one type in a row, as version 6 stores arrays, from which on they become an array
_SCALARS = {ord(c): (struct.calcsize("<" + s), s) for c, s in zip("YIFDLCBZ", "hifdqBBb", strict=True)}
_ARRAYS = {ord("f"): "f4", ord("d"): "f8", ord("l"): "i8", ord("i"): "i4", ord("b"): "u1", ord("c"): "u1"}
_ROWS = {ord("I"): "i4", ord("F"): "f4", ord("D"): "f8", ord("L"): "i8"}
_TEXT, _RAW = ord("S"), ord("R")


def parse(data: bytes, budget: Budget) -> ParsedFile:
    """The records of a binary file. FormatError names the byte that is wrong."""
    require(len(data) >= HEADER, "ends inside the FBX header")
    order = ">" if data[22] == 1 else "<"
    version = struct.unpack_from(order + "I", data, 23)[0]
    require(OLDEST <= version < 10000, UNSUPPORTED.format(version))
    return _Reader(data, budget, order, version).parse()


class _Reader:
    def __init__(self, data: bytes, budget: Budget, order: str, version: int) -> None:
        self.data, self.budget, self.order, self.version = data, budget, order, version
        self.scalars = {
            code: (size, struct.Struct(order + kind).unpack_from) for code, (size, kind) in _SCALARS.items()
        }
        self.array_head = struct.Struct(order + "III")
        self.size = struct.Struct(order + "I").unpack_from
        self.texts: dict[bytes, str] = {}  # names and types of properties are repeated in files

    def error(self, message: str, offset: int) -> FormatError:
        return FormatError(message, node=f"byte {offset}")

    def parse(self) -> ParsedFile:
        width = 8 if self.version >= 7500 else 4
        table, ending, *damage = scan(np.frombuffer(self.data, np.uint8), HEADER, width, self.order == ">", MAX_DEPTH)
        self.table: list[list[int]] = table.T.tolist()
        if ending not in (CLOSED, OPEN, CUT):
            self.refuse(ending, *damage)
        self.budget.charge(RECORD_COST * len(table), None)
        warnings = ["ends without the record that closes a binary file"] if ending == OPEN else []
        cut = self.cut(damage[1]) if ending == CUT else ""
        return ParsedFile(Record("", [], self.inside_of(0, len(table))), self.version, warnings, cut)

    def records(self, row: int) -> list[Record]:
        """The records inside that of a row of the table."""
        return self.inside_of(row + 1, self.table[AFTER][row])

    def inside_of(self, row: int, stop: int) -> list[Record]:
        names, starts, counts, lengths, after = self.table
        found: list[Record] = []
        while row < stop:
            name = self.text(self.data[names[row] : starts[row]])
            found.append(Record(name, (starts[row], counts[row], lengths[row]), row, self))
            row = after[row]
        return found

    def cut(self, section: int) -> str:
        """Where a file ends that is cut short; the section is the row of the top-level record around, or -1."""
        return f"at byte {len(self.data)}" + (f" inside {self.name(section)!r}" if section >= 0 else "")

    def name(self, row: int) -> str:
        """The name of a record, for messages."""
        return self.text(self.data[self.table[NAME][row] : self.table[START][row]])[:40]

    def refuse(self, ending: int, offset: int, owner: int, stop: int, end: int) -> NoReturn:
        if ending == TOO_DEEP:
            raise self.error(f"records are nested more than {MAX_DEPTH} deep", offset)
        if ending == IN_HEAD:
            name = "" if owner < 0 else self.name(owner)
            raise self.error(f"ends inside the head of a record of {name!r}", offset)
        raise self.error(f"a record runs to byte {stop}, past the {end} it must end at", offset)

    def values(self, offset: int, count: int, length: int) -> list[Any]:
        """The `count` values in `length` bytes."""
        if count > length:  # each has a type at least
            raise self.error(f"{count} values do not fit in {length} bytes", offset)
        if count >= LONG_ROW:
            row = self.row(offset, count, length)
            if row is not None:
                return [row]
            self.budget.charge(40 * count, None)
        data, scalars, texts = self.data, self.scalars, self.texts
        found: list[Any] = []
        end = offset + length
        for _ in range(count):
            if offset >= end:
                raise self.error("values run past the end of their record", offset)
            kind = data[offset]
            size, unpack = scalars.get(kind, (0, None))
            if unpack is not None and offset + size < end:
                found.append(unpack(data, offset + 1)[0])
                offset += 1 + size
            elif kind == _TEXT and offset + 5 <= end and (stop := offset + 5 + self.size(data, offset + 1)[0]) <= end:
                raw = data[offset + 5 : stop]  # most values are texts, and most texts are repeated
                found.append(texts.get(raw) or self.text(raw))
                offset = stop
            else:
                value, offset = self.value(kind, offset + 1, end)
                found.append(value)
        return found

    def value(self, kind: int, offset: int, end: int) -> tuple[Any, int]:
        """A text, raw data or array, and where the next value begins; whatever does not fit is refused."""
        if kind in self.scalars:
            raise self.error("a value runs past the end of its record", offset)
        if kind in (_TEXT, _RAW):
            self.inside("a value", offset, 4, end)
            (size,), offset = self.size(self.data, offset), offset + 4
            self.inside(f"text of {size} bytes", offset, size, end)
            raw = self.data[offset : offset + size]
            return self.text(raw) if kind == _TEXT else raw, offset + size
        if kind not in _ARRAYS:
            raise self.error(f"a value has the unknown type {chr(kind)!r}", offset - 1)
        self.inside("a value", offset, 12, end)
        count, encoding, size = self.array_head.unpack_from(self.data, offset)
        dtype, offset = np.dtype(self.order + _ARRAYS[kind]), offset + 12
        if encoding == 0:
            size = count * dtype.itemsize  # the size that is declared is often wrong
        self.inside(f"an array of {size} bytes", offset, size, end)
        return self.array(offset, count, encoding, size, dtype), offset + size

    def text(self, raw: bytes) -> str:
        """Decoded text; `Name\\0\\1Class` becomes `Class::Name`."""
        if (found := self.texts.get(raw)) is None:
            name, mark, kind = raw.partition(b"\x00\x01")
            found = self.texts[raw] = decoded(kind + b"::" + name if mark else raw)
        return found

    def inside(self, what: str, offset: int, size: int, end: int) -> None:
        if offset + size > end:
            raise self.error(f"{what} runs past the end of its record", offset)

    def row(self, offset: int, count: int, length: int) -> NDArray[Any] | None:
        """Many numbers of one type as an array; None if they are something else."""
        kind = self.data[offset]
        if kind not in _ROWS:
            return None
        item = np.dtype(self.order + _ROWS[kind])
        if length != count * (1 + item.itemsize):
            return None
        row = np.frombuffer(self.data, np.dtype([("kind", "u1"), ("value", item)]), count, offset)
        if (row["kind"] != kind).any():
            return None
        self.budget.charge(count * item.itemsize, None)
        return row["value"].astype(item.newbyteorder("="))

    def array(self, offset: int, count: int, encoding: int, size: int, dtype: np.dtype) -> NDArray[Any]:
        wanted = count * dtype.itemsize
        if encoding == 0:
            found = np.frombuffer(self.data, dtype, count, offset)
        elif encoding == 1:
            if wanted > 1040 * size + 64:  # deflate cannot do better
                raise self.error(f"an array declares {wanted} bytes, more than {size} packed ones can hold", offset)
            self.budget.charge(wanted, f"byte {offset}")
            try:
                plain = zlib.decompressobj().decompress(memoryview(self.data)[offset : offset + size], max(wanted, 1))
            except zlib.error as error:
                raise self.error(f"an array cannot be unpacked: {error}", offset) from None
            if len(plain) < wanted:
                raise self.error(f"an array unpacks to {len(plain)} bytes, {wanted} are declared", offset)
            found = np.frombuffer(plain, dtype, count)
        else:
            raise self.error(f"an array has the unknown encoding {encoding}", offset)
        return found if dtype.isnative else found.astype(dtype.newbyteorder("="))


def decoded(raw: bytes) -> str:
    """UTF-8, or Latin-1 for an old code page: it keeps all bytes apart, and so names."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
