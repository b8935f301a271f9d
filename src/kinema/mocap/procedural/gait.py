"""Gait timing along a path: cadence, duty, when the feet step, and when they leave the ground to jump.

Dynamic similarity (R. McN. Alexander, "Optimization and gaits in the locomotion of vertebrates", 1989): everything is
a function of the Froude speed `v / sqrt(g * leg)`, so that a child and a giant walk alike. In walking, step length and
step frequency grow together: their ratio is constant over a wide range of speeds (N. Sekiya and H. Nagasaki,
"Reproducibility of the walking patterns of normal young adults", 1998), so both grow with the square root of speed.
The share of the stride on the ground falls as speed grows. People begin to run near a Froude number of 0.5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinema.arrays import Bools, Floats
from kinema.mocap.contacts import runs
from kinema.mocap.procedural.script import GroundPath, smooth_step
from kinema.mocap.procedural.stance import GRAVITY, StandingBiped
from kinema.mocap.procedural.styles import Style

_RUN_BEGINS, _RUN_ENDS = 0.69, 0.80  # Froude speeds between which walking becomes running (0.71 is Fr 0.5)
_IDLE_GAP = 1.3  # seconds (for a 0.9 m leg) in which the feet may still settle after the body has stopped
_DRIFT = 0.4  # how far the body may move (leg lengths) or turn (radians) over standing feet
_WALK_RATIO = 0.78  # steps per second over the square root of the Froude speed, in units of sqrt(g / leg)
_SLOWEST = 0.26  # steps per second of the slowest walk, in the same units
_SETTLING = 0.5  # of the steps after which the feet of a body that has stopped stand side by side
_TURNING = 0.68  # of the fastest steps on the spot
_CROSSING = 0.52  # how far the hips are turned into the travel by side steps that cross, radians


@dataclass(frozen=True)
class Gait:
    """Per-frame columns `[N]` of the cycle.

    Attributes:
        froude: speed over `sqrt(g * leg)`.
        running: 0 walking, 1 running.
        duty: share of the stride that a foot is on the ground.
        cycles: strides since the start of the clip; whole numbers are strikes of the left foot.
        moving: whether the feet step.
        hips_turn: how far the hips are turned from the facing by travel to the side, radians.
        leaps: (take-off, landing, height) of each jump from a run, seconds and metres.
    """

    froude: Floats
    running: Floats
    duty: Floats
    cycles: Floats
    moving: Bools
    hips_turn: Floats
    leaps: tuple[tuple[float, float, float], ...]


def _moving(path: GroundPath, leg: float, blocked: list[tuple[float, float]]) -> list[tuple[int, int]]:
    """Frame ranges in which the feet step, joined where the pause is too short to settle."""
    scale = np.sqrt(leg / 0.9)
    going = (np.linalg.norm(path.velocity, axis=-1) > 0.04 * np.sqrt(GRAVITY * leg)) | (
        np.abs(path.turning) > 0.3 / scale
    )
    # what is too slow to count as stepping still has to step once it has carried the body away from its feet
    for begin, end in runs(~going):
        drift = np.ptp(path.position[begin:end], axis=0).max() / leg
        if drift > _DRIFT or np.ptp(path.facing[begin:end]) > _DRIFT:
            going[begin:end] = True
    for begin, end in blocked:
        going[(path.times > begin) & (path.times < end)] = False
    ranges: list[tuple[int, int]] = []
    for begin, end in runs(going):
        if ranges and begin - ranges[-1][1] < _IDLE_GAP * scale * path.fps:
            ranges[-1] = (ranges[-1][0], end)
        else:
            ranges.append((begin, end))
    return ranges


def flight_time(height: float) -> float:
    """Seconds in the air of a jump that lifts the body by `height` metres."""
    return 2.0 * float(np.sqrt(2.0 * height / GRAVITY))


def hops(path: GroundPath, leg: float) -> list[tuple[float, float, float]]:
    """Jumps off both feet as (take-off, landing, height)."""
    scale = float(np.sqrt(leg / 0.9))
    found = []
    for start, height, running in path.jumps:
        if not running:
            here = int(np.clip(np.searchsorted(path.times, start), 0, path.times.size - 1))
            speed = float(np.linalg.norm(path.velocity[here]))
            takeoff = start + 0.62 * scale + (0.0 if speed < 0.1 * scale else 0.95 * scale)
            found.append((takeoff, takeoff + flight_time(height), height))
    return found


def plan_gait(path: GroundPath, stance: StandingBiped, style: Style, right_first: bool) -> Gait:
    """Timing of the cycle along a path."""
    leg = stance.leg
    scale = float(np.sqrt(leg / 0.9))
    dt = 1.0 / path.fps
    speed = np.linalg.norm(path.velocity, axis=-1)
    froude = speed / np.sqrt(GRAVITY * leg)
    running = smooth_step((froude - _RUN_BEGINS) / (_RUN_ENDS - _RUN_BEGINS))
    stride = 0.5 * _steps(path, froude, running, leg) * style.cadence
    duty = (1 - running) * np.clip(0.71 - 0.24 * froude, 0.56, 0.71) + running * np.clip(
        0.36 - 0.12 * (froude - 0.7), 0.22, 0.36
    )
    ahead, aside = (part / np.sqrt(GRAVITY * leg) for part in path.travel())
    turned = _CROSSING * passing(ahead, aside)
    hips_turn = gaussian_filter1d(turned, 0.2 * scale * path.fps, mode="nearest")

    blocked = [(takeoff - 0.45 * scale, landing + 0.2 * scale) for takeoff, landing, _ in hops(path, leg)]
    moving = np.zeros(path.times.size, bool)
    cycles = np.zeros(path.times.size)
    leaps: list[tuple[float, float, float]] = []
    cycle = 0.0
    last = 0
    for begin, end in _moving(path, leg, blocked):
        stop = min(end + int(_IDLE_GAP * scale * path.fps), path.times.size)
        cycles[last:begin] = cycle
        # start where the first swing begins; the side follows the way the body goes
        soon = min(begin + int(0.3 * scale * path.fps), path.times.size - 1)
        left_of = np.asarray([np.cos(path.facing[begin]), -np.sin(path.facing[begin])])
        sideways = 0.4 * leg * path.turning[soon] + float(path.velocity[soon] @ left_of)
        left = sideways > 0 if abs(sideways) > 0.12 * scale else not right_first
        cycle = np.ceil(cycle) + duty[begin] + (0.0 if left else 0.5)
        rate = stride[begin:stop].copy()
        progress = cycle + np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1])) * dt])
        for start, height, from_run in path.jumps:
            if from_run and begin * dt <= start - path.times[0] < end * dt:
                progress, leap = _leap(progress, path.times[begin:stop], start, height, duty[begin:stop], dt)
                leaps += leap
        cycles[begin:stop] = progress
        moving[begin:stop] = True
        cycle, last = float(progress[-1]), stop
    cycles[last:] = cycle
    return Gait(froude, running, duty, cycles, moving, hips_turn, tuple(leaps))


def across(aside: Floats) -> Floats:
    """How far side steps at Froude speeds `aside` cross: 0 closes the feet, 1 swings each leg about its own hip."""
    return smooth_step((np.abs(aside) - 0.08) / 0.12)


def passing(ahead: Floats, aside: Floats) -> Floats:
    """How far bodies make way for feet that cross, at a travel of Froude speeds `ahead` and `aside` (left).

    It is 0 straight ahead and 1 straight aside, which asks for room long before the feet cross. The sign is the side to
    which the hips turn for it, positive to the left: towards the travel, or away from it where the body goes backward.
    """
    share = aside**2 / np.maximum(ahead**2 + aside**2, 1e-9)
    side = np.sign(aside) * np.where(ahead > -0.2 * np.abs(aside), 1.0, -1.0)
    return side * share * smooth_step((np.abs(aside) - 0.04) / 0.09)


def _steps(path: GroundPath, froude: Floats, running: Floats, leg: float) -> Floats:
    """Steps per second that people of this size take."""
    ahead, aside = path.travel()
    speed = np.maximum(np.hypot(ahead, aside), 1e-6)
    closing = np.abs(aside) / speed * (1 - across(aside / np.sqrt(GRAVITY * leg)))  # feet that close take two steps
    quicker = 1 + 0.1 * np.abs(aside) / speed + 0.15 * np.maximum(-ahead, 0) / speed + 0.4 * closing
    walk = _WALK_RATIO * np.sqrt(froude) * quicker
    run = 0.788 + 0.15 * (froude - 0.84)
    unit = float(np.sqrt(GRAVITY / leg))
    slowest = _SLOWEST + (_SETTLING - _SLOWEST) * (1 - smooth_step(froude / 0.06))
    turning = _TURNING * np.tanh(np.abs(path.turning) / (0.35 * unit))
    steps = (1 - running) * walk + running * run
    return unit * (steps**6 + slowest**6 + turning**6) ** (1 / 6)


def _leap(
    progress: Floats, times: Floats, start: float, height: float, duty: Floats, dt: float
) -> tuple[Floats, list[tuple[float, float, float]]]:
    """Lengthen the first flight after `start` so that the body can rise by `height`."""
    here = int(np.searchsorted(times, start))
    share = float(duty[min(here, duty.size - 1)])
    if here >= times.size or share > 0.46:
        return progress, []
    takeoff_cycle = np.ceil((progress[here] + 0.1 - share) * 2) / 2 + share
    landing_cycle = np.ceil(takeoff_cycle * 2 - 1e-9) / 2
    takeoff = float(np.interp(takeoff_cycle, progress, times))
    landing = float(np.interp(landing_cycle, progress, times))
    longer = takeoff + flight_time(height)
    if longer > times[-1] - 0.3 or longer <= landing:
        return progress, []
    warped = np.where(
        times < takeoff,
        times,
        np.where(
            times < longer,
            takeoff + (times - takeoff) * (landing - takeoff) / (longer - takeoff),
            times - (longer - landing),
        ),
    )
    return np.interp(warped, times, progress), [(takeoff, longer, height)]
