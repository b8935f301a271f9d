"""Puts a motion somewhere in a scene: at a place, with a heading, on its ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.errors import SceneError
from kinema.motion import Motion
from kinema.terrain import Ground
from kinema.terrain.ground import is_void

_SMOOTH = 0.3  # seconds over which heights of the ground under a body are smoothed


def placed(
    motion: Motion, ground: Ground, at: Sequence[float] = (0.0, 0.0), heading: float | None = None, floor: float = 0.0
) -> Motion:
    """The motion, moved and turned about the vertical, with its floor on a ground all along its way.

    Args:
        at: x and z of where it begins, metres. heading: where it faces then, radians about +Y from +Z; None leaves its
            turn as it is.
        floor: height of the floor in the motion, metres.

    Raises:
        SceneError: there is no ground where it begins, or nobody can be there.
    """
    if len(at) != 2 or not np.isfinite(at).all():
        raise SceneError(f"a place in a scene is x and z in metres, not {tuple(at)}")
    from scipy.ndimage import gaussian_filter1d

    places, headings = motion.root_frame()
    ahead = rotations.rotate(headings[0], np.asarray([0.0, 0.0, 1.0], np.float32))
    turn = 0.0 if heading is None else heading - float(np.arctan2(ahead[0], ahead[2]))
    turned = rotations.from_yaw(np.asarray(turn, np.float32))
    start = np.asarray([at[0], 0.0, at[1]], np.float32)
    way = rotations.rotate(turned, places - places[0]) + start
    heights = np.asarray(ground.height(way), np.float64)
    if is_void(heights[:1]).any():
        raise SceneError(f"the scene has no ground at {at[0]:g}, {at[1]:g}")
    known = np.where(is_void(heights), -1, np.arange(len(heights)))
    heights = heights[np.maximum.accumulate(known)]  # beyond the ground it goes on level
    heights = gaussian_filter1d(heights, _SMOOTH * motion.fps, mode="nearest") if len(heights) > 1 else heights
    origin = start - rotations.rotate(turned, places[0]) * np.asarray([1.0, 0.0, 1.0], np.float32)
    root = np.tile(origin, (motion.frames, 1)).astype(np.float32)
    root[:, 1] = heights - floor
    return carried(motion, root, turn)


def carried(motion: Motion, by: ArrayLike, turn: float) -> Motion:
    """The motion, turned about the vertical through the origin, radians, and then moved by `[3]` or `[F, 3]` metres."""
    rotation = rotations.from_yaw(np.full(motion.frames, turn, np.float32))
    moved = np.broadcast_to(np.asarray(by, np.float32), (motion.frames, 3))
    pose = motion[:].replace(root_positions=moved, root_rotations=np.asarray(rotation, np.float32))
    return Motion.from_pose(pose, motion.fps, motion.name, labels=motion.labels, tags=motion.tags)
