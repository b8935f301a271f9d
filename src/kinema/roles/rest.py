"""The stance of a rest pose: T, A, I, an animal on its legs, or none; up, forward, leg length and height."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinema.roles.model import Chain, RestKind, RestPose, Roles
from kinema.roles.recognise import find_roles
from kinema.roles.tree import Floats, is_pose, unit

if TYPE_CHECKING:
    from kinema.motion import Motion
    from kinema.skeleton import Skeleton

_LEVEL, _HANGING = 0.35, 0.85  # how far arms point down, as a sine: less is a T, more is an I
_X, _Y, _Z = np.eye(3)


def rest_pose(skeleton: Skeleton, motion: Motion | None = None, roles: Roles | None = None) -> RestPose:
    """The stance of a skeleton's rest pose.

    Args:
        skeleton: any.
        motion: of that skeleton; helps to find the roles where the rest pose is not a stance.
        roles: of that skeleton, if known already.
    """
    roles = roles or (skeleton.roles if motion is None else find_roles(skeleton, motion))
    positions = skeleton.rest_pose.global_positions.astype(np.float64)
    legs = [chain for chain in roles.chains if chain.kind == "leg"]
    up = _up(positions, legs if roles.plan != "many-legged" else [])
    kind = _kind(skeleton, positions, roles, up)
    if roles.head is not None and not is_pose(skeleton, positions):
        up = _nearest_axis(positions[roles.head] - positions[roles.hips])
    return RestPose(
        kind=kind,
        up=up.astype(np.float32),
        forward=_forward(positions, roles, up).astype(np.float32),
        leg_length=_leg_length(skeleton, legs),
        height=_height(skeleton, positions, up),
    )


def _up(positions: Floats, legs: list[Chain]) -> Floats:
    """Away from the feet, along the nearest axis of model space; +Y without legs."""
    directions = [positions[leg.joints[0]] - positions[leg.joints[-1]] for leg in legs if len(leg.joints) > 1]
    direction = np.sum(directions, axis=0) if directions else _Y
    return _Y if direction[1] > 0.5 * float(np.linalg.norm(direction)) else _nearest_axis(direction)


def _nearest_axis(direction: Floats) -> Floats:
    """The axis of model space nearest to a direction; +Y for zero."""
    if float(np.linalg.norm(direction)) < 1e-6:
        return _Y
    axis = int(np.argmax(np.abs(direction)))
    return np.eye(3)[axis] * np.sign(direction[axis])


def _forward(positions: Floats, roles: Roles, up: Floats) -> Floats:
    """Left x up, with left from the first joints of all limbs; without limbs, from hips to head."""
    left = np.zeros(3)
    for chain in roles.chains:
        if chain.side == "left" and chain.kind in ("leg", "arm", "front_leg", "wing", "fin"):
            joint = chain.joints[0]
            left += positions[joint] - positions[int(roles.partners[joint])]
    left -= (left @ up) * up
    if float(np.linalg.norm(left)) > 1e-9:
        return unit(np.cross(unit(left), up))
    direction = positions[roles.head] - positions[roles.hips] if roles.head is not None else _Z
    direction = direction - (direction @ up) * up
    if float(np.linalg.norm(direction)) > 1e-9:
        return unit(direction)
    return _Z if abs(up[2]) < 0.9 else _X


def _kind(skeleton: Skeleton, positions: Floats, roles: Roles, up: Floats) -> RestKind:
    if not is_pose(skeleton, positions) or roles.plan == "unknown":
        return "none"
    if roles.plan != "biped":
        return "animal"
    legs = _directions(positions, roles, "leg", 2)
    if legs and min(float(-direction @ up) for direction in legs) < 0.5:
        return "none"
    return _arm_kind(_directions(positions, roles, "arm", 3), up, np.cross(up, _forward(positions, roles, up)))


def _arm_kind(arms: list[Floats], up: Floats, lateral: Floats) -> RestKind:
    """The stance by the directions of the arms."""
    if not arms:
        return "I"
    down = float(np.mean([-direction @ up for direction in arms]))
    if down > _HANGING:
        return "I"
    if down < -_LEVEL or max(abs(float(direction @ lateral)) for direction in arms) < 0.1:
        return "none"
    return "T" if down < _LEVEL else "A"


def _directions(positions: Floats, roles: Roles, kind: str, least: int) -> list[Floats]:
    """Unit vectors along the last three joints of limbs, which leaves out a clavicle; of chains of `least` joints."""
    chains = [chain.joints for chain in roles.chains if chain.kind == kind and len(chain.joints) >= least]
    return [unit(positions[joints[-1]] - positions[joints[max(len(joints) - 3, 0)]]) for joints in chains]


def _leg_length(skeleton: Skeleton, legs: list[Chain]) -> float:
    """Mean metres along the bones from the hip joint to the ankle, and on to the sole or the farthest toe."""
    lengths = []
    for leg in legs:
        last = leg.joints[-1]
        run = [last, *skeleton.ancestors(last)]
        bones = float(skeleton.bone_lengths[run[: run.index(leg.joints[0])]].sum())
        tips = np.linalg.norm(skeleton.tip_offsets[skeleton.tip_joints == last], axis=-1)
        lengths.append(bones + float(tips.max(initial=0.0)))
    return float(np.mean(lengths)) if lengths else 0.0


def _height(skeleton: Skeleton, positions: Floats, up: Floats) -> float:
    if up[1] > 0.9:
        return skeleton.height
    return float(np.ptp(positions @ up))
