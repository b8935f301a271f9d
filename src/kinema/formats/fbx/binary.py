"""Binary FBX: headers with 32-bit or (from version 7500) 64-bit offsets, values, deflated arrays.

Every offset and count is held against the bytes that are there before anything is allocated. Records are read without
recursion.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError
from kinema.formats.budget import Budget
from kinema.formats.fbx.records import MAX_DEPTH, Record, Tree

HEADER = 27  # bytes: magic, byte order, version
LONG_ROW = 16  # values of one type in a row, as version 6 stores arrays; from here on they become an array
RECORD_COST = 400  # bytes that a record takes in memory, and its time
_SCALARS = {ord(c): (struct.calcsize("<" + s), s) for c, s in zip("YIFDLCBZ", "hifdqBBb", strict=True)}
_ARRAYS = {ord("f"): "f4", ord("d"): "f8", ord("l"): "i8", ord("i"): "i4", ord("b"): "u1", ord("c"): "u1"}
_ROWS = {ord("I"): "i4", ord("F"): "f4", ord("D"): "f8", ord("L"): "i8"}
_TEXT, _RAW = ord("S"), ord("R")


def parse(data: bytes, path: str, budget: Budget) -> Tree:
    """The tree of a binary file. FormatError names the byte that is wrong."""
    if len(data) < HEADER:
        raise FormatError("ends inside the FBX header", path=path)
    order = ">" if data[22] == 1 else "<"
    version = struct.unpack_from(order + "I", data, 23)[0]
    if not 1000 <= version < 10000:
        raise FormatError(f"has FBX version {version}; 2000 to 8000 are known", path=path)
    return _Reader(data, path, budget, order, version).tree()


class _Reader:
    def __init__(self, data: bytes, path: str, budget: Budget, order: str, version: int) -> None:
        self.data, self.path, self.budget, self.order, self.version = data, path, budget, order, version
        self.head = struct.Struct(order + ("QQQB" if version >= 7500 else "IIIB"))
        self.scalars = {code: (size, struct.Struct(order + kind)) for code, (size, kind) in _SCALARS.items()}
        self.array_head = struct.Struct(order + "III")
        self.warnings: list[str] = []

    def error(self, message: str, offset: int) -> FormatError:
        return FormatError(message, path=self.path, node=f"byte {offset}")

    def tree(self) -> Tree:
        root = Record("", [], [])
        data, head, size = self.data, self.head, len(self.data)
        stack = [(root, size)]  # open records and where they end
        offset = HEADER
        while stack:
            owner, end = stack[-1]
            if offset >= end or (len(stack) == 1 and offset + head.size > end):
                if len(stack) == 1:
                    self.warnings.append("ends without the record that closes a binary file")
                stack.pop()
                continue
            if offset + head.size > end:
                raise self.error(f"ends inside the head of a record of {owner.name[:40]!r}", offset)
            stop, count, length, name_length = head.unpack_from(data, offset)
            if stop == 0:  # the empty record that closes a list
                stack.pop()
                offset = end if stack else offset
                continue
            start = offset + head.size
            values = start + name_length
            if stop > end or values + length > stop:
                cut = "; the file is cut short" if stop > size else ""
                raise self.error(f"a record runs to byte {stop}, past the {end} it must end at{cut}", offset)
            record = Record(_text(data[start:values]), self.values(values, count, length), [])
            self.budget.charge(RECORD_COST, None)
            owner.children.append(record)
            offset = values + length
            if offset < stop:
                if len(stack) > MAX_DEPTH:
                    raise self.error(f"records are nested more than {MAX_DEPTH} deep", offset)
                stack.append((record, stop))
        return Tree(root, self.version, True, self.budget, self.warnings)

    def values(self, offset: int, count: int, length: int) -> list[Any]:
        """The `count` values in `length` bytes."""
        if count > length:  # each has a type at least
            raise self.error(f"{count} values do not fit in {length} bytes", offset)
        data, end = self.data, offset + length
        if count >= LONG_ROW:
            row = self.row(offset, count, length)
            if row is not None:
                return [row]
            self.budget.charge(40 * count, None)
        found: list[Any] = []
        for _ in range(count):
            if offset >= end:
                raise self.error("values run past the end of their record", offset)
            kind = data[offset]
            offset += 1
            if kind in self.scalars:
                size, unpack = self.scalars[kind]
                if offset + size > end:
                    raise self.error("a value runs past the end of its record", offset)
                found.append(unpack.unpack_from(data, offset)[0])
                offset += size
            elif kind in (_TEXT, _RAW):
                if offset + 4 > end:
                    raise self.error("a value runs past the end of its record", offset)
                size = int.from_bytes(data[offset : offset + 4], "big" if self.order == ">" else "little")
                offset += 4
                if offset + size > end:
                    raise self.error(f"text of {size} bytes runs past the end of its record", offset)
                value = data[offset : offset + size]
                found.append(_text(value) if kind == _TEXT else value)
                offset += size
            elif kind in _ARRAYS:
                if offset + 12 > end:
                    raise self.error("a value runs past the end of its record", offset)
                number, encoding, size = self.array_head.unpack_from(data, offset)
                dtype = np.dtype(self.order + _ARRAYS[kind])
                offset += 12
                if encoding == 0:
                    size = number * dtype.itemsize  # what is declared beside it is often wrong
                if offset + size > end:
                    raise self.error(f"an array of {size} bytes runs past the end of its record", offset)
                found.append(self.array(offset, number, encoding, size, dtype))
                offset += size
            else:
                raise self.error(f"a value has the unknown type {chr(kind)!r}", offset - 1)
        return found

    def row(self, offset: int, count: int, length: int) -> NDArray[Any] | None:
        """Many numbers of one type as an array, or None where they are not."""
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
            unpack = zlib.decompressobj()
            try:
                plain = unpack.decompress(memoryview(self.data)[offset : offset + size], max(wanted, 1))
            except zlib.error as error:
                raise self.error(f"an array cannot be unpacked: {error}", offset) from None
            if len(plain) < wanted:
                raise self.error(f"an array unpacks to {len(plain)} bytes, {wanted} are declared", offset)
            found = np.frombuffer(plain, dtype, count)
        else:
            raise self.error(f"an array has the unknown encoding {encoding}", offset)
        return found if dtype.isnative else found.astype(dtype.newbyteorder("="))


def _text(raw: bytes) -> str:
    """Text of a file; `Name\\0\\1Class` becomes `Class::Name`."""
    name, mark, kind = raw.partition(b"\x00\x01")
    if mark:
        raw = kind + b"::" + name
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:  # an old code page; one that tells all bytes apart keeps names apart
        return raw.decode("latin-1")
