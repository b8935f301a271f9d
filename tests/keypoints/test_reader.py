"""Key points as motion files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema.errors import FormatError
from kinema.formats import gathered_suffixes, load
from kinema.keypoints.files import points_as_json

from .conftest import HEIGHT, WIDTH, Filmed


@pytest.fixture
def child(filmed: Filmed, tmp_path: Path) -> Path:
    """A video with a person and, before it in every list, a small bystander."""
    document = points_as_json(filmed.seen.points, WIDTH, HEIGHT)
    small = filmed.seen.points.body * np.array([0.2, 0.2, 1.0], np.float32)
    for number, frame in enumerate(document):
        frame["people"].insert(0, {"pose_keypoints_2d": small[number].ravel().tolist()})
    (tmp_path / "child.json").write_text(json.dumps(document))
    return tmp_path / "child.json"


def test_a_file_is_a_motion_of_its_main_person(child: Path, filmed: Filmed) -> None:
    asset = load(child, fps=60.0)
    motion = asset.motion()
    assert asset.kind == "points" and motion.fps == 60.0 and motion.name == "child"
    assert motion.frames == len(filmed.exact) and "1.7 m" in asset.warnings[0]
    bare = replace(filmed.seen.points, toes=np.zeros_like(filmed.seen.points.toes))  # such files have no toes
    near = kinema.lift(replace(filmed.seen, points=bare), fps=60.0)
    assert np.allclose(near[:].global_positions, motion[:].global_positions, atol=0.02)
    assert any("30 frames per second" in line for line in load(child).warnings)


def test_it_is_converted_and_retargeted_as_any_motion(child: Path, tmp_path: Path) -> None:
    kinema.convert(child, tmp_path / "child.bvh")
    walk = kinema.load_motion(tmp_path / "child.bvh")
    moved = kinema.retarget(child, walk.skeleton).motion
    assert walk.frames == moved.frames == 75


def test_what_holds_no_people_is_refused_and_folders_are_not_searched_for_it(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"frames": []}')
    with pytest.raises(FormatError, match="has no people"):
        load(tmp_path / "a.json")
    (tmp_path / "a.json").write_text("{")
    with pytest.raises(FormatError, match="is not JSON"):
        load(tmp_path / "a.json")
    assert ".json" not in gathered_suffixes() and ".bvh" in gathered_suffixes()


def test_people_in_real_pictures(data_dir: Path) -> None:
    """COCO's annotations of four photographs, which are no video: whoever is largest is read."""
    asset = load(data_dir / "pose_video" / "mmpose" / "test_coco.json")
    assert asset.motion().frames == 4
