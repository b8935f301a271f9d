"""How a motion conducts itself on a body: what can be measured on any rig without ground truth.

Everything is measured on the joints of the motion, as they are drawn. What is usual for a body is measured, in the
same way, on the motion of `kinema.perform` for it, from slow to fast.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.generation.channels import headings
from kinema.generation.footfalls import Footfalls
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures.kinds import Kind
from kinema.motion import Motion
from kinema.rootframe import smooth_columns

STEADY = 0.5
"""Seconds at the beginning of a clip, and at its end, that are not measured."""

_WAVES = 0.3, 8.0  # Hz between which bodies wave and beat
_STILL = 0.01  # of numbers of rotations, root of their mean square


@dataclass(frozen=True)
class Conduct:
    """Figures of a clip; None where one does not apply.

    Attributes:
        finite: whether every number is.
        bones: largest change of the length of a bone, as a share of half the size of the body.
        reach: largest distance of a joint from what carries the body, as a share of the length of the bones between.
        ground: mean distance of the lowest foot, or of the lowest joint of a body that crawls, from where it is when
            it stands, leg lengths, over the half of the frames in which it is lowest: runners leave the ground.
        below: how deep a joint gets below the lowest one at rest, leg lengths.
        speed: m/s. turn: rad/s, positive to the left. aside: angle between travel and facing, radians.
        stepping, duty, skate: see `kinema.generation.footfalls.Footfalls`.
        cadence: strides a second; waves or beats a second of a body that does not walk.
        jerk: mean jerk of the joints about the hips, in half sizes of the body / s^3.
    """

    finite: bool
    bones: float
    reach: float
    ground: float | None
    below: float | None
    speed: float
    turn: float
    aside: float
    stepping: float | None
    duty: float | None
    cadence: float | None
    skate: float | None
    jerk: float


def conduct(kind: Kind, rig: AnyRig, motion: Motion, grounded: bool = True) -> Conduct:
    """The figures of a motion.

    Args:
        kind, rig: the body as `kinema.perform` and as generation see it.
        motion: of its skeleton, longer than a second and a half.
        grounded: whether it is meant to be on the ground.
    """
    body, fps = kind.body, motion.fps
    places = np.asarray(motion[:].global_positions, np.float64)
    finite = bool(np.isfinite(places).all())
    places = np.nan_to_num(places)
    edge = round(STEADY * fps)
    inside = slice(edge, len(places) - edge)
    heading, path = _course(kind, rig, motion, places)
    steps = np.diff(path[inside], axis=0) * fps
    speed = float(np.linalg.norm(steps, axis=-1).mean())
    apart, lengths = _bones(kind, rig, places)
    walks = grounded and bool(body.legs)
    feet = None
    if walks:
        joints, floor, owners = _feet(kind, rig)
        feet = Footfalls.of(places[inside][:, joints], floor, body.leg, speed, fps, owners)
    low = places[..., 1] - body.positions[:, 1].min()
    joined = rotations.rotate_yaw(-heading[:, None], places - places[:, rig.joints[:1]])[:, rig.joints] / rig.unit
    return Conduct(
        finite,
        float(np.abs(apart - lengths).max(initial=0.0)) / rig.unit,
        _reach(rig, places, lengths),
        _off_ground(kind, rig, places) if grounded and kind.medium != "swim" else None,
        max(-float(low.min()), 0.0) / body.leg if grounded else None,
        speed,
        float(heading[inside][-1] - heading[inside][0]) * fps / max(len(steps), 1),
        _aside(steps, heading[inside][:-1]),
        None if feet is None else feet.stepping,
        None if feet is None else feet.duty,
        beat(_turns(rig, motion, heading)[inside], fps) if feet is None else feet.cadence,
        None if feet is None else feet.skate,
        float(np.linalg.norm(np.diff(joined, n=3, axis=0), axis=-1).mean()) * fps**3,
    )


def beat(turns: Floats, fps: float) -> float | None:
    """The frequency with most of the power of rotations as numbers `[F, J, D]`, Hz; None if next to nothing moves."""
    moved = turns - turns.mean(axis=0)
    if np.square(moved).mean() < _STILL**2:
        return None
    count = 8 * len(turns)
    power = np.square(np.abs(np.fft.rfft(moved * np.hanning(len(turns))[:, None, None], n=count, axis=0)))
    hertz = np.fft.rfftfreq(count, 1.0 / fps)
    inside = (hertz >= _WAVES[0]) & (hertz <= _WAVES[1])
    return float(hertz[(power.sum(axis=(1, 2)) * inside).argmax()])


def _course(kind: Kind, rig: AnyRig, motion: Motion, places: Floats) -> tuple[Floats, Floats]:
    """Headings `[F]` and ground positions `[F, 2]`, smoothed over a second, of the body."""
    root = _carrier(kind, rig)
    turns = rotations.multiply(
        np.nan_to_num(np.asarray(motion[:].global_rotations[:, root], np.float64)),
        rotations.inverse(kind.body.rotations[root])[None],
    )
    path = smooth_columns(places[:, root][:, [0, 2]].astype(np.float32), round(motion.fps) | 1)
    return headings(turns.astype(np.float32)).astype(np.float64), path.astype(np.float64)


def _turns(rig: AnyRig, motion: Motion, heading: Floats) -> Floats:
    """Rotations of joints seen from the heading, as numbers `[F, K, 6]`."""
    turns = np.nan_to_num(np.asarray(motion[:].global_rotations[:, rig.joints], np.float64))
    return rotations.to_6d(rotations.multiply(rotations.from_yaw(-heading)[:, None], turns))


def _feet(kind: Kind, rig: AnyRig) -> tuple[list[int], Floats, list[int]]:
    """Joints `[C]` of feet, their heights `[C]` when they stand, and which foot each is part of.

    Those are the joints that `kinema.perform` plants, and the animated ones below: on which of them a foot stands is
    for the motion to say.
    """
    body = kind.body
    feet = [np.intersect1d(np.flatnonzero(body.skeleton.below([leg.contact])), rig.joints) for leg in body.legs]
    heights = body.positions[:, 1]
    floor = [leg.place[1] + heights[foot] - heights[leg.contact] for leg, foot in zip(body.legs, feet, strict=True)]
    owners = np.repeat(np.arange(len(feet)), [len(foot) for foot in feet])
    return np.concatenate(feet).tolist(), np.concatenate(floor), owners.tolist()


def _off_ground(kind: Kind, rig: AnyRig, places: Floats) -> float:
    if kind.body.legs:
        joints, floor, _ = _feet(kind, rig)
        lowest = (places[:, joints, 1] - floor).min(axis=1)
    else:
        lowest = places[..., 1].min(axis=1) - kind.body.positions[:, 1].min()
    lower = np.sort(lowest)[: (len(lowest) + 1) // 2]
    return float(np.abs(lower).mean()) / kind.body.leg


def _carrier(kind: Kind, rig: AnyRig) -> int:
    """The joint that carries the body in the eyes of both `kinema.perform` and generation."""
    root, hips = kind.body.anatomy.root, int(rig.joints[0])
    return root if kind.body.skeleton.below([hips])[root] else hips


def _bones(kind: Kind, rig: AnyRig, places: Floats) -> tuple[Floats, Floats]:
    """Lengths `[F, K - 1]` of bones in a motion, and `[K - 1]` at rest, metres; 0 above what carries the body."""
    joints, above = rig.joints[1:], rig.joints[rig.parents[1:]]
    carried = kind.body.skeleton.below([_carrier(kind, rig)])[above]
    now = np.linalg.norm(places[:, joints] - places[:, above], axis=-1)
    return carried * now, carried * np.linalg.norm(rig.offsets[1:].astype(np.float64), axis=-1) * rig.unit


def _reach(rig: AnyRig, places: Floats, lengths: Floats) -> float:
    """Largest distance of joints from the first one above them over what the bones between them allow."""
    most, tops = np.zeros(rig.count), np.arange(rig.count)
    for joint in range(1, rig.count):
        if lengths[joint - 1] > 0:
            most[joint] = most[rig.parents[joint]] + lengths[joint - 1]
            tops[joint] = tops[rig.parents[joint]]
    here = places[:, rig.joints]
    away = np.linalg.norm(here - here[:, tops], axis=-1).max(axis=0)
    apart = most > 1e-3 * rig.unit
    return float((away[apart] / most[apart]).max(initial=0.0))


def _aside(steps: Floats, heading: Floats) -> float:
    """Mean angle between travel `[F, 2]` and headings `[F]`, radians, positive to the left."""
    sine, cosine = np.sin(heading), np.cos(heading)
    ahead = np.sum(steps[:, 0] * sine + steps[:, 1] * cosine)
    left = np.sum(steps[:, 0] * cosine - steps[:, 1] * sine)
    return float(np.arctan2(left, ahead))
