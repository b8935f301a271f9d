from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.worlds import read_scene, write_scene
from kinema.worlds.files import ply

from ..conftest import drawn


def test_counts_that_a_file_cannot_hold_are_refused_before_memory_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "huge.ply"
    write_scene(drawn(3, 1), path)
    path.write_bytes(path.read_bytes().replace(b"vertex 3", b"vertex 999999999999999"))
    with pytest.raises(FormatError, match="it was cut"):
        read_scene(path)
    path.write_bytes(b"ply\nformat ascii 1.0\nelement vertex 3\nproperty list uchar int a\nend_header\n")
    with pytest.raises(FormatError, match="not understood"):
        read_scene(path)
    path.write_bytes(b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1 2 three\n")
    with pytest.raises(FormatError, match="other than numbers"):
        read_scene(path)
    path.write_bytes(b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n")
    with pytest.raises(FormatError, match="a mesh or a cloud of points"):
        read_scene(path)


def test_text_and_either_order_of_bytes_are_the_same_numbers() -> None:
    rows = np.asarray([(1.5, 7, -2), (-0.25, 200, 3)], [("x", "<f4"), ("red", "u1"), ("n", "<i2")])
    native = b"".join(ply.write({"vertex": rows}))
    header = native[: native.index(b"end_header\n") + 11]
    swapped = rows.astype([("x", ">f4"), ("red", "u1"), ("n", ">i2")])
    big = header.replace(b"binary_little_endian", b"binary_big_endian") + swapped.tobytes()
    text = header.replace(b"binary_little_endian", b"ascii") + b"1.5 7 -2\n-0.25 200 3\n"
    for data in (native, big, text):
        found = ply.read(data)["vertex"]
        assert [tuple(row) for row in found.tolist()] == [tuple(row) for row in rows.tolist()]


def test_tables_follow_each_other_and_comments_are_skipped() -> None:
    first, second = np.zeros(3, [("a", "<f8")]), np.arange(4, dtype="<u4").view([("b", "<u4")])
    data = b"".join(ply.write({"one": first, "two": second}, "made for a test"))
    found = ply.read(data)
    assert list(found) == ["one", "two"]
    assert found["two"]["b"].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (b"plx\n", "no PLY file"),
        (b"ply\nelement v 1\nproperty float x\nend_header\n", "text or binary"),
        (b"ply\nformat ascii 1.0\nend_header\n", "no element"),
        (b"ply\nformat ascii 1.0\nelement v 1\nelement v 1\nproperty float x\nend_header\n", "without properties"),
        (b"ply\nformat ascii 1.0\nelement v 0\nproperty float x\nproperty float x\nend_header\n", "more than once"),
        (b"ply\nformat ascii 1.0\nelement v -3\nproperty float x\nend_header\n", "not understood"),
        (b"ply\nformat ascii 1.0\nelement v 2\nproperty float x\nend_header\n1\n", "1 numbers for 2"),
        (b"ply\nformat ascii 1.0\nelement v \xb3\nproperty float x\nend_header\n1\n", "not understood"),
    ],
)
def test_headers_that_make_no_sense_are_refused(header: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        ply.read(header)
