"""Bodies on legs, from the course to the figure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Floats
from kinema.mocap.creatures.aerial import fly_body, jet_body, jump_body, plan_leaps
from kinema.mocap.creatures.bobbing import head_bob
from kinema.mocap.creatures.carriage import carry, turn_bend
from kinema.mocap.creatures.channels import Channels
from kinema.mocap.creatures.course import Course
from kinema.mocap.creatures.deeds import act_out
from kinema.mocap.creatures.gaits import Cycle, plan_cycle
from kinema.mocap.creatures.kinds import Kind
from kinema.mocap.creatures.limbs import pose_limbs
from kinema.mocap.creatures.loads import body_loads
from kinema.mocap.creatures.posing import (
    clear_ground,
    clear_limbs,
    lift_head,
    place_body,
    pose_legs,
    pose_trunk,
    settle,
)
from kinema.mocap.creatures.puppet import Puppet
from kinema.mocap.creatures.scene import Scene
from kinema.mocap.creatures.slither import follow
from kinema.mocap.creatures.standing import Standing
from kinema.mocap.creatures.steps import FootMotion, Mount, track_feet

_STEP = 0.14  # height of steps, leg lengths
_WINDING = 0.025  # of the body of a centipede, relative to its wave
_RAISES = 3  # times that a body is raised off the ground at most; legs that follow it bend anew each time
_OFF = 1e-3  # a foot further from its print than this share of the leg is not in contact


@dataclass(frozen=True, eq=False)
class Posed:
    """A figure over the frames of its course.

    Attributes:
        figure: the body.
        contacts: bool `[N]` by the name of the foot joint.
        phase: `[N]` strides or waves.
    """

    figure: Puppet
    contacts: dict[str, Bools]
    phase: Floats


def stride_cycle(kind: Kind, course: Course, rng: np.random.Generator) -> Cycle:
    """The gait cycle of a body on its course."""
    body = kind.body
    froude = np.hypot(course.speed, 0.7 * course.turning * body.stance_radius) / kind.pacing.speed
    froude = np.minimum(froude, 4.0)
    orders = np.asarray([leg.order for leg in body.legs])
    sides = np.asarray([leg.side for leg in body.legs])
    return plan_cycle(
        froude, course.gaits, orders, sides, kind.build, kind.pacing.unit, _longest(body), course.fps, rng.random()
    )


def _longest(body: Standing) -> float:
    """Largest excursion of a foot in stance, leg lengths."""
    spans: list[float] = []
    for leg in body.legs:
        line = leg.hip - leg.neutral() - leg.foot
        up, away = float(line[1]), float(np.hypot(line[0], line[2]))
        far = float(np.sqrt(max((0.985 * leg.reach) ** 2 - (0.88 * up) ** 2, 0.0)))
        near = float(np.sqrt(max((1.05 * leg.table[1][-1]) ** 2 - up**2, 0.0)))
        spans.append(1.6 * (min(far - away, away - near) if body.sprawled else far) / body.leg)
    return float(np.clip(min(spans), 0.25, 0.5 if body.sprawled else 1.3))


def pose_walker(kind: Kind, course: Course, rng: np.random.Generator) -> Posed:
    """The figure of a body on legs."""
    body, unit = kind.body, kind.pacing.unit
    cycle = stride_cycle(kind, course, rng)
    channels = carry(body, course, cycle, body_loads(body, cycle), kind.pacing, rng)
    channels.fold += 1.0
    if kind.plan == "bird" and kind.build == "two":
        channels.reach += head_bob(body, course, cycle)
    leaps = plan_leaps(kind, course)
    jump_body(kind, course, channels, leaps)
    fly_body(kind, course, channels, rng)
    jet_body(kind, course, channels, rng)
    scene = Scene(kind, course, channels, rng)
    if kind.medium == "train":
        wave = 0.8 * body.length * rng.uniform(0.8, 1.2)
        mounts = _train_mounts(follow(body, course, Channels(course.times.size), wave, _WINDING * wave, False), body)
    else:
        mounts = _mounts(body, course, turn_bend(body, course, kind.pacing))
    tracks = track_feet(course, cycle, body, mounts, leaps, _STEP)
    scene.tracks.extend(tracks)
    act_out(scene)
    if kind.medium == "train":
        figure = follow(body, course, channels, wave, _WINDING * wave, False)
    else:
        figure = _pose_body(body, course, channels)
        if lift_head(figure, channels, course.fps, unit):
            figure = _pose_body(body, course, channels)
    settle(figure, tracks, channels, course.fps, unit)
    missed = pose_legs(figure, tracks, channels)
    for _ in range(_RAISES):
        if not clear_ground(figure, course.fps, unit):
            break
        missed = pose_legs(figure, tracks, channels)
    pose_limbs(figure, channels, course, unit, rng, tails=kind.medium != "train")
    clear_limbs(figure, channels, course.fps, unit)
    return Posed(figure, _contacts(body, tracks, missed, channels), cycle.phase)


def _pose_body(body: Standing, course: Course, channels: Channels) -> Puppet:
    figure = place_body(body, course, channels)
    pose_trunk(figure, channels)
    return figure


def _mounts(body: Standing, course: Course, bend: Floats) -> list[Mount]:
    """Where a rigid trunk that bends into turns carries its legs."""
    half = 0.5 * bend if body.anatomy.trunk and len(body.legs) == 4 else 0 * bend
    mounts: list[Mount] = []
    ahead = np.stack([np.sin(course.facing), np.cos(course.facing)], axis=-1)
    for leg in body.legs:
        girdle = leg.hip[2] - body.pivot[2]
        yaw = course.facing + (half if leg.order == 0 else -half)
        neutral = (leg.neutral() - body.pivot)[[0, 2]] - [0.0, girdle]
        mounts.append(Mount(course.position + girdle * ahead, yaw, neutral))
    return mounts


def _train_mounts(figure: Puppet, body: Standing) -> list[Mount]:
    """Where the segments of a centipede carry their legs."""
    mounts: list[Mount] = []
    for leg in body.legs:
        place, spin = figure.place(leg.mount), figure.rotation(leg.mount)
        yaw = np.unwrap(2 * np.arctan2(spin[:, 2], spin[:, 0]))
        mounts.append(Mount(place[:, [0, 2]], yaw, (leg.neutral() - body.positions[leg.mount])[[0, 2]]))
    return mounts


def _contacts(body: Standing, tracks: list[FootMotion], missed: list[Floats], channels: Channels) -> dict[str, Bools]:
    """Which feet stand still, by the names of their joints."""
    names = body.skeleton.names
    return {
        names[leg.contact]: track.planted & (off < _OFF * body.leg) & (track.loose + channels.slack < 1e-6)
        for leg, track, off in zip(body.legs, tracks, missed, strict=True)
    }
