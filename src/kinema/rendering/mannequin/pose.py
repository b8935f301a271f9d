"""The pose in which a mannequin is modelled.

A mesh needs a pose with its limbs apart and bent the way they usually are. The rest pose of most files is such a pose,
that of others is none at all (every bone along +X): then the mean of the motion takes its place, or, for a person
without a motion, a stand built from roles. The bind matrices undo the pose, so any will do for the skin.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kinema import mirroring, naming, rotations
from kinema.kinematics import forward_reference
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.roles import Arm, Leg, rest_pose
from kinema.skeleton import Skeleton

Floats = NDArray[np.float64]

_MOST_FRAMES = 256
_NO_POSE = np.radians(48)  # mean angle between bones of rest pose and motion from which the rest pose is given up
_ODD_POSE = np.radians(30)  # the same where no body stands like the rest pose
_ARMS_OUT = np.radians(42)  # least angle between upper arm and trunk
_LEGS_APART = np.radians(7)  # least angle of a person's leg to the plane between the two
_UPRIGHT = np.radians(120)  # least angle between spine and thighs of a body that stands like a person


def modelling_pose(skeleton: Skeleton, motion: Motion | None = None) -> tuple[Floats, Floats]:
    """Global rotations `[J, 4]` and positions `[J, 3]` to model in: left is +X where sides are known."""
    turned = skeleton.rest_rotations.astype(np.float64)
    moved = skeleton.rest_translations.astype(np.float64)
    parents = skeleton.parents.tolist()
    if motion is not None and motion.frames:
        usual = _mean_pose(motion)
        most = _ODD_POSE if rest_pose(skeleton).kind == "none" else _NO_POSE
        if _mean_angle(skeleton, (turned, moved), usual) > most:
            turned, moved = usual
    rotated, placed = forward_reference(turned, moved, parents)
    roles = skeleton.roles
    if roles.is_biped and len(roles.arms) == 2 and roles.head is not None and not _has_tail(skeleton):
        if not upright(skeleton, placed):
            rotated, placed = _stand(skeleton, rotated, moved)
        rotated, placed = _spread_legs(skeleton, rotated, moved, placed)
        rotated, placed = _spread_arms(skeleton, rotated, moved, placed)
    return _facing(skeleton, rotated, placed)


def upright(skeleton: Skeleton, placed: Floats) -> bool:
    """Whether the body stands like a person: legs one way from the hips, the trunk the other."""
    roles = skeleton.roles
    top = roles.neck if roles.neck is not None else roles.head
    if not roles.is_biped or top is None:
        return False
    trunk = _unit(placed[top] - placed[roles.hips])
    return all(_angle(_unit(placed[leg.foot] - placed[leg.upper]), trunk) > _UPRIGHT for leg in roles.legs)


def across(limbs: tuple[tuple[Leg, ...] | tuple[Arm, ...], ...], placed: Floats) -> Floats:
    """Unit direction from right to left, by the first pair of limbs that tells; +X where none does."""
    for pair in limbs:
        if len(pair) == 2:
            way = placed[pair[0].upper] - placed[pair[1].upper]
            if np.linalg.norm(way) > 1e-6:
                return _unit(way)
    return np.array([1.0, 0.0, 0.0])


def _unit(way: Floats) -> Floats:
    return way / max(float(np.linalg.norm(way)), 1e-12)


def _angle(a: Floats, b: Floats) -> float:
    return float(np.arccos(np.clip(np.dot(a, b), -1, 1)))


def _has_tail(skeleton: Skeleton) -> bool:
    return any("tail" in naming.words(name) for name in skeleton.names)


def _mean_pose(motion: Motion) -> tuple[Floats, Floats]:
    """Mean local rotations and translations over a motion and its mirror image; roots stay where they rest."""
    skeleton = motion.skeleton
    step = max(motion.frames // _MOST_FRAMES, 1)
    poses = motion[::step]
    both = Pose.concatenate([poses, mirroring.mirror_pose(poses)])
    turned, moved = both.local_rotations.astype(np.float64), both.local_translations.astype(np.float64)
    _, vectors = np.linalg.eigh(np.einsum("fja,fjb->jab", turned, turned))
    mean = moved.mean(axis=0)
    root = skeleton.parents < 0
    mean[root] = skeleton.rest_translations[root]
    return rotations.normalize(vectors[..., -1]), mean


def _mean_angle(skeleton: Skeleton, one: tuple[Floats, Floats], two: tuple[Floats, Floats]) -> float:
    """Mean angle between the bones of two poses laid over each other, weighted by length, radians."""
    parents = skeleton.parents
    bones = np.flatnonzero((parents >= 0) & (skeleton.parents[np.maximum(parents, 0)] >= 0))
    if not bones.size:
        return 0.0
    ways = []
    for turned, moved in (one, two):
        placed = forward_reference(turned, moved, parents.tolist())[1]
        ways.append(placed[bones] - placed[parents[bones]])
    u, _, vt = np.linalg.svd(ways[1].T @ ways[0])
    turn = (u * [1, 1, np.sign(np.linalg.det(u @ vt))]) @ vt
    lengths = [np.linalg.norm(way, axis=1) for way in ways]
    cosine = ((ways[0] @ turn.T) * ways[1]).sum(-1) / np.maximum(lengths[0] * lengths[1], 1e-12)
    weight = lengths[0]
    return float((np.arccos(np.clip(cosine, -1, 1)) * weight).sum() / max(float(weight.sum()), 1e-12))


def _turn(skeleton: Skeleton, rotated: Floats, moved: Floats, joint: int, turn: Floats) -> tuple[Floats, Floats]:
    """The pose with a joint and all under it turned in the world by `turn` `[4]`."""
    under = np.zeros(skeleton.joint_count, bool)
    under[joint] = True
    for child, parent in enumerate(skeleton.parents.tolist()):
        under[child] |= parent >= 0 and bool(under[parent])
    rotated = np.where(under[:, None], rotations.multiply(turn, rotated), rotated)
    return rotated, _placed(skeleton, rotated, moved)


def _placed(skeleton: Skeleton, rotated: Floats, moved: Floats) -> Floats:
    placed = moved.copy()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            placed[joint] = placed[parent] + rotations.rotate(rotated[parent], moved[joint])
    return placed


def _aim(
    skeleton: Skeleton, rotated: Floats, moved: Floats, joint: int, end: int, way: Floats
) -> tuple[Floats, Floats]:
    """The pose with the line from a joint to one below it along `way`, by the smallest turn."""
    placed = _placed(skeleton, rotated, moved)
    now = placed[end] - placed[joint]
    if np.linalg.norm(now) < 1e-9:
        return rotated, placed
    return _turn(skeleton, rotated, moved, joint, rotations.between(_unit(now), way))


def _stand(skeleton: Skeleton, rotated: Floats, moved: Floats) -> tuple[Floats, Floats]:
    """A person upright with arms held out, from any pose: what roles say, bone after bone from the hips outward."""
    roles = skeleton.roles
    up, left, front = np.eye(3)[[1, 0, 2]]
    placed = _placed(skeleton, rotated, moved)
    side = across((roles.legs,), placed)
    rotated, placed = _turn(skeleton, rotated, moved, roles.hips, rotations.between(side, left))
    chain = [joint for joint in (roles.hips, *roles.spine, roles.neck, roles.head) if joint is not None]
    for joint, end in pairwise(chain):
        if joint == roles.hips:  # turned about the line through the thighs, which stays where it is
            flat = (placed[end] - placed[joint]) * [0, 1, 1]
            if np.linalg.norm(flat) > 1e-9:
                rotated, placed = _turn(skeleton, rotated, moved, joint, rotations.between(_unit(flat), up))
        else:
            rotated, placed = _aim(skeleton, rotated, moved, joint, end, up)
    for leg, sign in zip(roles.legs, (1, -1), strict=True):
        down = _unit(np.array([0.06 * sign, -1.0, 0.0]))
        rotated, placed = _aim(skeleton, rotated, moved, leg.upper, leg.lower, down)
        rotated, placed = _aim(skeleton, rotated, moved, leg.lower, leg.foot, down)
        if leg.toe is not None:
            rotated, placed = _aim(skeleton, rotated, moved, leg.foot, leg.toe, _unit(np.array([0.0, -0.5, 1.0])))
            for tip, offset in zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True):
                if tip == leg.toe and np.linalg.norm(offset) > 1e-9:
                    now = _unit(rotations.rotate(rotated[tip], offset.astype(np.float64)))
                    rotated, placed = _turn(skeleton, rotated, moved, tip, rotations.between(now, front))
    for arm, sign in zip(roles.arms, (1, -1), strict=True):
        out = _unit(np.array([float(sign), -0.45, 0.0]))
        for joint, end, way in (
            (arm.shoulder, arm.upper, _unit(np.array([float(sign), 0.1, 0.0]))),
            (arm.upper, arm.lower, out),
            (arm.lower, arm.hand, out),
        ):
            if joint is not None:
                rotated, placed = _aim(skeleton, rotated, moved, joint, end, way)
    return rotated, placed


def _spread_legs(skeleton: Skeleton, rotated: Floats, moved: Floats, placed: Floats) -> tuple[Floats, Floats]:
    """Legs that touch are parted."""
    left = across((skeleton.roles.legs,), placed)
    for leg, sign in zip(skeleton.roles.legs, (1, -1), strict=True):
        way = _unit(placed[leg.foot] - placed[leg.upper])
        lacking = _LEGS_APART - float(np.arcsin(np.clip(sign * np.dot(way, left), -1, 1)))
        if lacking > 0:
            axis = _unit(np.cross(way, sign * left))
            rotated, placed = _turn(
                skeleton, rotated, moved, leg.upper, rotations.from_axis_angle(axis, np.asarray(lacking))
            )
    return rotated, placed


def _spread_arms(skeleton: Skeleton, rotated: Floats, moved: Floats, placed: Floats) -> tuple[Floats, Floats]:
    """Arms that hang are lifted from the ribs."""
    roles = skeleton.roles
    top = roles.neck if roles.neck is not None else roles.head
    if top is None:
        return rotated, placed
    down = _unit(placed[roles.hips] - placed[top])
    left = across((roles.arms,), placed)
    for arm, sign in zip(roles.arms, (1, -1), strict=True):
        way = placed[arm.lower] - placed[arm.upper]
        if np.linalg.norm(way) < 1e-9 or _angle(_unit(way), down) >= _ARMS_OUT:
            continue
        out = _unit(sign * left - np.dot(sign * left, down) * down)
        wanted = _unit(np.cos(_ARMS_OUT) * down + np.sin(_ARMS_OUT) * out)
        rotated, placed = _turn(skeleton, rotated, moved, arm.upper, rotations.between(_unit(way), wanted))
    return rotated, placed


def _facing(skeleton: Skeleton, rotated: Floats, placed: Floats) -> tuple[Floats, Floats]:
    """The pose turned so that left is +X, and an upright trunk +Y: the grid of the mesh is as symmetric as the body."""
    roles = skeleton.roles
    left = across((roles.legs, roles.arms), placed)
    top = roles.neck if roles.neck is not None else roles.head
    up = np.array([0.0, 1.0, 0.0])
    if upright(skeleton, placed) and top is not None:
        up = _unit(placed[top] - placed[roles.hips])
    up = up - np.dot(up, left) * left
    if np.linalg.norm(up) < 0.1 or (abs(left[0] - 1) < 1e-5 and up[1] > np.cos(0.2)):
        return rotated, placed
    up = _unit(up)
    turn = rotations.from_matrix(np.stack([left, up, np.cross(left, up)]))
    middle = placed[roles.hips]
    return rotations.multiply(turn, rotated), rotations.rotate(turn, placed - middle) + middle
