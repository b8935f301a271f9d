from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import DatabaseError
from kinema.features import Dataset, presets, valid_frames
from kinema.features.dataset_write import fingerprint


def test_nothing_is_overwritten_without_force(source, tmp_path):
    specs, path = presets.locomotion(source.skeleton), tmp_path / "set"
    first = Dataset.build(source, *specs, path)
    with pytest.raises(DatabaseError, match="use force"):
        Dataset.build(source, *specs, path)
    again = Dataset.build(source, *specs, path, frames=[1, 2, 3], force=True)
    assert (len(first), len(again)) == (161, 3)
    assert [entry.name for entry in tmp_path.iterdir()] == ["set"]
    (tmp_path / "mine").mkdir()
    with pytest.raises(DatabaseError, match="is not a dataset"):
        Dataset.build(source, *specs, tmp_path / "mine", force=True)
    assert len(Dataset.build(source, *specs, tmp_path / "new" / "set")) == 161


def test_a_build_that_fails_leaves_nothing(source, tmp_path):
    x, y = presets.locomotion(source.skeleton)
    with pytest.raises(DatabaseError):
        Dataset.build(source, x, y, tmp_path / "set", frames=[10_000])
    with pytest.raises(DatabaseError, match="at least one sample"):
        Dataset.build(source, x, y, tmp_path / "set", frames=[])
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_one_line(source, tmp_path, monkeypatch):
    import errno

    from kinema.features import dataset_write

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(dataset_write, "_rows", full)
    with pytest.raises(DatabaseError, match="the disk is full"):
        Dataset.build(source, *presets.locomotion(source.skeleton), tmp_path / "set")
    assert not list(tmp_path.iterdir())


def test_same_input_same_bytes(source, tmp_path):
    specs = presets.locomotion(source.skeleton)
    one, two = (Dataset.build(source, *specs, tmp_path / name).path for name in ("a", "b"))
    files = sorted(file.name for file in one.iterdir())
    assert files == sorted(file.name for file in two.iterdir())
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in files)


def test_chunks_do_not_show(source, tmp_path, monkeypatch):
    from kinema.features import dataset_write

    specs = presets.locomotion(source.skeleton)
    whole = Dataset.build(source, *specs, tmp_path / "whole")
    monkeypatch.setattr(dataset_write, "CHUNK", 13)
    parts = Dataset.build(source, *specs, tmp_path / "parts")
    for name in ("rows", "roots"):
        a, b = (np.load(dataset.path / f"{name}.npy") for dataset in (whole, parts))
        np.testing.assert_allclose(a, b, atol=1e-5)
    for name in ("x_mean", "x_std", "y_mean", "y_std"):
        a, b = (np.load(dataset.path / f"{name}.npy") for dataset in (whole, parts))
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_chosen_frames_are_the_samples(source, tmp_path):
    specs = presets.locomotion(source.skeleton)
    frames = np.flatnonzero(valid_frames(source, specs[1]))
    dataset = Dataset.build(source, *specs, tmp_path / "set", frames=frames)
    np.testing.assert_array_equal(dataset.frame, frames)


def test_fingerprints_tell_databases_apart(source, biped, make_source):
    assert fingerprint(source) == fingerprint(make_source(biped))
    moved = make_source(biped)
    moved.root_positions = moved.root_positions.copy()
    moved.root_positions[100, 0] += 0.001
    assert fingerprint(moved) != fingerprint(source) != fingerprint(make_source(biped, fps=60.0))
