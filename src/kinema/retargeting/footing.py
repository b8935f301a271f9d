"""Feet without toes: soles that the source's foot would press into the ground are levelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinema import rotations
from kinema.arrays import Singles
from kinema.pose import Pose
from kinema.retargeting.contacts import LIFT, settle
from kinema.retargeting.foot_paths import LegPair
from kinema.retargeting.limbs import set_global_rotations

if TYPE_CHECKING:
    from kinema.retargeting.retargeter import Retargeter

_HALVINGS = 10  # of the share by which a foot is levelled
_UP: Singles = np.array([0, 1, 0], np.float32)


def level_feet(setup: Retargeter, pose: Pose, fps: float) -> Pose:
    """Poses `[F]` with the feet of the target rotated towards level, until no corner of a sole is below the ground.

    A person at toe-off bends the toes. A stiff foot with the same pitch would enter the ground.
    """
    local = np.array(pose.local_rotations)
    for leg in setup.legs:
        foot = leg.target.end
        if foot is None:
            continue
        turn = _levelling(setup, pose, foot)
        share = settle(_share(leg, pose, foot, turn), fps, LIFT)
        turns = rotations.multiply(_part(turn, share), pose.global_rotations[:, foot])
        set_global_rotations(local, pose, {foot: turns})
    return pose.replace(local_rotations=local)


def _levelling(setup: Retargeter, pose: Pose, foot: int) -> Singles:
    """Rotations `[F, 4]` in the world that level a foot and keep its heading."""
    stood = setup.bodies[1].standing.rotations[foot]
    turn = rotations.multiply(pose.global_rotations[:, foot], rotations.inverse(stood))
    heading = rotations.swing_twist(turn, _UP)[1]
    return rotations.multiply(heading, rotations.inverse(turn))


def _share(leg: LegPair, pose: Pose, foot: int, turn: Singles) -> Singles:
    """The least share `[F]` of a rotation of the foot at which its sole is above the ground; 1 where none is enough."""
    places = pose.global_positions[:, foot]
    corners = np.stack([corner.points(pose) for corner in leg.corners], axis=1) - places[:, None]
    least, most = np.zeros(len(pose), np.float32), np.ones(len(pose), np.float32)
    fine = _lowest(corners, places) >= 0
    for _ in range(_HALVINGS):
        middle = np.float32(0.5) * (least + most)
        above = _lowest(rotations.rotate(_part(turn, middle)[:, None], corners), places) >= 0
        least, most = np.where(above, least, middle), np.where(above, middle, most)
    return np.where(fine, 0.0, most).astype(np.float32)


def _lowest(corners: Singles, places: Singles) -> Singles:
    """Height `[F]` of the lowest of corners `[F, C, 3]` of feet at `places` `[F, 3]`."""
    return (corners[..., 1] + places[:, None, 1]).min(axis=1)


def _part(turn: Singles, share: Singles) -> Singles:
    """Shares `[F]` of rotations `[F, 4]`."""
    return rotations.slerp(rotations.identity((len(turn),), turn), turn, share)
