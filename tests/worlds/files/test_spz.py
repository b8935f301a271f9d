from __future__ import annotations

import struct

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
    ],
)
def test_headers_that_make_no_sense_are_refused(head: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        spz.read(head)
