"""The root frame: where a character stands on the ground and which way it faces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema import rotations

if TYPE_CHECKING:
    from kinema.motion import Motion
    from kinema.pose import Pose

_ON_GROUND = np.array([1, 0, 1], np.float32)


def smooth_columns(values: NDArray[np.float32], window: int) -> NDArray[np.float32]:
    """Savitzky-Golay smoothing (cubic) of `[F, D]` over `window` frames, or fewer in a shorter clip."""
    from scipy.signal import savgol_filter  # slow to import, and only clips need it

    window = min(window, len(values) - 1 + len(values) % 2)
    if window < 5:
        return values
    return np.asarray(savgol_filter(values, window + 1 - window % 2, 3, axis=0, mode="interp"), np.float32)


def facing(pose: Pose) -> NDArray[np.float32]:
    """Unit vectors `[..., 3]` on the ground that bodies face.

    They are square to the lines through both thighs and both upper arms. A skeleton without these roles faces where
    the hips carry the +Z axis of the rest pose. A body that faces straight up or down faces +Z.
    """
    roles, positions = pose.skeleton.roles, pose.global_positions
    across = np.zeros_like(positions[..., 0, :])
    for pair in (roles.legs, roles.arms):
        if len(pair) == 2:
            line = positions[..., pair[0].upper, :] - positions[..., pair[1].upper, :]
            across = across + rotations.normalize_vector(line * _ON_GROUND)
    if len(roles.legs) == 2 or len(roles.arms) == 2:
        forward = np.stack([-across[..., 2], np.zeros_like(across[..., 0]), across[..., 0]], axis=-1)
    else:
        rest = pose.skeleton.rest_pose.global_rotations[roles.hips]
        from_rest = rotations.multiply(pose.global_rotations[..., roles.hips, :], rotations.inverse(rest))
        forward = rotations.rotate(from_rest, np.array([0, 0, 1], np.float32)) * _ON_GROUND
    return rotations.normalize_vector(forward, (0.0, 0.0, 1.0))


def root_frame(motion: Motion, smooth: float = 0.25) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Root positions `[F, 3]` on the ground (y = 0, metres) and heading rotations `[F, 4]` about +Y.

    The position is the projection of the hips, smoothed over `smooth` seconds. The heading is smoothed over twice that
    time, so that the sway of single steps does not affect it.
    """
    if motion.frames == 0:
        return np.zeros((0, 3), np.float32), np.zeros((0, 4), np.float32)
    poses = motion[:]
    ground = poses.global_positions[:, motion.skeleton.roles.hips] * _ON_GROUND
    forward = facing(poses)
    if smooth > 0:
        ground = smooth_columns(ground, round(smooth * motion.fps)) * _ON_GROUND
        forward = smooth_columns(forward, round(2 * smooth * motion.fps))
    return ground, rotations.from_yaw(np.arctan2(forward[:, 0], forward[:, 2]).astype(np.float32))
