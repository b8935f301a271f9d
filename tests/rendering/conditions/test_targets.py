"""Profiles of video models: each is possible, and a pack is checked against it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema.errors import FormatError, UsageError
from kinema.keypoints.files import points_as_json
from kinema.keypoints.points import BodyPoints
from kinema.rendering.camera import Camera
from kinema.rendering.conditions.pack import cameras_as_json
from kinema.rendering.conditions.targets import (
    FACE_SIZE,
    FORMAT,
    MAPS,
    OF_PEOPLE,
    TARGETS,
    VIEWS,
    check_pack,
    find_target,
)


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_takes_its_own_defaults(name: str) -> None:
    target = TARGETS[name]
    target.check_size(*target.size)
    target.check_frames(target.frames)
    assert set(target.maps) <= set(MAPS) and set(target.videos) <= set(target.maps)
    assert len(set(target.videos.values())) == len(target.videos) and target.fps > 0
    assert not target.videos or all(side % 2 == 0 for side in target.size)


def test_wan_takes_one_more_than_a_multiple_of_four_and_sides_of_sixteen() -> None:
    wan = find_target("wan-animate")
    assert [wan.fitting(frames) for frames in (1, 4, 5, 8, 80, 81)] == [1, 1, 5, 5, 77, 81]
    with pytest.raises(UsageError, match=r"80 frames.*such as 77 or 81"):
        wan.check_frames(80)
    with pytest.raises(UsageError, match=r"multiples of 16; 496x832 is"):
        wan.check_size(490, 830)
    assert find_target("controlnet").fitting(80) == 80


def test_an_unknown_target_is_told_which_there_are() -> None:
    with pytest.raises(UsageError, match=r"no target 'sora'; there are wan-animate, vace"):
        find_target("sora")


def test_maps_of_people_are_maps() -> None:
    assert set(OF_PEOPLE) <= set(MAPS)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack for Wan-Animate of five black pictures."""
    target = TARGETS["wan-animate"]
    width, height, count = 32, 48, 5
    for name in target.maps:
        (tmp_path / name).mkdir()
        for number in range(count):
            size = (FACE_SIZE, FACE_SIZE) if name == "face" else (width, height)
            Image.new("RGB", size).save(tmp_path / name / f"{number:05d}.png")
    (tmp_path / "reference").mkdir()
    for name in (
        *target.videos.values(),
        *(f"reference/{view}.png" for view in VIEWS),
        target.reference,
        "caption.txt",
    ):
        (tmp_path / name).write_bytes(b".")
    points = BodyPoints(*(np.zeros((count, points, 3), np.float32) for points in (18, 21, 21, 70, 2)))
    cameras = [Camera.look_at((0, 1, 4), (0, 1, 0))] * count
    (tmp_path / "points.json").write_text(json.dumps(points_as_json(points, width, height)))
    (tmp_path / "camera.json").write_text(json.dumps(cameras_as_json(cameras, width, height, 30.0)))
    manifest = {
        "format": FORMAT, "target": "wan-animate", "width": width, "height": height, "frames": count, "fps": 30,
        "character": "c", "motion": "m", "maps": {name: name for name in target.maps}, "videos": dict(target.videos),
        "depth_range_m": [1, 3], "person": True, "made_of": "x",
    }  # fmt: skip
    (tmp_path / "pack.json").write_text(json.dumps(manifest))
    return tmp_path


def change(pack: Path, **values: object) -> None:
    manifest = json.loads((pack / "pack.json").read_text())
    (pack / "pack.json").write_text(json.dumps(manifest | values))


def test_a_good_pack_has_no_faults(pack: Path) -> None:
    assert check_pack(pack) == []


def test_what_is_missing_or_wrong_is_listed(pack: Path) -> None:
    (pack / "pose" / "00003.png").unlink()
    (pack / "src_face.mp4").unlink()
    (pack / "src_ref.png").unlink()
    Image.new("RGB", (16, 16)).save(pack / "mask" / "00000.png")
    Image.new("L", (32, 48)).save(pack / "mask" / "00001.png")
    (pack / "points.json").write_text("[{}]")
    (pack / "camera.json").write_text("{")
    faults = "\n".join(check_pack(pack))
    for said in (
        "pose: holds 4 pictures, not 00000.png to 00004.png",
        "src_face.mp4: is missing",
        "src_ref.png: is missing",
        "mask/00000.png: is RGB (16, 16), not RGB (32, 48)",
        "mask/00001.png: is L",
        "points.json: has 1 entries for 5 pictures",
        "camera.json: is not JSON",
    ):
        assert said in faults
    assert faults.count("\n") == 6


def test_numbers_that_the_model_does_not_take_are_faults(pack: Path) -> None:
    change(pack, frames=4)
    assert any("4 frames: the number must be" in fault for fault in check_pack(pack))
    change(pack, frames=5, width=33)
    assert any("33x48" in fault for fault in check_pack(pack))


def test_a_manifest_of_another_form_is_a_fault(pack: Path) -> None:
    change(pack, frames="five")
    assert check_pack(pack) == ["pack.json: 'frames' is missing or of the wrong type"]
    change(pack, frames=5, target="sora")
    assert "'sora'" in check_pack(pack)[0]


def test_what_is_no_pack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"No such file"):
        check_pack(tmp_path)
    for text, said in (("{", "is not JSON"), ("[]", "is not an object")):
        (tmp_path / "pack.json").write_text(text)
        with pytest.raises(FormatError, match=said):
            check_pack(tmp_path)
