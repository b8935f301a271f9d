"""Controllers ready to use."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.control.presets import foot_lock, motion_matching_controller
from kinema.errors import SkeletonError
from kinema.mocap.database import MotionDatabase


def test_the_foot_lock_knows_the_skeleton_of_the_database(database):
    lock = foot_lock(database)
    np.testing.assert_array_equal(lock.legs[:, 3], database.contact_joints)
    np.testing.assert_allclose(lock.heights, database.clearance)
    # Knees of a person who faces +Z bend about the axis across the body.
    assert lock.hinges.shape == (2, 3)
    assert np.abs(lock.hinges[:, 0]).min() > 0.95
    assert (lock.hinges[0] @ lock.hinges[1]) > 0.9


def test_frames_may_be_chosen(database):
    allowed = np.arange(database.frames) < database.clips[0].stop
    controller = motion_matching_controller(database, allowed=allowed)
    assert controller.foot_lock is not None and controller.adjustment is not None
    assert controller.family.frames[0] < database.clips[0].stop


def test_a_skeleton_without_legs_is_one_line():
    snake = Skeleton.create(["a", "b", "c"], [-1, 0, 1], [[0, 0, 0], [0, 0, 1], [0, 0, 1]])
    motion = Motion.create(snake, np.tile(snake.rest_rotations, (120, 1, 1)), fps=30.0)
    with pytest.raises(SkeletonError, match="legs") as caught:
        motion_matching_controller(MotionDatabase.from_motions([motion], mirror=False))
    assert "\n" not in str(caught.value)
