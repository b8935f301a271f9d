"""Where the ground is in a clip.

Files disagree about the floor by centimetres to a metre, and joints have flesh and shoes between them and it. What can
be measured is the height of the toe joint (or foot) while it stands: its *stance height*. The joint's natural distance
from the ground, its *clearance*, belongs to the skeleton and is the same for all clips, so a clip is shifted vertically
by ``clearance - stance height``; then equal stances are equally high in the whole database.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.mocap.contacts import point_speeds
from kinema.skeleton import Skeleton

SLOW = 0.3  # m/s of a reference adult: a foot that stands, with the noise of mocap
PERCENTILE = 2.0
FEWEST_FRAMES = 3
HIGHEST_CLEARANCE = 0.15  # of the leg: more is no sole, but a file whose floor is elsewhere


def stance_height(positions: NDArray[np.float32], fps: float, scale: float = 1.0) -> float:
    """Height in metres at which contact joints ``positions`` ``[F, C, 3]`` stand: robustly the lowest there is.

    It is a low percentile of the height of the lowest joint over the frames in which that joint is slow; over all
    frames where it never is.
    """
    heights = positions[..., 1]
    lowest = np.argmin(heights, axis=1)[:, None]
    height = np.take_along_axis(heights, lowest, axis=1)[:, 0]
    slow = np.take_along_axis(point_speeds(positions, fps), lowest, axis=1)[:, 0] < SLOW * scale
    if np.count_nonzero(slow) >= FEWEST_FRAMES:
        height = height[slow]
    return float(np.percentile(height, PERCENTILE))


def clearance(
    stance_heights: Sequence[float], skeleton: Skeleton, contact_joints: NDArray[np.int32], leg_length: float
) -> float:
    """Distance of the contact joints from the ground while they stand, metres, one for the whole skeleton.

    The median over all clips, as most files put the floor at zero. Where that cannot be a sole (below the floor, or
    above `HIGHEST_CLEARANCE` of the leg) the files do not, and the rest pose tells: the joint above the lowest point
    of the skeleton.
    """
    most = HIGHEST_CLEARANCE * leg_length
    median = float(np.median(np.asarray(stance_heights, dtype=np.float64)))
    if 0.0 <= median <= most:
        return median
    turned, positions = skeleton.rest_globals()
    tips = positions[skeleton.tip_joints] + rotations.rotate(turned[skeleton.tip_joints], skeleton.tip_offsets)
    lowest = min(float(positions[:, 1].min()), float(tips[:, 1].min(initial=np.inf)))
    return float(np.clip(float(positions[contact_joints, 1].mean()) - lowest, 0.0, most))
