"""Binary FBX: headers with 32-bit or (from version 7500) 64-bit offsets, values, compressed arrays.

Every offset and count is checked against the size of the file before anything is allocated. Records are read without
recursion, and their values when they are first needed.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError
from kinema.formats.budget import Budget
from kinema.formats.fbx.records import MAX_DEPTH, OLDEST, RECORD_COST, UNSUPPORTED, ParsedFile, Record

MAGIC = b"Kaydara FBX Binary  \x00"
HEADER = 27  # bytes: magic, byte order, version
LONG_ROW = 16  # values of one type in a row, as version 6 stores arrays, from which on they become an array
_SCALARS = {ord(c): (struct.calcsize("<" + s), s) for c, s in zip("YIFDLCBZ", "hifdqBBb", strict=True)}
_ARRAYS = {ord("f"): "f4", ord("d"): "f8", ord("l"): "i8", ord("i"): "i4", ord("b"): "u1", ord("c"): "u1"}
_ROWS = {ord("I"): "i4", ord("F"): "f4", ord("D"): "f8", ord("L"): "i8"}
_TEXT, _RAW = ord("S"), ord("R")


def parse(data: bytes, path: str, budget: Budget) -> ParsedFile:
    """The records of a binary file. FormatError names the byte that is wrong."""
    if len(data) < HEADER:
        raise FormatError("ends inside the FBX header", path=path)
    order = ">" if data[22] == 1 else "<"
    version = struct.unpack_from(order + "I", data, 23)[0]
    if not OLDEST <= version < 10000:
        raise FormatError(UNSUPPORTED.format(version), path=path)
    return _Reader(data, path, budget, order, version).parse()


class _Reader:
    def __init__(self, data: bytes, path: str, budget: Budget, order: str, version: int) -> None:
        self.data, self.path, self.budget, self.order, self.version = data, path, budget, order, version
        self.head = struct.Struct(order + ("QQQB" if version >= 7500 else "IIIB"))
        self.scalars = {
            code: (size, struct.Struct(order + kind).unpack_from) for code, (size, kind) in _SCALARS.items()
        }
        self.array_head = struct.Struct(order + "III")
        self.size = struct.Struct(order + "I").unpack_from
        self.texts: dict[bytes, str] = {}  # names and types of properties stand in files again and again

    def error(self, message: str, offset: int) -> FormatError:
        return FormatError(message, path=self.path, node=f"byte {offset}")

    def parse(self) -> ParsedFile:
        root = Record("", [], [])
        warnings = [] if self.records(root) else ["ends without the record that closes a binary file"]
        return ParsedFile(root, self.version, warnings)

    def records(self, root: Record) -> bool:
        """Reads all records below the root; whether the list of records is closed."""
        data, head, unpack = self.data, self.head.size, self.head.unpack_from
        stack = [(root, len(data))]  # open records and where they end
        owner, end = stack[-1]
        offset, count = HEADER, 0
        while offset + head <= end or len(stack) > 1:
            if offset + head > end and offset < end:
                raise self.error(f"ends inside the head of a record of {owner.name[:40]!r}", offset)
            stop, value_count, length, name_length = unpack(data, offset) if offset < end else (0, 0, 0, 0)
            if stop == 0:  # the empty record that closes a list
                stack.pop()
                if not stack:
                    break
                offset, (owner, end) = end, stack[-1]
                continue
            start = offset + head + name_length
            if stop > end or start + length > stop:
                self.refuse(stop, end, offset)
            name = self.text(data[start - name_length : start])
            record = Record(name, (start, value_count, length), [], self.values)
            owner.children.append(record)
            count += 1
            offset = start + length
            if offset < stop:
                stack.append((record, stop))
                owner, end = record, stop
                if len(stack) > MAX_DEPTH + 1:
                    raise self.error(f"records are nested more than {MAX_DEPTH} deep", offset)
        self.budget.charge(RECORD_COST * count, None)  # a record takes 14 bytes of the file: no need to count before
        return not stack

    def refuse(self, stop: int, end: int, offset: int) -> NoReturn:
        cut = "; the file is cut short" if stop > len(self.data) else ""
        raise self.error(f"a record runs to byte {stop}, past the {end} it must end at{cut}", offset)

    def values(self, offset: int, count: int, length: int) -> list[Any]:
        """The `count` values in `length` bytes."""
        if count > length:  # each has a type at least
            raise self.error(f"{count} values do not fit in {length} bytes", offset)
        if count >= LONG_ROW:
            row = self.row(offset, count, length)
            if row is not None:
                return [row]
            self.budget.charge(40 * count, None)
        data, scalars = self.data, self.scalars
        found: list[Any] = []
        end = offset + length
        for _ in range(count):
            if offset >= end:
                raise self.error("values run past the end of their record", offset)
            size, unpack = scalars.get(data[offset], (0, None))
            if unpack is None:
                value, offset = self.value(data[offset], offset + 1, end)
                found.append(value)
            else:
                self.inside("a value", offset + 1, size, end)
                found.append(unpack(data, offset + 1)[0])
                offset += 1 + size
        return found

    def value(self, kind: int, offset: int, end: int) -> tuple[Any, int]:
        """A text, raw data or array, and where the next value begins."""
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
