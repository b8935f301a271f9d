"""The root frame: where a character stands on the ground and which way it faces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema import rotations

if TYPE_CHECKING:
    from kinema.motion import Motion
    from kinema.skeleton import Skeleton


def smooth_columns(values: NDArray[np.float32], window: int) -> NDArray[np.float32]:
    """Savitzky-Golay smoothing (cubic) of `[F, D]` over `window` frames; shorter clips use what fits."""
    from scipy.signal import savgol_filter  # only clips need it: keep the import of the package light

    window = min(window, len(values) - 1 + len(values) % 2)
    if window < 5:
        return values
    return np.asarray(savgol_filter(values, window + 1 - window % 2, 3, axis=0, mode="interp"), np.float32)


def facing(
    skeleton: Skeleton, global_rotations: NDArray[np.float32], global_positions: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Unit facing `[..., 3]` on the ground.

    At a right angle to the lines through both thighs and both upper arms where the roles are known; otherwise where the
    hips turn the +Z axis of the rest pose. +Z where neither points anywhere on the ground.
    """
    roles = skeleton.roles
    across = np.zeros_like(global_positions[..., 0, :])
    for pair in (roles.legs, roles.arms):
        if len(pair) == 2:
            line = global_positions[..., pair[0].upper, :] - global_positions[..., pair[1].upper, :]
            across = across + rotations.normalize_vector(line * np.array([1, 0, 1], np.float32))
    if len(roles.legs) == 2 or len(roles.arms) == 2:
        forward = np.stack([-across[..., 2], np.zeros_like(across[..., 0]), across[..., 0]], axis=-1)
    else:
        rest = skeleton.rest_pose.global_rotations
        turned = rotations.multiply(global_rotations[..., roles.hips, :], rotations.inverse(rest[roles.hips]))
        forward = rotations.rotate(turned, np.array([0, 0, 1], np.float32)) * np.array([1, 0, 1], np.float32)
    return rotations.normalize_vector(forward, (0.0, 0.0, 1.0))


def root_frame(motion: Motion, smooth: float = 0.25) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Root positions `[F, 3]` on the ground (y = 0, metres) and heading rotations `[F, 4]` about +Y.

    The position is the hips' projection, smoothed over `smooth` seconds; the heading is smoothed over twice as long,
    so that the sway of single steps does not enter it.
    """
    if motion.frames == 0:
        return np.zeros((0, 3), np.float32), np.zeros((0, 4), np.float32)
    world = motion[:]
    turned, positions = world.global_rotations, world.global_positions
    ground = positions[:, motion.skeleton.roles.hips] * np.array([1, 0, 1], np.float32)
    forward = facing(motion.skeleton, turned, positions)
    if smooth > 0:
        ground = smooth_columns(ground, round(smooth * motion.fps)) * np.array([1, 0, 1], np.float32)
        forward = smooth_columns(forward, round(2 * smooth * motion.fps))
    return ground, rotations.from_yaw(np.arctan2(forward[:, 0], forward[:, 2]).astype(np.float32))
