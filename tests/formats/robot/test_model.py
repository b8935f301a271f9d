"""From bodies to a skeleton: names, axes, what is fixed to what."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinema import rotations
from kinema.errors import FormatError
from kinema.formats.robot.frame import (
    RobotFrame,
    rotations_from_robot,
    rotations_to_robot,
    vectors_from_robot,
    vectors_to_robot,
)
from kinema.formats.robot.model import RobotBody, RobotJoint, build
from kinema.formats.robot.shapes import Geom


def test_robots_face_x_and_ours_face_z():
    assert vectors_from_robot([1, 0, 0]).tolist() == [0, 0, 1]  # forward
    assert vectors_from_robot([0, 1, 0]).tolist() == [1, 0, 0]  # left
    assert vectors_from_robot([0, 0, 1]).tolist() == [0, 1, 0]  # up


@given(st.integers(0, 1000))
def test_turning_and_changing_axes_commute(seed: int):
    rng = np.random.default_rng(seed)
    turn, vector = rotations.normalize(rng.normal(size=4)), rng.normal(size=3)
    there = rotations.rotate(rotations_from_robot(turn), vectors_from_robot(vector))
    assert np.allclose(there, vectors_from_robot(rotations.rotate(turn, vector)))
    assert np.array_equal(vectors_to_robot(vectors_from_robot(vector)), vector)
    assert np.array_equal(rotations_to_robot(rotations_from_robot(turn)), turn)


def test_names_are_unique_and_many_alike_are_quick():
    bodies = [RobotBody("a", -1, joints=[RobotJoint("base", "free")])]
    bodies += [RobotBody("a", index, joints=[RobotJoint("a", "hinge")]) for index in range(3000)]
    skeleton = build("r", bodies, []).skeleton
    assert skeleton.names[:3] == ("a", "a_2", "a_3") and skeleton.joint_count == 3001


def test_a_fixed_head_is_a_tip_and_a_fixed_box_low_down_is_not():
    head, box = Geom("ellipsoid", (0.1, 0.1, 0.1)), Geom("box", (0.01, 0.01, 0.01))
    bodies = [
        RobotBody("torso", -1, joints=[RobotJoint("base", "free")]),
        RobotBody("head", 0, RobotFrame(np.array([0, 0, 0.5])), geoms=[head]),
        RobotBody("arm", 0, RobotFrame(np.array([0, 0.2, 0.3])), joints=[RobotJoint("shoulder", "hinge")]),
        RobotBody("hand", 2, RobotFrame(np.array([0, 0, -0.4]))),
    ]
    skeleton = build("r", bodies, []).skeleton
    tips = dict(zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets.tolist(), strict=True))
    assert np.allclose(tips[0], [0, 0.6, 0]) and np.allclose(tips[1], [0, -0.4, 0])
    bodies[1] = RobotBody("sensor", 0, RobotFrame(np.array([0, 0, 0.1])), geoms=[box])
    assert build("r", bodies, []).skeleton.tip_joints.tolist() == [1]


def test_nothing_is_no_robot():
    with pytest.raises(FormatError, match="no body"):
        build("r", [], [])
