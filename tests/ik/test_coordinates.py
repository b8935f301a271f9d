"""Degrees of freedom of a skeleton."""

from __future__ import annotations

import numpy as np

from kinema import Skeleton, rotations
from kinema.ik import Coordinates
from kinema.ik.coordinates import on_hinges
from kinema.skeleton import Hinge


def test_poses_are_brought_onto_hinges(rng: np.random.Generator) -> None:
    skeleton = Skeleton.create(
        [*"abcd"],
        [-1, 0, 1, 2],
        [[0, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]],
        hinges=[Hinge(joint, (0, 0, 1), -0.5, 0.7) for joint in range(3)],
    )
    coordinates = Coordinates.of(skeleton)
    angles = rng.uniform(-2, 2, size=(6, 4))
    about = rotations.from_axis_angle(np.array([0.0, 0, 1]), angles)
    local, start = on_hinges(skeleton, about, coordinates)
    np.testing.assert_allclose(start[:, :3], np.clip(angles[:, :3], -0.5, 0.7), atol=1e-6)
    np.testing.assert_allclose(rotations.log(local)[:, :3, 2], start[:, :3], atol=1e-6)
    np.testing.assert_allclose(np.abs((local[:, 3] * about[:, 3]).sum(-1)), 1, atol=1e-6)
    assert coordinates.joints.tolist() == [0, 1, 2, 3, 3, 3]


def test_joints_slide_turn_freely_or_turn_about_their_hinge() -> None:
    hinges = [Hinge(1, (0, 0, 1), -0.5, 0.7), Hinge(2, (1, 0, 0), -np.inf, 0.7)]
    skeleton = Skeleton.create([*"abcd"], [-1, 0, 1, 2], np.zeros((4, 3)), hinges=hinges)
    found = Coordinates.of(skeleton, [0, 1, 2], [0, 3], stay=[0.1, 0.2, 0.3, 0.4], lean=0.6, limbs=[[3], [0, 1]])
    assert found.joints.tolist() == [0] * 6 + [1, 2] + [3] * 3
    assert found.slides.tolist() == [True] * 3 + [False] * 5 + [True] * 3
    np.testing.assert_array_equal(found.axes, [*np.eye(3), *np.eye(3), [0, 0, 1], [1, 0, 0], *np.eye(3)])
    np.testing.assert_array_equal(found.lower, [-np.inf] * 6 + [-0.5, -np.inf] + [-np.inf] * 3)
    np.testing.assert_array_equal(found.upper, [np.inf] * 6 + [0.7, 0.7] + [np.inf] * 3)
    np.testing.assert_allclose(found.stay, [0.1] * 6 + [0.2, 0.3] + [0.4] * 3)
    np.testing.assert_allclose(found.nominal, [0] * 6 + [0.1, 0] + [0] * 3, atol=1e-12)
    np.testing.assert_allclose(found.lean, [0] * 6 + [0.6, 0.6] + [0] * 3)
    assert found.limbs.tolist() == [-1] * 6 + [1, -1] + [-1] * 3
