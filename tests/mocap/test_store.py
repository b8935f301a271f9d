"""Folders that are whole or not there."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import DatabaseError
from kinema.mocap import store

SHAPES = {
    "root_positions": (5, 3),
    "root_rotations": (5, 4),
    "local_rotations": (5, 2, 4),
    "local_translations": (5, 1, 3),
    "contacts": (5, 2),
}


def blocks() -> list[dict[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    whole = {name: rng.integers(0, 9, shape).astype(store.ARRAYS[name]) for name, shape in SHAPES.items()}
    return [{name: array[part] for name, array in whole.items()} for part in (slice(0, 2), slice(2, 5))]


def test_pieces_become_arrays(tmp_path: Path) -> None:
    store.write(tmp_path, {"note": "é"}, SHAPES, blocks())
    index = store.read_index(tmp_path)
    assert index["note"] == "é" and index["version"] == store.VERSION
    arrays = store.map_arrays(tmp_path, index)
    for name, array in arrays.items():
        assert np.array_equal(array, np.concatenate([block[name] for block in blocks()])), name
    store.verify(tmp_path)


def test_too_few_frames_are_noticed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="2 rows were written, 5 announced"):
        store.write(tmp_path, {}, SHAPES, blocks()[:1])


def test_replacing_leaves_the_old_one_when_the_block_fails(tmp_path: Path) -> None:
    out = tmp_path / "db"
    with store.replacing(out) as folder:
        (folder / "a").write_text("old")
    with pytest.raises(KeyboardInterrupt), store.replacing(out) as folder:
        (folder / "a").write_text("new")
        raise KeyboardInterrupt
    assert (out / "a").read_text() == "old" and not (tmp_path / "db.partial" / "new").exists()
    with store.replacing(out) as folder:
        assert not any(folder.iterdir())
        (folder / "a").write_text("new")
    assert (out / "a").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["db"]


def test_recover_only_when_there_is_nothing(tmp_path: Path) -> None:
    out = tmp_path / "db"
    previous = tmp_path / "db.partial" / "previous"
    previous.mkdir(parents=True)
    store.recover(out)
    assert out.is_dir() and not previous.exists()
    previous.mkdir()
    store.recover(out)
    assert previous.exists()


def test_targets(tmp_path: Path) -> None:
    store.check_target(tmp_path / "new", force=False)
    (tmp_path / "empty").mkdir()
    store.check_target(tmp_path / "empty", force=False)
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    for name in ("link", "file"):
        with pytest.raises(DatabaseError, match="not a motion database"):
            store.check_target(tmp_path / name, force=True)
    store.check_target(tmp_path / "no" / "such", force=False)  # the folders above are made


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, "\x00"])
def test_an_index_of_rubbish(tmp_path: Path, text: str) -> None:
    (tmp_path / "index.json").write_text(text)
    with pytest.raises(DatabaseError, match=r"index\.json") as caught:
        store.read_index(tmp_path)
    assert "\n" not in str(caught.value)


def test_trouble_is_one_line() -> None:
    assert "the disk is full" in str(store.describe(OSError(errno.ENOSPC, "x"), Path("db"), kept=True))
    assert "Permission denied" in str(store.describe(PermissionError(13, "Permission denied"), Path("db"), kept=False))


def test_a_new_one_that_cannot_take_its_place_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, rename = tmp_path / "db", Path.rename
    with store.replacing(out) as folder:
        (folder / "a").write_text("old")

    def failing(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(errno.EIO, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OSError), store.replacing(out) as folder:
        (folder / "a").write_text("new")
    assert (out / "a").read_text() == "old"


def test_an_archive_in_place_of_an_array_is_named(tmp_path: Path) -> None:
    store.write(tmp_path, {}, SHAPES, blocks())
    with open(tmp_path / "contacts.npy", "wb") as stream:
        np.savez(stream, a=np.zeros(3))
    with pytest.raises(DatabaseError, match=r"contacts\.npy: damaged"):
        store.map_arrays(tmp_path, store.read_index(tmp_path))
