"""Angles of hinges and rotations of joints, there and back."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.formats.robot.hinges import hinge_angles, hinge_rotations
from kinema.motion import Motion
from kinema.skeleton import Hinge


def test_angles_come_back_from_their_rotations(humanoid, rng):
    hinges = humanoid.skeleton.hinges
    angles = np.array([[rng.uniform(hinge.lower, hinge.upper) for hinge in hinges] for _ in range(20)])
    local = hinge_rotations(humanoid.skeleton, angles)
    got, beside = hinge_angles(Motion.create(humanoid.skeleton, local[:1]))
    assert np.abs(got - angles[:1]).max() < 1e-5 and beside.max() < 1e-3
    others = np.setdiff1d(np.arange(humanoid.skeleton.joint_count), [hinge.joint for hinge in hinges])
    np.testing.assert_array_equal(local[:, others], np.tile(humanoid.skeleton.rest_rotations[others], (20, 1, 1)))


@pytest.mark.parametrize(("lower", "upper", "turns"), [(-4.0, -2.0, -1), (-1.0, 1.0, 0), (np.pi, 3 * np.pi, 1)])
def test_of_the_angles_of_one_rotation_that_within_the_limits_is_taken(lower: float, upper: float, turns: int):
    hinge = Hinge(1, (1, 0, 0), lower, upper)
    skeleton = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]], hinges=[hinge])
    angle = (lower + upper) / 2
    got, _ = hinge_angles(Motion.create(skeleton, hinge_rotations(skeleton, np.full((5, 1), angle))))
    np.testing.assert_allclose(got, angle, atol=1e-5)


def test_rotations_about_other_axes_are_told_apart():
    skeleton = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]], hinges=[Hinge(1, (0, 1, 0))])
    about, aside = (rotations.from_axis_angle(np.eye(3)[axis], np.array(0.4)) for axis in (1, 0))
    local = np.tile(skeleton.rest_rotations, (1, 1, 1)).astype(np.float64)
    local[0, 1] = rotations.multiply(aside, about)
    angles, beside = hinge_angles(Motion.create(skeleton, local))
    np.testing.assert_allclose([angles[0, 0], beside[0, 0]], 0.4, atol=1e-5)


def test_angles_stay_steady_over_full_turns():
    hinge = Hinge(1, (0, 1, 0))
    skeleton = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]], hinges=[hinge])
    angles = np.linspace(0, 20, 200)
    local = np.zeros((200, 2, 4))
    local[..., 0] = 1
    local[:, 1] = rotations.from_axis_angle(np.array([0.0, 1, 0]), angles)
    got, _ = hinge_angles(Motion.create(skeleton, local))
    assert np.allclose(np.diff(got[:, 0]), np.diff(angles), atol=1e-5)
