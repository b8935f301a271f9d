"""Roles as retargeting needs them: animals whose front legs are called arms, and hind legs of three bones."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from kinema import rotations
from kinema.arrays import Singles
from kinema.motion import Motion
from kinema.retargeting.chains import limb_chains, limb_joints
from kinema.retargeting.stance import sampled, standing_axes
from kinema.roles import Chain, Roles, find_roles
from kinema.skeleton import Skeleton


def with_body_plan(skeleton: Skeleton, motions: Sequence[Motion]) -> Skeleton:
    """The skeleton with roles that fit its body.

    Where the rest pose is not a standing pose, motion decides: a body whose front legs are named like arms is an animal
    if its trunk is level, it has a tail and its hands walk. Hind legs of animals get three long bones whatever their
    names are.
    """
    moving = [motion for motion in motions if motion.frames]
    roles = skeleton.roles
    if moving and standing_axes(skeleton.rest_pose) is None:
        seen = find_roles(skeleton, moving[0])
        if roles.plan == seen.plan or roles.plan != "quadruped":  # an animal may sit in all of its motion
            roles = _as_animal(seen, moving)
    roles = _with_three_bones(skeleton, roles)
    return skeleton if roles is skeleton.roles else skeleton.with_roles(roles)


def _as_animal(roles: Roles, motions: Sequence[Motion]) -> Roles:
    """Roles with arms as front legs if they walk, else unchanged."""
    arms = [chain for chain in roles.chains if chain.kind == "arm"]
    if len(arms) != 2 or roles.chain("tail") is None or not _walks_on_hands(roles, sampled(motions).global_positions):
        return roles
    chains = tuple(dataclasses.replace(c, kind="front_leg") if c in arms else c for c in roles.chains)
    return dataclasses.replace(roles, chains=chains, plan="quadruped")


def _walks_on_hands(roles: Roles, positions: Singles) -> bool:
    arms = [limb_joints(roles, chain) for chain in limb_chains(roles, ("arm",))]
    legs = [limb_joints(roles, chain) for chain in limb_chains(roles, ("leg",))]
    hands, feet = ([end for _, _, end in limbs if end is not None] for limbs in (arms, legs))
    if not hands or not feet:
        return False
    trunk = positions[:, [upper for upper, _, _ in arms]].mean(axis=1) - positions[:, roles.hips]
    level = float(np.median(np.abs(rotations.normalize_vector(trunk)[:, 1]))) <= 0.6
    low, ground = (float(np.median(positions[:, joints, 1])) for joints in (hands, feet))
    return level and low < ground + 0.3 * float(np.median(positions[:, roles.hips, 1]) - ground)


def _with_three_bones(skeleton: Skeleton, roles: Roles) -> Roles:
    """Legs of two named bones with a long, bent third between them become thigh, shin and foot."""
    if roles.plan == "many-legged":
        return roles
    parts, chains = list(roles.parts), list(roles.chains)
    for index, chain in enumerate(chains):
        between = _bone_between(skeleton, chain)
        if between is not None:
            chains[index] = dataclasses.replace(chain, joints=(chain.joints[0], between, chain.joints[1]))
            for joint, part in zip(chains[index].joints, ("thigh", "shin", "foot"), strict=True):
                parts[joint] = part
    if parts == list(roles.parts):
        return roles
    return dataclasses.replace(roles, parts=tuple(parts), chains=tuple(chains))


def _bone_between(skeleton: Skeleton, chain: Chain) -> int | None:
    """The joint of the long bone between the two joints of a leg, None without one."""
    if chain.kind != "leg" or len(chain.joints) != 2:
        return None
    first, last = chain.joints
    between = [j for j in skeleton.ancestors(last) if skeleton.depths[j] > skeleton.depths[first]]
    if len(between) != 1:
        return None
    points = skeleton.rest_pose.global_positions[[first, between[0], last]]
    upper, lower = np.diff(points, axis=0)
    lengths = np.linalg.norm(upper), np.linalg.norm(lower)
    bent = upper @ lower < 0.9 * lengths[0] * lengths[1]
    return between[0] if bent and min(lengths) > 0.3 * max(lengths) else None
