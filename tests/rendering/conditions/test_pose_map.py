"""Skeleton pictures: colours of the published code, and reading them back."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from kinema.errors import KinemaError
from kinema.keypoints.points import BODY, HIDDEN, BodyPoints
from kinema.rendering.conditions.pose_map import (
    COLORS,
    FINGER_BONES,
    FOOT_COLORS,
    LIMBS,
    PoseStyle,
    draw_pose_map,
    read_pose_map,
    stick_width,
)

WIDTH, HEIGHT = 256, 384
STANDING = {
    "nose": (128, 60), "neck": (128, 100), "right_shoulder": (90, 102), "right_elbow": (74, 160),
    "right_wrist": (66, 214), "left_shoulder": (166, 102), "left_elbow": (184, 160), "left_wrist": (192, 214),
    "right_hip": (108, 210), "right_knee": (104, 280), "right_ankle": (102, 350), "left_hip": (148, 210),
    "left_knee": (152, 280), "left_ankle": (154, 350), "right_eye": (120, 52), "left_eye": (136, 52),
    "right_ear": (108, 56), "left_ear": (148, 56),
}  # fmt: skip


def standing(scale: float = 1.0) -> BodyPoints:
    body = np.array([(*(scale * np.array(STANDING[name])), 1.0) for name in BODY], np.float32)
    empty = [np.zeros((count, 3), np.float32) for count in (21, 21, 70, 2)]
    return BodyPoints(body, *empty)


def test_points_have_their_colour_and_limbs_less_of_it() -> None:
    picture = draw_pose_map(standing(), WIDTH, HEIGHT)
    for name, color in zip(BODY, COLORS, strict=True):
        x, y = STANDING[name]
        assert tuple(picture[y, x]) == color, name
    for number, (one, other) in enumerate(LIMBS[:12]):
        x, y = (np.array(STANDING[one]) + STANDING[other]) // 2
        assert tuple(picture[y, x]) == tuple(int(c * 0.6) for c in COLORS[number]), (one, other)


def test_the_right_arm_is_orange_and_the_left_arm_green() -> None:
    """What models were trained on: the person's right forearm is yellow, its left one green."""
    picture = draw_pose_map(standing(), WIDTH, HEIGHT)
    assert tuple(picture[131, 82]) == (153, 102, 0) and tuple(picture[187, 70]) == (153, 153, 0)
    assert tuple(picture[131, 175]) == (102, 153, 0) and tuple(picture[187, 188]) == (51, 153, 0)


def test_points_are_read_back_within_a_pixel(rng: np.random.Generator) -> None:
    for _ in range(6):
        points = standing()
        points.body[:, :2] += rng.uniform(-9, 9, (18, 2)).astype(np.float32)
        points.body[rng.integers(0, 18, 2)] = 0.0
        read = read_pose_map(draw_pose_map(points, WIDTH, HEIGHT))
        there = points.body[:, 2] > 0
        assert np.array_equal(read[:, 2] > 0, there)
        assert np.abs(read[there, :2] - points.body[there, :2]).max() <= 1.0


def test_a_body_that_hides_itself_is_read_back() -> None:
    points = standing()
    for side in ("left", "right"):  # from the side: all pairs close together
        for name in ("shoulder", "hip", "knee", "ankle", "eye"):
            points.body[BODY.index(f"{side}_{name}"), 0] = 128 + (2 if side == "left" else -1)
    read = read_pose_map(draw_pose_map(points, WIDTH, HEIGHT))
    seen = read[:, 2] > 0
    assert seen.sum() >= 14 and np.abs(read[seen, :2] - points.body[seen, :2]).max() <= 2.0


def test_fingers_do_not_pass_for_the_left_knee() -> None:
    points = standing()
    for hand, name in ((points.left_hand, "left_wrist"), (points.right_hand, "right_wrist")):
        hand[:] = np.array([(*STANDING[name], 1.0)]) + np.array([(bone % 5 * 4, bone * 1.5, 0) for bone in range(21)])
    knee = BODY.index("left_knee")
    read = read_pose_map(draw_pose_map(points, WIDTH, HEIGHT))
    assert np.abs(read[knee, :2] - points.body[knee, :2]).max() <= 1.0


def test_a_compressed_picture_is_read() -> None:
    stored = io.BytesIO()
    Image.fromarray(draw_pose_map(standing(2.0), 2 * WIDTH, 2 * HEIGHT)).save(stored, "JPEG", quality=92, subsampling=0)
    read = read_pose_map(np.asarray(Image.open(stored)))
    assert (read[:, 2] > 0).all() and np.abs(read[:, :2] - standing(2.0).body[:, :2]).max() <= 1.5


def test_hidden_points_are_not_drawn() -> None:
    points = standing()
    points.body[BODY.index("right_wrist"), 2] = HIDDEN
    read = read_pose_map(draw_pose_map(points, WIDTH, HEIGHT))
    assert read[BODY.index("right_wrist"), 2] == 0 and (read[:, 2] > 0).sum() == 17


def test_hands_are_lines_around_the_colour_wheel_with_blue_points() -> None:
    points = standing()
    points.left_hand[:] = [(30 + 10 * (i % 4), 20 + 12 * i, 1.0) for i in range(21)]
    with_hands = draw_pose_map(points, WIDTH, HEIGHT)
    assert tuple(with_hands[20, 30]) == (0, 0, 255) and len(FINGER_BONES) == 20
    bone = FINGER_BONES[0]
    x, y = points.left_hand[list(bone), :2].mean(axis=0).astype(int)
    assert tuple(with_hands[y, x]) == (255, 0, 0)  # the first bone of the thumb: hue 0
    without = draw_pose_map(points, WIDTH, HEIGHT, PoseStyle(hands=False))
    assert (without[20, 30] == 0).all()


def test_a_face_is_white_and_feet_are_drawn_on_request() -> None:
    points = standing()
    points.face[68] = (20, 20, 1.0)
    points.toes[:] = [(170, 365, 1.0), (80, 365, 1.0)]
    assert tuple(draw_pose_map(points, WIDTH, HEIGHT)[20, 20]) == (255, 255, 255)
    feet = draw_pose_map(points, WIDTH, HEIGHT, PoseStyle(toes=True, face=False))
    assert tuple(feet[365, 170]) == FOOT_COLORS[0] and tuple(feet[365, 80]) == FOOT_COLORS[1]
    assert (feet[20, 20] == 0).all()


def test_limbs_grow_with_the_picture() -> None:
    assert stick_width(512, 512) == 4 and stick_width(1024, 2048) == 8 and stick_width(32, 32) == 1
    small, large = (draw_pose_map(standing(), WIDTH, HEIGHT, PoseStyle(stick=stick)) for stick in (2, 5))
    assert 2 * small.any(axis=-1).sum() < large.any(axis=-1).sum()


def test_points_at_the_border_and_no_points() -> None:
    points = standing()
    points.body[:, :2] = 0.5
    points.body[0, :2] = (WIDTH - 0.5, HEIGHT - 0.5)
    assert draw_pose_map(points, WIDTH, HEIGHT).shape == (HEIGHT, WIDTH, 3)
    points.body[:] = 0.0
    nothing = draw_pose_map(points, WIDTH, HEIGHT)
    assert not nothing.any() and not read_pose_map(nothing).any()


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(KinemaError, match=r"skeleton picture is uint8"):
        read_pose_map(np.zeros((4, 4, 3), np.float32))  # type: ignore[arg-type]
