"""The pose in which a mannequin is modelled.

A mesh needs a pose with its limbs apart and bent the way they usually are. The rest pose of most files is such a pose;
that of others is not (every bone along +X). Then the mean of the motion takes its place, or, for a person without a
motion, a standing pose made from roles. The bind matrices undo the pose, so any will do for the skin.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kinema import mirroring, naming, rotations
from kinema.arrays import Floats
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.roles import Arm, Leg, rest_pose
from kinema.rotations import normalize_vector
from kinema.skeleton import Skeleton

_MOST_FRAMES = 256
_NO_POSE = np.radians(48)  # mean angle between bones of rest pose and motion from which the rest pose is given up
_ODD_POSE = np.radians(30)  # the same where the rest pose is not that of any body
_ARMS_OUT = np.radians(42)  # least angle between upper arm and trunk
_LEGS_APART = np.radians(7)  # least angle of a person's leg to the plane between the two
_UPRIGHT = np.radians(120)  # least angle between spine and thighs of a body that stands like a person


def modelling_pose(skeleton: Skeleton, motion: Motion | None = None) -> Pose:
    """The pose to model in, float64: left is +X where sides are known."""
    pose = Pose(skeleton, skeleton.rest_rotations.astype(np.float64), skeleton.rest_translations.astype(np.float64))
    if motion is not None and motion.frames:
        usual = _mean_pose(motion)
        most = _ODD_POSE if rest_pose(skeleton).kind == "none" else _NO_POSE
        if _mean_angle(pose, usual) > most:
            pose = usual
    roles, body = skeleton.roles, _Body(pose)
    if roles.is_biped and len(roles.arms) == 2 and roles.head is not None and not _has_tail(skeleton):
        if not upright(pose):
            body.stand()
        body.spread_legs()
        body.lift_arms()
    return _facing(Pose.from_model(skeleton, body.rotations, body.positions))


def upright(pose: Pose) -> bool:
    """Whether the body stands like a person: legs one way from the hips, the trunk the other."""
    roles, positions = pose.skeleton.roles, pose.global_positions
    top = roles.neck if roles.neck is not None else roles.head
    if not roles.is_biped or top is None:
        return False
    trunk = normalize_vector(positions[top] - positions[roles.hips])
    legs = (normalize_vector(positions[leg.foot] - positions[leg.upper]) for leg in roles.legs)
    return all(_angle(leg, trunk) > _UPRIGHT for leg in legs)


def across(limbs: tuple[tuple[Leg, ...] | tuple[Arm, ...], ...], positions: Floats) -> Floats:
    """Unit direction from right to left, by the first pair of limbs that has one; +X where none does."""
    for pair in limbs:
        if len(pair) == 2:
            way = positions[pair[0].upper] - positions[pair[1].upper]
            if np.linalg.norm(way) > 1e-6:
                return normalize_vector(way)
    return np.array([1.0, 0.0, 0.0])


def _angle(a: Floats, b: Floats) -> float:
    return float(np.arccos(np.clip(np.dot(a, b), -1, 1)))


def _has_tail(skeleton: Skeleton) -> bool:
    return any("tail" in naming.words(name) for name in skeleton.names)


def _mean_pose(motion: Motion) -> Pose:
    """The mean of local rotations and translations over a motion and its mirror image; roots stay where they rest."""
    skeleton = motion.skeleton
    some = motion[:: max(motion.frames // _MOST_FRAMES, 1)]
    both = Pose.concatenate([some, mirroring.mirror_pose(some)])
    local = both.local_rotations.astype(np.float64)
    _, vectors = np.linalg.eigh(np.einsum("fja,fjb->jab", local, local))
    mean = both.local_translations.astype(np.float64).mean(axis=0)
    root = skeleton.parents < 0
    mean[root] = skeleton.rest_translations[root]
    return Pose(skeleton, rotations.normalize(vectors[..., -1]), mean)


def _mean_angle(one: Pose, two: Pose) -> float:
    """Mean angle between the bones of two poses aligned with each other, weighted by length, radians."""
    parents = one.skeleton.parents
    bones = np.flatnonzero((parents >= 0) & (parents[np.maximum(parents, 0)] >= 0))
    if not bones.size:
        return 0.0
    first, second = (p.global_positions[bones] - p.global_positions[parents[bones]] for p in (one, two))
    turned = rotations.rotate(rotations.nearest(second.T @ first), first)
    lengths = np.linalg.norm(first, axis=1)
    cosine = (turned * second).sum(-1) / np.maximum(lengths * np.linalg.norm(second, axis=1), 1e-12)
    return float((np.arccos(np.clip(cosine, -1, 1)) * lengths).sum() / max(float(lengths.sum()), 1e-12))


class _Body:
    """A pose that is changed joint by joint: global rotations and local translations, and the positions they give."""

    def __init__(self, pose: Pose) -> None:
        self.skeleton, self.roles = pose.skeleton, pose.skeleton.roles
        self.rotations, self.positions = pose.global_rotations, pose.global_positions
        self._translations = pose.local_translations

    def turn(self, joint: int, turn: Floats) -> None:
        """Rotate a joint and all below it in the world by `turn` `[4]`."""
        below = self.skeleton.below([joint])[:, None]
        self.rotations = np.where(below, rotations.multiply(turn, self.rotations), self.rotations)
        self.positions = self._translations.copy()
        for child, parent in enumerate(self.skeleton.parents.tolist()):
            if parent >= 0:
                offset = rotations.rotate(self.rotations[parent], self._translations[child])
                self.positions[child] = self.positions[parent] + offset

    def aim(self, joint: int, end: int, way: Floats) -> None:
        """Point the line from a joint to one below it along `way`, by the smallest rotation."""
        now = self.positions[end] - self.positions[joint]
        if np.linalg.norm(now) >= 1e-9:
            self.turn(joint, rotations.between(normalize_vector(now), way))

    def stand(self) -> None:
        """Stand a person upright with arms held out, from any pose: bone after bone from the hips outward."""
        roles = self.roles
        up, left = np.eye(3)[1], np.eye(3)[0]
        self.turn(roles.hips, rotations.between(across((roles.legs,), self.positions), left))
        chain = [joint for joint in (roles.hips, *roles.spine, roles.neck, roles.head) if joint is not None]
        for joint, end in pairwise(chain):
            if joint != roles.hips:
                self.aim(joint, end, up)
                continue
            flat = (self.positions[end] - self.positions[joint]) * [0, 1, 1]  # the line through the thighs stays
            if np.linalg.norm(flat) > 1e-9:
                self.turn(joint, rotations.between(normalize_vector(flat), up))
        for leg, sign in zip(roles.legs, (1, -1), strict=True):
            self._stand_leg(leg, normalize_vector(np.array([0.06 * sign, -1.0, 0.0])))
        for arm, sign in zip(roles.arms, (1, -1), strict=True):
            out = normalize_vector(np.array([float(sign), -0.45, 0.0]))
            if arm.shoulder is not None:
                self.aim(arm.shoulder, arm.upper, normalize_vector(np.array([float(sign), 0.1, 0.0])))
            self.aim(arm.upper, arm.lower, out)
            self.aim(arm.lower, arm.hand, out)

    def _stand_leg(self, leg: Leg, down: Floats) -> None:
        self.aim(leg.upper, leg.lower, down)
        self.aim(leg.lower, leg.foot, down)
        if leg.toe is None:
            return
        self.aim(leg.foot, leg.toe, normalize_vector(np.array([0.0, -0.5, 1.0])))
        for tip, offset in zip(self.skeleton.tip_joints.tolist(), self.skeleton.tip_offsets, strict=True):
            if tip == leg.toe and np.linalg.norm(offset) > 1e-9:
                now = normalize_vector(rotations.rotate(self.rotations[tip], offset.astype(np.float64)))
                self.turn(tip, rotations.between(now, np.array([0.0, 0.0, 1.0])))

    def spread_legs(self) -> None:
        """Part legs that touch."""
        left = across((self.roles.legs,), self.positions)
        for leg, sign in zip(self.roles.legs, (1, -1), strict=True):
            way = normalize_vector(self.positions[leg.foot] - self.positions[leg.upper])
            lacking = _LEGS_APART - float(np.arcsin(np.clip(sign * np.dot(way, left), -1, 1)))
            if lacking > 0:
                axis = normalize_vector(np.cross(way, sign * left))
                self.turn(leg.upper, rotations.from_axis_angle(axis, np.asarray(lacking)))

    def lift_arms(self) -> None:
        """Lift hanging arms off the ribs."""
        roles, positions = self.roles, self.positions
        top = roles.neck if roles.neck is not None else roles.head
        if top is None:
            return
        down = normalize_vector(positions[roles.hips] - positions[top])
        left = across((roles.arms,), positions)
        for arm, sign in zip(roles.arms, (1, -1), strict=True):
            way = self.positions[arm.lower] - self.positions[arm.upper]
            if np.linalg.norm(way) < 1e-9 or _angle(normalize_vector(way), down) >= _ARMS_OUT:
                continue
            out = normalize_vector(sign * left - np.dot(sign * left, down) * down)
            self.aim(arm.upper, arm.lower, normalize_vector(np.cos(_ARMS_OUT) * down + np.sin(_ARMS_OUT) * out))


def _facing(pose: Pose) -> Pose:
    """The pose rotated so that left is +X and an upright trunk +Y: the mesh grid is as symmetric as the body."""
    roles, positions = pose.skeleton.roles, pose.global_positions
    left = across((roles.legs, roles.arms), positions)
    top = roles.neck if roles.neck is not None else roles.head
    up = np.array([0.0, 1.0, 0.0])
    if upright(pose) and top is not None:
        up = normalize_vector(positions[top] - positions[roles.hips])
    up = up - np.dot(up, left) * left
    if np.linalg.norm(up) < 0.1 or (abs(left[0] - 1) < 1e-5 and up[1] > np.cos(0.2)):
        return pose
    up = normalize_vector(up)
    turn = rotations.from_matrix(np.stack([left, up, np.cross(left, up)]))
    middle = positions[roles.hips]
    global_positions = rotations.rotate(turn, positions - middle) + middle
    return Pose.from_model(pose.skeleton, rotations.multiply(turn, pose.global_rotations), global_positions)
