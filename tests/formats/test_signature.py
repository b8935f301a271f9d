"""Files with the name of another kind are refused with their right one."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.errors import FormatError
from kinema.formats import load, save
from kinema.formats.signature import LOOKED_AT, mistaken
from kinema.formats.sources import Source


@pytest.fixture
def still(biped: Skeleton) -> Motion:
    return Motion.create(biped, np.tile([1.0, 0, 0, 0], (3, biped.joint_count, 1)))


READ_ALL_THE_SAME = {(".glb", ".vrm"), (".gltf", ".glb"), (".gltf", ".vrm"), (".mjcf", ".urdf")}
KINDS = (".glb", ".gltf", ".fbx", ".usda", ".usdc", ".usdz", ".bvh", ".npz", ".mjcf")


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_ours_under_another_name(tmp_path: Path, still: Motion, kind: str) -> None:
    save(still, tmp_path / f"right{kind}")
    data = (tmp_path / f"right{kind}").read_bytes()
    assert mistaken(data[:LOOKED_AT], kind) is None
    for other in (".bvh", ".glb", ".fbx", ".npz", ".c3d", ".asf", ".urdf", ".vrm"):
        if other == kind or (kind, other) in READ_ALL_THE_SAME:
            continue
        (tmp_path / f"wrong{other}").write_bytes(data)
        with pytest.raises(FormatError, match=rf"wrong{other}.*; name it {kind}$"):
            load(tmp_path / f"wrong{other}")


def test_a_file_without_a_suffix_and_one_in_an_archive(tmp_path: Path, still: Motion) -> None:
    save(still, tmp_path / "right.bvh")
    data = (tmp_path / "right.bvh").read_bytes()
    (tmp_path / "bare").write_bytes(data)
    with pytest.raises(FormatError, match=r"has no suffix; .* it is a BVH file; name it \.bvh"):
        load(tmp_path / "bare")
    with zipfile.ZipFile(tmp_path / "takes.zip", "w") as archive:
        archive.writestr("a.fbx", data)
    with pytest.raises(FormatError, match=r"takes.zip/a\.fbx: .* it is a BVH file"):
        load(tmp_path / "takes.zip/a.fbx")
    with pytest.raises(FormatError, match=r"it is a zip archive; name it \.zip"):
        load(Source.from_bytes((tmp_path / "takes.zip").read_bytes(), "a.bvh"))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        (b"<!DOCTYPE html><html><body>404", "download went wrong"),
        (b"BLENDER-v300", "Blender file"),
        (b'<?xml version="1.0"?>\n<COLLADA xmlns="">', "Collada"),
        (b'<?xml version="1.0"?>\n<!-- arm --><robot name="a">', "a URDF file"),
        (b"\x93NUMPY\x01\x00", "NumPy array"),
        (b"\x1f\x8b\x08", "gzip"),
    ],
)
def test_strangers(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        load(Source.from_bytes(data, "walk.bvh"))


def test_broken_files_of_their_own_kind_keep_their_reason(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        load(Source.from_bytes(b"HIERARCHY\nROOT Hips\n{", "walk.bvh"))
    assert "name it" not in str(caught.value)
    for suffix in ("", *KINDS):
        assert mistaken(b"", suffix) is None and mistaken(bytes(100), suffix) is None
    buffer = io.BytesIO()
    np.savez(buffer, a=np.zeros(2))
    assert mistaken(buffer.getvalue(), ".npz") is None


def test_looking_takes_no_time() -> None:
    """No pattern may be slow on any beginning, such as one of blanks or of brackets only."""
    for byte in b" <{;#P\0":
        assert mistaken(bytes([byte]) * LOOKED_AT, ".bvh") is None or byte == 0
