"""The pose to model in."""

import math

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.motion import Motion
from kinema.rendering.mannequin.modelling_pose import modelling_pose, upright


def test_a_good_rest_pose_stays(biped: Skeleton):
    pose = modelling_pose(biped)
    turned, placed = pose.global_rotations, pose.global_positions
    legs = [biped.index(name) for name in ("LeftUpLeg", "LeftFoot", "RightUpLeg", "RightFoot")]
    rest = biped.rest_pose.global_positions
    others = [
        j
        for j in range(biped.joint_count)
        if "Leg" not in biped.names[j] and "Foot" not in biped.names[j] and "Toe" not in biped.names[j]
    ]
    assert placed[others] == pytest.approx(rest[others], abs=1e-6)
    assert placed[legs[1], 0] - placed[legs[0], 0] > 0.08 and placed[legs[3], 0] - placed[legs[2], 0] < -0.08
    assert turned[legs[1]] != pytest.approx(biped.rest_pose.global_rotations[legs[1]])


def test_arms_that_hang_are_lifted(biped: Skeleton):
    hanging = biped.rest_rotations.copy()
    hanging[biped.index("LeftArm")] = rotations.from_axis_angle(np.float32([0, 0, 1]), np.float32(-1.5))
    down = Skeleton.create(biped.names, biped.parents, biped.rest_translations, hanging)
    placed = modelling_pose(down).global_positions
    way = placed[down.index("LeftForeArm")] - placed[down.index("LeftArm")]
    assert math.degrees(math.acos(-way[1] / np.linalg.norm(way))) == pytest.approx(42, abs=1)
    assert way[0] > 0


def test_a_person_whose_rest_pose_is_none_stands_up(biped: Skeleton):
    lying = biped.rest_rotations.copy()
    for name in ("LeftUpLeg", "RightUpLeg"):
        lying[biped.index(name)] = rotations.from_axis_angle(np.float32([1, 0, 0]), np.float32(3.0))
    folded = Skeleton.create(biped.names, biped.parents, biped.rest_translations, lying)
    assert not upright(folded.rest_pose)
    placed = modelling_pose(folded).global_positions
    assert upright(modelling_pose(folded))
    assert placed[folded.index("Head"), 1] - placed[folded.index("LeftFoot"), 1] > 1.3


def test_the_motion_takes_the_place_of_a_rest_pose_unlike_it(biped: Skeleton):
    turn = rotations.from_axis_angle(np.float32([0, 0, 1]), np.float32(math.pi / 2))
    tangled = biped.rest_rotations.copy()
    for name, sign in (("Spine", -1), ("LeftUpLeg", 1), ("RightUpLeg", 1), ("LeftArm", 1), ("RightArm", -1)):
        tangled[biped.index(name)] = turn * np.float32([1, 1, 1, sign])
    skeleton = Skeleton.create(biped.names, biped.parents, biped.rest_translations, tangled)
    motion = Motion.create(skeleton, np.tile(biped.rest_rotations, (3, 1, 1)))
    placed = modelling_pose(skeleton, motion).global_positions
    assert placed[skeleton.index("Head")] == pytest.approx(
        biped.rest_pose.global_positions[biped.index("Head")], abs=1e-4
    )
