"""A pack on disk: complete, continued, never overwritten by accident."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinema.errors import KinemaError
from kinema.keypoints.files import read_points
from kinema.keypoints.points import BodyPoints
from kinema.rendering.camera import Camera
from kinema.rendering.conditions.map_film import MapFrame
from kinema.rendering.conditions.pack import Pack, cameras_as_json

CAMERA = Camera.look_at((1.0, 2.0, 5.0), (0.2, 0.8, 0.1))
MANIFEST: dict[str, Any] = {
    "frames": 2, "fps": 8.0, "width": 16, "height": 16, "maps": {"mask": "mask"}, "videos": {}, "person": True,
}  # fmt: skip


def frame(grey: int) -> MapFrame:
    points = BodyPoints(*(np.full((count, 3), grey, np.float32) for count in (18, 21, 21, 70, 2)))
    return MapFrame({"mask": np.full((16, 16, 3), grey, np.uint8)}, points, CAMERA)


def test_pictures_are_written_and_known(tmp_path: Path) -> None:
    pack = Pack(tmp_path / "pack", MANIFEST)
    assert not pack.has_picture(0)
    pack.write_picture(0, frame(7))
    assert pack.has_picture(0) and not pack.has_picture(1)
    pack.write_picture(1, frame(9))
    pack.finish([CAMERA, CAMERA], "A walk.")
    read = read_points(tmp_path / "pack" / "points.json")
    assert read.points.body[:, 0, 0].tolist() == [7, 9] and (read.width, read.height) == (16, 16)
    assert (tmp_path / "pack" / "caption.txt").read_text() == "A walk.\n"


def test_the_same_pack_is_continued_and_another_refused(tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    Pack(folder, MANIFEST).write_picture(0, frame(7))
    assert Pack(folder, MANIFEST).has_picture(0)
    with pytest.raises(KinemaError, match=r"holds another pack or other files; give --force"):
        Pack(folder, MANIFEST | {"fps": 16.0})
    assert not Pack(folder, MANIFEST | {"fps": 16.0}, force=True).has_picture(0)
    assert json.loads((folder / "pack.json").read_text())["fps"] == 16.0


def test_force_begins_again(tmp_path: Path) -> None:
    Pack(tmp_path / "pack", MANIFEST).write_picture(0, frame(7))
    assert not Pack(tmp_path / "pack", MANIFEST, force=True).has_picture(0)


def test_a_folder_that_is_no_pack_is_never_removed(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    Pack(folder, MANIFEST)  # an empty one will do
    other = tmp_path / "other"
    other.mkdir()
    (other / "keep.txt").write_text("dear")
    for force in (False, True):
        with pytest.raises(KinemaError):
            Pack(other, MANIFEST, force=force)
    assert (other / "keep.txt").read_text() == "dear"


def test_videos_are_made_of_the_pictures(tmp_path: Path) -> None:
    av = pytest.importorskip("av")
    pack = Pack(tmp_path / "pack", MANIFEST | {"videos": {"mask": "src_mask.mp4"}})
    for number, grey in enumerate((40, 200)):
        pack.write_picture(number, frame(grey))
    assert str(tmp_path / "pack" / "src_mask.mp4") in pack.finish([CAMERA] * 2, "")
    with av.open(str(tmp_path / "pack" / "src_mask.mp4")) as film:
        shown = [picture.to_ndarray(format="rgb24") for picture in film.decode(video=0)]
    assert [int(picture.mean()) for picture in shown] == pytest.approx([40, 200], abs=4)


def test_cameras_project_as_those_of_the_renderer(rng: np.random.Generator) -> None:
    document = cameras_as_json([CAMERA], 320, 200, 24.0)
    entry = document["frames"][0]
    points = rng.uniform(-1, 1, (9, 3))
    seen = (np.array(entry["world_to_camera"]) @ np.c_[points, np.ones(9)].T)[:3]
    pixels = np.array(entry["K"]) @ seen
    assert np.allclose((pixels[:2] / pixels[2]).T, CAMERA.project(points, 320, 200)[:, :2], atol=1e-6)
    assert (seen[2] > 0).all() and document["fps"] == 24.0
