"""How a body carries itself as it goes: bounce, sway, leaning, bending into turns, a steady head, a trailing tail."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinema.arrays import Floats
from kinema.mocap.creatures.channels import Channels, slow_noise
from kinema.mocap.creatures.course import Course, Pacing
from kinema.mocap.creatures.gaits import Cycle
from kinema.mocap.creatures.loads import Loads
from kinema.mocap.creatures.standing import Standing
from kinema.mocap.procedural.script import smooth_step


def carry(
    body: Standing, course: Course, cycle: Cycle, loads: Loads, pacing: Pacing, rng: np.random.Generator
) -> Channels:
    """The channels of plain travel and standing."""
    channels = Channels(course.times.size)
    vary = rng.uniform(0.75, 1.3, 8)
    going = smooth_step(cycle.froude / 0.25)
    quick = np.clip(cycle.froude / 1.5, 0.0, 1.2)
    two, many = len(body.legs) == 2, len(body.legs) > 4
    leg = body.leg
    size = (0.012 if many else 0.022) * (1 - smooth_step(cycle.froude / 1.0)) + (0.02 if many else 0.055) * quick
    channels.lift += vary[0] * leg * size * loads.bounce * going
    channels.pitch += vary[1] * 0.14 * quick * loads.pitch * going
    channels.sway += (
        (0.25 if two else 0.12) * body.girth * vary[2] * loads.sway * going * (1 - 0.5 * np.clip(quick, 0, 1))
    )
    channels.roll += -(0.09 if two else 0.05) * vary[3] * loads.sway * going
    wave = 0.55 if body.sprawled and len(body.legs) == 4 else 0.1
    channels.bend += wave * vary[4] * loads.wave * going
    channels.arch += 0.5 * vary[5] * loads.flex * quick * going
    channels.lift -= (0.0 if many else 0.08) * leg * quick
    _lean(channels, body, course, pacing)
    _turn(channels, body, course, pacing, vary[6])
    _steady_head(channels, cycle, loads, going)
    _swing(channels, cycle, loads, going, two, vary[7])
    _idle(channels, body, course, going, pacing, rng)
    return channels


def _lean(channels: Channels, body: Standing, course: Course, pacing: Pacing) -> None:
    """Pitch against acceleration, and roll into curves."""
    sine, cosine = np.sin(course.facing), np.cos(course.facing)
    ahead = course.acceleration[:, 0] * sine + course.acceleration[:, 1] * cosine
    aside = course.acceleration[:, 0] * cosine - course.acceleration[:, 1] * sine
    sigma = 0.5 * pacing.unit * course.fps
    slope = 0.6 if len(body.legs) == 2 else 0.25
    channels.pitch += slope * np.tanh(gaussian_filter1d(ahead, sigma) / pacing.gravity)
    roll = 0.5 if len(body.legs) <= 4 and not body.sprawled else 0.12
    channels.roll -= roll * np.tanh(gaussian_filter1d(aside, sigma) / pacing.gravity)
    if body.upright:
        channels.pitch += 0.12 * np.clip(course.speed / pacing.speed, 0, 2)


def turn_bend(body: Standing, course: Course, pacing: Pacing) -> Floats:
    """Bend of the trunk into turns, `[N]` radians to the left."""
    eased = gaussian_filter1d(course.turning * pacing.unit, pacing.unit * course.fps)
    return (0.35 if body.upright else 0.55) * np.tanh(0.8 * eased)


def _turn(channels: Channels, body: Standing, course: Course, pacing: Pacing, vary: float) -> None:
    """Trunk, neck and head go ahead into a turn, and the tail lags."""
    rate = course.turning * pacing.unit
    ahead = np.interp(course.times + 1.2 * pacing.unit, course.times, rate)
    eased = gaussian_filter1d(rate, pacing.unit * course.fps)
    channels.bend += turn_bend(body, course, pacing)
    channels.neck_yaw += 0.8 * vary * np.tanh(1.1 * gaussian_filter1d(ahead, 0.6 * pacing.unit * course.fps))
    channels.tail_yaw -= 0.9 * np.tanh(1.2 * eased)


def _steady_head(channels: Channels, cycle: Cycle, loads: Loads, going: Floats) -> None:
    """The neck takes up most of the pitching of the body, and nods with the stride."""
    channels.neck_pitch -= 0.65 * (channels.pitch + 0.5 * channels.arch)
    channels.neck_pitch += 0.05 * going * loads.bounce
    channels.neck_yaw -= 0.6 * channels.bend * smooth_step(cycle.froude / 0.1) * 0.5
    channels.head_roll -= 0.7 * channels.roll


def _swing(channels: Channels, cycle: Cycle, loads: Loads, going: Floats, two: bool, vary: float) -> None:
    """Arms swing against the legs, and the tail sways with them."""
    channels.arm_swing += vary * (0.25 + 0.4 * np.clip(cycle.froude, 0, 1.2)) * going * loads.swing
    channels.arm_bend += 1.1 * smooth_step((cycle.froude - 0.6) / 0.6)
    channels.tail_yaw += vary * (0.16 if two else 0.22) * going * loads.sway
    channels.tail_pitch += 0.12 * going * loads.bounce + 0.12 * np.clip(cycle.froude, 0, 2)


def _idle(
    channels: Channels, body: Standing, course: Course, going: Floats, pacing: Pacing, rng: np.random.Generator
) -> None:
    """Breathing, shifting of weight, small looks and a lazy tail."""
    count, fps, unit = course.times.size, course.fps, max(pacing.unit, 0.15)
    still = 1 - 0.8 * going
    breath = np.sin(2 * np.pi * (course.times * rng.uniform(0.07, 0.11) / unit + rng.random()))
    channels.lift += 0.006 * body.leg * breath * still
    channels.arch += 0.012 * breath * still
    channels.sway += 0.12 * body.girth * slow_noise(rng, count, fps, 3.5 * unit) * still
    channels.roll += 0.012 * slow_noise(rng, count, fps, 3.0 * unit) * still
    channels.neck_yaw += 0.14 * slow_noise(rng, count, fps, 2.5 * unit) * still
    channels.neck_pitch += 0.06 * slow_noise(rng, count, fps, 2.5 * unit) * still
    channels.tail_yaw += 0.25 * slow_noise(rng, count, fps, 2.0 * unit) * (0.4 + 0.6 * still)
    channels.tail_pitch += 0.08 * slow_noise(rng, count, fps, 2.5 * unit)
    channels.arm_bend += 0.05 * slow_noise(rng, count, fps, 3.0 * unit)
