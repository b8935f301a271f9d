"""Limits of joints: swing and twist, their axes, and what is refused."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinema import Skeleton, rotations
from kinema.errors import SkeletonError
from kinema.ik import Cone
from kinema.ik.limits import bone_axis, clamp_swing_twist, excess, resolved
from kinema.pose import Pose
from kinema.skeleton import Hinge

Y = np.array([0.0, 1.0, 0.0])


@given(st.integers(0, 10**6), st.floats(0, 3.1), st.floats(0, 3.1), st.floats(0, 3.1))
def test_what_is_clamped_is_within_limits_and_what_was_within_stays(seed: int, most: float, less: float, more: float):
    q = rotations.normalize(np.random.default_rng(seed).normal(size=4))
    swing, twist = rotations.swing_twist(q, Y)
    new_swing, new_twist = rotations.swing_twist(clamp_swing_twist(q, Y, most, (-less, more)), Y)
    assert rotations.angle(new_swing) <= most + 1e-6
    assert -less - 1e-6 <= rotations.log(new_twist)[1] <= more + 1e-6
    if rotations.angle(swing) < most - 1e-6:
        assert rotations.angle(rotations.relative(swing, new_swing)) < 1e-6
    if -less + 1e-6 < rotations.log(twist)[1] < more - 1e-6:
        assert rotations.angle(rotations.relative(twist, new_twist)) < 1e-6


def bent(angle: float) -> Pose:
    """Three joints along Y; the second is bent about X."""
    body = Skeleton.create([*"abc"], [-1, 0, 1], [[0, 0, 0], [0, 1, 0], [0, 1, 0]], tips=[(2, (0, 0, 2))])
    local = np.tile(np.array([1.0, 0, 0, 0]), (3, 1))
    local[1] = rotations.exp(np.array([angle, 0, 0]))
    return Pose(body, local)


def test_excess_is_measured() -> None:
    limits = [Cone("b", 0.5), Cone(1, 2.0), Hinge(1, (1, 0, 0), -0.2, 0.2), Hinge(1, (0, 0, 1)), Hinge(1, (0, 1, 0))]
    np.testing.assert_allclose(excess(bent(0.8), limits), [0.3, 0, 0.6, 0.8, 0.8], atol=1e-9)
    assert excess(bent(0.0), []).shape == (0,)


def test_the_axis_of_a_cone_is_its_bone() -> None:
    body = bent(0.0).skeleton
    np.testing.assert_allclose(bone_axis(body, 0), Y)
    np.testing.assert_allclose(bone_axis(body, 2), [0, 0, 1], atol=1e-7)
    np.testing.assert_allclose(bone_axis(Skeleton.create(["a"], [-1], [[0, 0, 0]]), 0), Y)


def test_hinges_of_a_call_replace_those_of_the_skeleton() -> None:
    body = bent(0.0).skeleton.with_hinges([Hinge(1, (1, 0, 0)), Hinge(0, (0, 0, 1))])
    changed, cones = resolved(body, [Hinge(1, (0, 1, 0)), Cone("c", 0.3)])
    assert [(hinge.joint, hinge.axis) for hinge in changed.hinges] == [(0, (0, 0, 1)), (1, (0, 1, 0))]
    assert [cone.joint for cone in cones] == [2]
    assert resolved(body, [])[0] is body


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ([Cone("nose")], "no joint is named 'nose'"),
        ([Cone(7)], "joint 7 does not exist; there are 3"),
        ([Cone("b", -0.1)], "the cone of joint 'b' needs a swing from 0"),
        ([Cone("b", 1.0, (0.1, 0.2))], "a twist around 0"),
        ([Cone("b", 1.0, (-pi, pi), (0, 2, 0))], "a unit axis"),
        ([Cone("b"), Cone(1)], "a joint has two limits"),
        ([Cone("b"), Hinge(1, (1, 0, 0))], "a joint has two limits"),
    ],
)
def test_limits_that_make_no_sense_are_refused(limits: list, message: str) -> None:
    with pytest.raises(SkeletonError, match=message):
        resolved(bent(0.0).skeleton, limits)
