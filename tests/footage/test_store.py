"""Files of clips: what comes back, bytes that repeat, and damage that is said."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.footage.clip import Footage
from kinema.footage.store import clip_name, read_arrays, read_facts, write_clip
from kinema.keypoints.points import BodyPoints


@pytest.fixture
def footage(rng: np.random.Generator) -> Footage:
    maps = {name: rng.integers(0, 255, (2, 8, 8, 3)).astype(np.uint8) for name in ("picture", "mask")}
    points = BodyPoints(*(rng.random((2, count, 3)).astype(np.float32) for count in (18, 21, 21, 70, 2)))
    return Footage(maps, points, np.ones((2, 3, 3), np.float32), np.ones((2, 4, 4), np.float32), {"id": "000003"})


def test_what_is_written_comes_back(footage: Footage, tmp_path: Path) -> None:
    path = tmp_path / clip_name(1003)
    assert path.relative_to(tmp_path).as_posix() == "clips/001/001003.npz"
    write_clip(path, footage)
    found = read_arrays(path, ("picture", "mask", "points_face", "K", "pose"))
    np.testing.assert_array_equal(found["picture"], footage.maps["picture"])
    np.testing.assert_array_equal(found["mask"], footage.maps["mask"][..., 0])
    assert footage.points is not None
    np.testing.assert_array_equal(found["points_face"], footage.points.face)
    assert "pose" not in found and read_facts(path) == {"id": "000003"}
    with np.load(path) as plain:
        np.testing.assert_array_equal(plain["picture"], footage.maps["picture"])


def test_the_same_clip_is_the_same_bytes(footage: Footage, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_clip(tmp_path / name / "clip.npz", footage)
    assert (tmp_path / "a" / "clip.npz").read_bytes() == (tmp_path / "b" / "clip.npz").read_bytes()


def test_damage_is_said(footage: Footage, tmp_path: Path) -> None:
    path = tmp_path / "clip.npz"
    write_clip(path, footage)
    data = path.read_bytes()
    for damaged in (data[:200], b"", data[:300] + bytes(64) + data[364:]):
        path.write_bytes(damaged)
        with pytest.raises(FormatError):
            read_arrays(path, ("picture", "mask", "points_body"))
            read_facts(path)
    with pytest.raises(FormatError, match="missing"):
        read_facts(tmp_path / "none.npz")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("facts.json", "[]")
        archive.writestr("pose.npy", b"\x93NUMPY\x01\x00junk")
    with pytest.raises(FormatError, match="not an object"):
        read_facts(path)
    with pytest.raises(FormatError, match=r"pose.npy is damaged"):
        read_arrays(path, ("pose",))
