"""Controllers ready to use."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.control.adjust import Adjustment
from kinema.control.controller import Controller, Settings
from kinema.control.family import Family
from kinema.control.foot_lock import FootLock
from kinema.control.leg_reach import find_legs, knee_hinges
from kinema.control.motion_matching import MotionMatching
from kinema.control.trajectory import Trajectory
from kinema.mocap.database import MotionDatabase
from kinema.roles import require_biped

_SAMPLED = 4096


def motion_matching_controller(
    database: MotionDatabase, settings: Settings | None = None, allowed: NDArray[np.bool_] | None = None
) -> Controller:
    """Motion matching with adjustment and foot lock on a database of a two-legged skeleton.

    Args:
        allowed: frames `[N]` that may be played, default all (one style, for example).

    Raises:
        SkeletonError: the skeleton has no legs.
    """
    require_biped(database.skeleton)
    return with_stages(MotionMatching(database, allowed=allowed), database, settings)


def with_stages(family: Family, database: MotionDatabase, settings: Settings | None = None) -> Controller:
    """A controller of any family with adjustment and foot lock, for bodies with any number of legs.

    Args:
        database: poses of the family's skeleton, from which ground and knees are learned.

    Raises:
        SkeletonError: a contact joint of the database ends no leg.
    """
    trajectory = Trajectory.start(1)
    return Controller(family, settings or Settings(), trajectory, [Adjustment(trajectory), foot_lock(database, family)])


def foot_lock(database: MotionDatabase, family: Family | None = None) -> FootLock:
    """The foot lock of a database's skeleton; knees are learned from its poses.

    Args:
        family: whose plans tell which feet are about to touch the ground.
    """
    frames = np.linspace(0, database.frames - 1, min(database.frames, _SAMPLED)).astype(np.int64)
    legs = find_legs(database.skeleton, database.contact_joints)
    heights = np.full(len(legs), database.clearance, np.float32)
    ahead = None if family is None else lambda seconds: family.sample(seconds).pose.contacts
    return FootLock(database.skeleton, legs, heights, knee_hinges(database.pose(frames), legs), ahead)
