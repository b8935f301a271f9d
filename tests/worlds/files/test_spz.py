from __future__ import annotations

import gzip
import struct
import tracemalloc

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.worlds.files import spz

from ..conftest import drawn

HEAD = struct.Struct("<4sIIBBBB")


def test_positions_have_24_bits_with_a_sign() -> None:
    numbers = np.asarray([1, -1, 2**23 - 1, -(2**23), 4096, -4096], "<i4")
    body = b"".join(int(each).to_bytes(3, "little", signed=True) for each in numbers)
    data = HEAD.pack(b"NGSP", 2, 2, 0, 12, 0, 0) + body + bytes([255, 0]) + bytes(6) + bytes(6) + bytes([127] * 6)
    found = spz.read(data)
    np.testing.assert_allclose(found.means.ravel(), numbers / 4096, rtol=1e-6)
    np.testing.assert_allclose(found.opacities, [1, 0], atol=1e-5)
    np.testing.assert_allclose(found.log_scales, -10.0)
    np.testing.assert_allclose(found.rotations[:, 0], 1.0, atol=1e-3)


def test_half_floats_of_the_first_version_are_read() -> None:
    places = np.asarray([1.5, -2.0, 0.25], "<f2").tobytes()
    data = HEAD.pack(b"NGSP", 1, 1, 0, 12, 0, 0) + places + bytes([128]) + bytes(3) + bytes(3) + bytes([127] * 3)
    np.testing.assert_array_equal(spz.read(data).means[0], [1.5, -2.0, 0.25])


def test_written_files_are_of_version_3_and_packed() -> None:
    scene = drawn(200, 9)
    data = b"".join(spz.write(scene))
    assert data[:2] == b"\x1f\x8b"
    assert len(data) < 200 * (20 + 24) + 100
    assert spz.read(data).degree == 2


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (HEAD.pack(b"NGSQ", 2, 1, 0, 12, 0, 0), "NGSP"),
        (HEAD.pack(b"NGSP", 9, 1, 0, 12, 0, 0), "version 9"),
        (HEAD.pack(b"NGSP", 2, 1, 4, 12, 0, 0), "degree 4"),
        (HEAD.pack(b"NGSP", 2, 2**32 - 1, 3, 12, 0, 0), "it was cut|file was cut"),
        (HEAD.pack(b"NGSP", 4, 2, 0, 12, 0, 200) + bytes(16), "table of 200"),
        (HEAD.pack(b"NGSP", 2, 0, 1, 12, 0, 0), "has no Gaussians"),
        (gzip.compress(HEAD.pack(b"NGSP", 2, 2**32 - 1, 3, 12, 0, 0), mtime=0), "more than 200 times"),
    ],
)
def test_headers_that_make_no_sense_are_refused(head: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        spz.read(head)


@pytest.mark.parametrize("version", [3, 4])
def test_bombs_are_refused_before_they_are_unpacked(version: int) -> None:
    count = 4_000_000
    head = HEAD.pack(b"NGSP", version, count, 0, 12, 0, 0 if version == 3 else 5)
    if version == 3:
        data = gzip.compress(head + bytes(20 * count), 1)
    else:
        zstandard = pytest.importorskip("zstandard")
        sizes = [each * count for each in (9, 1, 3, 3, 4)]
        packed = [zstandard.compress(bytes(size), 1) for size in sizes]
        table = b"".join(struct.pack("<QQ", len(each), size) for each, size in zip(packed, sizes, strict=True))
        data = head + struct.pack("<I", 20) + table + b"".join(packed)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="more than 200 times"):
            spz.read(data)
        assert tracemalloc.get_traced_memory()[1] < 10 * len(data) + 10**6
    finally:
        tracemalloc.stop()
