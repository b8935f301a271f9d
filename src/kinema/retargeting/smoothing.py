"""Smoothing over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema import rotations
from kinema.arrays import Reals, Singles
from kinema.retargeting.stance import mean_rotation

_UP: Singles = np.array([0, 1, 0], np.float32)


def smooth(values: Reals, frames: float) -> Reals:
    """Values `[F, ...]` smoothed by a Gaussian with a standard deviation of some frames."""
    from scipy.ndimage import gaussian_filter1d

    return np.asarray(gaussian_filter1d(values, frames, axis=0, mode="nearest"), values.dtype)


def smooth_rotations(turns: Reals, frames: float) -> Reals:
    """Rotations `[F, ..., 4]` smoothed by a Gaussian with a standard deviation of some frames."""
    return rotations.normalize(smooth(rotations.unroll(turns), frames))


def smooth_joints(turns: Singles, joints: Sequence[int], frames: float) -> Singles:
    """Global rotations `[F, J, 4]` with those of some joints smoothed.

    A trunk or a tail that is longer than the source's amplifies its noise, and rotations of hips and spine that even
    out in the source do not in a body of different build.
    """
    out = turns.copy()
    for joint in joints:
        out[:, joint] = smooth_rotations(turns[:, joint], frames)
    return out


def level_trunk(turns: Singles, stood: Singles, hips: int, joints: Sequence[int]) -> Singles:
    """Global rotations `[F, J, 4]` of a trunk for a body whose trunk is level instead of upright, or the reverse.

    Somebody who leans forward while walking would walk on their knees, so the trunk tilts relative to its mean tilt.

    Args:
        turns: `[F, J, 4]`. stood: `[J, 4]`, of the standing pose.
        hips: the joint that shows the heading.
        joints: joints of the trunk, including the hips.
    """
    out = turns.copy()
    heading = rotations.swing_twist(rotations.multiply(turns[:, hips], rotations.inverse(stood[hips])), _UP)[1]
    for joint in joints:
        tilt = rotations.relative(heading, rotations.multiply(turns[:, joint], rotations.inverse(stood[joint])))
        mean = rotations.swing_twist(mean_rotation(tilt), _UP)[0]
        turn = rotations.multiply(heading, rotations.multiply(tilt, rotations.inverse(mean)))
        out[:, joint] = rotations.multiply(turn, stood[joint])
    return out
