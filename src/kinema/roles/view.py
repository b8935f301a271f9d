"""Hips, spine, neck, head, legs and arms by joint index, derived from parts and chains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from kinema.errors import SkeletonError
from kinema.roles.model import Arm, Leg, Roles, Side

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
    run = skeleton.ancestors(head)[::-1]
    above_hips = run[run.index(roles.hips) + 1 :] if roles.hips in run else []
    necks = [joint for joint in above_hips if roles.parts[joint] == "neck"]
    spine = tuple(joint for joint in above_hips if roles.parts[joint] not in ("neck", "head", "face"))
    return replace(roles, spine=spine, neck=necks[0] if necks else None, head=head)


def _picked(roles: Roles, kind: str, side: Side, parts: tuple[str, ...]) -> list[int | None]:
    """The first joint of each part in a chain."""
    chain = roles.chain(f"{side}_{kind}")
    joints = chain.joints if chain is not None else ()
    return [next((joint for joint in joints if roles.parts[joint] == part), None) for part in parts]


def _leg(roles: Roles, skeleton: Skeleton, side: Side) -> Leg | None:
    upper, lower, foot, toe = _picked(roles, "leg", side, ("thigh", "shin", "foot", "toe"))
    if upper is None or lower is None or foot is None or skeleton.parents[upper] < 0:
        return None
    return Leg(side, upper, lower, foot, _digit(roles, skeleton, foot) if toe is None else toe)


def _digit(roles: Roles, skeleton: Skeleton, foot: int) -> int | None:
    """The first digit of a foot without a ball."""
    below, found = {foot}, []
    for joint in range(foot + 1, skeleton.joint_count):
        if int(skeleton.parents[joint]) in below:
            below.add(joint)
            if roles.parts[joint] == "toes" and "metatars" not in skeleton.names[joint].lower():
                found.append(joint)
    return min(found, key=lambda joint: (skeleton.depths[joint], skeleton.names[joint])) if found else None


def _arm(roles: Roles, skeleton: Skeleton, side: Side) -> Arm | None:
    shoulder, upper, lower, hand = _picked(roles, "arm", side, ("shoulder", "upper_arm", "forearm", "hand"))
    if upper is None or lower is None or hand is None or skeleton.parents[upper] < 0:
        return None
    return Arm(side, shoulder, upper, lower, hand)


def require_biped(skeleton: Skeleton) -> Roles:
    """The roles of a skeleton with a left and a right leg.

    Raises:
        SkeletonError: it has no such legs; the message lists the joints.
    """
    roles = skeleton.roles
    if not roles.is_biped:
        listed = ", ".join(skeleton.names[:12]) + (", ..." if skeleton.joint_count > 12 else "")
        raise SkeletonError(
            f"the skeleton has no legs: its plan is {roles.plan!r}, and no left and right chain of thigh, shin and foot"
            f" was found among {listed}; state them in a roles file"
        )
    return roles
