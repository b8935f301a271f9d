"""The legs of a body with any number of feet, and rigs whose feet do not hang on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinema.arrays import Ints
from kinema.errors import SkeletonError
from kinema.kinematics import to_local
from kinema.motion import Motion
from kinema.skeleton import Skeleton

LEG_KINDS = ("leg", "front_leg")


def find_legs(skeleton: Skeleton, contact_joints: np.ndarray) -> Ints:
    """Upper, lower, foot and toe joint `[C, 4]` of the leg above each contact joint, for any number of legs.

    A biped's legs come from its roles. On other skeletons the leg is the chain that ends in the contact joint. Its toe
    is that joint and its foot the one above. The knee is the joint that divides the leg into the most equal bones.

    Raises:
        SkeletonError: a contact joint does not end a limb of three joints or more.
    """
    if skeleton.roles.is_biped:
        legs = zip(skeleton.roles.legs, contact_joints.tolist(), strict=True)
        return np.asarray([[leg.upper, leg.lower, leg.foot, toe] for leg, toe in legs], np.int64)
    found = [_leg_above(skeleton, toe) for toe in contact_joints.tolist()]
    return np.asarray(found, np.int64).reshape(-1, 4)


def _leg_above(skeleton: Skeleton, toe: int) -> tuple[int, int, int, int]:
    chain = next((chain.joints for chain in skeleton.roles.chains if toe in chain.joints), ())
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


def attach_feet(motion: Motion) -> Motion:
    """The motion on a skeleton whose feet hang on its legs.

    Rigs that move feet by inverse kinematics hang them on the root or on nothing. Each such foot becomes a child of
    the leg that ends nearest to it at rest. All joints stay where they are in every frame. Bodies on two legs, and
    those whose feet hang on legs already, are returned as they are.
    """
    whole = with_attached_feet(motion.skeleton)
    if whole is motion.skeleton:
        return motion
    pose = motion[:]
    local = to_local(pose.global_rotations, pose.global_positions, whole.parents)
    made = Motion.create(whole, *local, fps=motion.fps, labels=motion.labels)
    return made.replace(name=motion.name, tags=motion.tags, warnings=motion.warnings)


def with_attached_feet(skeleton: Skeleton) -> Skeleton:
    """The skeleton with its feet on its legs, see `attach_feet`; the same object if they hang there already."""
    parents = _attached_parents(skeleton)
    if np.array_equal(parents, skeleton.parents):
        return skeleton
    rest = skeleton.rest_pose
    rotation, translation = to_local(rest.global_rotations, rest.global_positions, parents)
    return replace(skeleton, parents=parents, rest_rotations=rotation, rest_translations=translation, known_roles=None)


def _attached_parents(skeleton: Skeleton) -> np.ndarray:
    from kinema.mocap.contacts import contact_joints  # imported here because contacts use legs

    parents = skeleton.parents.copy()
    roles = skeleton.roles
    ends = [chain.joints[-1] for chain in roles.chains if chain.kind in LEG_KINDS]
    if roles.legs or not ends:
        return parents
    trunk = {roles.hips, *skeleton.ancestors(roles.hips)}
    legs = {joint for chain in roles.chains for joint in chain.joints}
    places = skeleton.rest_pose.global_positions
    for foot in contact_joints(skeleton).tolist():
        line = [foot, *skeleton.ancestors(foot)]
        apart = [joint for joint in line if joint not in trunk]
        if ends and apart and legs.isdisjoint(apart) and roles.hips not in line:
            end = min(ends, key=lambda joint: _apart(places, joint, apart[-1]))
            if end < apart[-1]:  # parents come before their children
                parents[apart[-1]] = end
                ends.remove(end)
    return parents


def _apart(places: np.ndarray, one: int, other: int) -> float:
    return float(np.linalg.norm(places[one] - places[other]))
