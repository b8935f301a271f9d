"""Sticks in space: on the joints, in SCAIL's colours, nearer before farther."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Character, Skeleton
from kinema.keypoints.points import BODY
from kinema.rendering.camera import Camera
from kinema.rendering.conditions.body_points import PointRig
from kinema.rendering.conditions.cylinders import STICK_COLORS, draw_cylinders
from kinema.rendering.conditions.pose_map import LIMBS

SIZE = (240, 360)
FRONT = Camera.look_at((0.0, 0.9, 4.0), (0.0, 0.9, 0.0))


def limb(one: str, other: str) -> np.ndarray:
    return np.minimum(np.array(STICK_COLORS[LIMBS.index((one, other))]) / 300 + 0.15, 1.0) * 255


def bones(**places: tuple[float, float, float]) -> np.ndarray:
    body = np.zeros((18, 4), np.float32)
    for name, place in places.items():
        body[BODY.index(name)] = (*place, 1.0)
    return body


def test_sticks_lie_on_their_bones(biped: Skeleton) -> None:
    body = PointRig(Character("someone", biped))(biped.rest_pose[None])[0].body
    picture = draw_cylinders(body, FRONT, *SIZE, 0.02)
    for one, other in LIMBS[2:6]:
        ends = body[[BODY.index(one), BODY.index(other)], :3]
        x, y = FRONT.project(ends.mean(axis=0), *SIZE)[:2].astype(int)
        assert picture[y, x].astype(float) == pytest.approx(limb(one, other), abs=40)
    assert picture[0, 0].tolist() == [0, 0, 0]


def test_the_nearer_stick_hides_the_farther() -> None:
    right = {"right_shoulder": (-0.4, 0.9, 0.0), "right_elbow": (0.4, 0.9, 0.0)}
    for depth, expected in ((0.5, ("left_shoulder", "left_elbow")), (-0.5, ("right_shoulder", "right_elbow"))):
        left = {"left_shoulder": (0.0, 0.5, depth), "left_elbow": (0.0, 1.3, depth)}
        picture = draw_cylinders(bones(**right, **left), FRONT, *SIZE, 0.03)
        assert picture[180, 120].astype(float) == pytest.approx(limb(*expected), abs=12)


def test_sticks_are_round_and_wider_when_near() -> None:
    widths = []
    for depth in (0.0, 2.0):
        picture = draw_cylinders(bones(left_hip=(0.0, 0.5, depth), left_knee=(0.0, 1.3, depth)), FRONT, *SIZE, 0.05)
        row = picture[180].astype(int).sum(axis=1)
        widths.append(int((row > 0).sum()))
        lit = np.flatnonzero(row)
        assert row[lit].max() == row[(lit[0] + lit[-1]) // 2] > 1.5 * row[lit[0]]
    assert widths[1] == pytest.approx(2 * widths[0], abs=2)


def test_absent_ends_and_what_is_behind_the_camera_are_left_out() -> None:
    assert not draw_cylinders(bones(left_hip=(0, 1, 0)), FRONT, *SIZE, 0.03).any()
    assert not draw_cylinders(bones(left_hip=(0, 1, 9), left_knee=(0, 0.5, 9)), FRONT, *SIZE, 0.03).any()


def test_an_orthographic_camera() -> None:
    camera = Camera.look_at((0.0, 0.9, 4.0), (0.0, 0.9, 0.0), height=2.0)
    picture = draw_cylinders(bones(left_hip=(0, 0.5, 0), left_knee=(0, 1.3, 0)), camera, *SIZE, 0.05)
    assert (picture[180].any(axis=1)).sum() == pytest.approx(0.1 * 180, abs=2)
