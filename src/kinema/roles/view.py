"""Hips, spine, neck, head, legs and arms by joint index, derived from parts and chains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from kinema.errors import SkeletonError
from kinema.roles.model import Arm, Chain, Leg, Roles, Side

if TYPE_CHECKING:
    from kinema.skeleton import Skeleton

T = TypeVar("T")


def with_view(roles: Roles, skeleton: Skeleton) -> Roles:
    """The roles with spine, neck and head filled in and, for a body that walks on two legs, legs and arms."""
    found = _with_middle(roles, skeleton)
    if roles.plan not in ("biped", "winged") or any(chain.kind == "front_leg" for chain in roles.chains):
        return found
    legs, arms = _both(_leg, found, skeleton), _both(_arm, found, skeleton)
    if legs and not set(skeleton.ancestors(legs[0].upper)) & set(skeleton.ancestors(legs[1].upper)):
        legs = ()  # the legs are in two trees
    return replace(found, legs=legs, arms=arms)


def _both(find: Callable[[Roles, Skeleton, Side], T | None], roles: Roles, skeleton: Skeleton) -> tuple[T, ...]:
    """A limb of both sides, or nothing."""
    left, right = find(roles, skeleton, "left"), find(roles, skeleton, "right")
    return () if left is None or right is None else (left, right)


def _with_middle(roles: Roles, skeleton: Skeleton) -> Roles:
    heads = [joint for joint, part in enumerate(roles.parts) if part == "head" and roles.sides[joint] is None]
    if not heads:
        return roles
    head = min(heads, key=lambda joint: (skeleton.depths[joint], joint))
    above_hips = _way(skeleton, roles.hips, head)[1:]
    necks = [joint for joint in above_hips if roles.parts[joint] == "neck"]
    spine = tuple(joint for joint in above_hips if roles.parts[joint] not in ("neck", "head", "face"))
    return replace(roles, spine=spine, neck=necks[0] if necks else None, head=head)


def _way(skeleton: Skeleton, one: int, other: int) -> list[int]:
    """The joints from one to another: up to their nearest common ancestor and down again; empty in two trees."""
    up, down = [one, *skeleton.ancestors(one)], [other, *skeleton.ancestors(other)]
    meeting = next((joint for joint in up if joint in down), None)
    if meeting is None:
        return []
    return up[: up.index(meeting)] + down[: down.index(meeting) + 1][::-1]


def _picked(roles: Roles, kind: str, side: Side, parts: tuple[str, ...]) -> list[int | None]:
    """The first joint of each part in a chain."""
    chain = roles.chain(f"{side}_{kind}")
    joints = chain.joints if chain is not None else ()
    return [next((joint for joint in joints if roles.parts[joint] == part), None) for part in parts]


def detached_foot(skeleton: Skeleton, roles: Roles, limb: Chain) -> int | None:
    """The foot or hand that belongs to a limb but hangs elsewhere, as in rigs with inverse kinematics, or None."""
    part = "foot" if limb.kind == "leg" else "hand"
    if any(roles.parts[joint] == part for joint in limb.joints):
        return None
    below, positions = skeleton.below(limb.joints[:1]), skeleton.rest_pose.global_positions
    feet = [j for j, p in enumerate(roles.parts) if p == part and roles.sides[j] == limb.side and not below[j]]
    return min(feet, key=lambda j: float(np.linalg.norm(positions[j] - positions[limb.joints[-1]])), default=None)


def _leg(roles: Roles, skeleton: Skeleton, side: Side) -> Leg | None:
    upper, lower, foot, toe = _picked(roles, "leg", side, ("thigh", "shin", "foot", "toe"))
    chain, attached = roles.chain(f"{side}_leg"), foot is not None
    if foot is None and chain is not None:
        foot = detached_foot(skeleton, roles, chain)
    if upper is None or lower is None or foot is None or skeleton.parents[upper] < 0:
        return None
    return Leg(side, upper, lower, foot, _digit(roles, skeleton, foot) if toe is None else toe, attached)


def _digit(roles: Roles, skeleton: Skeleton, foot: int) -> int | None:
    """The first digit of a foot without a ball."""
    digits = [
        joint
        for joint in np.flatnonzero(skeleton.below([foot])).tolist()
        if joint != foot and roles.parts[joint] == "toes" and "metatars" not in skeleton.names[joint].lower()
    ]
    return min(digits, key=lambda joint: (skeleton.depths[joint], skeleton.names[joint]), default=None)


def _arm(roles: Roles, skeleton: Skeleton, side: Side) -> Arm | None:
    shoulder, upper, lower, hand = _picked(roles, "arm", side, ("shoulder", "upper_arm", "forearm", "hand"))
    if upper is None or lower is None or hand is None or skeleton.parents[upper] < 0:
        return None
    return Arm(side, shoulder, upper, lower, hand)


def carrier(skeleton: Skeleton) -> int:
    """The joint that carries the whole body: the hips, or one above them that is of the trunk or carries the legs."""
    roles = skeleton.roles
    tops = [chain.joints[0] for chain in roles.chains if chain.kind == "leg"]
    found = roles.hips
    for joint in skeleton.ancestors(roles.hips):
        beside = any(joint in skeleton.ancestors(top) and found not in skeleton.ancestors(top) for top in tops)
        if beside or roles.parts[joint] in ("hips", "spine", "neck", "head"):
            found = joint
    return found


def require_biped(skeleton: Skeleton) -> Roles:
    """The roles of a skeleton with a left and a right leg.

    Raises:
        SkeletonError: it has no such legs; the message lists the joints.
    """
    roles = skeleton.roles
    if roles.legs and not roles.is_biped:
        foot = roles.legs[0].foot
        raise SkeletonError(
            f"the foot {skeleton.names[foot]!r} hangs on {skeleton.names[int(skeleton.parents[foot])]!r} and not on the"
            " leg, as in rigs that move feet by inverse kinematics; retarget the motion to a rig with whole legs"
        )
    if not roles.is_biped:
        listed = ", ".join(skeleton.names[:12]) + (", ..." if skeleton.joint_count > 12 else "")
        raise SkeletonError(
            f"the skeleton has no legs: its plan is {roles.plan!r}, and no left and right chain of thigh, shin and foot"
            f" was found among {listed}; state them in a roles file"
        )
    return roles


def require_legs(skeleton: Skeleton) -> Roles:
    """The roles of a skeleton that walks on any number of legs.

    Raises:
        SkeletonError: it has none; the message lists the joints.
    """
    roles = skeleton.roles
    if not roles.legs and any(chain.kind in ("leg", "front_leg") for chain in roles.chains):
        return roles
    return require_biped(skeleton)
