"""Where the ground is in a clip.

Files disagree about the floor by centimetres to a metre, and joints have flesh and shoes between them and it. What can
be measured is the height of the toe joint (or foot) while it stands: its *stance height*. The joint's natural distance
from the ground, its *clearance*, belongs to the skeleton and is the same for all clips, so a clip is shifted vertically
by `clearance - stance height`; then equal stances are equally high in the whole database.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema.arrays import Bools, Singles
from kinema.mocap.contacts import contact_joints, contact_points, detect, point_speeds, relative_size
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.skeleton import Skeleton

SLOW = 0.3  # m/s of a reference adult: a foot that stands, with the noise of mocap
PERCENTILE = 2.0
FEWEST_FRAMES = 3
HIGHEST_CLEARANCE = 0.15  # of the leg: more is not a sole, but a file whose floor is elsewhere
USUAL_TOE, USUAL_ANKLE = 0.055, 0.1  # of the leg, adults in shoes


def stance_height(positions: Singles, fps: float, scale: float = 1.0) -> float:
    """Height in metres at which contact joints `positions` `[F, C, 3]` stand: robustly the lowest there is.

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


def detect_contacts(positions: Singles, fps: float, scale: float) -> Bools:
    """`kinema.mocap.contacts.detect` above the height at which the contact joints stand in this clip."""
    return detect(positions, fps, stance_height(positions, fps, scale), scale)


def standing_of(motion: Motion, pose: Pose) -> tuple[Bools, float]:
    """The contacts of a motion and the height at which its contact joints stand.

    Args:
        motion: any; its labels `contact.*`, if it has one for each contact joint, replace what would be detected.
        pose: its poses `[F]`.

    Returns:
        Which of the contact joints `[F, C]` stand, and metres.
    """
    skeleton = motion.skeleton
    positions = pose.global_positions[:, contact_joints(skeleton)]
    scale = relative_size(skeleton)
    stance = stance_height(positions, motion.fps, scale)
    labelled = [motion.labels.get(f"contact.{point}") for point in contact_points(skeleton)]
    if all(label is not None for label in labelled):
        return np.stack([np.asarray(label) > 0.5 for label in labelled], axis=1), stance
    return detect(positions, motion.fps, stance, scale), stance


def contact_doubts(skeleton: Skeleton, standing: Bools) -> list[str]:
    """A line if no foot of a body with legs touches the ground in a whole clip.

    Args:
        skeleton: of the clip.
        standing: which of its contact joints stand `[F, C]`.
    """
    if len(standing) < FEWEST_FRAMES or standing.any() or not any(c.kind == "leg" for c in skeleton.roles.chains):
        return []
    return ["no foot touches the ground in the whole clip: contacts are empty; check its scale and which axis is up"]


def clearance(stance_heights: Sequence[float], skeleton: Skeleton, leg_length: float) -> float:
    """Distance of the contact joints from the ground while they stand, metres, one for the whole skeleton.

    The median over all clips, as most files put the floor at zero. Where that cannot be a sole (below the floor, or
    above `HIGHEST_CLEARANCE` of the leg) the files do not, and an adult's proportions are taken; the rest pose cannot
    show it, since in many files it is not a standing pose.
    """
    median = float(np.median(np.asarray(stance_heights, dtype=np.float64)))
    if 0.0 <= median <= HIGHEST_CLEARANCE * leg_length:
        return median
    if not skeleton.roles.legs:
        return 0.0
    toes = all(leg.toe is not None for leg in skeleton.roles.legs)
    return (USUAL_TOE if toes else USUAL_ANKLE) * leg_length
