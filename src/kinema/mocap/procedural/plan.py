"""Footsteps under a path: when each foot leaves the ground, when it meets it, and where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.mocap.procedural.gait import GRAVITY, Gait, hops
from kinema.mocap.procedural.script import Path, smooth_step
from kinema.mocap.procedural.stance import Foot, Stance
from kinema.mocap.procedural.styles import Style

Floats = NDArray[np.float64]

_FURTHEST_STRIKE = 0.41  # horizontal hip to ankle at the strike, in legs
_FURTHEST_LIFT = 0.56  # horizontal hip to the middle of the foot at lift-off, in legs


@dataclass(frozen=True)
class Steps:
    """The footsteps of one foot in order; the first is where it stands at the beginning. Arrays ``[S]`` or ``[S, 2]``.

    Attributes:
        lift, strike: seconds at which the foot leaves its last print and meets this one.
        position: of the ball of the foot on the ground, (x, z) metres.
        yaw: radians.
        speed: Froude speed along the facing at the strike; negative is backward.
        running: 0 walking to 1 running at the strike.
        hop: whether it is the landing of a jump off both feet.
    """

    lift: Floats
    strike: Floats
    position: Floats
    yaw: Floats
    speed: Floats
    running: Floats
    hop: NDArray[np.bool_]


def _half_width(foot: Foot, ahead: Floats, aside: Floats, stride_time: Floats, style: Style, leg: float) -> Floats:
    """Lateral distance of the ankle from the path: narrow at speed, wide enough not to cross in side steps."""
    stand = abs(foot.hip[0])
    width = stand * (0.62 - 0.3 * smooth_step(ahead / 1.6)) * style.step_width
    width += (stand * style.step_width - width) * (1 - smooth_step(ahead / 0.25))
    spread = np.abs(aside) * stride_time / 4
    return width + 0.3 * leg * np.tanh(spread / (0.3 * leg))


def plan_steps(
    path: Path, gait: Gait, stance: Stance, style: Style, rng: np.random.Generator
) -> tuple[Steps, Steps]:
    """Footsteps of the left and the right foot under the path."""
    return (
        _foot_steps(path, gait, stance, style, stance.feet[0], rng),
        _foot_steps(path, gait, stance, style, stance.feet[1], rng),
    )


def _strikes(path: Path, gait: Gait, offset: float) -> Floats:
    """Times ``[K]`` at which the cycle passes ``whole number + offset`` while the feet step."""
    first, last = gait.cycles[0] - offset, gait.cycles[-1] - offset
    wanted = np.arange(np.ceil(first + 1e-9), np.floor(last + 1e-9) + 1) + offset
    # a pause between two stretches holds the cycle or makes it jump: only crossings inside a stretch are strikes
    index = np.clip(np.searchsorted(gait.cycles, wanted), 1, path.times.size - 1)
    inside = gait.moving[index] & gait.moving[index - 1] & (gait.cycles[index] - gait.cycles[index - 1] < 0.25)
    wanted, index = wanted[inside], index[inside]
    low, high = gait.cycles[index - 1], gait.cycles[index]
    share = (wanted - low) / np.maximum(high - low, 1e-9)
    return path.times[index - 1] + share * (path.times[index] - path.times[index - 1])


def _foot_steps(
    path: Path, gait: Gait, stance: Stance, style: Style, foot: Foot, rng: np.random.Generator
) -> Steps:
    leg, right = stance.leg, foot.sign < 0
    limp = style.limp if right else -style.limp
    strike = _strikes(path, gait, (0.5 + 0.05 * style.limp) if right else 0.0)
    duty = path.at(gait.duty, strike) * (1 - 0.1 * limp)
    rate = np.maximum(path.at(np.gradient(gait.cycles, 1 / path.fps), strike), 0.3)
    lift = strike - (1 - duty) / rate
    for takeoff, landing, _ in gait.leaps:  # the swing spans the long flight
        airborne = (lift > takeoff - 0.3) & (strike >= landing - 1e-6) & (strike < landing + 1.2 / rate)
        lift = np.where(airborne, np.minimum(lift, landing - 0.5 * (landing - takeoff)), lift)
    stand_time = duty / rate
    running = path.at(gait.running, strike)
    middle = strike + (0.40 - 0.06 * running) * stand_time
    hop = np.zeros(strike.size, bool)
    for takeoff, landing, _ in hops(path, leg):
        keep = (strike < takeoff) | (lift > landing)
        extra = (lift[keep], strike[keep], middle[keep], stand_time[keep], hop[keep])
        order = np.argsort(np.concatenate([extra[1], [landing]]))
        added = (takeoff, landing, landing + 0.3, 0.5, True)
        lift, strike, middle, stand_time, hop = (
            np.concatenate([column, [value]])[order] for column, value in zip(extra, added, strict=True)
        )
    lift, strike, middle, stand_time, hop = (
        np.concatenate([[value], column])
        for column, value in zip(
            (lift, strike, middle, stand_time, hop),
            (path.times[0] - 1, path.times[0] - 0.5, path.times[0], 0.5, False),
            strict=True,
        )
    )
    facing = path.at(path.facing, middle)
    sine, cosine = np.sin(facing), np.cos(facing)
    velocity = path.at(path.velocity, middle)
    ahead = velocity[:, 0] * sine + velocity[:, 1] * cosine
    aside = velocity[:, 0] * cosine - velocity[:, 1] * sine
    froude = path.at(gait.froude, middle)
    width = _half_width(foot, np.abs(ahead) / np.sqrt(GRAVITY * leg), aside, stand_time / np.maximum(path.at(gait.duty, strike), 0.2), style, leg)
    jitter = 0.008 * leg * smooth_step(froude / 0.2)[:, None] * rng.standard_normal((strike.size, 2))
    push = -0.6 * stance.hips_height / GRAVITY * path.at(path.acceleration, middle)
    size = np.linalg.norm(push, axis=-1, keepdims=True)
    push *= 0.3 * leg * np.tanh(size / (0.3 * leg)) / np.maximum(size, 1e-9)
    ankle = path.at(path.position, middle) + push + jitter
    ankle += _offset(facing, foot.sign * width, foot.hip[2] - 0.03 * leg + np.zeros_like(width))
    # a print out of reach at the strike would pull the hips to the ground
    hip = _hip(path, foot, strike)
    away = ankle - hip
    far = np.linalg.norm(away, axis=-1, keepdims=True)
    ankle = hip + away * np.minimum(1.0, _FURTHEST_STRIKE * leg / np.maximum(far, 1e-9))
    to_ball = np.tile(-foot.ankle, (width.size, 1))
    position = ankle + _offset(facing, to_ball[:, 0], to_ball[:, 2])
    yaw = facing + foot.sign * 0.06 * (1 - path.at(gait.running, middle))
    keep = _worthwhile(position, yaw, froude, hop, leg)
    steps = Steps(lift, strike, position, yaw, ahead / np.sqrt(GRAVITY * leg), path.at(gait.running, strike), hop)
    kept = {name: getattr(steps, name)[keep] for name in Steps.__dataclass_fields__}
    kept["lift"] = _lift_in_reach(path, foot, kept["lift"], kept["strike"], 0.5 * (ankle + position)[keep], leg)
    return Steps(**kept)


def _offset(facing: Floats, across: Floats, along: Floats) -> Floats:
    """Vectors ``[S, 2]`` on the ground from lateral (left) and forward parts in a frame of this facing."""
    sine, cosine = np.sin(facing), np.cos(facing)
    return np.stack([across * cosine + along * sine, -across * sine + along * cosine], axis=-1)


def _hip(path: Path, foot: Foot, times: Floats) -> Floats:
    """Where the hip joint is over the ground, about, at times ``[...]``: ``[..., 2]``."""
    flat = times.reshape(-1)
    facing = path.at(path.facing, flat)
    side = _offset(facing, np.full(flat.size, foot.hip[0]), np.full(flat.size, foot.hip[2]))
    return (path.at(path.position, flat) + side).reshape(*times.shape, 2)


def _lift_in_reach(path: Path, foot: Foot, lift: Floats, strike: Floats, middle: Floats, leg: float) -> Floats:
    """Lift-off times, earlier where the body would leave a standing foot behind."""
    begin, end = strike[:-1], np.maximum(lift[1:], strike[:-1] + 0.05)
    share = np.linspace(0.0, 1.0, 24)
    times = begin[:, None] + share * (end - begin)[:, None]
    far = np.linalg.norm(_hip(path, foot, times) - middle[:-1, None], axis=-1) > _FURTHEST_LIFT * leg
    far &= share > 0.3
    first = np.where(far.any(axis=1), np.argmax(far, axis=1), share.size - 1)
    return np.concatenate([lift[:1], times[np.arange(begin.size), first]])


def _worthwhile(position: Floats, yaw: Floats, froude: Floats, hop: NDArray[np.bool_], leg: float) -> list[int]:
    """Indices of the steps that go somewhere: nobody lifts a foot to put it down where it stood."""
    keep = [0]
    for step in range(1, yaw.size):
        moved = float(np.hypot(*(position[step] - position[keep[-1]])))
        same = moved < 0.03 * leg and abs(yaw[step] - yaw[keep[-1]]) < 0.1 and froude[step] < 0.06
        if hop[step] or not same:
            keep.append(step)
    return keep
