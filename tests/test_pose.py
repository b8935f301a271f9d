"""Poses of a crowd."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, kinematics, rotations
from kinema.pose import Pose


def crowd(skeleton: Skeleton, count: int, rng: np.random.Generator) -> Pose:
    joints = skeleton.joint_count
    yaw = rng.uniform(-3, 3, count).astype(np.float32)
    return Pose(
        skeleton,
        root_positions=(rng.normal(size=(count, 3)) * [1, 0, 1]).astype(np.float32),
        root_rotations=rotations.from_yaw(yaw),
        local_translations=np.tile(skeleton.rest_translations, (count, 1, 1)),
        local_rotations=rotations.normalize(rng.normal(size=(count, joints, 4))).astype(np.float32),
        contacts=np.zeros((count, 2), np.float32),
    )


@pytest.mark.parametrize("count", [0, 1, 7])
def test_world_is_root_times_pose(biped: Skeleton, count: int, rng: np.random.Generator) -> None:
    pose = crowd(biped, count, rng)
    assert len(pose) == count
    turned, positions = (pose.global_rotations, pose.global_positions)
    assert turned.shape == (count, 21, 4) and positions.shape == (count, 21, 3)
    # The same tree with the root frame as one more joint on top.
    parents = [-1, *(biped.parents + 1).tolist()]
    local = np.concatenate([pose.root_rotations[:, None], pose.local_rotations], axis=1)
    moved = np.concatenate([pose.root_positions[:, None], pose.local_translations], axis=1)
    expected = kinematics.forward_reference(local, moved, parents)
    np.testing.assert_allclose(turned, expected[0][:, 1:], atol=1e-5)
    np.testing.assert_allclose(positions, expected[1][:, 1:], atol=1e-5)


def test_in_root_ignores_where_the_root_is(biped: Skeleton, rng: np.random.Generator) -> None:
    pose = crowd(biped, 3, rng)
    moved = pose.replace(root_positions=pose.root_positions + 5)
    np.testing.assert_array_equal(moved.model_positions, pose.model_positions)
    shift = moved.global_positions - pose.global_positions
    np.testing.assert_allclose(shift, 5, atol=1e-5)
