"""`load` and `save`: the right module by suffix, and clear words when there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError, MissingError
from kinema.formats import (
    FORMATS,
    Asset,
    Format,
    Source,
    format_for,
    load,
    load_character,
    load_motion,
    register,
    save,
)
from kinema.motion import Motion
from kinema.skeleton import Skeleton


@pytest.fixture
def motion(biped: Skeleton) -> Motion:
    return Motion.create(biped, np.tile([1.0, 0, 0, 0], (3, biped.joint_count, 1)), name="still")


@pytest.mark.parametrize("suffix", [".npz", ".bvh", ".BVH"])
def test_saved_and_loaded_by_suffix(tmp_path: Path, motion: Motion, suffix: str) -> None:
    path = tmp_path / f"still{suffix}"
    save(motion, path)
    for way in (path, str(path), Source.from_bytes(path.read_bytes(), path.name)):
        asset = load(way)
        assert asset.kind == suffix[1:].lower() and asset.motion().name == "still"
        assert asset.skeleton is not None and asset.skeleton.same_topology(motion.skeleton)


def test_unknown_suffixes_list_the_known(tmp_path: Path, motion: Motion) -> None:
    (tmp_path / "a.txt").write_bytes(b"")
    with pytest.raises(FormatError, match=r"a\.txt: unknown kind of file '\.txt'; supported are .*\.bvh .*\.npz"):
        load(tmp_path / "a.txt")
    with pytest.raises(FormatError, match="has no suffix"):
        save(motion, tmp_path / "a")
    assert format_for("x/y.VRM").name == "gltf"


def test_a_missing_file_is_said_before_its_suffix(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no such file"):
        load(tmp_path / "none.txt")
    with pytest.raises(FormatError, match="is a folder"):
        load(tmp_path)


def test_clips_by_name_and_index(motion: Motion) -> None:
    other = motion.replace(name="other")
    asset = Asset("a.x", "x", motion.skeleton, (motion, other))
    assert asset.motion("other") is other and asset.motion(0) is motion and asset.motion(-1) is other
    for clip, message in (
        (None, "holds 2 clips, choose one of 'still', 'other'"),
        ("third", "has no clip 'third'; there are"),
        (2, "has no clip 2; there are 2"),
    ):
        with pytest.raises(FormatError, match=message):
            asset.motion(clip)
    with pytest.raises(FormatError, match="holds no motion"):
        Asset("a.x", "x").motion()


def test_motion_and_character(tmp_path: Path, motion: Motion) -> None:
    save(motion, tmp_path / "a.npz")
    assert load_motion(tmp_path / "a.npz", "still").frames == 3
    with pytest.raises(FormatError, match=r"holds no character \(a npz file with 1 clips\)"):
        load_character(tmp_path / "a.npz")


def test_a_format_whose_module_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kinema.formats.FORMATS", dict(FORMATS))
    register(Format("nothing", (".nothing",), "kinema.formats.nothing"))
    (tmp_path / "a.nothing").write_bytes(b"")
    with pytest.raises(MissingError, match="nothing files need a part that is not installed"):
        load(tmp_path / "a.nothing")


def test_formats_are_imported_only_when_met() -> None:
    code = (
        "import sys, kinema.formats; assert not {'numba', 'torch', 'kinema.formats.bvh', 'kinema.formats.gltf',"
        " 'kinema.formats.npz'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("suffix", [".c3d", ".asf", ".amc", ".urdf"])
def test_formats_that_are_only_read_say_what_can_be_written(suffix: str, tmp_path: Path):
    with pytest.raises(FormatError, match=r"only read; write \.bvh \.csv \.fbx"):
        save(Asset("a", "c3d"), tmp_path / f"a{suffix}")


@pytest.mark.parametrize("room", ["gltf", "robot", "usd"])
def test_reading_a_format_does_not_import_its_writer(room: str) -> None:
    code = (
        f"import sys, kinema.formats.{room} as room\n"
        "print([name for name in sys.modules if room.__name__ in name and ('writer' in name or '.out_' in name)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr
