"""The legs of a body with any number of feet."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Ints
from kinema.errors import SkeletonError
from kinema.skeleton import Skeleton

LEG_KINDS = ("leg", "front_leg")


def find_legs(skeleton: Skeleton, contact_joints: np.ndarray) -> Ints:
    """Upper, lower, foot and toe joint `[C, 4]` of the leg above each contact joint, for any number of legs.

    A biped's legs come from its roles. On other skeletons the leg goes from the first joint of the leg, or else of the
    limb, that carries the contact joint down to it. Its toe is that joint and its foot the one above. The knee is the
    joint that divides the leg into the most equal bones.

    Raises:
        SkeletonError: a contact joint does not end a limb of three joints or more.
    """
    if skeleton.roles.is_biped:
        legs = zip(skeleton.roles.legs, contact_joints.tolist(), strict=True)
        return np.asarray([[leg.upper, leg.lower, leg.foot, toe] for leg, toe in legs], np.int64)
    found = [_leg_above(skeleton, toe) for toe in contact_joints.tolist()]
    return np.asarray(found, np.int64).reshape(-1, 4)


def leg_over(skeleton: Skeleton, joint: int) -> tuple[int, ...] | None:
    """The joints of the leg that a joint belongs to or hangs on; None if that is no leg."""
    line = {joint, *skeleton.ancestors(joint)}
    legs = (chain.joints for chain in skeleton.roles.chains if chain.kind in LEG_KINDS)
    return next((leg for leg in legs if not line.isdisjoint(leg)), None)


def _leg_above(skeleton: Skeleton, toe: int) -> tuple[int, int, int, int]:
    limbs = (chain.joints for chain in skeleton.roles.chains if toe in chain.joints)
    chain = leg_over(skeleton, toe) or next(limbs, ())
    line = [*skeleton.ancestors(toe)[::-1], toe]
    above = line[line.index(chain[0]) :] if chain and chain[0] in line else []
    if len(above) < 3:
        raise SkeletonError(f"contact joint {skeleton.names[toe]!r} does not end a leg of three joints or more")
    *limb, foot = above if len(above) == 3 else above[:-1]
    places = skeleton.rest_pose.global_positions

    def shorter_bone(pair: tuple[int, int]) -> float:
        upper, lower = pair
        return float(min(_apart(places, upper, lower), _apart(places, lower, foot)))

    pairs = [(upper, lower) for place, lower in enumerate(limb) for upper in limb[:place]]
    longest = max(shorter_bone(pair) for pair in pairs)
    # Of legs that bend equally well, the one without the shoulder: the last, as pairs go down the limb.
    upper, lower = [pair for pair in pairs if shorter_bone(pair) > 0.99 * longest][-1]
    return upper, lower, foot, toe


def _apart(places: np.ndarray, one: int, other: int) -> float:
    return float(np.linalg.norm(places[one] - places[other]))
