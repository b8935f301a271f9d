"""The stance of a rest pose: T, A, I, an animal on its legs, or none; up, forward, leg length and height."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.roles.model import RestKind, RestPose, Roles
from kinema.roles.recognise import find_roles
from kinema.roles.tree import is_pose, unit
from kinema.roles.upright import WHOLE, Upright, find_upright, find_upright_lying, nearest_axis
from kinema.roles.view import detached_foot

if TYPE_CHECKING:
    from kinema.motion import Motion
    from kinema.skeleton import Skeleton

_LEVEL, _HANGING = 0.35, 0.85  # how far arms point down, as a sine: less is a T, more is an I
_IN_LINE = 0.9  # cosine of the angle between legs and trunk in a pose where all bones lie along one line
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
    upright = _upright(skeleton, positions, roles)
    return RestPose(
        kind=_kind(skeleton, positions, roles, upright.up),
        up=upright.up.astype(np.float32),
        forward=_forward(positions, roles, upright.up).astype(np.float32),
        leg_length=_leg_length(skeleton, positions, roles),
        height=_height(skeleton, positions, upright.up),
        sure=upright.sure,
    )


def _upright(skeleton: Skeleton, positions: Floats, roles: Roles) -> Upright:
    """Up in the rest pose. Where all bones lie along one line, as in some motion files, it is the way to the head."""
    spans, whole = _ways(skeleton, positions, roles, "leg"), _has_whole_legs(skeleton, roles)
    front = _ways(skeleton, positions, roles, "front_leg")
    if roles.plan == "many-legged":
        spans = front = spans[:0]
    trunk = positions[roles.head] - positions[roles.hips] if roles.head is not None else np.zeros(3)
    if whole and not is_pose(skeleton, positions):
        in_line = len(spans) > 0 and float(np.abs(spans @ unit(trunk)).min()) > _IN_LINE
        return Upright(nearest_axis(trunk) if in_line else _Y, True)
    if not len(spans) and roles.plan == "legless":
        return _upright_lying(skeleton, positions, roles)
    legs, front_legs = (ways.sum(axis=0) / max(len(ways), 1) for ways in (spans, front))
    return find_upright(legs, trunk if whole and not len(front) else np.zeros(3), front_legs)


def _upright_lying(skeleton: Skeleton, positions: Floats, roles: Roles) -> Upright:
    """Up in the rest pose of a body without legs."""
    middle = [joint for joint, side in enumerate(roles.sides) if side is None]
    head = roles.head if roles.head is not None else middle[-1]
    if any(chain.kind == "arm" for chain in roles.chains):
        return Upright(nearest_axis(positions[head] - positions[roles.hips]), True)
    lefts = [joint for joint, side in enumerate(roles.sides) if side == "left" and roles.partners[joint] != joint]
    across = (positions[lefts] - positions[roles.partners[lefts]]).sum(axis=0)
    fins = _ways(skeleton, positions, roles, "fin")
    return find_upright_lying(positions[middle], positions[head], across, fins.sum(axis=0) / max(len(fins), 1))


def _has_whole_legs(skeleton: Skeleton, roles: Roles) -> bool:
    """Whether every leg shows where its foot is."""
    legs = [chain for chain in roles.chains if chain.kind == "leg"]
    return all(len(leg.joints) >= WHOLE or detached_foot(skeleton, roles, leg) is not None for leg in legs)


def _ways(skeleton: Skeleton, positions: Floats, roles: Roles, kind: str) -> Floats:
    """Unit vectors `[N, 3]` along the limbs of a kind."""
    return np.array([unit(span) for span in _spans(skeleton, positions, roles, kind)]).reshape(-1, 3)


def _spans(skeleton: Skeleton, positions: Floats, roles: Roles, kind: str) -> list[Floats]:
    """From the first joint of each limb of a kind to the tip of its last one, or to the foot that hangs elsewhere."""
    spans = []
    for chain in roles.chains:
        if chain.kind == kind:
            foot, last = detached_foot(skeleton, roles, chain), chain.joints[-1]
            end = _farthest(skeleton, positions, last) if foot is None else positions[foot]
            spans.append(end - positions[chain.joints[0]])
    return [span for span in spans if float(np.linalg.norm(span)) > 0]


def _farthest(skeleton: Skeleton, positions: Floats, joint: int) -> Floats:
    """The farthest tip of a joint, or the joint itself `[3]`."""
    tips = skeleton.tip_offsets[skeleton.tip_joints == joint].astype(np.float64)
    if not len(tips):
        return positions[joint]
    turn = skeleton.rest_pose.global_rotations[joint].astype(np.float64)
    return positions[joint] + rotations.rotate(turn, tips[np.linalg.norm(tips, axis=-1).argmax()])


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
    legs = _spans(skeleton, positions, roles, "leg")
    if legs and min(float(-unit(span) @ up) for span in legs) < 0.5:
        return "none"
    return _arm_kind(_arms(positions, roles), up, np.cross(up, _forward(positions, roles, up)))


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


def _arms(positions: Floats, roles: Roles) -> list[Floats]:
    """Unit vectors along the last three joints of each arm, which leaves out a clavicle."""
    chains = [chain.joints for chain in roles.chains if chain.kind == "arm" and len(chain.joints) >= 3]
    return [unit(positions[joints[-1]] - positions[joints[-3]]) for joints in chains]


def _leg_length(skeleton: Skeleton, positions: Floats, roles: Roles) -> float:
    """Mean metres along the bones from the hip joint to the ankle, and on to the sole or the farthest toe."""
    lengths = []
    for leg in roles.chains:
        if leg.kind != "leg":
            continue
        last, foot = leg.joints[-1], detached_foot(skeleton, roles, leg)
        run = [last, *skeleton.ancestors(last)]
        bones = float(skeleton.bone_lengths[run[: run.index(leg.joints[0])]].sum())
        end = _farthest(skeleton, positions, last) if foot is None else positions[foot]
        lengths.append(bones + float(np.linalg.norm(end - positions[last])))
    return float(np.mean(lengths)) if lengths else 0.0


def _height(skeleton: Skeleton, positions: Floats, up: Floats) -> float:
    if up[1] > 0.9:
        return skeleton.height
    return float(np.ptp(positions @ up))
