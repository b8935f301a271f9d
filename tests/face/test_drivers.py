"""People in videos as motions, from whatever their points are in."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import kinema
from kinema.character import Character
from kinema.errors import FormatError
from kinema.keypoints.files import points_as_json
from kinema.motion import Motion
from kinema.rendering.bodies import body_for
from kinema.rendering.camera import Camera
from kinema.rendering.conditions.body_points import PointRig, joined, seen_by
from kinema.rendering.conditions.pose_map import draw_pose_map

WIDTH, HEIGHT = 320, 480


@pytest.fixture(scope="module")
def seen(take: Motion):
    body: Character = body_for(take.skeleton, take, None)
    short = take.cut(0, 20)
    rig, camera = PointRig(body, short), Camera.look_at((1.5, 1.0, 6.0), (0.0, 0.9, 0.6), 0.5)
    points = rig(short[:])
    return joined([seen_by(points[number], camera, WIDTH, HEIGHT, rig.stature) for number in range(20)])


@pytest.mark.slow
def test_json_a_folder_of_it_and_skeleton_pictures_give_the_same_motion(seen, tmp_path: Path) -> None:
    document = points_as_json(seen, WIDTH, HEIGHT)
    (tmp_path / "walk.json").write_text(json.dumps(document))
    (tmp_path / "frames").mkdir()
    (tmp_path / "pictures").mkdir()
    for number, frame in enumerate(document):
        (tmp_path / "frames" / f"{number:05d}.json").write_text(json.dumps(frame))
        Image.fromarray(draw_pose_map(seen[number], WIDTH, HEIGHT)).save(tmp_path / "pictures" / f"{number:05d}.png")
    one, two, three = (kinema.lift(tmp_path / name, fps=25.0) for name in ("walk.json", "frames", "pictures"))
    assert (one.fps, one.name, two.name, one.frames) == (25.0, "walk", "frames", 20)
    assert np.allclose(one[:].global_positions, two[:].global_positions, atol=1e-3)
    apart = one[:].global_positions - three[:].global_positions
    knee = one.skeleton.index("LeftLeg")
    assert np.median(np.linalg.norm((apart - apart[:, :1])[:, knee], axis=-1)) < 0.1
    assert kinema.lift(tmp_path / "walk.json", name="other").name == "other"


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="No such file"):
        kinema.lift(tmp_path / "none.json")
