"""From channels and feet to the rotations of joints."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from kinema import rotations
from kinema.arrays import Floats
from kinema.mocap.creatures.channels import Channels
from kinema.mocap.creatures.course import Course
from kinema.mocap.creatures.legs import LegModel
from kinema.mocap.creatures.puppet import Puppet
from kinema.mocap.creatures.standing import Standing
from kinema.mocap.creatures.steps import FootMotion
from kinema.mocap.procedural.script import smooth_step

_MISSED = 5e-4  # share of a leg by which its end may be off its foot without the foot giving way
_LEVER = 0.6  # share of the length of neck and head at which the head rises as the neck bends up
_UP = np.asarray([0.0, 1.0, 0.0])
_DEEPEST = 0.3
"""Share of a leg by which a body sinks to reach its feet; beyond it, feet leave the ground instead."""


def turned(yaw: Floats, pitch: Floats, roll: Floats) -> Floats:
    """Rotations `[N, 4]`: heading, then nose down, then left side up."""
    return rotations.from_euler(np.stack([yaw + 0 * pitch, pitch, roll + 0 * pitch], axis=-1), "YXZ")


def place_body(body: Standing, course: Course, channels: Channels) -> Puppet:
    """The root over its course, before the limbs are posed."""
    facing = course.facing
    bent = -0.5 * channels.bend if body.anatomy.trunk else channels.bend
    spin = turned(facing + channels.yaw + bent, channels.pitch - 0.5 * channels.arch, channels.roll)
    straight = turned(facing + channels.yaw, channels.pitch, channels.roll)
    sine, cosine = np.sin(facing), np.cos(facing)
    pivot = np.stack(
        [
            course.position[:, 0] + channels.surge * sine + channels.sway * cosine,
            body.pivot[1] - body.sag + course.altitude + channels.lift,
            course.position[:, 1] + channels.surge * cosine - channels.sway * sine,
        ],
        axis=-1,
    )
    offset = body.positions[body.anatomy.root] - body.pivot
    # a trunk that bends keeps both its ends on the course; only its middle goes aside
    return Puppet(body, spin, pivot + rotations.rotate(straight, offset + np.zeros_like(pivot)))


def pose_trunk(figure: Puppet, channels: Channels) -> None:
    """Spine, neck and head."""
    anatomy = figure.body.anatomy
    zero = np.zeros_like(channels.bend)
    for joint in anatomy.trunk:
        share = 1.0 / len(anatomy.trunk)
        figure.turn(joint, turned(share * channels.bend, share * channels.arch, share * channels.twist))
    neck = [*anatomy.neck, *(() if anatomy.head is None else (anatomy.head,))]
    for at, joint in enumerate(neck):
        share = 1.0 / len(neck)
        forth = (1.0 - 2.0 * at / (len(neck) - 1)) * channels.reach if len(neck) > 1 else zero
        yaw, pitch, roll = share * channels.neck_yaw, share * channels.neck_pitch + forth, zero
        if joint == anatomy.head:
            yaw, pitch, roll = yaw + channels.head_yaw, pitch + channels.head_pitch, channels.head_roll
        figure.turn(joint, turned(yaw, pitch, roll))
    for at, joint in enumerate(anatomy.jaws):
        x = figure.body.positions[joint, 0]
        aside = abs(x) > 0.02 * figure.body.leg  # mandibles open sideways
        if aside:
            figure.turn(joint, turned(np.sign(x) * channels.jaw, zero, zero))
        elif at == 0 or joint not in figure.body.skeleton.below([anatomy.jaws[0]]).nonzero()[0]:
            figure.turn(joint, turned(zero, channels.jaw, zero))


def foot_targets(figure: Puppet, leg: LegModel, track: FootMotion, channels: Channels) -> tuple[Floats, Floats, Floats]:
    """Rotation `[N, 4]` of the foot, and places `[N, 3]` of the end of the leg and of the contact joint."""
    zero = np.zeros_like(track.yaw)
    flat = turned(track.yaw, track.pitch, zero)
    loose = np.clip(track.loose + channels.slack, 0.0, 1.0)[:, None]
    if not loose.any():
        return flat, track.place + rotations.rotate(flat, leg.foot + 0 * track.place), track.place
    base = figure.rotation(leg.mount)
    own, curled = figure.point(leg.mount, leg.place), figure.point(leg.mount, _drawn_in(figure.body, leg, base))
    carried = own + (curled - own) * channels.curl[:, None]
    contact = track.place + (carried - track.place) * loose
    contact[:, 1] = np.maximum(
        contact[:, 1], np.minimum(track.place[:, 1], leg.place[1])
    )  # the ground stops loose feet
    foot = np.where(loose > 0, rotations.slerp(flat, base, loose[:, 0]), flat)
    return foot, contact + rotations.rotate(foot, leg.foot + 0 * contact), contact


def _drawn_in(body: Standing, leg: LegModel, base: Floats) -> Floats:
    """Where a leg that is drawn in has its contact point, `[N, 3]` metres on the standing body."""
    line = leg.place - leg.hip
    inward = line * np.asarray([0.55, 0.45, 0.55] if leg.sprawled else [1.0, 0.62, 1.0]) + 0 * base[:, :3]
    if leg.sprawled and len(body.legs) > 4 and not body.anatomy.tentacles:  # insects on their backs close their legs
        closed = np.asarray([0.2 * line[0], -0.6 * leg.reach, 0.2 * line[2]])
        over = smooth_step(-2.0 * rotations.rotate(base, _UP + 0 * inward)[:, 1:2])
        inward = inward + (closed - inward) * over
    return leg.hip + inward


def settle(figure: Puppet, tracks: list[FootMotion], channels: Channels, fps: float, unit: float) -> None:
    """Lower the body, smoothly, where a leg would not reach its standing foot."""
    body = figure.body
    needed = np.zeros(len(channels.lift))
    for leg, track in zip(body.legs, tracks, strict=True):
        _, target, _ = foot_targets(figure, leg, track, channels)
        line = figure.point(leg.mount, leg.hip) - target
        flat = np.hypot(line[:, 0], line[:, 2])
        most = 0.99 * leg.reach
        highest = np.sqrt(np.maximum(most**2 - flat**2, (0.3 * most) ** 2))
        firm = (1 - track.swing) * (1 - np.clip(track.loose + channels.slack, 0, 1))
        needed = np.maximum(needed, firm * (line[:, 1] - highest))
    sigma = 0.12 * unit * fps
    drop = gaussian_filter1d(maximum_filter1d(needed, 2 * round(2.5 * sigma) + 1), sigma)
    figure.shift(np.stack([0 * drop, -np.minimum(drop, _DEEPEST * body.leg), 0 * drop], axis=-1))


def lift_head(figure: Puppet, channels: Channels, fps: float, unit: float) -> bool:
    """Bend the neck up, smoothly, where the head would go into the ground; the trunk must then be posed again.

    Returns:
        Whether the channel of the neck has changed.
    """
    body = figure.body
    if body.anatomy.head is None:
        return False
    points = body.ends(body.anatomy.head)
    length = max(float(np.linalg.norm(point - body.positions[body.anatomy.head])) for _, point in points)
    neck = body.positions[[*body.anatomy.neck, body.anatomy.head]]
    length += float(np.linalg.norm(np.diff(neck, axis=0), axis=-1).sum())
    margin = 0.01 * body.leg
    needed = np.max([min(margin, point[1]) - figure.height(joint, point) for joint, point in points], axis=0)
    if needed.max() < 0.1 * margin:
        return False
    rise = _raised(np.maximum(needed, 0.0), 0.2 * unit * fps)[:, 1]
    channels.neck_pitch -= np.minimum(rise / (_LEVER * max(length, 1e-6)), 1.0)
    return True


def clear_ground(figure: Puppet, fps: float, unit: float) -> bool:
    """Raise a body, smoothly, whose knees, trunk or head would go into the ground; returns whether it was raised."""
    body = figure.body
    margin = 0.01 * body.leg
    needed = np.zeros_like(figure.place(body.anatomy.root)[:, 1])
    for joint, point in _outline(body):
        needed = np.maximum(needed, min(margin, point[1]) - figure.height(joint, point))
    if needed.max() < 0.1 * margin:
        return False
    figure.shift(_raised(needed, 0.4 * unit * fps))
    return True


def clear_limbs(figure: Puppet, channels: Channels, fps: float, unit: float) -> None:
    """Raise a body on loose legs, smoothly, whose wings or arms would go into the ground."""
    anatomy = figure.body.anatomy
    joints = [joint for limb in (*anatomy.wings, *anatomy.arms) for joint in limb.joints]
    if not joints or not channels.slack.any():
        return
    lowest = np.min([figure.height(joint, figure.body.positions[joint]) for joint in joints], axis=0)
    needed = np.maximum(0.01 * figure.body.leg - lowest, 0.0) * np.clip(2.0 * channels.slack, 0.0, 1.0)
    figure.shift(_raised(needed, 0.4 * unit * fps))


def _raised(needed: Floats, sigma: float) -> Floats:
    """Offsets `[N, 3]` of a smooth rise by at least what is needed."""
    rise = gaussian_filter1d(maximum_filter1d(needed, 2 * round(2.0 * sigma) + 1), sigma)
    return np.stack([0 * rise, rise, 0 * rise], axis=-1)


def _outline(body: Standing) -> list[tuple[int, Floats]]:
    """Joints and points `[3]` of the standing body that must stay above the ground."""
    anatomy = body.anatomy
    joints = [joint for leg in body.legs for joint in leg.joints]
    joints += [limb.joints[-1] for limb in anatomy.tentacles]
    joints += [anatomy.root, *anatomy.trunk, *anatomy.neck]
    head = [] if anatomy.head is None else body.ends(anatomy.head)
    return [(joint, body.positions[joint]) for joint in joints] + head


def pose_legs(figure: Puppet, tracks: list[FootMotion], channels: Channels) -> list[Floats]:
    """Bend the legs to their feet; returns how far each foot is out of reach, `[N]` metres."""
    missed: list[Floats] = []
    for leg, track in zip(figure.body.legs, tracks, strict=True):
        foot, target, contact = foot_targets(figure, leg, track, channels)
        hips = figure.point(leg.mount, leg.hip)
        base = figure.rotation(leg.mount)
        turns = leg.solve(hips, target, base, track.swing)
        for joint, turn in zip(leg.joints, turns, strict=False):
            figure.aim(joint, turn)
        end = figure.place(leg.joints[-2]) + rotations.rotate(turns[-1], leg.bones[-1] + 0 * target)
        missed.append(np.linalg.norm(end - target, axis=-1))
        loose = np.clip(track.loose + channels.slack, 0.0, 1.0)
        given = contact + _short(end - target, np.maximum(track.swing, loose), leg)
        own = _above(given, contact, leg) if leg.detached else None
        if leg.joints[-1] == leg.contact:
            figure.aim(leg.contact, foot, own)
            continue
        figure.aim(leg.joints[-1], foot)  # the ankle of a flat foot, whose toes stay on the ground
        toes = turned(track.yaw, 0 * track.pitch, 0 * track.pitch)
        figure.aim(leg.contact, rotations.slerp(toes, foot, smooth_step(3 * loose)), own)
    return missed


def _short(gap: Floats, free: Floats, leg: LegModel) -> Floats:
    """The part `[N, 3]` of a gap by which a foot that hangs elsewhere stays with its leg: none of it in contact."""
    missed = np.linalg.norm(gap, axis=-1) / (_MISSED * leg.length)
    return gap * np.maximum(free, np.clip(missed - 1.0, 0.0, 1.0))[:, None]


def _above(place: Floats, contact: Floats, leg: LegModel) -> Floats:
    """A place `[N, 3]` that is no lower than both the contact point and the standing foot."""
    return np.stack([place[:, 0], np.maximum(place[:, 1], np.minimum(contact[:, 1], leg.place[1])), place[:, 2]], -1)


def lagged(values: Floats, course: Course, seconds: float) -> Floats:
    """A channel some seconds ago, `[N]`."""
    return np.interp(course.times - seconds, course.times, values)
