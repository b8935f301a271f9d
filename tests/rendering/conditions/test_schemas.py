"""Schemas of a pack's JSON files: what is written is what they say, and what is not is told."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.keypoints.files import points_as_json
from kinema.keypoints.points import BodyPoints
from kinema.rendering.camera import Camera
from kinema.rendering.conditions.pack import cameras_as_json
from kinema.rendering.conditions.schemas import CAMERA_SCHEMA, OF_TARGETS, POINTS_SCHEMA, found_faults

POINTS = BodyPoints(*(np.ones((2, count, 3), np.float32) for count in (18, 21, 21, 70, 2)))


def test_what_is_written_is_what_is_said() -> None:
    assert found_faults(points_as_json(POINTS, 64, 96), POINTS_SCHEMA) == []
    cameras = cameras_as_json([Camera.look_at((0, 1, 4), (0, 1, 0))] * 2, 64, 96, 8.0)
    assert found_faults(cameras, CAMERA_SCHEMA) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda one: one.pop("canvas_width"), "[1] 'canvas_width' is missing or of the wrong type"),
        (lambda one: one.update(canvas_width=True), "[1] 'canvas_width' is missing"),
        (lambda one: one["people"][0]["pose_keypoints_2d"].pop(), "pose_keypoints_2d: has 53 numbers or rows, not 54"),
        (lambda one: one["people"][0]["face_keypoints_2d"].__setitem__(3, "x"), "[3] is no number"),
        (lambda one: one.update(people={}), "'people' is missing or of the wrong type"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(change, said: str) -> None:
    document = points_as_json(POINTS, 64, 96)
    change(document[1])
    assert said in "\n".join(found_faults(document, POINTS_SCHEMA))


def test_a_few_faults_are_enough() -> None:
    assert len(found_faults([1] * 100, POINTS_SCHEMA)) == 8
    assert found_faults({}, POINTS_SCHEMA) == ["is no array"]


def test_scail_has_its_film_and_comfyui_has_pictures() -> None:
    scail, comfy = OF_TARGETS["scail"], OF_TARGETS["comfyui"]
    assert found_faults({"videos": {"cylinders": "rendered.mp4"}}, scail) == []
    assert found_faults({"videos": {"cylinders": "x.mp4"}}, scail) == [
        "videos: cylinders: is 'x.mp4', not 'rendered.mp4'"
    ]
    assert found_faults({"videos": {}}, scail) == ["videos: 'cylinders' is missing or of the wrong type"]
    assert found_faults({"videos": {}, "maps": {"pose": "pose"}}, comfy) == []
    assert found_faults({"videos": {"pose": "a.mp4"}, "maps": {}}, comfy) == [
        "videos: has 1 entries",
        "maps: has 0 entries",
    ]
