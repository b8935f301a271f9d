"""The view of a body as a biped: hips, spine, neck, head, legs and arms by index, derived from its roles."""

from __future__ import annotations

from dataclasses import replace

from kinema.errors import SkeletonError
from kinema.roles.model import Arm, Leg, Roles, Side
from kinema.skeleton import Skeleton

_SIDES: tuple[Side, Side] = ("left", "right")


def with_view(roles: Roles, skeleton: Skeleton) -> Roles:
    """The roles with hips, spine, neck, head and, of a body that walks on two legs, legs and arms filled in."""
    by_part: dict[tuple[str, Side | None], list[int]] = {}
    for joint, (part, side) in enumerate(zip(roles.parts, roles.sides, strict=True)):
        by_part.setdefault((part, side), []).append(joint)
    heads = by_part.get(("head", None), [])
    head = min(heads, key=lambda joint: (skeleton.depths[joint], joint)) if heads else None
    between = skeleton.ancestors(head)[::-1] if head is not None else []
    below_hips = between[between.index(roles.hips) + 1 :] if roles.hips in between else []
    neck = next((joint for joint in below_hips if roles.parts[joint] == "neck"), None)
    spine = tuple(joint for joint in below_hips if roles.parts[joint] not in ("neck", "head", "face"))
    found = replace(roles, spine=spine, neck=neck, head=head)
    if roles.plan not in ("biped", "winged") or any(chain.kind == "front_leg" for chain in roles.chains):
        return found
    legs = tuple(leg for side in _SIDES if (leg := _leg(found, skeleton, side)) is not None)
    arms = tuple(arm for side in _SIDES if (arm := _arm(found, skeleton, side)) is not None)
    if len(legs) == 2 and not set(skeleton.ancestors(legs[0].upper)) & set(skeleton.ancestors(legs[1].upper)):
        legs = ()  # of two trees
    return replace(found, legs=legs if len(legs) == 2 else (), arms=arms if len(arms) == 2 else ())


def _run(roles: Roles, kind: str, side: Side) -> tuple[int, ...]:
    chain = roles.chain(f"{side}_{kind}")
    return chain.joints if chain is not None else ()


def _pick(roles: Roles, run: tuple[int, ...], part: str) -> int | None:
    return next((joint for joint in run if roles.parts[joint] == part), None)


def _leg(roles: Roles, skeleton: Skeleton, side: Side) -> Leg | None:
    run = _run(roles, "leg", side)
    upper, lower, foot = (_pick(roles, run, part) for part in ("thigh", "shin", "foot"))
    if upper is None or lower is None or foot is None or skeleton.parents[upper] < 0:
        return None
    toe = _pick(roles, run, "toe")
    return Leg(side, upper, lower, foot, _digit(roles, skeleton, foot) if toe is None else toe)


def _digit(roles: Roles, skeleton: Skeleton, foot: int) -> int | None:
    """The first digit of a foot that has digits and no ball."""
    below, found = {foot}, []
    for joint in range(foot + 1, skeleton.joint_count):
        if int(skeleton.parents[joint]) in below:
            below.add(joint)
            if roles.parts[joint] == "toes" and "metatars" not in skeleton.names[joint].lower():
                found.append(joint)
    return min(found, key=lambda joint: (skeleton.depths[joint], skeleton.names[joint])) if found else None


def _arm(roles: Roles, skeleton: Skeleton, side: Side) -> Arm | None:
    run = _run(roles, "arm", side)
    upper, lower, hand = (_pick(roles, run, part) for part in ("upper_arm", "forearm", "hand"))
    if upper is None or lower is None or hand is None or skeleton.parents[upper] < 0:
        return None
    return Arm(side, _pick(roles, run, "shoulder"), upper, lower, hand)


def require_biped(skeleton: Skeleton) -> Roles:
    """The roles of a skeleton with a left and a right leg.

    Raises:
        SkeletonError: it has no such legs; the message lists the joints.
    """
    roles = skeleton.roles
    if not roles.is_biped:
        listed = ", ".join(skeleton.names[:12]) + (", ..." if skeleton.joint_count > 12 else "")
        raise SkeletonError(
            f"the skeleton has no legs: a left and a right chain of thigh, shin and foot (or plan {roles.plan!r} that "
            f"walks on two) were not found among {listed}; state them in a roles file"
        )
    return roles
