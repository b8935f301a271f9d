"""The trajectory of a foot from step to step: pinned in stance, rolled over heel and ball, smooth in the air."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Bools, Floats
from kinema.mocap.procedural.plan import Steps
from kinema.mocap.procedural.script import smooth_step
from kinema.mocap.procedural.stance import GRAVITY, Foot
from kinema.mocap.procedural.styles import Style


@dataclass(frozen=True)
class FootTrack:
    """One foot over the frames.

    Attributes:
        ball, ankle: `[N, 3]` global positions, metres.
        foot_turn, toe_turn: `[N, 4]` global rotations relative to the foot lying flat and pointing along +Z.
        yaw: `[N]` heading of the foot, radians.
        contact: `[N]` bool: the ball is pinned to the ground (with the frames before and after).
        weight: `[N]` 0 or 1: some part of the foot is on the ground.
        loose: `[N]` 0 on the ground, smoothly to 1 in the middle of the swing.
    """

    ball: Floats
    ankle: Floats
    foot_turn: Floats
    toe_turn: Floats
    yaw: Floats
    contact: Bools
    weight: Floats
    loose: Floats


Tracks = tuple[FootTrack, FootTrack]
"""Of the left and the right foot."""


def pitched(angle: Floats) -> Floats:
    """Rotations `[N, 4]` that raise the toes by `angle`."""
    zero = np.zeros_like(angle)
    return np.stack([np.cos(0.5 * angle), -np.sin(0.5 * angle), zero, zero], axis=-1)


def _bump(x: Floats) -> Floats:
    """0 to 1 to 0 over x in 0..1, flat to the second derivative at both ends."""
    x = np.clip(x, 0.0, 1.0)
    return (4.0 * x * (1.0 - x)) ** 3


def _travel(x: Floats, ramp: Floats) -> Floats:
    """0 to 1 over x in 0..1 with a speed that ramps up over the share `ramp`, stays, and ramps down again.

    Half is the slow, even swing of a walk; less lets a runner's foot leave late and arrive late, near the hips.
    """
    begin, end = np.clip(x / ramp, 0, 1), np.clip((1 - x) / ramp, 0, 1)
    rise = ramp * begin**3 * (1 - 0.5 * begin)
    fall = ramp * end**3 * (1 - 0.5 * end)
    cruise = np.clip(x, ramp, 1 - ramp) - ramp
    return (rise + cruise + 0.5 * ramp - fall) / (1 - ramp)


@dataclass(frozen=True)
class _Shape:
    """How a foot moves on its way to each footprint, `[S]` each.

    Attributes:
        strike_pitch: angle of the sole at the strike, radians; positive lands on the heel.
        rise: angle of the heel over the ball when the foot leaves, radians.
        heel_off: share of the flat stance after which the heel begins to rise; that of the stance on this footprint.
        peak, fall: shares of the swing at which the heel is highest, and until which it stays so.
        clearance: height at which the ball passes over the ground, metres.
        kick: how much higher it rises at first, with the knee that swings forward, metres.
    """

    strike_pitch: Floats
    rise: Floats
    heel_off: Floats
    peak: Floats
    fall: Floats
    clearance: Floats
    kick: Floats


def _shape_of(steps: Steps, leg: float, style: Style) -> _Shape:
    fast, run = np.clip(steps.speed, -1.0, 3.0), steps.running
    stride = np.zeros(steps.strike.size)
    stride[1:] = np.linalg.norm(np.diff(steps.position, axis=0), axis=-1) / leg
    effort = np.tanh(1.3 * stride)
    forward, faster = np.clip(fast / 0.47, 0.0, 1.15), np.clip(fast - 0.9, 0.0, 1.0)

    heel_first = (1 - run) * 0.34 * forward + run * np.clip(0.2 - 0.45 * (fast - 0.7), -0.15, 0.2)
    toe_first = -0.45 * np.clip(-fast / 0.35, 0, 1)
    strike_pitch = np.where(fast < 0, toe_first, heel_first * style.foot_roll) * effort
    across = np.sqrt(np.maximum(_travelled(steps, leg) ** 2 - fast**2, 0.0))
    push_off = (1 - run) * (0.2 + 0.7 * np.clip(np.maximum(fast, 0.7 * across) / 0.47, 0, 1)) + run * 0.85
    kick = 0.09 * forward * (1 - run) + run * (0.11 + 0.04 * faster)
    return _Shape(
        strike_pitch=np.where(steps.hop, -0.35, strike_pitch),
        rise=np.where(steps.hop, 0.95, push_off * effort * style.foot_roll),
        heel_off=0.5 - 0.2 * run - 0.2 * run * faster,
        peak=np.where(steps.hop, 0.2, 0.14 - 0.08 * run),
        fall=np.where(steps.hop, 0.2, 0.3),
        clearance=np.where(steps.hop, 0.25, (0.042 + 0.02 * run) * style.clearance) * leg,
        kick=np.where(steps.hop, 0.0, kick * effort * style.clearance) * leg,
    )


def _travelled(steps: Steps, leg: float) -> Floats:
    """Froude speed `[S]` of the travel from footprint to footprint, at most that of a run."""
    speed = np.zeros(steps.strike.size)
    distance = np.linalg.norm(np.diff(steps.position, axis=0), axis=-1)
    speed[1:] = distance / np.maximum(np.diff(steps.strike), 0.2) / np.sqrt(GRAVITY * leg)
    return np.minimum(speed, 1.0)


def track_foot(times: Floats, steps: Steps, foot: Foot, leg: float, style: Style) -> FootTrack:
    """Trajectory of one foot at `times` `[N]` (seconds, evenly spaced)."""
    dt = times[1] - times[0]
    count = steps.strike.size
    now = np.clip(np.searchsorted(steps.strike, times, side="right") - 1, 0, count - 1)
    following = np.minimum(now + 1, count - 1)
    last = now == count - 1

    run, shape = steps.running, _shape_of(steps, leg, style)
    strike_pitch, rise = shape.strike_pitch, shape.rise

    swing = steps.strike - steps.lift
    stand_end = np.concatenate([steps.lift[1:], [times[-1] + 10.0]])
    stand = stand_end - steps.strike
    flat = steps.strike + np.minimum(np.where(strike_pitch > 0, 0.14, 0.3) * stand, 0.16)
    flat = np.where(np.abs(strike_pitch) > 1e-9, flat, steps.strike)
    # from standing a push-off takes no longer than at a walk
    rise_begin = np.maximum(
        flat[:-1] + shape.heel_off[:-1] * (stand_end - flat)[:-1], stand_end[:-1] - 0.3 * np.sqrt(leg / 0.9)
    )
    # aligned with the step that follows; the first row is read only for a foot that never leaves its footprint
    rise_begin = np.concatenate([steps.lift[:1], rise_begin])
    peak, fall = steps.lift + shape.peak * swing, steps.lift + shape.fall * swing

    share = np.where(last, 0.0, np.clip((times - steps.lift[following]) / np.maximum(swing[following], 1e-6), 0, 1))
    step = smooth_step(share)
    settling = (times - steps.strike[now]) / np.maximum(flat - steps.strike, 1e-6)[now]
    landing = strike_pitch[now] * (1 - smooth_step(settling))
    rising = -rise[following] * smooth_step((times - rise_begin[following]) / (peak - rise_begin)[following])
    swung = (rise + strike_pitch)[following] * smooth_step((times - fall[following]) / (steps.strike - fall)[following])
    pitch = landing + np.where(last, 0.0, rising + swung)

    yaw = steps.yaw[now] + (steps.yaw[following] - steps.yaw[now]) * step
    turn = rotations.multiply(rotations.from_yaw(yaw), pitched(pitch))

    def rolled(index: NDArray[np.intp], up: Floats) -> Floats:
        """The ball on footprint `index` with the toes raised by `up`: the foot rolls over the point of its heel."""
        flat_turn = rotations.from_yaw(steps.yaw[index])
        heel = foot.heel + np.zeros((index.size, 3))
        x, z = steps.position[index].T
        print_at = np.stack([x, np.full(index.size, foot.ball_height), z], axis=-1)
        raised = rotations.multiply(flat_turn, pitched(np.maximum(up, 0.0)))
        return print_at + rotations.rotate(flat_turn, heel) - rotations.rotate(raised, heel)

    here = rolled(now, landing)
    in_air = (share > 0) & ~last
    lands = rolled(np.arange(count), strike_pitch)[following]
    moved = np.stack([_travel(share**1.05, (0.46 - 0.16 * run)[following])] * 3, axis=-1)
    moved[:, 1] = smooth_step(share / 0.5 - 1.0)
    ball = here + np.where(in_air, 1.0, 0.0)[:, None] * moved * (lands - here)
    lifted = (
        smooth_step(share / 0.3) * smooth_step((1 - share) / (0.3 - 0.1 * run)[following]) * shape.clearance[following]
    )
    lifted += _bump(share / (0.55 + 0.2 * run)[following]) * shape.kick[following]
    ball[:, 1] += np.where(in_air, lifted, 0.0)
    ball[:, [0, 2]] += np.where(in_air, _bump(share), 0.0)[:, None] * steps.detour[following]
    ankle = ball + rotations.rotate(turn, foot.ankle + 0 * ball)

    free = smooth_step(share / 0.5)
    room = np.arcsin(np.clip((ball[:, 1] - foot.ball_height) / foot.toe_length, 0.0, 1.0))  # tips stay above the ground
    toe_pitch = np.where(pitch > 0, pitch, np.maximum(pitch * free, -room))
    toe_turn = rotations.multiply(rotations.from_yaw(yaw), pitched(toe_pitch))

    loose = np.where(in_air, smooth_step(share / 0.2) * smooth_step((1 - share) / 0.25), 0.0)
    still = np.where(last, np.inf, steps.lift[following]) - dt >= times
    if foot.leg.toe is not None:
        contact = still & (times - dt >= np.where(strike_pitch > 0, flat, steps.strike)[now])
    else:
        contact = (times - dt >= flat[now]) & (last | (times + dt <= rise_begin[following]))
    return FootTrack(ball, ankle, turn, toe_turn, yaw, contact, (~in_air).astype(np.float64), loose)
