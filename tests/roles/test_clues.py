"""Clues of all joints together: the corners of a robot, what is in the middle, and what is not."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.roles import rest_pose
from kinema.roles.clues import gather

from .rigs import Rows, build, person

CORNERS = {"FL": (1, 1), "FR": (-1, 1), "RL": (1, -1), "RR": (-1, -1)}


def robot_dog(joints: dict[str, str], ahead: float = 1.0) -> Skeleton:
    """Four equal legs at the corners of a trunk, named by corner and joint; front is +Z times `ahead`."""
    rows: Rows = [("trunk", "", (0, 0.35, 0))]
    for corner, (x, z) in CORNERS.items():
        at = ((0.05, 0.35, 0.2), (0.1, 0.35, 0.2), (0.1, 0.18, 0.1), (0.1, 0.02, 0.2))
        above = "trunk"
        for joint, (out, up, forth) in zip(joints.values(), at, strict=True):
            rows.append((f"{corner}_{joint}", above, (out * x * ahead, up, ahead * (forth * z - (up == 0.18) * 0.1))))
            above = f"{corner}_{joint}"
    return build(rows, names=True)[0]


@pytest.mark.parametrize("ahead", [1.0, -1.0])
def test_the_corners_of_a_robot_tell_sides_and_front_legs(ahead: float) -> None:
    skeleton = robot_dog({"a": "hip", "b": "thigh", "c": "calf", "d": "foot"}, ahead)
    roles = skeleton.roles
    assert roles.plan == "quadruped" and np.allclose(rest_pose(skeleton).forward, [0, 0, ahead], atol=1e-3)
    wanted = {
        "FL_thigh": "left_upper_arm",
        "FR_calf": "right_forearm",
        "RL_thigh": "left_thigh",
        "RR_foot": "right_foot",
    }
    assert {name: roles.role(skeleton.index(name)) for name in wanted} == wanted


def test_corners_count_only_where_there_are_four() -> None:
    skeleton = Skeleton.create(["fr_hair", "rr_hair", "root"], [-1, -1, -1], np.eye(3))
    assert [said.side for said in gather(skeleton, None, {}, {}).evidence] == [None] * 3


def one_armed() -> Rows:
    """The person without the right shoulder and all below it."""
    gone = {"right_shoulder"}
    rows = []
    for row in person():
        if row[0] in gone or row[1] in gone:
            gone.add(row[0])
        else:
            rows.append(row)
    return rows


@pytest.mark.parametrize("names", [False, True], ids=["nameless", "names"])
def test_the_only_arm_is_an_arm(names: bool) -> None:
    skeleton, truth = build(one_armed(), names=names)
    roles = skeleton.roles
    parts = ("left_upper_arm", "left_forearm", "left_hand", "head", "neck", "hips", "left_thigh")
    assert {role: roles.role(truth.index(role)) for role in parts} == {role: role for role in parts}
    assert roles.plan == "biped"


def test_a_tail_in_a_curve_stays_in_the_middle() -> None:
    rows: Rows = person()
    for number, x in enumerate((0.0, 0.02, 0.06, 0.1)):
        rows.append(
            (f"tail.{number}", "hips" if number == 0 else f"tail.{number - 1}", (x, 0.9, -0.15 - 0.12 * number))
        )
    skeleton, truth = build(rows)
    assert {skeleton.roles.role(joint) for joint, role in enumerate(truth) if role == "tail"} == {"tail"}
