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
