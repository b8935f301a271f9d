"""The root frame: the position of a character on the ground and its heading."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from kinema import rotations

if TYPE_CHECKING:
    from kinema.pose import Pose

_ON_GROUND = np.array([1, 0, 1], np.float32)


def smooth_columns(values: NDArray[np.float32], window: int) -> NDArray[np.float32]:
    """Savitzky-Golay smoothing (cubic) of `[F, D]` over `window` frames, or fewer for a shorter clip."""
    window = min(window, len(values) - 1 + len(values) % 2)
    if window < 5:
        return values
    half = window // 2
    powers = np.vander(np.arange(-half, half + 1) / half, 4)
    fitted = powers @ np.linalg.pinv(powers)  # the cubic through a window, at each of its places
    whole = values.astype(np.float64)
    smooth = np.empty_like(whole)
    smooth[half:-half] = sliding_window_view(whole, 2 * half + 1, axis=0) @ fitted[half]
    smooth[:half] = fitted[:half] @ whole[: 2 * half + 1]
    smooth[-half:] = fitted[-half:] @ whole[-2 * half - 1 :]
    return smooth.astype(np.float32)


def facing(pose: Pose) -> NDArray[np.float32]:
    """The facing of bodies: unit vectors `[..., 3]` on the ground.

    They are perpendicular to the lines through both thighs and both upper arms. Without these roles the facing is the
    rest pose's +Z axis, rotated with the hips. A body that faces straight up or down has the facing +Z.
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


def root_frame(poses: Pose, fps: float, smooth: float = 0.25) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Root positions `[F, 3]` on the ground (y = 0, metres) and heading rotations `[F, 4]` about +Y of poses `[F]`.

    The position is the projection of the hips, smoothed over `smooth` seconds. The heading is smoothed over twice that
    time, so that the sway of single steps does not affect it.
    """
    if not len(poses):
        return np.zeros((0, 3), np.float32), np.zeros((0, 4), np.float32)
    ground = poses.global_positions[:, poses.skeleton.roles.hips] * _ON_GROUND
    forward = facing(poses)
    if smooth > 0:
        ground = smooth_columns(ground, round(smooth * fps)) * _ON_GROUND
        forward = smooth_columns(forward, round(2 * smooth * fps))
    return ground, rotations.from_yaw(np.arctan2(forward[:, 0], forward[:, 2]).astype(np.float32))
