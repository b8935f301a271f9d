"""From planned body and feet to local joint rotations of any biped."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinema import rotations
from kinema.arrays import Floats
from kinema.ik import two_bone_positions
from kinema.mocap.procedural.body import BodyTrack
from kinema.mocap.procedural.feet import Tracks
from kinema.mocap.procedural.reach import REACH
from kinema.mocap.procedural.stance import StandingBiped, X, Y, Z
from kinema.pose import Pose

_EASING = 0.025  # seconds over which the length of a leg in the air is smoothed
_LONGEST = 0.999  # share of the leg's length at which even a leg in the air stays bent


def _aim(stance: StandingBiped, start: int, end: int, hint: Floats, directions: Floats, hints: Floats) -> Floats:
    """Global rotations `[N, 4]` of joint `start` that point its bone at `directions` and keep `hint` with it.

    `hint` `[3]` is a direction at rest (the knee's axis, the front of the arm) which goes to `hints` `[N, 3]`.
    """
    along = stance.direction(start, end, -Y)
    rest = rotations.look_rotation(along, hint)
    to_bone = rotations.multiply(rotations.inverse(rest), stance.rotations[start])
    return rotations.multiply(rotations.look_rotation(directions, hints), to_bone[None])


def _rotated(rotation: Floats, v: Floats) -> Floats:
    """A vector `[3]` by each of the rotations `[N, 4]`: `[N, 3]`."""
    return rotations.rotate(rotation, np.broadcast_to(v, (rotation.shape[0], 3)))


def _legs(stance: StandingBiped, body: BodyTrack, tracks: Tracks, driven: dict[int, Floats], fps: float) -> None:
    for foot, track in zip(stance.feet, tracks, strict=True):
        leg = foot.leg
        hip = body.hips + rotations.rotate(body.pelvis, foot.hip + 0 * body.hips)
        # the knee points between the hips and the toes, a little outward
        toes, hips = track.yaw, rotations.yaw(body.pelvis)
        middle = rotations.from_yaw(hips + 0.5 * rotations.wrap(toes - hips))
        axis = _rotated(middle, X - 0.06 * foot.sign * Z)
        line = track.ankle - hip
        pole = np.cross(line, axis)
        factor = _ease(line, foot.thigh + foot.shin, track.loose, fps)
        # a leg that is smoothed longer must not push its toes through the ground
        toes_down = np.maximum(-_rotated(track.toe_turn, foot.toe_length * Z)[:, 1:2], 0.0)
        air = np.maximum(track.ball[:, 1:2] - foot.ball_height - toes_down, 0.0)
        factor = np.minimum(factor, 1.0 + air / np.maximum(-line[:, 1:2], 1e-6))
        target = hip + line * factor
        knee, ankle = two_bone_positions(hip, target, np.asarray(foot.thigh), np.asarray(foot.shin), pole)
        axis = np.cross(pole, line)  # the axis at right angles to the leg's plane
        driven[leg.upper] = _aim(stance, leg.upper, leg.lower, X, knee - hip, axis)
        driven[leg.lower] = _aim(stance, leg.lower, leg.foot, X, ankle - knee, axis)
        driven[leg.foot] = rotations.multiply(track.foot_turn, stance.foot_rotations[leg.foot][None])
        if leg.toe is not None:
            driven[leg.toe] = rotations.multiply(track.toe_turn, stance.foot_rotations[leg.toe][None])


def _ease(line: Floats, length: float, loose: Floats, fps: float) -> Floats:
    """Factor `[N, 1]` on the way from hip to ankle that eases a leg in the air into its limit; 1 on the ground.

    Near the limit a millimetre bends the knee by degrees: the leg's length in the air is smoothed for its sake.
    """
    distance = np.maximum(np.linalg.norm(line, axis=-1), 1e-9)
    zone = length * ((_LONGEST - REACH) + 0.02 * loose)
    over = np.maximum(distance - (_LONGEST * length - zone), 0.0)
    eased = np.where(over > 0, _LONGEST * length - zone * np.exp(-over / zone), distance)
    eased += loose * (gaussian_filter1d(eased, _EASING * fps, mode="nearest") - eased)
    return (eased / distance)[:, None]


def _arms(stance: StandingBiped, body: BodyTrack, driven: dict[int, Floats]) -> None:
    for column, arm in enumerate(stance.roles.arms):
        sign = 1.0 if arm.side == "left" else -1.0
        swing, elbow, spread = body.arm_swing[:, column], body.elbow[:, column], body.spread[:, column]
        zero = np.zeros_like(swing)
        if arm.shoulder is not None and stance.direction(arm.shoulder, arm.upper, X)[0] * sign < 0.3:
            sideways = _rotated(body.thorax, sign * X)
            driven[arm.shoulder] = _aim(stance, arm.shoulder, arm.upper, Z, sideways, _rotated(body.thorax, Z))
        # the arm swings in a plane that turns inward with the bend of the elbow, as hands do in a run
        inward = -sign * (0.08 + 0.22 * np.clip(elbow, 0, 1.6))
        upper = rotations.multiply(
            body.thorax, rotations.from_euler(np.stack([sign * spread, -swing, inward], -1), "ZXY")
        )
        lower = rotations.multiply(upper, rotations.from_euler(np.stack([-elbow, zero, zero], -1), "XYZ"))
        driven[arm.upper] = _aim(stance, arm.upper, arm.lower, Z, _rotated(upper, -Y), _rotated(upper, Z))
        front = rotations.rotate(upper, np.stack([zero, np.sin(elbow), np.cos(elbow)], -1))
        driven[arm.lower] = _aim(stance, arm.lower, arm.hand, Z, _rotated(lower, -Y), front)


def _trunk(stance: StandingBiped, body: BodyTrack, driven: dict[int, Floats]) -> None:
    roles = stance.roles
    for joint in (stance.carrier, roles.hips):
        driven[joint] = rotations.multiply(body.pelvis, stance.rotations[joint][None])
    for number, joint in enumerate(roles.spine, 1):
        part = rotations.slerp(body.pelvis, body.thorax, number / len(roles.spine))
        driven[joint] = rotations.multiply(part, stance.rotations[joint][None])
    if roles.neck is not None:
        part = rotations.slerp(body.thorax, body.head, 0.45)
        driven[roles.neck] = rotations.multiply(part, stance.rotations[roles.neck][None])
    if roles.head is not None:
        driven[roles.head] = rotations.multiply(body.head, stance.rotations[roles.head][None])


def pose_skeleton(stance: StandingBiped, body: BodyTrack, tracks: Tracks, fps: float) -> Pose:
    """Poses `[N]` of the skeleton, in the world."""
    skeleton, top = stance.skeleton, stance.carrier
    driven: dict[int, Floats] = {}
    _trunk(stance, body, driven)
    _legs(stance, body, tracks, driven, fps)
    _arms(stance, body, driven)
    count = body.hips.shape[0]
    rest = np.asarray(skeleton.rest_rotations, np.float64)
    rest_rotations = np.asarray(skeleton.rest_pose.global_rotations, np.float64)
    globally: dict[int, Floats] = {}
    local = np.empty((count, skeleton.joint_count, 4), np.float32)
    local[:] = skeleton.rest_rotations
    above = set(skeleton.ancestors(top))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if joint in above:
            continue
        inherited = globally.get(parent)
        if inherited is None:
            fixed = rest_rotations[parent] if parent >= 0 else np.asarray([1.0, 0, 0, 0])
            inherited = np.broadcast_to(fixed, (count, 4))
        if joint in driven:
            globally[joint] = driven[joint]
            local[:, joint] = rotations.unroll(rotations.multiply(rotations.inverse(inherited), driven[joint]))
        elif skeleton.children[joint]:
            globally[joint] = rotations.multiply(inherited, rest[joint][None])
    to_hips = stance.positions[stance.roles.hips] - stance.positions[top]
    place, parent = body.hips - _rotated(body.pelvis, to_hips), int(skeleton.parents[top])
    if parent >= 0:
        origin = np.asarray(skeleton.rest_pose.global_positions[parent], np.float64)
        place = rotations.inverse_rotate(rest_rotations[parent][None], place - origin)
    return Pose(skeleton, local, skeleton.translations(np.asarray([top]), place[:, None].astype(np.float32)))
