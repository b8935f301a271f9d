"""A standing pose for skeletons whose rest pose is none, such as motion files in which all bones lie along one line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema import rotations
from kinema.arrays import Singles
from kinema.errors import SkeletonError
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.retargeting.chains import has_front_legs
from kinema.retargeting.stance import across, body_up, mean_rotation, sampled
from kinema.skeleton import Skeleton

_UP: Singles = np.asarray([0, 1, 0], np.float32)
_LEVEL = 0.5  # sine of the slope between left and right limbs from which a body does not stand
_ON_ALL_FOURS = 0.9  # cosine of the slope of a trunk


def standing_pose(skeleton: Skeleton, motions: Sequence[Motion]) -> Pose | None:
    """The mean pose of the first motion in which the body is on its legs, upright and facing +Z.

    Args:
        motions: of the skeleton; only the frames in which the line between left and right is level are looked at.

    Returns:
        None if the rest pose stands, or no pose can be found that does.
    """
    if _stands(skeleton, None):
        return None
    found = (_mean_pose(motion) for motion in motions if motion.frames)
    return next((pose for pose in found if pose is not None and _stands(skeleton, pose)), None)


def _stands(skeleton: Skeleton, pose: Pose | None) -> bool:
    try:
        kind_of_creature(skeleton, pose)
    except SkeletonError:
        return False
    return True


def _mean_pose(motion: Motion) -> Pose | None:
    """The mean of the rotations of all joints seen from the heading of the body."""
    seen, skeleton = sampled([motion]), motion.skeleton
    side = across(seen)
    level = (np.abs(side[:, 1]) < _LEVEL) & (np.abs(side).max(axis=-1) > 0)
    if has_front_legs(skeleton.roles):  # it may rear up, or sit
        level &= body_up(seen)[:, 1] > _ON_ALL_FOURS
    if not level.any():
        return None
    side = side[level]
    axes = rotations.look_rotation(np.cross(side, _UP), np.broadcast_to(_UP, side.shape))
    mean = mean_rotation(rotations.multiply(rotations.inverse(axes)[:, None], seen.global_rotations[level]))
    top = (skeleton.parents < 0)[:, None]
    local = np.where(top, mean, rotations.relative(mean[np.maximum(skeleton.parents, 0)], mean))
    return Pose(skeleton, local.astype(np.float32))
