"""Controllers ready to use."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.control.controller import Controller, Settings
from kinema.control.foot_lock import FootLock
from kinema.control.leg_reach import knee_hinges
from kinema.control.motion_matching import MotionMatching
from kinema.mocap.database import MotionDatabase
from kinema.roles import require_biped

_SAMPLED = 4096


def motion_matching_controller(
    database: MotionDatabase, settings: Settings | None = None, allowed: NDArray[np.bool_] | None = None
) -> Controller:
    """Motion matching with foot lock on a database of a two-legged skeleton.

    Args:
        allowed: frames `[N]` that may be played, default all (one style, for example).

    Raises:
        SkeletonError: the skeleton has no legs.
    """
    require_biped(database.skeleton)
    family = MotionMatching(database, allowed=allowed)
    return Controller(family, settings or Settings(), foot_lock=foot_lock(database))


def foot_lock(database: MotionDatabase) -> FootLock:
    """The foot lock of a database's skeleton; knees are learned from its poses."""
    frames = np.linspace(0, database.frames - 1, min(database.frames, _SAMPLED)).astype(np.int64)
    poses = database.pose(frames)
    heights = np.full(len(database.contact_joints), database.clearance, np.float32)
    hinges = knee_hinges(database.skeleton, poses.global_rotations, poses.global_positions)
    return FootLock(database.skeleton, database.contact_joints, heights, hinges)
