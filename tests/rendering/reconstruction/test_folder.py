from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.rendering.reconstruction.folder import read_capture
from kinema.rendering.reconstruction.photos import Capture
from kinema.worlds.files import ply

from . import written
from .conftest import captured


@cache
def taken() -> Capture:
    return replace(captured(4), points=np.asarray([[1, 2, 3]], np.float32), colours=np.ones((1, 3), np.float32))


def same(folder: Path) -> None:
    found = read_capture(folder, 24)
    assert len(found.photos) == 4 and np.allclose(found.points, taken().points)
    for photo, own in zip(found.photos, taken().resized(24).photos, strict=True):
        assert np.array_equal(photo.picture, own.picture)
        assert np.allclose(photo.lens.seen(taken().points), own.lens.seen(taken().points))


def test_folders_of_colmap_and_of_nerfstudio_are_the_same(tmp_path: Path) -> None:
    written.pictures(taken(), tmp_path / "images")
    written.write(written.colmap_text(taken()), tmp_path / "sparse")
    same(tmp_path)
    written.write(written.colmap_binary(taken()), tmp_path / "sparse" / "0")
    same(tmp_path)
    cloud = np.zeros(1, np.dtype([(axis, "<f4") for axis in "xyz"]))
    for axis, value in zip("xyz", written.TO_Z_UP @ taken().points[0], strict=True):
        cloud[axis] = value
    (tmp_path / "points.ply").write_bytes(b"".join(ply.write({"vertex": cloud})))
    written.write({"transforms.json": written.transforms(taken(), ply_file_path="points.ply")}, tmp_path)
    same(tmp_path)
    same(tmp_path / "transforms.json")


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"has no cameras.*transforms.json.*sparse/0/cameras.bin"):
        read_capture(tmp_path, 24)
    written.write({"transforms.json": written.transforms(taken())}, tmp_path)
    with pytest.raises(FormatError, match="none of the 4 pictures"):
        read_capture(tmp_path, 24)
    written.pictures(taken(), tmp_path / "images")
    (tmp_path / "images" / "2.png").unlink()
    found = read_capture(tmp_path, 24)
    assert len(found.photos) == 3 and found.notes == ("1 of 4 pictures are not there: images/2.png",)


def test_pictures_outside_of_the_folder_are_not_read(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    written.pictures(taken(), tmp_path / "images")
    said = written.transforms(taken()).replace(b"images/1.png", b"../images/1.png")
    written.write({"transforms.json": said}, inner)
    with pytest.raises(FormatError, match=r"\.\."):
        read_capture(inner, 24)
