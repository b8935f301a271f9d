"""Rigs whose feet do not hang on their legs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinema.kinematics import to_local
from kinema.mocap.contacts import contact_joints
from kinema.mocap.legs import LEG_KINDS
from kinema.motion import Motion
from kinema.skeleton import Skeleton


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
