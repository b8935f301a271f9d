"""What is known of one skeleton."""

from __future__ import annotations

import pytest

from kinema import Motion, Skeleton
from kinema.errors import SkeletonError
from kinema.retargeting.anatomy import Anatomy


def test_a_person_stands_in_the_rest_pose_on_straight_legs(biped: Skeleton) -> None:
    body = Anatomy.of(biped)
    assert body.skeleton is biped and body.standing.pose is biped.rest_pose
    assert body.alignment.straight == {"left_leg", "right_leg"}
    assert not body.detached and not body.ends


def test_without_a_standing_pose_motion_is_needed(walk: Motion) -> None:
    skeleton = walk.skeleton
    lengths = skeleton.bone_lengths[:, None] * [1.0, 0.0, 0.0]
    flat = Skeleton.create(skeleton.names, skeleton.parents, lengths)
    with pytest.raises(SkeletonError, match="a motion of this skeleton is needed"):
        Anatomy.of(flat)
