"""Off the ground: jumps, and flight with take-off, flapping, gliding, banking and landing."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinema.arrays import Floats
from kinema.mocap.creatures.acts import ACTIONS
from kinema.mocap.creatures.channels import Channels
from kinema.mocap.creatures.course import Course, Deed
from kinema.mocap.creatures.kinds import Kind
from kinema.mocap.creatures.steps import Leap, bump
from kinema.mocap.procedural.script import smooth_step

_BETWEEN, _LANDED = 4.4, 1.5
"""Units of time from one jump to the next, and from the last one to the end of the act."""


def plan_leaps(kind: Kind, course: Course) -> list[Leap]:
    """Times without ground contact: jumps and flights."""
    jumps = [leap for deed in course.deeds if deed.act.kind == "jump" for leap in _jumps(kind, deed)]
    return [*jumps, *_flights(course)]


def _jumps(kind: Kind, deed: Deed) -> list[Leap]:
    """As many ballistic jumps as there is time for, higher with the pace of the act."""
    unit, leg = kind.pacing.unit, kind.body.leg
    small = 0.7 if len(kind.body.legs) > 4 or kind.body.sprawled else 1.0
    height = small * leg * (0.6 + 0.25 * deed.act.pace)
    running = deed.speed > 0.9 * kind.pacing.speed
    first = deed.start + (1.6 if running else 2.4) * unit
    flight = 2 * float(np.sqrt(2 * height / kind.pacing.gravity))
    period = flight + (_BETWEEN if not running else 1.5 * _BETWEEN) * unit
    count = max(int((deed.end - first - flight - _LANDED * unit) / period) + 1, 1)
    return [Leap(start, start + flight, height) for start in first + period * np.arange(count)]


def _flights(course: Course) -> list[Leap]:
    """The stretches in the air."""
    up = np.concatenate([[False], course.airborne > 0.004, [False]])
    edges = np.flatnonzero(up[1:] != up[:-1])
    times = np.append(course.times, course.times[-1] + 1.0)
    return [Leap(float(times[a]), float(times[b]), 0.0) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def jump_body(kind: Kind, course: Course, channels: Channels, leaps: list[Leap]) -> None:
    """Crouch, ballistic rise and landing of jumps."""
    unit, leg, times = kind.pacing.unit, kind.body.leg, course.times
    lying = not kind.body.upright
    deep = 0.12 if kind.body.sprawled else 0.22
    for leap in leaps:
        if leap.rise <= 0:
            continue
        before, after = 2.0 * unit, 2.4 * unit
        share = np.clip((times - leap.takeoff) / (leap.landing - leap.takeoff), 0.0, 1.0)
        channels.lift += 4 * leap.rise * share * (1 - share)
        crouch = bump((times - leap.takeoff + before) / (1.25 * before))
        land = bump((times - leap.landing + 0.15 * after) / after)
        quick = min(float(np.interp(leap.takeoff, times, course.speed)) / kind.pacing.speed, 1.0)
        channels.lift -= deep * (1 - 0.6 * quick) * leg * (crouch + 0.9 * land)  # who runs takes off from springy legs
        rising = bump((times - leap.takeoff + 0.6 * unit) / (leap.landing - leap.takeoff))
        falling = bump((times - leap.takeoff - 0.5 * (leap.landing - leap.takeoff)) / (leap.landing - leap.takeoff))
        channels.pitch += (0.22 if lying else 0.1) * (falling - rising) + (0.15 * (crouch + land) if not lying else 0.0)
        channels.neck_pitch -= 0.15 * (falling - rising)
        channels.tail_pitch += 0.35 * rising - 0.25 * land
        channels.arm_raise += 0.7 * rising - 0.4 * crouch
        channels.fold -= 0.5 * bump(share)


def fly_body(kind: Kind, course: Course, channels: Channels, rng: np.random.Generator) -> None:
    """Spread, beat and bank; legs tucked, the body level."""
    if not kind.flies or not course.airborne.any():
        return
    unit, fps, times = kind.pacing.unit, course.fps, course.times
    span = kind.pacing.altitude / 1.2
    aloft = smooth_step(course.airborne / 0.3)
    ready = smooth_step(np.interp(times + 1.2 * unit, times, course.airborne) / 0.35)
    ready = gaussian_filter1d(ready, 0.8 * unit * fps)  # a body that falls comes down at once
    climb = np.gradient(course.altitude) * fps
    effort = _effort(course, climb, kind.pacing.speed, unit)
    rate = np.minimum(rng.uniform(1.9, 2.5) / np.sqrt(max(span, 0.05)) * (1 + 0.3 * np.clip(effort - 1, 0, 1)), fps / 7)
    phase = rng.random() + np.cumsum(rate) / fps
    beat = np.sin(2 * np.pi * phase)
    channels.fold -= ready
    channels.flap += ready * (0.12 + 0.8 * effort * beat)
    channels.sweep += ready * 0.22 * effort * np.cos(2 * np.pi * phase)
    channels.lift -= 0.05 * span * effort * aloft * beat
    pull = gaussian_filter1d(course.turning, unit * fps) * course.speed
    channels.roll -= 0.75 * aloft * np.tanh(pull / kind.pacing.gravity)
    slope = np.arctan2(climb, np.maximum(course.ahead(), 0.4 * kind.pacing.speed))
    channels.pitch += aloft * (-0.7 * gaussian_filter1d(slope, unit * fps) + 0.12)
    channels.neck_pitch += aloft * 0.3 * slope
    channels.tail_pitch -= 0.3 * aloft * slope
    channels.slack += aloft
    channels.curl += 0.9 * aloft


def jet_body(kind: Kind, course: Course, channels: Channels, rng: np.random.Generator) -> None:
    """Swim by closing and opening all tentacles: a quick stroke, then a drift."""
    if not kind.body.anatomy.tentacles or not course.airborne.any():
        return
    unit, leg = kind.pacing.unit, kind.body.leg
    aloft = smooth_step(course.airborne / 0.35)
    rate = np.minimum((0.14 + 0.12 * course.speed / kind.pacing.speed) / unit, course.fps / 8)
    phase = rng.random() + np.cumsum(rate) / course.fps
    stroke = 0.5 - 0.5 * np.cos(2 * np.pi * phase + 0.5 * np.sin(2 * np.pi * phase))
    channels.slack += aloft
    channels.curl += aloft * (0.05 + 0.9 * stroke)
    channels.lift += 0.12 * leg * aloft * np.sin(2 * np.pi * phase)
    channels.surge += 0.1 * leg * aloft * np.sin(2 * np.pi * phase)
    channels.pitch += 0.35 * aloft


def _effort(course: Course, climb: Floats, speed: float, unit: float) -> Floats:
    """How strongly wings beat: hardly in a glide, more in a climb."""
    gliding = gaussian_filter1d((course.action == ACTIONS.index("glide")).astype(np.float64), unit * course.fps)
    settled = smooth_step(course.airborne / 0.9)
    return (1 - 0.95 * gliding * settled) * (0.85 + 0.4 * np.clip(climb / speed, -1, 1))
