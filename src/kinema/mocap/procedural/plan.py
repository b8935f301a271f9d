"""Footsteps along a path: when each foot leaves the ground, and when and where it lands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from kinema.arrays import Bools, Floats
from kinema.mocap.procedural.gait import Gait, across, hops, passing
from kinema.mocap.procedural.script import GroundPath, smooth_step
from kinema.mocap.procedural.stance import GRAVITY, Foot, StandingBiped
from kinema.mocap.procedural.styles import Style

# Distances on the ground in leg lengths; pairs are for travel forward and backward.
_PASSING = 0.07  # how far each foot keeps from the path, ahead or behind, where feet pass in side steps
_CLEARANCE = 0.13  # between a swinging foot and the standing one that it passes
_FURTHEST_STRIKE = 0.41, 0.5  # from hip to ankle at the strike
_FURTHEST_LIFT = 0.56, 0.4  # from hip to the middle of the foot at lift-off


@dataclass(frozen=True)
class Steps:
    """The footsteps of one foot in order; the first is where it stands at the beginning. Arrays `[S]` or `[S, 2]`.

    Attributes:
        lift, strike: seconds at which the foot leaves its previous footprint and lands on this one.
        position: position of the ball of the foot on the ground, (x, z) metres.
        yaw: radians.
        speed: forward Froude speed (see `gait`) when the body passes over the foot; negative is backward.
        running: from 0 (walking) to 1 (running), at the strike.
        hop: whether the step is the landing of a jump off both feet.
        detour: `[S, 2]` how far the foot swings out on its way, so that it does not hit the standing one, metres.
    """

    lift: Floats
    strike: Floats
    position: Floats
    yaw: Floats
    speed: Floats
    running: Floats
    hop: Bools
    detour: Floats


def _half_width(foot: Foot, ahead: Floats, aside: Floats, stride_time: Floats, style: Style, leg: float) -> Floats:
    """Lateral distance of the ankle from the path: narrow at speed, wide enough for side steps that close the feet."""
    stand = abs(foot.hip[0])
    width = stand * (0.62 - 0.3 * smooth_step(ahead / 1.6)) * style.step_width
    sideways = smooth_step(np.abs(aside) / 0.2)
    width += (stand * style.step_width - width) * np.maximum(1 - smooth_step(ahead / 0.25), sideways)
    spread = np.abs(aside) * np.sqrt(GRAVITY * leg) * stride_time / 4 * (1 - across(aside))
    return width + 0.3 * leg * np.tanh(spread / (0.3 * leg))


def plan_steps(
    path: GroundPath, gait: Gait, stance: StandingBiped, style: Style, rng: np.random.Generator
) -> tuple[Steps, Steps]:
    """Footsteps of the left and the right foot along the path."""
    left, right = (_foot_steps(path, gait, stance, style, foot, rng) for foot in stance.feet)
    return go_around(left, right, stance.feet[0], stance.leg), go_around(right, left, stance.feet[1], stance.leg)


def go_around(steps: Steps, other: Steps, foot: Foot, leg: float) -> Steps:
    """The steps of one foot with detours around the footprints on which the `other` one stands meanwhile."""
    detour = np.zeros_like(steps.position)
    standing = np.searchsorted(other.strike, steps.lift[1:], side="right") - 1
    begin, way = steps.position[:-1], np.diff(steps.position, axis=0)
    length = np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), 1e-6)
    along = way / length
    across = np.stack([along[:, 1], -along[:, 0]], axis=-1)  # to the left of the way
    to_other = other.position[np.maximum(standing, 0)] - begin
    share = np.sum(to_other * along, axis=-1, keepdims=True) / length
    side = -np.sum(to_other * across, axis=-1, keepdims=True)  # how far to the left of the other foot the way leads
    sign = np.where(np.abs(side) > 0.03 * leg, np.sign(side), foot.sign)
    beside = smooth_step(share / 0.25) * smooth_step((1.0 - share) / 0.25)
    detour[1:] = across * sign * np.maximum(_CLEARANCE * leg - sign * side, 0.0) * beside * ~steps.hop[1:, None]
    return replace(steps, detour=detour)


def _strikes(path: GroundPath, gait: Gait, offset: float) -> Floats:
    """Times `[K]` at which the gait cycle reaches an integer plus `offset` while the feet are stepping."""
    first, last = gait.cycles[0] - offset, gait.cycles[-1] - offset
    wanted = np.arange(np.ceil(first + 1e-9), np.floor(last + 1e-9) + 1) + offset
    # a pause makes the cycle stand still or jump; only values that it reaches while the feet step are strikes
    index = np.clip(np.searchsorted(gait.cycles, wanted), 1, path.times.size - 1)
    inside = gait.moving[index] & gait.moving[index - 1] & (gait.cycles[index] - gait.cycles[index - 1] < 0.25)
    wanted, index = wanted[inside], index[inside]
    low, high = gait.cycles[index - 1], gait.cycles[index]
    share = (wanted - low) / np.maximum(high - low, 1e-9)
    return path.times[index - 1] + share * (path.times[index] - path.times[index - 1])


def _backward(path: GroundPath) -> Floats:
    """Share `[N]` of the travel that is backward."""
    return np.maximum(-path.travel()[0], 0) / np.maximum(path.speed, 1e-6)


class _Times(NamedTuple):
    """The steps of one foot in time, `[S]` each, seconds."""

    lift: Floats
    strike: Floats
    middle: Floats
    """When the body passes over the foot."""
    stand: Floats
    """How long the foot stands."""
    hop: Bools
    """Whether the step is the landing of a jump off both feet."""

    def insert(self, at: int, *values: float) -> _Times:
        """These steps and one more, given by its five values, before the step `at`."""
        return _Times._make(np.insert(column, at, value) for column, value in zip(self, values, strict=True))

    def select(self, keep: Bools) -> _Times:
        return _Times._make(column[keep] for column in self)


def _times(path: GroundPath, gait: Gait, style: Style, right: bool, leg: float) -> _Times:
    """Lift and strike times of one foot from the cycle, with jumps. The first row is the initial stance."""
    limp = style.limp if right else -style.limp
    strike = _strikes(path, gait, (0.5 + 0.05 * style.limp) if right else 0.0)
    duty = path.at(gait.duty, strike) * (1 - 0.1 * limp)
    rate = np.maximum(path.at(np.gradient(gait.cycles, 1 / path.fps), strike), 0.3)
    lift = strike - (1 - duty) / rate
    for takeoff, landing, _ in gait.leaps:  # the swing that ends a leap begins by the middle of its flight
        airborne = (lift > takeoff - 0.3) & (strike >= landing - 1e-6) & (strike < landing + 1.2 / rate)
        lift = np.where(airborne, np.minimum(lift, 0.5 * (takeoff + landing)), lift)
    stand = duty / rate
    # a walk backward is like a walk forward in reversed time
    backward = path.at(_backward(path), strike)
    middle = strike + (0.38 - 0.04 * path.at(gait.running, strike) + 0.22 * backward) * stand
    times = _Times(lift, strike, middle, stand, np.zeros(strike.size, bool))
    for takeoff, landing, _ in hops(path, leg):
        times = times.select((times.strike < takeoff) | (times.lift > landing))
        at = int(np.searchsorted(times.strike, landing))
        times = times.insert(at, takeoff, landing, landing + 0.3, 0.5, True)
    begin = float(path.times[0])
    return times.insert(0, begin - 1.0, begin - 0.5, begin, 0.5, False)


def _foot_steps(
    path: GroundPath, gait: Gait, stance: StandingBiped, style: Style, foot: Foot, rng: np.random.Generator
) -> Steps:
    leg = stance.leg
    times = _times(path, gait, style, foot.sign < 0, leg)
    facing = path.at(path.facing, times.middle)
    froude, running = path.at(gait.froude, times.middle), path.at(gait.running, times.strike)
    root = float(np.sqrt(GRAVITY * leg))
    ahead, aside = (path.at(part, times.middle) / root for part in path.travel())
    turned = path.at(gait.hips_turn, times.middle)

    stride_time = times.stand / np.maximum(path.at(gait.duty, times.strike), 0.2)
    width = _half_width(foot, np.abs(ahead), aside, stride_time, style, leg)
    # feet that turn on the spot point outward and stand wide, so that neither steps on the other
    opened = np.tanh(0.5 * np.sqrt(leg / 0.9) * np.abs(path.at(path.turning, times.middle)))
    width *= 1 + 0.3 * opened * (1 - smooth_step(froude / 0.5))
    jitter = 0.008 * leg * smooth_step(froude / 0.2)[:, None] * rng.standard_normal((width.size, 2))
    # feet are placed against the acceleration: behind the body to start, ahead of it to stop, outside in a curve
    push = -0.6 * stance.hips_height / GRAVITY * path.at(path.acceleration, times.middle)
    size = np.linalg.norm(push, axis=-1, keepdims=True)
    push *= 0.3 * leg * np.tanh(size / (0.3 * leg)) / np.maximum(size, 1e-9)
    ankle = path.at(path.position, times.middle) + push + jitter
    ankle += _offset(facing + turned, foot.sign * width, np.full(width.size, foot.hip[2] - 0.03 * leg))
    apart = _PASSING * leg * passing(ahead, aside)
    ankle += _offset(facing, np.zeros(width.size), -foot.sign * apart)
    # a footprint out of reach at the strike would pull the hips down
    hip = _hip(path, gait, foot, times.strike)
    furthest = np.interp(path.at(_backward(path), times.strike), [0, 1], _FURTHEST_STRIKE)[:, None]
    away = ankle - hip
    far = np.linalg.norm(away, axis=-1, keepdims=True)
    ankle = hip + away * np.minimum(1.0, furthest * leg / np.maximum(far, 1e-9))
    to_ball = np.tile(-foot.ankle, (width.size, 1))
    position = ankle + _offset(facing, to_ball[:, 0], to_ball[:, 2])
    yaw = facing + 1.9 * turned + foot.sign * (0.06 + 0.3 * opened) * (1 - path.at(gait.running, times.middle))

    keep = _necessary(position, yaw, froude, times.hop, leg)
    lift, strike = times.lift[keep], times.strike[keep]
    lift = _lift_in_reach(path, gait, foot, lift, strike, 0.5 * (ankle + position)[keep], leg)
    return Steps(
        lift, strike, position[keep], yaw[keep], ahead[keep], running[keep], times.hop[keep], np.zeros((lift.size, 2))
    )


def _offset(facing: Floats, across: Floats, along: Floats) -> Floats:
    """Ground vectors `[S, 2]` from their components to the left and forward, relative to the facing."""
    sine, cosine = np.sin(facing), np.cos(facing)
    return np.stack([across * cosine + along * sine, -across * sine + along * cosine], axis=-1)


def _hip(path: GroundPath, gait: Gait, foot: Foot, times: Floats) -> Floats:
    """Approximate horizontal positions `[..., 2]` of the hip joint at times `[...]`."""
    flat = times.reshape(-1)
    facing = path.at(path.facing + gait.hips_turn, flat)
    side = _offset(facing, np.full(flat.size, foot.hip[0]), np.full(flat.size, foot.hip[2]))
    return (path.at(path.position, flat) + side).reshape(*times.shape, 2)


def _lift_in_reach(
    path: GroundPath, gait: Gait, foot: Foot, lift: Floats, strike: Floats, middle: Floats, leg: float
) -> Floats:
    """Lift-off times, earlier where a standing foot would get out of reach behind the body."""
    begin, end = strike[:-1], np.maximum(lift[1:], strike[:-1] + 0.05)
    share = np.linspace(0.0, 1.0, 24)
    times = begin[:, None] + share * (end - begin)[:, None]
    furthest = np.interp(path.at(_backward(path), end), [0, 1], _FURTHEST_LIFT)
    far = np.linalg.norm(_hip(path, gait, foot, times) - middle[:-1, None], axis=-1) > furthest[:, None] * leg
    far &= share > 0.3
    first = np.where(far.any(axis=1), np.argmax(far, axis=1), share.size - 1)
    return np.concatenate([lift[:1], times[np.arange(begin.size), first]])


def _necessary(position: Floats, yaw: Floats, froude: Floats, hop: Bools, leg: float) -> list[int]:
    """Indices of the steps that move or turn the foot. Without a need, a foot is not lifted."""
    keep = [0]
    for step in range(1, yaw.size):
        moved = float(np.hypot(*(position[step] - position[keep[-1]])))
        same = moved < 0.03 * leg and abs(yaw[step] - yaw[keep[-1]]) < 0.1 and froude[step] < 0.06
        if hop[step] or not same:
            keep.append(step)
    return keep
