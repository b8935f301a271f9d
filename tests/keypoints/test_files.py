"""Key points as JSON: written, read back, and read from other programs' files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.keypoints.files import points_as_json, read_points
from kinema.keypoints.points import BODY, BodyPoints


def some_points(rng: np.random.Generator, count: int = 3) -> BodyPoints:
    def part(points: int) -> np.ndarray:
        array = rng.uniform(1, 300, (count, points, 3)).astype(np.float32)
        array[..., 2] = rng.uniform(0.1, 1.0, (count, points))
        return array

    return BodyPoints(part(18), part(21), part(21), part(70), np.zeros((count, 2, 3), np.float32))


def write(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document))
    return path


def test_what_is_written_is_read_back(tmp_path: Path, rng: np.random.Generator) -> None:
    points = some_points(rng)
    document = points_as_json(points, 512, 768)
    assert set(document[0]) == {"people", "canvas_width", "canvas_height"}
    assert len(document[0]["people"][0]["pose_keypoints_2d"]) == 54
    read = read_points(write(tmp_path / "points.json", document))
    assert (read.width, read.height) == (512, 768)
    for one, other in zip(points.arrays, read.points.arrays, strict=True):
        assert np.allclose(one, other, atol=1e-3)


def test_a_folder_has_a_file_for_each_picture(tmp_path: Path, rng: np.random.Generator) -> None:
    points = some_points(rng)
    for number, frame in enumerate(points_as_json(points, 64, 64)):
        write(tmp_path / f"walk_{number:012d}_keypoints.json", frame)
    assert np.allclose(read_points(tmp_path).points.body, points.body, atol=1e-3)


def test_a_picture_without_a_person_has_no_points(tmp_path: Path, rng: np.random.Generator) -> None:
    document = points_as_json(some_points(rng), 64, 64)
    document[1]["people"] = []
    read = read_points(write(tmp_path / "p.json", document)).points
    assert (read.body[1] == 0).all() and (read.body[0, :, 2] > 0).all()
    assert (read_points(tmp_path / "p.json", person=1).points.body == 0).all()


def test_openpose_with_25_points_is_sorted_into_18(tmp_path: Path) -> None:
    pose = [value for point in range(25) for value in (point, 2 * point, 0.9)]
    read = read_points(write(tmp_path / "p.json", {"version": 1.3, "people": [{"pose_keypoints_2d": pose}]})).points
    expected = {
        "nose": 0,
        "neck": 1,
        "left_wrist": 7,
        "right_hip": 9,
        "left_ankle": 14,
        "right_eye": 15,
        "left_ear": 18,
    }
    for name, number in expected.items():
        assert read.body[0, BODY.index(name), 0] == number, name
    assert read.toes[0, 0, 0] == 19.5 and read.toes[0, 1, 0] == 22.5  # between the big and the small toe
    assert (read.left_hand == 0).all() and read.face.shape == (1, 70, 3)


def test_coco_gets_a_neck_and_hands(tmp_path: Path) -> None:
    flags = [value for point in range(17) for value in (10 * point, 5.0, 2)]
    images = [{"id": 7, "file_name": "b.png", "width": 64, "height": 48}, {"id": 3, "file_name": "a.png"}]
    document = {"images": images, "annotations": [{"image_id": 7, "keypoints": flags}]}
    read = read_points(write(tmp_path / "coco.json", document)).points
    assert (read.body[0] == 0).all()  # a.png comes first and shows nobody
    assert read.body[1, BODY.index("left_shoulder"), 0] == 50 and read.body[1, BODY.index("right_shoulder"), 0] == 60
    assert read.body[1, BODY.index("neck")].tolist() == [55, 5, 1]
    whole = [value for point in range(133) for value in (float(point), 1.0, 0.5)]
    document = {"annotations": [{"image_id": 1, "keypoints": whole}]}
    read = read_points(write(tmp_path / "whole.json", document)).points
    assert read.left_hand[0, 0, 0] == 91 and read.right_hand[0, 20, 0] == 132 and read.face[0, 0, 0] == 23
    assert read.toes[0, :, 0].tolist() == [17.5, 20.5]


def test_numbers_that_cannot_be_are_absent(tmp_path: Path) -> None:
    pose = [1.0, 2.0, 0.9] * 18
    pose[3] = float("nan")
    pose[6] = 1e300
    read = read_points(write(tmp_path / "p.json", {"people": [{"pose_keypoints_2d": pose}]})).points.body[0]
    assert (read[1] == 0).all() and (read[2] == 0).all() and read[0, 2] == np.float32(0.9)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"poses": []}, "has no people"),
        ([], "holds 0 pictures"),
        ([1], "has no people"),
        ({"people": [7]}, "not an object"),
        ({"people": [{"pose_keypoints_2d": [1, 2]}]}, "numbers in threes"),
        ({"people": [{"pose_keypoints_2d": ["a", "b", "c"]}]}, "numbers in threes"),
        ({"people": [{"pose_keypoints_2d": [1, 2, 3] * 11}]}, "a body has 11 points"),
        ({"people": [{"hand_left_keypoints_2d": [1, 2, 3] * 30}]}, "30 points where 21"),
        ({"annotations": 5}, "lists of objects"),
        ({"annotations": []}, "has no annotations"),
        ({"annotations": [{"image_id": 1, "keypoints": [1, 2, 3]}]}, "17 and 133"),
    ],
)
def test_other_documents_are_refused(tmp_path: Path, document: Any, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_points(write(tmp_path / "p.json", document))


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"holds no"):
        read_points(tmp_path)
    (tmp_path / "p.json").write_bytes(b"{")
    with pytest.raises(FormatError, match=r"is not JSON"):
        read_points(tmp_path / "p.json")
    with pytest.raises(FormatError, match=r"No such file"):
        read_points(tmp_path / "other.json")
