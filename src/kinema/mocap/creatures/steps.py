"""Footsteps of any number of legs: where feet stand, exactly still, and how they swing from print to print."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats
from kinema.mocap.creatures.course import Course
from kinema.mocap.creatures.gaits import Cycle
from kinema.mocap.creatures.legs import LegModel
from kinema.mocap.creatures.standing import Standing
from kinema.mocap.procedural.script import smooth_step

_LIFTING = 0.2
"""Share of a step in which a foot stops to carry the body, and again in which it begins to."""


@dataclass(frozen=True)
class Leap:
    """A time without ground contact.

    Attributes:
        takeoff, landing: seconds.
        rise: height that the feet gain, metres.
    """

    takeoff: float
    landing: float
    rise: float


@dataclass(frozen=True)
class Mount:
    """Where the body carries a leg over time.

    Attributes:
        position: `[N, 2]` ground point (x, z) below which the rest pose has the origin of `neutral`, metres.
        yaw: `[N]` radians.
        neutral: `[2]` contact point of the standing leg relative to it, (x, z) metres.
    """

    position: Floats
    yaw: Floats
    neutral: Floats

    def at(self, times: Floats, course: Course) -> tuple[Floats, Floats]:
        """Neutral ground points `[S, 2]` and headings `[S]` at times `[S]`."""
        x, z = (np.interp(times, course.times, column) for column in self.position.T)
        yaw = np.interp(times, course.times, self.yaw)
        sine, cosine = np.sin(yaw), np.cos(yaw)
        aside, ahead = self.neutral
        return np.stack([x + aside * cosine + ahead * sine, z - aside * sine + ahead * cosine], axis=-1), yaw


@dataclass
class FootMotion:
    """One foot over the frames; actions may change it.

    Attributes:
        place: `[N, 3]` contact joint, metres.
        yaw: `[N]` heading relative to rest, radians.
        pitch: `[N]` toes down, radians; heel up over the still toes of a flat foot.
        planted: `[N]` whether the contact point is still.
        swing: `[N]` 0 on the ground, 1 in a step.
        loose: `[N]` share to which the body carries the foot instead.
    """

    place: Floats
    yaw: Floats
    pitch: Floats
    planted: Bools
    swing: Floats
    loose: Floats


def bump(x: Floats) -> Floats:
    """0 to 1 to 0 over x in 0..1, flat to the second derivative at both ends."""
    x = np.clip(x, 0.0, 1.0)
    return (4.0 * x * (1.0 - x)) ** 3


def arch(x: Floats) -> Floats:
    """0 to 1 to 0 over x in 0..1, broader than `bump`, flat at both ends."""
    x = np.clip(x, 0.0, 1.0)
    return (4.0 * x * (1.0 - x)) ** 1.5


def _off_ground(share: Floats) -> Floats:
    """0 at both ends of a step, and 1 during it."""
    return smooth_step(np.minimum(share, 1.0 - share) / _LIFTING)


def track_feet(
    course: Course, cycle: Cycle, body: Standing, mounts: list[Mount], leaps: list[Leap], lift: float
) -> list[FootMotion]:
    """The tracks of all feet.

    Args:
        course: the plan on the ground.
        cycle: the gait.
        body: what walks.
        mounts: of each leg.
        leaps: times in the air.
        lift: height of a step relative to the leg.
    """
    phases = cycle.leg_phases()
    return [
        _track(course, cycle, phases[:, at], leg, mount, leaps, body, lift)
        for at, (leg, mount) in enumerate(zip(body.legs, mounts, strict=True))
    ]


def _step_times(course: Course, cycle: Cycle, phase: Floats, leaps: list[Leap]) -> tuple[Floats, Floats, Floats]:
    """Lift, strike and middle of stance of all steps, seconds; the first is where the foot stands at the start."""
    times = course.times
    growing = np.maximum.accumulate(phase) + 1e-9 * np.arange(phase.size)
    whole = np.arange(np.ceil(growing[0]) + 1, np.floor(growing[-1]) + 1)
    duty = np.interp(whole, growing, cycle.duty)
    rows = np.stack([np.interp(at, growing, times) for at in (whole - 1 + duty, whole, whole + 0.5 * duty)])
    for leap in leaps:
        lift, strike, _ = rows
        rows = rows[:, (strike < leap.takeoff) | (lift > leap.landing)]
        at = int(np.sum(rows[1] < leap.takeoff))
        rows = np.insert(rows, at, (leap.takeoff, leap.landing, leap.landing + 0.02), axis=1)
    begin = float(times[0])
    rows = np.insert(rows, 0, (begin - 2.0, begin - 1.0, begin), axis=1)
    return rows[0], rows[1], rows[2]


def _needed(position: Floats, yaw: Floats, forced: Bools, leg: float) -> list[int]:
    """Indices of the steps that move or turn the foot; without a need it stays."""
    keep = [0]
    for step in range(1, len(yaw)):
        moved = float(np.hypot(*(position[step] - position[keep[-1]])))
        if forced[step] or moved > 0.035 * leg or abs(yaw[step] - yaw[keep[-1]]) > 0.1:
            keep.append(step)
    return keep


def _lift_in_reach(course: Course, mount: Mount, lift: Floats, strike: Floats, position: Floats, most: float) -> Floats:
    """Lift times, earlier where the body would leave a standing foot further behind than `most` metres."""
    begin, end = strike[:-1], np.maximum(lift[1:], strike[:-1] + 0.02)
    share = np.linspace(0.0, 1.0, 16)
    sampled = begin[:, None] + share * (end - begin)[:, None]
    neutral, _ = mount.at(sampled.reshape(-1), course)
    away = np.linalg.norm(neutral.reshape(*sampled.shape, 2) - position[:-1, None], axis=-1)
    far = (away > most) & (share > 0.4)
    first = np.where(far.any(axis=1), np.argmax(far, axis=1), share.size - 1)
    return np.concatenate([lift[:1], sampled[np.arange(begin.size), first]])


def _track(
    course: Course, cycle: Cycle, phase: Floats, leg: LegModel, mount: Mount, leaps: list[Leap], body: Standing,
    lift_share: float,
) -> FootMotion:  # fmt: skip
    times = course.times
    lift, strike, middle = _step_times(course, cycle, phase, leaps)
    position, yaw = mount.at(middle, course)
    # feet are placed against the acceleration: behind the body to start, ahead of it to stop, outside in a curve
    push = np.stack([np.interp(middle, times, column) for column in course.acceleration.T], axis=-1)
    push *= -0.5 * body.pivot[1] / 9.81
    size = np.hypot(push[:, :1], push[:, 1:])
    most = (0.08 if body.sprawled else 0.16) * body.leg
    position = position + push * most * np.tanh(size / most) / np.maximum(size, 1e-9)
    reach = (0.42 if body.sprawled else 0.58) * body.leg
    struck, _ = mount.at(strike, course)
    away = position - struck
    position = struck + away * np.minimum(1.0, reach / np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9))
    leaping = np.isin(strike, [leap.landing for leap in leaps])
    keep = _needed(position, yaw, leaping, body.leg)
    lift, strike, position, yaw = lift[keep], strike[keep], position[keep], yaw[keep]
    lift = _lift_in_reach(course, mount, lift, strike, position, reach)
    here = np.clip(np.searchsorted(strike, times, side="right") - 1, 0, len(strike) - 1)
    after = np.minimum(here + 1, len(strike) - 1)
    on_way = (times > lift[after]) & (after > here)
    share = np.where(on_way, (times - lift[after]) / np.maximum(strike[after] - lift[after], 1e-6), 0.0)
    going = share * share * (3.0 - 2.0 * share)  # feet follow the body at once, or legs would trail behind it
    ground = position[here] + (position[after] - position[here]) * going[:, None]
    heading = yaw[here] + rotations.wrap(yaw[after] - yaw[here]) * going
    way = np.linalg.norm(position[after] - position[here], axis=-1)
    froude = np.clip(cycle.froude, 0.0, 2.5)
    height = lift_share * body.leg * np.clip(0.35 + 0.5 * way / body.leg + 0.25 * froude, 0.4, 1.3)
    up = height * arch(share)
    for leap in leaps:
        up += leap.rise * arch((times - leap.takeoff) / (leap.landing - leap.takeoff))
    place = np.stack([ground[:, 0], leg.place[1] + up, ground[:, 1]], axis=-1)
    rolled = (
        _roll(times, lift[after], strike[here], share, on_way, way / body.leg)
        if leg.joints[-1] != leg.contact
        else 0.55 * (not body.anatomy.tentacles)
    )
    pitch = rolled if isinstance(rolled, np.ndarray) else rolled * bump(share) * np.clip(2 * way / body.leg, 0, 1)
    return FootMotion(place, heading, pitch, ~on_way, _off_ground(share), np.zeros(times.size))


def _roll(times: Floats, lift: Floats, strike: Floats, share: Floats, on_way: Bools, way: Floats) -> Floats:
    """How far the heel is above the toes, `[N]` radians: it rises before the foot leaves and lands first."""
    size = np.clip(1.3 * way, 0.0, 1.0)
    stood = np.clip((times - strike) / np.maximum(lift - strike, 1e-6), 0.0, 1.0)
    rising = 0.75 * size * smooth_step((stood - 0.5) / 0.5) * (lift > strike)
    falling = 0.75 * size * (1 - smooth_step(share / 0.55)) - 0.25 * size * arch((share - 0.45) / 0.55 * 0.9)
    return np.where(on_way, falling, rising)
