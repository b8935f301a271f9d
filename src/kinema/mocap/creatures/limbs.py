"""Tails, arms, wings, fins, ears and antennae."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from kinema import rotations
from kinema.arrays import Floats
from kinema.mocap.creatures.anatomy import CreatureLimb
from kinema.mocap.creatures.channels import Channels, slow_noise
from kinema.mocap.creatures.course import Course
from kinema.mocap.creatures.posing import lagged, turned
from kinema.mocap.creatures.puppet import Puppet

_FOLDED = (np.asarray([0.25, -0.1, -1.0]), np.asarray([0.12, 0.12, 1.0]), np.asarray([0.05, 0.05, -1.0]))
_EASING = 9  # frames
_SPREAD = np.asarray([1.0, 0.06, -0.05])


def pose_limbs(
    figure: Puppet, channels: Channels, course: Course, unit: float, rng: np.random.Generator, tails: bool = True
) -> None:
    """All limbs that carry no weight, and the tails unless they are posed already."""
    anatomy = figure.body.anatomy
    for tail in anatomy.tails if tails else ():
        _tail(figure, tail, channels, course, unit)
    for arm in anatomy.arms:
        _arm(figure, arm, channels)
    for wing in anatomy.wings:
        _wing(figure, wing, channels, course, unit)
    for limb in anatomy.soft:
        _soft(figure, limb, channels, course, unit, rng)


def _tail(figure: Puppet, joints: tuple[int, ...], channels: Channels, course: Course, unit: float) -> None:
    """Each joint follows the one before it a little later; a tail that would go into the ground bends up."""
    share = 1.4 / (len(joints) + 0.4)
    raised = np.zeros_like(channels.bend)
    end = figure.body.below(joints[-1])
    tip = end[int(np.argmin(end[:, 2]))]
    length = max(float(np.linalg.norm(tip - figure.body.positions[joints[0]])), 1e-6)
    for _ in range(2):
        for at, joint in enumerate(joints):
            late = 0.35 * unit * at * 6 / len(joints)
            yaw, pitch = lagged(channels.tail_yaw, course, late), lagged(channels.tail_pitch, course, late)
            # the tail hangs on by itself while the body pitches
            pitch = share * pitch - (0.5 * channels.pitch if at == 0 else 0.0)
            figure.turn(joint, turned(-share * yaw, pitch + raised / len(joints), 0 * yaw))
        height = figure.point(joints[-1], tip)[:, 1]
        missing = np.maximum(0.01 * length - height, 0.0) / length
        if missing.max() < 0.005:
            return
        raised = gaussian_filter1d(maximum_filter1d(1.7 * missing, _EASING), 0.3 * _EASING)


def _direction(figure: Puppet, joints: tuple[int, ...], at: int) -> Floats:
    """Unit direction `[3]` of a bone of a limb at rest; that of the bone before for the last."""
    places = figure.body.positions
    ends = (joints[at], joints[at + 1]) if at + 1 < len(joints) else (joints[max(at - 1, 0)], joints[at])
    tips = np.flatnonzero(figure.body.skeleton.tip_joints == joints[at])
    way = places[ends[1]] - places[ends[0]]
    if at + 1 == len(joints) and tips.size:
        offset = np.asarray(figure.body.skeleton.tip_offsets[tips[0]], np.float64)
        way = rotations.rotate(figure.body.rotations[joints[at]], offset)
    size = float(np.linalg.norm(way))
    return way / size if size > 1e-9 else np.asarray([1.0, 0.0, 0.0])


def _arm(figure: Puppet, limb: CreatureLimb, channels: Channels) -> None:
    """Arms that rest sideways hang down and swing; bent ones keep their bend."""
    joints, side = limb.joints, limb.side
    zero = 0 * channels.arm_swing
    swing, raised, bend = side * channels.arm_swing, channels.arm_raise, channels.arm_bend
    long = len(joints) >= 4
    upper = 1 if long else 0
    way = _direction(figure, joints, upper)
    hanging = figure.body.upright and abs(way[0]) > 0.4
    base = figure.rotation(figure.body.skeleton.parents[joints[upper]])
    if not hanging:
        for at, joint in enumerate(joints[upper:]):
            figure.turn(
                joint,
                turned(zero, (-0.4 * swing - raised if at == 0 else -0.4 * raised + 0.3 * bend * (at == 1)), zero),
            )
        return
    down = rotations.between(way, np.asarray([0.16 * side, -1.0, 0.02]))
    turn = rotations.multiply(turned(zero, -swing - raised, zero), down + np.zeros((zero.size, 4)))
    figure.aim(joints[upper], rotations.multiply(base, turn))
    if upper + 1 < len(joints):
        # the elbow bends about the axis that is lateral when the arm hangs
        lateral = rotations.inverse_rotate(down, np.asarray([1.0, 0.0, 0.0]))
        angle = -(0.25 + bend + 0.35 * np.maximum(swing, 0))
        figure.turn(joints[upper + 1], rotations.from_axis_angle(lateral + np.zeros((zero.size, 3)), angle))


def _wing(figure: Puppet, limb: CreatureLimb, channels: Channels, course: Course, unit: float) -> None:
    """Fold, spread and flap; the outer joints beat later."""
    joints, side = limb.joints, limb.side
    base = figure.rotation(int(figure.body.skeleton.parents[joints[0]]))
    mirror = np.asarray([side, 1.0, 1.0])
    fold = channels.fold if len(joints) >= 3 else 0.6 * channels.fold
    for at, joint in enumerate(joints):
        way = _direction(figure, joints, at)
        wide = rotations.between(way, _SPREAD * mirror) + np.zeros((fold.size, 4))
        shut = rotations.between(way, _FOLDED[min(at, 2)] * mirror) + np.zeros((fold.size, 4))
        if len(joints) == 1:
            wide = shut = rotations.identity((fold.size,), way)
        pose = rotations.slerp(wide, shut, fold)
        outer = (at + 1) / len(joints)
        flap = side * lagged(channels.flap, course, 0.18 * unit * at) * (0.55 + 0.6 * outer) * (1 - channels.fold)
        beat = turned(side * channels.sweep * outer, 0 * flap, flap)
        figure.aim(joint, rotations.multiply(base, rotations.multiply(beat, pose)))


def _soft(
    figure: Puppet, limb: CreatureLimb, channels: Channels, course: Course, unit: float, rng: np.random.Generator
) -> None:
    """Slow waving, and a bob that lags behind the body."""
    count, fps = course.times.size, course.fps
    yaw, pitch = (0.13 * slow_noise(rng, count, fps, 1.6 * unit) for _ in range(2))
    bob = 1.2 * np.gradient(channels.lift) / max(figure.body.leg, 1e-6) * fps * unit
    for at, joint in enumerate(limb.joints):
        late = 0.4 * unit * at
        figure.turn(joint, turned(lagged(yaw, course, late), lagged(pitch + bob, course, late), 0 * yaw))
