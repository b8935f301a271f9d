"""Lays gestures over poses of a body with two legs: trunk, hips, legs, arms and head, in this order, in closed form."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Reals
from kinema.ik.two_bone import two_bone
from kinema.mocap.gestures.posture import Curves
from kinema.pose import Pose
from kinema.roles import Arm, Leg, require_biped
from kinema.rootframe import facing
from kinema.skeleton import Skeleton

_UP = np.asarray([0.0, 1.0, 0.0])
_FARTHEST = 0.97  # share of the length of an arm that hands reach: elbows are never straight
_ELBOW = (0.35, -0.6, -0.7)  # where elbows point: outward, up, ahead
_WIDEST, _STEEPEST = 1.2, 0.7  # radians that a head turns and nods
_STOOP = 1.1  # radians that a trunk bends at most, to reach what is low
_BENDING = 1.6  # radians of it for each length of the leg that something is too low
_LOWEST, _POINTED = 0.6, 2.5  # lengths of the leg: how far hips go down, and from where on things are out of reach
_ARM = 0.9  # share of the arm's length within which a hand reaches something without the trunk


def gestured(pose: Pose, made: Curves, side: str = "right", aim: Reals | None = None) -> Pose:
    """Poses `[F]` with a gesture laid over them.

    Args:
        pose: of a body with two legs, in the world.
        made: postures at its `F` moments.
        side: "left", "right" or "both": which hand does it.
        aim: `[3]` or `[F, 3]`, metres, world: what it is aimed at; None aims straight ahead.

    A body without arms does the rest.

    Raises:
        SkeletonError: the body has not two legs.
    """
    body = _Body.of(pose.skeleton)
    turn = rotations.from_yaw(np.arctan2(*np.moveaxis(facing(pose)[..., [0, 2]], -1, 0)))
    work = _Work(pose.in_world(), np.asarray(turn, np.float64))
    target = None if aim is None else np.broadcast_to(np.asarray(aim, np.float64), (len(turn), 3))
    feet = [work.places[:, leg.foot].copy() for leg in body.legs]
    soles = [work.rotations[:, leg.foot].copy() for leg in body.legs]
    stoop = _stooped(work, body, made, target)
    work.move(_hips_offset(work, body, made))
    _bend_trunk(work, body, made, stoop)
    _lean(work, body, made, side, target)
    for leg, foot, sole in zip(body.legs, feet, soles, strict=True):
        raised = foot + (made["rise"] * body.leg)[:, None] * _UP
        _reach(work, leg.upper, leg.lower, leg.foot, raised)
        work.set(leg.foot, sole)
    _move_arms(work, body, made, side, target)
    _turn_head(work, body, made, target)
    return work.pose()


class _Body:
    """Joints and lengths of a skeleton that gestures need."""

    def __init__(self, skeleton: Skeleton) -> None:
        roles = require_biped(skeleton)
        rest = skeleton.rest_pose.global_positions
        self.legs: tuple[Leg, ...] = roles.legs
        self.arms: dict[str, Arm] = {arm.side: arm for arm in roles.arms}
        self.spine = [joint for joint in roles.spine if joint != roles.hips] or [roles.hips]
        self.neck = [joint for joint in (roles.neck, roles.head) if joint is not None]
        self.leg = float(np.mean([_length(rest, leg.upper, leg.lower, leg.foot) for leg in roles.legs]))
        self.arm = {arm.side: _length(rest, arm.upper, arm.lower, arm.hand) for arm in roles.arms}

    @staticmethod
    @lru_cache(maxsize=16)
    def of(skeleton: Skeleton) -> _Body:
        return _Body(skeleton)


class _Work:
    """Poses while they change: local transforms, and the global ones that follow from them.

    Attributes:
        rotations, places: global `[F, J, 4]` and `[F, J, 3]`, float64.
        turn: heading `[F, 4]`. ahead, aside: unit vectors `[F, 3]`: forward, to the left.
    """

    def __init__(self, pose: Pose, turn: Floats) -> None:
        self._pose, self.skeleton, self.turn = pose, pose.skeleton, turn
        self._local, self._moved = pose.local_rotations.astype(np.float64), pose.local_translations.astype(np.float64)
        self.ahead = rotations.rotate(turn, np.asarray([0.0, 0.0, 1.0]))
        self.aside = rotations.rotate(turn, np.asarray([1.0, 0.0, 0.0]))
        self._forward()

    def _forward(self) -> None:
        whole = self._pose.replace(local_rotations=self._local, local_translations=self._moved)
        self.rotations, self.places = whole.global_rotations, whole.global_positions

    def move(self, offset: Floats) -> None:
        """Moves the whole body by `[F, 3]`."""
        self._moved[:, self.skeleton.parents < 0] += offset[:, None]
        self._forward()

    def set(self, joint: int, rotation: Floats) -> None:
        """Gives a joint a global rotation `[F, 4]`; what hangs on it follows."""
        parent = int(self.skeleton.parents[joint])
        self._local[:, joint] = rotation if parent < 0 else rotations.relative(self.rotations[:, parent], rotation)
        self._forward()

    def local(self, joint: int) -> Floats:
        """The local rotation `[F, 4]` of a joint."""
        return self._local[:, joint].copy()

    def set_local(self, joint: int, rotation: Floats) -> None:
        """Gives a joint a local rotation `[F, 4]`."""
        self._local[:, joint] = rotation
        self._forward()

    def rotate(self, joint: int, by: Floats) -> None:
        """Turns a joint in the world by `[F, 4]`."""
        self.set(joint, rotations.multiply(by, self.rotations[:, joint]))

    def pose(self) -> Pose:
        return self._pose.replace(
            local_rotations=self._local.astype(np.float32), local_translations=self._moved.astype(np.float32)
        )


def _length(places: Reals, *joints: int) -> float:
    return float(np.linalg.norm(np.diff(places[list(joints)], axis=0), axis=-1).sum())


def _about(axis: Floats, angle: Floats) -> Floats:
    """Rotations `[F, 4]` about unit vectors `[F, 3]` or `[3]` by angles `[F]`."""
    half = 0.5 * angle[:, None]
    return np.concatenate([np.cos(half), np.sin(half) * np.broadcast_to(axis, (len(angle), 3))], axis=-1)


def _stooped(work: _Work, body: _Body, made: Curves, target: Floats | None) -> Floats:
    """How far a trunk bends, radians, so that a hand reaches what is low."""
    if target is None or not made["reach"].any() or not body.arms:
        return np.zeros(len(work.turn))
    arm = next(iter(body.arms.values()))
    low = work.places[:, arm.upper, 1] - target[:, 1] - _ARM * body.arm[arm.side]
    return np.minimum(_BENDING * np.clip(low / body.leg, 0.0, None), _STOOP) * made["reach"]


def _lean(work: _Work, body: _Body, made: Curves, side: str, target: Floats | None) -> None:
    """Brings the body down and forward, as far as its legs let it, where an arm is too short for what is to be reached.

    What is far away is pointed at and not gone to.
    """
    arm = body.arms.get("right" if side == "both" else side)
    if target is None or arm is None or not made["reach"].any():
        return
    away = target - work.places[:, arm.upper]
    far = np.linalg.norm(away, axis=-1)
    over = np.maximum(far - _FARTHEST * body.arm[arm.side], 0.0)
    near = np.clip((_POINTED - far / body.leg) / (0.3 * _POINTED), 0.0, 1.0)
    offset = (made["reach"] * near * np.minimum(over, _LOWEST * body.leg) / np.maximum(far, 1e-9))[:, None] * away
    offset[:, 1] = np.minimum(offset[:, 1], 0.0)
    work.move(offset)


def _hips_offset(work: _Work, body: _Body, made: Curves) -> Floats:
    down = made["rise"] - made["sink"]
    return body.leg * (down[:, None] * _UP - made["back"][:, None] * work.ahead)


def _bend_trunk(work: _Work, body: _Body, made: Curves, stoop: Floats) -> None:
    share = 1.0 / len(body.spine)
    for joint in body.spine:
        for axis, angle in ((work.aside, made["pitch"] + stoop), (_UP, made["yaw"]), (work.ahead, -made["roll"])):
            if angle.any():
                work.rotate(joint, _about(axis, share * angle))


def _reach(
    work: _Work,
    upper: int,
    lower: int,
    end: int,
    target: Floats,
    pole: Floats | None = None,
    share: Floats | None = None,
) -> None:
    """Turns a limb so that its end is at targets `[F, 3]`; with shares `[F]`, so far on the way there."""
    rotation, place = work.rotations, work.places
    before = [work.local(upper), work.local(lower)]
    first, second = two_bone(
        rotation[:, upper], rotation[:, lower], place[:, upper], place[:, lower], place[:, end], target, pole
    )
    work.set(upper, first)
    work.set(lower, second)
    for joint, old in zip((upper, lower), before, strict=True):
        if share is not None:
            work.set_local(joint, rotations.slerp(old, work.local(joint), share))


def _move_arms(work: _Work, body: _Body, made: Curves, side: str, target: Floats | None) -> None:
    sides = ("left", "right") if side == "both" else (side, "left" if side == "right" else "right")
    wanted = [(made.hand, made.hand_weight, made["reach"])]
    wanted += [wanted[0]] if side == "both" else [(made.other, made.other_weight, np.zeros(len(work.turn)))]
    for name, (hand, weight, reach) in zip(sides, wanted, strict=True):
        if not (weight.any() or reach.any()):
            continue
        arm = body.arms.get(name)
        if arm is None:  # bodies have both arms or none
            return
        out = 1.0 if name == "left" else -1.0
        shoulder, length = work.places[:, arm.upper], body.arm[name]
        goal = shoulder + length * _directed(work, hand, out)
        far = shoulder + length * 0.97 * work.ahead if target is None else target
        goal = goal + np.where(weight + reach > 0, reach / np.maximum(weight + reach, 1e-9), 0.0)[:, None] * (
            far - goal
        )
        count = np.clip(np.maximum(weight, reach), 0.0, 1.0)
        away = goal - shoulder
        size = np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9)
        goal = shoulder + away * np.minimum(1.0, _FARTHEST * length / size)
        pole = _directed(work, np.broadcast_to(np.asarray(_ELBOW), hand.shape), out)
        _reach(work, arm.upper, arm.lower, arm.hand, goal, pole, count)


def _directed(work: _Work, hand: Floats, out: float) -> Floats:
    """Vectors `[F, 3]` in the world from outward, up, ahead."""
    return out * hand[:, :1] * work.aside + hand[:, 1:2] * _UP + hand[:, 2:] * work.ahead


def _turn_head(work: _Work, body: _Body, made: Curves, target: Floats | None) -> None:
    if not body.neck:
        return
    shake, nod = made["shake"].copy(), made["nod"].copy()
    if target is not None and made["look"].any():
        away = rotations.inverse_rotate(work.turn, target - work.places[:, body.neck[-1]])
        yaw = np.clip(np.arctan2(away[:, 0], away[:, 2]), -_WIDEST, _WIDEST)
        pitch = np.clip(np.arctan2(-away[:, 1], np.hypot(away[:, 0], away[:, 2])), -_STEEPEST, _STEEPEST)
        shake, nod = shake + made["look"] * yaw, nod + made["look"] * pitch
    share = 1.0 / len(body.neck)
    for joint in body.neck:
        for axis, angle in ((_UP, shake), (work.aside, nod)):
            if angle.any():
                work.rotate(joint, _about(axis, share * angle))
