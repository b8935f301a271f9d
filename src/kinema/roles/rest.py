"""How a rest pose stands: T, A, I, an animal on its legs, or none; up, forward, leg length and height."""

from __future__ import annotations

import numpy as np

from kinema.motion import Motion
from kinema.roles.model import Chain, RestKind, RestPose, Roles
from kinema.roles.recognise import find_roles
from kinema.roles.tree import Floats, is_pose
from kinema.skeleton import Skeleton

_LEVEL, _HANGING = 0.35, 0.85  # how far an arm points down, as a sine: less is a T, more an I
_X, _Y, _Z = np.eye(3)


def rest_pose(skeleton: Skeleton, motion: Motion | None = None, roles: Roles | None = None) -> RestPose:
    """How the rest pose of a skeleton stands.

    Args:
        skeleton: any.
        motion: of that skeleton; helps to find the roles where the rest pose is none.
        roles: of that skeleton, if they are known already.
    """
    if roles is None:
        roles = find_roles(skeleton, motion) if motion is not None else skeleton.roles
    placed = skeleton.rest_pose.global_positions.astype(np.float64)
    legs = [chain for chain in roles.chains if chain.kind == "leg"]
    up = _up(placed, legs if roles.plan != "many-legged" else [])
    kind = _kind(skeleton, placed, roles, up)
    if kind == "none" and roles.head is not None and not is_pose(skeleton, placed):
        up = _axis(placed[roles.head] - placed[roles.hips])
    return RestPose(
        kind=kind,
        up=up.astype(np.float32),
        forward=_forward(placed, roles, up).astype(np.float32),
        leg_length=_leg_length(skeleton, legs),
        height=_height(skeleton, placed, up),
    )


def _unit(way: Floats) -> Floats:
    return way / max(float(np.linalg.norm(way)), 1e-12)


def _up(placed: Floats, legs: list[Chain]) -> Floats:
    """Away from the feet, along the nearest axis of the world; +Y without legs."""
    ways = [placed[leg.joints[0]] - placed[leg.joints[-1]] for leg in legs if len(leg.joints) > 1]
    way = np.sum(ways, axis=0) if ways else _Y
    return _Y if way[1] > 0.5 * float(np.linalg.norm(way)) else _axis(way)


def _axis(way: Floats) -> Floats:
    """The axis of the world that a way is nearest to; +Y for none."""
    if float(np.linalg.norm(way)) < 1e-6:
        return _Y
    axis = int(np.argmax(np.abs(way)))
    return np.eye(3)[axis] * np.sign(way[axis])


def _forward(placed: Floats, roles: Roles, up: Floats) -> Floats:
    """Left x up, with left from the first joints of all limbs; of a body without limbs from hips to head."""
    total = np.zeros(3)
    for chain in roles.chains:
        if chain.side == "left" and chain.kind in ("leg", "arm", "front_leg", "wing", "fin"):
            joint = chain.joints[0]
            total += placed[joint] - placed[int(roles.partners[joint])]
    total -= (total @ up) * up
    if float(np.linalg.norm(total)) > 1e-9:
        return _unit(np.cross(_unit(total), up))
    way = placed[roles.head] - placed[roles.hips] if roles.head is not None else _Z
    way = way - (way @ up) * up
    if float(np.linalg.norm(way)) > 1e-9:
        return _unit(way)
    return _Z if abs(up[2]) < 0.9 else _X


def _kind(skeleton: Skeleton, placed: Floats, roles: Roles, up: Floats) -> RestKind:
    if not is_pose(skeleton, placed) or roles.plan == "unknown":
        return "none"
    if roles.plan != "biped":
        return "animal"
    legs = [_way(placed, chain) for chain in roles.chains if chain.kind == "leg" and len(chain.joints) > 1]
    if legs and min(float(-way @ up) for way in legs) < 0.5:
        return "none"
    arms = [_way(placed, chain) for chain in roles.chains if chain.kind == "arm" and len(chain.joints) > 2]
    if not arms:
        return "I"
    down = float(np.mean([-way @ up for way in arms]))
    if down < -_LEVEL or max(abs(float(way @ np.cross(up, _forward(placed, roles, up)))) for way in arms) < 0.1:
        return "I" if down > _HANGING else "none"
    return "T" if down < _LEVEL else "A" if down < _HANGING else "I"


def _way(placed: Floats, chain: Chain) -> Floats:
    """From the third joint before the end of a limb to its end: an arm without its clavicle."""
    return _unit(placed[chain.joints[-1]] - placed[chain.joints[max(len(chain.joints) - 3, 0)]])


def _leg_length(skeleton: Skeleton, legs: list[Chain]) -> float:
    """Mean metres along the bones from the hip joint to the ankle and on to the sole or the farthest toe."""
    lengths = []
    for leg in legs:
        run = [leg.joints[-1], *skeleton.ancestors(leg.joints[-1])]
        bones = float(skeleton.bone_lengths[run[: run.index(leg.joints[0])]].sum())
        tips = [
            float(np.linalg.norm(offset))
            for joint, offset in zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True)
            if joint == leg.joints[-1]
        ]
        lengths.append(bones + max(tips, default=0.0))
    return float(np.mean(lengths)) if lengths else 0.0


def _height(skeleton: Skeleton, placed: Floats, up: Floats) -> float:
    if up[1] > 0.9:
        return skeleton.height
    return float(np.ptp(placed @ up))
