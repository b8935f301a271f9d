"""Takes: forward kinematics of many clips at once."""

import numpy as np
import pytest

from kinema.generation.channels import TRAVEL, decode
from kinema.generation.takes import Takes, mean_pose, rest_pose


def test_global_positions_are_those_of_decoded_motion(truth):
    for number in (0, 5):
        motion = decode(truth.rig, truth.takes.channels[number])
        positions = motion[:].global_positions[:, truth.rig.joints] / truth.rig.unit
        np.testing.assert_allclose(truth.takes.global_positions[number], positions, atol=1e-4)


def test_clips_do_not_depend_on_those_beside_them(truth):
    alone = Takes(truth.rig, truth.takes.channels[3:4])
    np.testing.assert_allclose(alone.global_positions[0], truth.takes.global_positions[3], atol=1e-5)


def test_stated_and_drawn_positions_of_the_ground_truth_agree(truth):
    np.testing.assert_allclose(truth.takes.stated_positions, truth.takes.model_positions, atol=2e-3)


def test_velocities_are_those_of_a_body_that_only_travels(truth):
    channels = rest_pose(truth.rig, 20)[None]
    channels[:, :, 0, TRAVEL] = (0.0, 1.5, 0.0)
    velocities = Takes(truth.rig, channels).global_velocities
    assert velocities.reshape(-1, 3) == pytest.approx(np.broadcast_to([0, 0, 1.5], (19 * truth.rig.count, 3)), abs=1e-3)


def test_frozen_poses_do_not_move(truth):
    for pose in (mean_pose(truth.channels, 20), rest_pose(truth.rig, 20)):
        assert np.abs(Takes(truth.rig, pose[None]).global_velocities).max() < 1e-3
    np.testing.assert_allclose(
        Takes(truth.rig, rest_pose(truth.rig, 2)[None]).model_positions[0, 0, 1:, 1],
        truth.rig.rest_positions[1:, 1],
        atol=1e-5,
    )
