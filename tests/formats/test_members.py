"""Arrays of npz files: what they say is checked before anything is made of it."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats import Source, members
from kinema.formats.members import open_members


def archive(**arrays: bytes) -> Source:
    """An npz whose members are these bytes."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in arrays.items():
            opened.writestr(f"{name}.npy", data)
    return Source.from_bytes(held.getvalue(), "a.npz")


def saved(**arrays: np.ndarray) -> Source:
    held = io.BytesIO()
    np.savez_compressed(held, **arrays)
    return Source.from_bytes(held.getvalue(), "a.npz")


def npy(header: str, body: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + body


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 21, 4)}", b"1234"), "is not its shape"),
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"), "broken shape"),
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': 4}"), "broken header"),
        (npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", b"\x80\x04N."), "pickled"),
        (npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", b"1234"), "is of type"),
        (npy("{'descr': '<f3', 'fortran_order': False, 'shape': (1,)}", b"123"), "broken header"),
        (npy("{'descr': '<U0', 'fortran_order': False, 'shape': (5,)}"), "is of type <U0"),
        (npy("__import__('os').system('false')"), "broken header"),
        (npy("{" * 4000), "broken header"),
        (b"\x93NUMPY\x01\x00\xff\xff{}", "is not a NumPy array"),
        (b"\x93NUM", "is not a NumPy array"),
        (b"", "is not a NumPy array"),
    ],
)
def test_hostile_headers_allocate_nothing(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        open_members(archive(a=data)).array("a", "f")


def test_arrays_come_as_they_were_saved() -> None:
    given = {
        "rows": np.arange(6, dtype=">f8").reshape(2, 3),
        "columns": np.asfortranarray(np.eye(2, 3)),
        "words": np.array(["a", "bc"]),
        "none": np.zeros((0, 3), np.float32),
    }
    found = open_members(saved(**given))
    for name, array in given.items():
        np.testing.assert_array_equal(found.array(name, "fU", array.ndim), array)


def test_what_is_not_wanted_is_named() -> None:
    found = open_members(saved(a=np.array([1.0, np.nan]), b=np.arange(3)))
    for name, kinds, dimensions, message in (
        ("a", "f", None, "a.npz, a: holds a value that is not finite"),
        ("b", "f", None, "expected numbers of kind f"),
        ("b", "i", 2, "has 1 dimensions, expected 2"),
        ("c", "i", None, "c: is missing"),
    ):
        with pytest.raises(FormatError, match=message):
            found.array(name, kinds, dimensions)
    np.testing.assert_array_equal(found.array("a", "f", finite=False), [1.0, np.nan])


def test_many_small_bombs_are_refused_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "UNPACKED_FLOOR", 2**20)
    found = open_members(saved(**{f"a{number}": np.zeros(2**20, np.uint8) for number in range(40)}))
    with pytest.raises(FormatError, match="more than a file of this size may hold"):
        for number in range(40):
            found.array(f"a{number}", "u")


def test_all_arrays_together_are_no_larger_than_a_file_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "UNPACKED_FLOOR", 0)
    source = saved(a=np.arange(1000.0), b=np.arange(1000.0))
    found = open_members(Source(source.path, limit=9000, data=source.data))
    found.array("a", "f")
    with pytest.raises(FormatError, match="more than a file of this size may hold"):
        found.array("b", "f")
