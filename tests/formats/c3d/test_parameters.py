"""Numbers of three kinds of processor, and records that lie about their size."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.c3d.parameters import DEC, INTEL, MIPS, floats, integers, read_start, readable


def vax(values: list[float]) -> bytes:
    """VAX F floats: the value times four as IEEE, with its 16-bit words exchanged."""
    packed = struct.pack(f"<{len(values)}f", *[4 * value for value in values])
    return b"".join(packed[at + 2 : at + 4] + packed[at : at + 2] for at in range(0, len(packed), 4))


def test_floats_of_three_processors():
    values = [1.0, -0.1, 123.456, 0.0, 1e-6]
    want = np.array(values, np.float32)
    assert np.array_equal(floats(struct.pack("<5f", *values), INTEL), want)
    assert np.array_equal(floats(struct.pack(">5f", *values), MIPS), want)
    assert np.array_equal(floats(vax(values), DEC), want)
    assert floats(bytes.fromhex("8040 0000".replace(" ", "")), DEC)[0] == 1.0  # the textbook VAX one


def test_integers_of_three_processors():
    assert integers(struct.pack("<2h", 258, -2), INTEL).tolist() == [258, -2]
    assert integers(struct.pack("<2h", 258, -2), DEC).tolist() == [258, -2]
    assert integers(struct.pack(">2h", 258, -2), MIPS).tolist() == [258, -2]


def test_text_ends_at_a_zero_and_loses_its_blanks():
    assert readable(b"  LASI  \0junk") == "LASI"
    assert readable("Ferse_ü".encode("latin-1")) == "Ferse_ü" == readable("Ferse_ü".encode())


def start(records: bytes, processor: int = INTEL) -> bytes:
    header = bytearray(512)
    header[:2] = b"\x02\x50"
    return bytes(header) + (bytes([1, 0x50, 1, processor]) + records).ljust(512, b"\0")


def record(name: bytes, group: int, kind: int, shape: list[int], data: bytes, locked: bool = False) -> bytes:
    body = struct.pack("<bB", kind, len(shape)) + bytes(shape) + data + b"\0"
    length = -len(name) if locked else len(name)
    return struct.pack("<bb", length, group) + name + struct.pack("<H", len(body) + 2) + body


def test_records_in_any_order_locked_or_not():
    group = struct.pack("<bb", -5, -3) + b"POINT" + struct.pack("<HB", 3, 0)
    data = start(
        record(b"rate", 3, 4, [], struct.pack("<f", 120))
        + group
        + record(b"LABELS", 3, -1, [4, 2], b"LASIRASI", locked=True)
    )
    _, parameters = read_start(data)
    assert parameters.number("POINT:RATE") == 120
    assert parameters.texts("POINT:LABELS") == ["LASI", "RASI"]
    assert parameters.numbers("POINT:LABELS") == [] == parameters.texts("POINT:RATE")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not a C3D file"),
        (b"\2\x51" + bytes(2000), "0x50"),
        (b"\xff\x50" + bytes(2000), "behind the end"),
        (start(b"", 7), "kind of processor"),
        (start(record(b"LABELS", 1, -1, [255, 255], b"")), "more than are left"),
        (start(record(b"LABELS", 1, 3, [1], b"ab")), "type 3"),
    ],
)
def test_refusals(data: bytes, said: str):
    with pytest.raises(FormatError, match=said):
        read_start(data)
