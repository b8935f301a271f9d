"""A file is complete or not there."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kinema.errors import KinemaError
from kinema.formats.atomic import WriteError, atomic_write, atomic_write_all


def test_writes_bytes_and_pieces_and_replaces(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    atomic_write(target, b"one")
    atomic_write(target, iter([b"tw", b"o"]))
    assert target.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["a.bin"]


@pytest.mark.parametrize("name", ["n" * 255, "日" * 85])
def test_names_as_long_as_the_file_system_takes(tmp_path: Path, name: str) -> None:
    atomic_write(tmp_path / name, b"one")
    assert os.listdir(tmp_path) == [name]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    target.write_bytes(b"old")

    def pieces() -> Iterator[bytes]:
        yield b"new"
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(WriteError, match=r"a\.bin: cannot be written: No space left on device") as caught:
        atomic_write(target, pieces())
    assert isinstance(caught.value, KinemaError) and "\n" not in str(caught.value)
    assert target.read_bytes() == b"old" and os.listdir(tmp_path) == ["a.bin"]


def test_an_interruption_leaves_nothing(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        atomic_write(tmp_path / "a.bin", pieces())
    assert os.listdir(tmp_path) == []


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"no/a\.bin: cannot be written: No such file"):
        atomic_write(tmp_path / "no" / "a.bin", b"")
    with pytest.raises(WriteError, match="cannot be written"):
        atomic_write(tmp_path, b"")
    assert os.listdir(tmp_path) == []


def test_files_that_belong_together_are_all_written_or_none(tmp_path: Path) -> None:
    first, second = tmp_path / "a.bin", tmp_path / "b.bin"
    atomic_write_all({first: b"one", second: [b"t", b"wo"]})
    assert first.read_bytes() == b"one" and second.read_bytes() == b"two"
    second.unlink()
    second.mkdir()
    for gone in (second, tmp_path / "no" / "b.bin"):
        with pytest.raises(WriteError, match=r"b\.bin: cannot be written"):
            atomic_write_all({first: b"new", gone: b"new"})
    assert first.read_bytes() == b"one" and sorted(os.listdir(tmp_path)) == ["a.bin", "b.bin"]
