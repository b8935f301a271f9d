from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.rendering.reconstruction import transforms

from . import written
from .conftest import captured


def test_cameras_are_read_in_own_axes() -> None:
    said = transforms.read(written.transforms(captured(4), ply_file_path="points.ply", k1=0.1))
    assert said.points == "points.ply"
    for shot, photo in zip(said.shots, captured(4).photos, strict=True):
        assert np.allclose(shot.position, photo.lens.position) and np.allclose(shot.axes, photo.lens.axes)
        assert shot.model.focal == tuple(photo.lens.focal) and shot.model.distortion[0] == 0.1


def changed(**frame: Any) -> bytes:
    whole = json.loads(written.transforms(captured(4)))
    whole["frames"][1].update(frame)
    return json.dumps(whole).encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"{}", "no list of 'frames'"),
        (b'{"frames": [3]}', "no 'file_path'"),
        (changed(transform_matrix=[[1, 2], [3]]), "not four by four"),
        (changed(transform_matrix=np.zeros((4, 4)).tolist()), "camera without axes"),
        (changed(transform_matrix=np.diag([1.0, 1, -1, 1]).tolist()), "mirrored"),
        (changed(transform_matrix=np.full((4, 4), 1e300).tolist()), "no place"),
        (changed(camera_model="OPENCV_FISHEYE"), "OPENCV_FISHEYE"),
        (changed(fl_x="wide"), "'fl_x' that is no number"),
        (changed(fl_x=-3.0), "focal length"),
        (changed(k3=0.1), "k3 or k4"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said) as refused:
        transforms.read(data)
    assert "\n" not in str(refused.value)


def test_an_angle_will_do_for_a_focal_length() -> None:
    frames = json.loads(written.transforms(captured(4)))["frames"]
    model = transforms.read(json.dumps({"camera_angle_x": 0.9, "frames": frames}).encode()).shots[0].model
    assert model.focal is None and model.angle == 0.9 and model.size is None
