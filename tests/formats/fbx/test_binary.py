"""Binary records: both widths, both byte orders, every type of value, and files that lie."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.fbx.objects import parse
from kinema.formats.fbx.records import Record


def value(kind: str, given: Any, order: str = "<") -> bytes:
    if kind in "SR":
        return kind.encode() + struct.pack(order + "I", len(given)) + given
    code = {"Y": "h", "I": "i", "F": "f", "D": "d", "L": "q", "C": "B"}[kind]
    return kind.encode() + struct.pack(order + code, given)


def array(kind: str, dtype: str, given: Any, packed: bool, order: str = "<") -> bytes:
    raw = np.asarray(given, dtype=np.dtype(order + dtype)).tobytes()
    body = zlib.compress(raw) if packed else raw
    return kind.encode() + struct.pack(order + "III", len(given), int(packed), len(body)) + body


def record(name: str, values: list[bytes], children: list[bytes], start: int, wide: bool, order: str) -> bytes:
    """A record at offset `start`; children are functions of their offset."""
    head = order + ("QQQB" if wide else "IIIB")
    body = b"".join(values)
    inner, offset = b"", start + struct.calcsize(head) + len(name) + len(body)
    for child in children:
        inner += child(offset + len(inner))  # type: ignore[operator]
    if children:
        inner += bytes(struct.calcsize(head))
    end = offset + len(inner)
    return struct.pack(head, end, len(values), len(body), len(name)) + name.encode() + body + inner


def file(records: list[Any], version: int = 7400, order: str = "<") -> bytes:
    data = b"Kaydara FBX Binary  \0\x1a" + (b"\1" if order == ">" else b"\0") + struct.pack(order + "I", version)
    for make in records:
        data += make(len(data))
    return data + bytes(25 if version >= 7500 else 13)


def maker(name: str, values: list[bytes], children: list[Any] = [], wide: bool = False, order: str = "<") -> Any:  # noqa: B006
    return lambda start: record(name, values, children, start, wide, order)


@pytest.mark.parametrize("version", [7400, 7700])
@pytest.mark.parametrize("order", ["<", ">"])
def test_widths_and_byte_orders(version: int, order: str):
    wide = version >= 7500
    values = [
        value("Y", -3, order),
        value("I", 70000, order),
        value("F", 0.5, order),
        value("D", 0.1, order),
        value("L", -(2**40), order),
        value("C", 1, order),
        value("S", b"Hips\0\1Model", order),
        value("R", b"\xff\0", order),
    ]
    numbers = [
        array("d", "f8", [1.5, 2.5], False, order),
        array("f", "f4", [0.25] * 50, True, order),
        array("l", "i8", [2**40], True, order),
        array("i", "i4", [-1, 7], False, order),
        array("b", "u1", [0, 1], False, order),
    ]
    inner = maker("Inner", numbers, [], wide, order)
    tree = parse(file([maker("Outer", values, [inner], wide, order)], version, order))
    outer = tree.root.children[0]
    assert tree.version == version and not tree.warnings
    assert outer.name == "Outer"
    assert outer.values == [-3, 70000, 0.5, 0.1, -(2**40), 1, "Model::Hips", b"\xff\0"]
    found = [v.tolist() for v in outer.children[0].values]
    assert found == [[1.5, 2.5], [0.25] * 50, [2**40], [-1, 7], [0, 1]]
    assert all(v.dtype.isnative for v in outer.children[0].values)


def test_rows_of_numbers_of_version_6_become_arrays():
    row = [value("D", number / 2) for number in range(40)]
    mixed = [value("L", 5), value("D", 1.5), value("C", ord("U"))] * 10
    tree = parse(file([maker("Vertices", row), maker("Key", mixed)], 6100))
    vertices, keys = tree.root.children
    assert isinstance(vertices.values[0], np.ndarray) and len(vertices.values) == 1
    np.testing.assert_array_equal(vertices.numbers(), np.arange(40) / 2)
    assert keys.values == [5, 1.5, 85] * 10


def test_names_in_old_code_pages_stay_apart():
    tree = parse(file([maker("A", [value("S", b"\xc4rm"), value("S", b"\xd6rm"), value("S", "ä".encode())])]))
    assert len(set(tree.root.children[0].values)) == 3 and tree.root.children[0].values[2] == "ä"


def test_a_file_without_its_end_is_read_with_a_warning():
    whole = file([maker("A", [value("I", 1)])])
    tree = parse(whole[:-13])
    assert tree.root.children[0].values == [1] and "closes" in tree.warnings[0]


@pytest.mark.parametrize("wide", [False, True])
def test_a_file_that_is_cut_short_keeps_the_records_that_are_whole(wide: bool):
    def made(name: str, number: int, children: list[Any]) -> Any:
        return maker(name, [value("I", number)], children, wide)

    inner = [made("One", 1, []), made("Two", 2, [made("Deep", 3, [])]), made("Three", 4, [made("Deep", 5, [])])]
    whole = file([made("First", 0, []), made("Second", 0, inner)], 7700 if wide else 7400)
    width = 25 if wide else 13
    begins = {name: whole.index(name.encode()) - width for name in ("First", "Second", "One", "Two", "Three")}
    for end in range(28, len(whole) - 2 * width):
        tree = parse(whole[:end])
        assert bool(tree.cut) != bool(tree.warnings), "it ends either inside of a record or between two"
        assert ("'Second'" in tree.cut) == (end >= begins["One"])
        kept = [[child.name for child in section.children] for section in tree.root.children]
        names = [name for name, after in (("One", "Two"), ("Two", "Three")) if end >= begins[after]]
        assert kept == ([[], names] if end >= begins["One"] else [[]] if end >= begins["Second"] else [])


def test_damage_in_records_that_nobody_asks_for_does_not_matter():
    root = parse(file([maker("A", [b"x1"]), maker("B", [value("I", 7)])])).root
    assert root.integer("B", 0) == 7


def values_of(record: Record) -> list[Any]:
    """All values of a record and those below it, which are decoded when they are needed."""
    return [*record.values, *(value for child in record.children for value in values_of(child))]


def packed(count: int, body: bytes) -> bytes:
    return b"d" + struct.pack("<III", count, 1, len(body)) + body


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (maker("A", [b"S" + struct.pack("<I", 2**31)]), "runs past the end"),
        (maker("A", [b"x1"]), "unknown type 'x'"),
        (maker("A", [packed(2**31, zlib.compress(bytes(80)))]), "more than 12 packed ones can hold"),
        (maker("A", [packed(11, zlib.compress(bytes(80)))]), "unpacks to 80 bytes, 88"),
        (maker("A", [packed(1, b"nonsense")]), "cannot be unpacked"),
        (maker("A", [b"d" + struct.pack("<III", 1, 7, 8) + bytes(8)]), "encoding 7"),
        (maker("A", [b"d" + struct.pack("<III", 2**30, 0, 8) + bytes(8)]), "runs past"),
        (lambda start: struct.pack("<IIIB", start + 19, 2**30, 5, 1) + b"A" + bytes(5), "do not fit"),
    ],
)
def test_files_that_lie_are_refused_in_one_line(make: Any, message: str):
    data = file([])[:27]
    with pytest.raises(FormatError, match=message) as caught:
        values_of(parse(data + make(27)).root)
    assert "\n" not in str(caught.value)


def test_bombs_are_refused_before_they_unpack():
    body = zlib.compress(bytes(90 * 1024**2), 9)
    with pytest.raises(FormatError, match="bytes of memory"):
        values_of(parse(file([maker("A", [packed(90 * 1024**2 // 8, body)])])).root)


def test_records_in_records_have_an_end():
    make = maker("A", [])
    for _ in range(40):
        make = maker("A", [], [make])
    with pytest.raises(FormatError, match="nested more than 32 deep"):
        parse(file([make]))


@pytest.mark.parametrize("version", [0, 2000, 12000, 2**31])
def test_versions_that_do_not_exist_are_refused(version: int):
    with pytest.raises(FormatError, match=f"has FBX version {version}; versions 3000 to 7700 are supported"):
        parse(file([], version) + bytes(range(200)))
