"""Gaps: plain interpolation, and the error in them."""

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.generation.bridging import gap_error, interpolated, middle_gap
from kinema.generation.channels import TRAVEL
from kinema.generation.takes import Takes, rest_pose


def test_the_gap_is_in_the_middle():
    assert middle_gap(120, 60) == slice(30, 90)
    with pytest.raises(UsageError, match="16 frames on each side"):
        middle_gap(80, 60)


def test_a_still_pose_that_travels_straight_is_interpolated_exactly(truth):
    channels = rest_pose(truth.rig, 80)[None]
    channels[:, :, 0, TRAVEL] = (0.2, 1.0, 0.0)
    takes, gap = Takes(truth.rig, channels), slice(20, 60)
    assert gap_error(interpolated(takes, gap), takes, gap) < 1e-4


def test_interpolation_begins_and_ends_beside_what_is_known(walks):
    takes, gap = walks.takes, slice(40, 80)
    made, right = interpolated(takes, gap), takes.global_positions
    step = np.linalg.norm(np.diff(right, axis=1), axis=-1).max()
    assert np.linalg.norm(made[:, 0] - right[:, 39], axis=-1).max() < step
    assert np.linalg.norm(made[:, -1] - right[:, 80], axis=-1).max() < step


def test_interpolation_is_worse_for_longer_gaps_and_the_truth_is_without_error(walks):
    errors = [gap_error(interpolated(walks.takes, gap), walks.takes, gap) for gap in (slice(55, 65), slice(30, 90))]
    assert 0.001 < errors[0] < errors[1]
    gap = slice(30, 90)
    assert gap_error(walks.takes.global_positions[:, gap], walks.takes, gap) == 0
