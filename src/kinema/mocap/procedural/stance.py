"""The build of a skeleton as the generator needs it, in directions of the world, independent of joint axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.errors import SkeletonError
from kinema.pose import Pose
from kinema.roles import Leg, Roles, carrier, require_biped
from kinema.skeleton import Skeleton

X, Y, Z = np.eye(3)
GRAVITY = 9.81

STANDING = 0.9975
"""Share of a leg's length from hip to ankle in standing: knees are bent by 8 degrees."""


@dataclass(frozen=True)
class Foot:
    """One leg as lengths and offsets, metres, for a body that faces +Z with the sole on y = 0."""

    leg: Leg
    sign: float  # +1 left, -1 right
    thigh: float
    shin: float
    hip: Floats  # [3] from the hips joint to the upper leg joint
    ankle: Floats  # [3] from the ball of the foot to the ankle, foot flat
    heel: Floats  # [3] from the ball of the foot to the point of the heel on the ground, foot flat
    ball_height: float
    toe_length: float


@dataclass(frozen=True)
class StandingBiped:
    """A skeleton's rest pose rotated to face +Z, and its legs.

    Attributes:
        rotations: `[J, 4]` global rest rotations after facing +Z, upright.
        positions: `[J, 3]` global rest positions, likewise.
        foot_rotations: for each foot and toe joint the global rotation with the foot flat and pointing ahead.
        leg: length of thigh and shin, metres.
        hips_height: height of the hips joint when standing, metres.
        carrier: the joint that carries hips and legs, usually the hips.
    """

    skeleton: Skeleton
    roles: Roles
    rotations: Floats
    positions: Floats
    foot_rotations: dict[int, Floats]
    feet: tuple[Foot, Foot]
    leg: float
    hips_height: float
    carrier: int

    def direction(self, start: int, end: int, fallback: Floats) -> Floats:
        """Unit direction `[3]` between two joints at rest."""
        return _unit(self.positions[end] - self.positions[start], fallback)


def _unit(v: Floats, fallback: Floats) -> Floats:
    length = float(np.linalg.norm(v))
    return v / length if length > 1e-6 else fallback


def _facing(roles: Roles, positions: Floats) -> Floats:
    """Rotation `[4]` that makes the rest pose upright and face +Z; exactly the identity if it does already."""
    left, right = roles.legs
    lateral = positions[left.upper] - positions[right.upper]
    if np.linalg.norm(lateral) < 1e-6:
        raise SkeletonError("the two legs begin at the same point; left and right cannot be told")
    top = roles.head if roles.head is not None else roles.neck if roles.neck is not None else (roles.spine or (-1,))[-1]
    trunk = _unit(positions[top] - positions[roles.hips], Y) if top >= 0 else Y
    up = Y if trunk[1] > np.cos(np.radians(40)) else trunk
    lateral = _unit(lateral - (lateral @ up) * up, X)
    forward = np.cross(lateral, up)
    turn = rotations.inverse(rotations.look_rotation(forward, up))
    return np.asarray([1.0, 0, 0, 0]) if rotations.angle(turn) < np.radians(2) else turn


def _foot_correction(along: Floats) -> Floats:
    """Rotation `[4]` that lays a foot flat on the ground where the rest pose does not (all bones along one axis)."""
    if along[2] > 0.35:
        return np.asarray([1.0, 0, 0, 0])
    wanted = _unit(np.asarray([0.0, -0.4, 0.9]), Z)
    return rotations.multiply(rotations.look_rotation(wanted, X), rotations.inverse(rotations.look_rotation(along, X)))


def _sole(height: float, upright: bool, leg: float) -> float:
    """Height of the ground below a foot whose lowest joint or tip rests at `height`."""
    if upright and -0.02 * leg <= height <= 0.12 * leg:
        return 0.0
    return height - 0.02 * leg


def find_stance(skeleton: Skeleton) -> StandingBiped:
    """Read a skeleton's build from its roles and rest pose.

    Raises:
        SkeletonError: it has no two legs, or a leg has no length.
    """
    roles = require_biped(skeleton)
    rest = skeleton.rest_pose
    turn = _facing(roles, np.asarray(rest.global_positions, np.float64))
    body = Pose.from_model(
        skeleton,
        rotations.normalize(rotations.multiply(turn, np.asarray(rest.global_rotations, np.float64))),
        rotations.rotate(turn, np.asarray(rest.global_positions, np.float64)),
    )
    foot_rotations: dict[int, Floats] = {}
    left, right = (_foot(body, leg, sign, foot_rotations) for leg, sign in zip(roles.legs, (1.0, -1.0), strict=True))
    length = float(np.mean([foot.thigh + foot.shin for foot in (left, right)]))
    height = min(
        foot.ball_height + foot.ankle[1] + STANDING * (foot.thigh + foot.shin) - foot.hip[1] for foot in (left, right)
    )
    return StandingBiped(
        skeleton,
        roles,
        body.global_rotations,
        body.global_positions,
        foot_rotations,
        (left, right),
        length,
        height,
        carrier(skeleton),
    )


def _foot(body: Pose, leg: Leg, sign: float, foot_rotations: dict[int, Floats]) -> Foot:
    """One leg of a body that stands upright and faces +Z; adds the rotations of its foot laid flat."""
    skeleton, positions = body.skeleton, body.global_positions
    hip, knee, ankle = positions[leg.upper], positions[leg.lower], positions[leg.foot]
    thigh, shin = float(np.linalg.norm(knee - hip)), float(np.linalg.norm(ankle - knee))
    length = thigh + shin
    if min(thigh, shin) < 1e-4 or not np.isfinite(length):
        raise SkeletonError(f"the {leg.side} leg has a bone of no length; it cannot walk")
    along = positions[leg.toe] - ankle if leg.toe is not None else np.asarray([0.0, -0.1, 0.15]) * length
    fix = _foot_correction(_unit(along, Z))
    below = np.flatnonzero(skeleton.below([leg.foot])).tolist()
    for joint in below:
        foot_rotations[joint] = rotations.multiply(fix, body.global_rotations[joint])
    flat = rotations.rotate(fix, _points(body, below) - ankle) + ankle
    ground = _sole(float(flat[:, 1].min()), bool(hip[1] - ankle[1] > 0.8 * length), length)
    along = rotations.rotate(fix, along)
    ball_height = float(ankle[1] + along[1] - ground)
    if leg.toe is None:
        ball_height = 0.02 * length
        along = np.asarray([0.0, ball_height - (ankle[1] - ground), 0.15 * length])
    heel = np.asarray([-along[0], -ball_height, -along[2] - 0.28 * abs(along[2])])
    toe_length = max(float((flat[:, 2] - ankle[2] - along[2]).max()), 0.3 * abs(float(along[2])))
    offset = hip - positions[skeleton.roles.hips]
    return Foot(leg, sign, thigh, shin, offset, -along, heel, ball_height, toe_length)


def _points(body: Pose, joints: Sequence[int]) -> Floats:
    """Global positions `[K, 3]` of some joints and of the tips on them."""
    tips = body.skeleton.tip_positions(body)[np.isin(body.skeleton.tip_joints, joints)]
    return np.concatenate([body.global_positions[list(joints)], tips])
