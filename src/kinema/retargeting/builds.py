"""Roles that fit what is done here: animals whose front legs are called arms, and hind legs of three bones."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from kinema import rotations
from kinema.motion import Motion
from kinema.retargeting.stance import limbs, rest_axes, sampled, segments
from kinema.roles import Roles, find_roles
from kinema.skeleton import Skeleton


def knowing(skeleton: Skeleton, motions: Sequence[Motion]) -> Skeleton:
    """The skeleton with roles that fit what is done here.

    Where the rest pose shows nobody who stands, motion is taken into account: an animal whose front legs are named
    like arms is one if its trunk lies level, it has a tail and its hands walk. Hind legs of animals have three long
    bones whatever these are called.
    """
    moving = [motion for motion in motions if motion.frames]
    roles = skeleton.roles
    if moving and rest_axes(skeleton, skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions) is None:
        seen = find_roles(skeleton, moving[0])
        if roles.plan == seen.plan or roles.plan != "quadruped":  # an animal may sit all the time
            roles = _seen_moving(skeleton, seen, moving)
    roles = _three_bones(skeleton, roles)
    return skeleton if roles is skeleton.roles else skeleton.with_roles(roles)


def _seen_moving(skeleton: Skeleton, roles: Roles, moving: Sequence[Motion]) -> Roles:
    arms = [chain for chain in roles.chains if chain.kind == "arm"]
    if len(arms) != 2 or not any(chain.kind == "tail" for chain in roles.chains):
        return roles
    placed = sampled(moving)[1]
    tops = {kind: [segments(roles, chain) for chain in limbs(roles, (kind,))] for kind in ("arm", "leg")}
    ends = {kind: [end for _, _, end in found if end is not None] for kind, found in tops.items()}
    if not ends["arm"] or not ends["leg"]:
        return roles
    trunk = rotations.normalize_vector(placed[:, [s[0] for s in tops["arm"]]].mean(axis=1) - placed[:, roles.hips])
    low = {kind: float(np.median(placed[:, joints, 1])) for kind, joints in ends.items()}
    stands = low["arm"] < low["leg"] + 0.3 * float(np.median(placed[:, roles.hips, 1]) - low["leg"])
    if float(np.median(np.abs(trunk[:, 1]))) > 0.6 or not stands:
        return roles
    chains = tuple(dataclasses.replace(c, kind="front_leg") if c in arms else c for c in roles.chains)
    return dataclasses.replace(roles, chains=chains, plan="quadruped")


def _three_bones(skeleton: Skeleton, roles: Roles) -> Roles:
    """Legs of two named bones with a long, bent third between them get it back: thigh, shin and foot."""
    parts, chains = list(roles.parts), list(roles.chains)
    placed = skeleton.rest_pose.global_positions
    for index, chain in enumerate(chains):
        if chain.kind != "leg" or len(chain.joints) != 2 or roles.plan == "many-legged":
            continue
        first, last = chain.joints
        between = [j for j in skeleton.ancestors(last) if skeleton.depths[j] > skeleton.depths[first]]
        if len(between) != 1:
            continue
        bones = placed[[between[0], last]] - placed[[first, between[0]]]
        lengths = np.linalg.norm(bones, axis=-1)
        bent = bool(lengths.min() > 0.3 * lengths.max() and bones[0] @ bones[1] < 0.9 * lengths[0] * lengths[1])
        if bent:
            chains[index] = dataclasses.replace(chain, joints=(first, between[0], last))
            for joint, part in zip(chains[index].joints, ("thigh", "shin", "foot"), strict=True):
                parts[joint] = part
    if parts == list(roles.parts):
        return roles
    return dataclasses.replace(roles, parts=tuple(parts), chains=tuple(chains))
