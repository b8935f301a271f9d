"""The trajectory of a foot from step to step: pinned in stance, rolled over heel and ball, smooth in the air."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Bools, Floats
from kinema.mocap.procedural.plan import Steps
from kinema.mocap.procedural.script import smooth_step
from kinema.mocap.procedural.stance import Foot
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


def _pitch(angle: Floats) -> Floats:
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


def track_foot(times: Floats, steps: Steps, foot: Foot, leg: float, style: Style) -> FootTrack:
    """Trajectory of one foot at `times` `[N]` (seconds, evenly spaced)."""
    dt = times[1] - times[0]
    count = steps.strike.size
    now = np.clip(np.searchsorted(steps.strike, times, side="right") - 1, 0, count - 1)
    following = np.minimum(now + 1, count - 1)
    last = now == count - 1

    # per step: pitch at the strike, heel rise when leaving, and their times
    fast, run = np.clip(steps.speed, -1.0, 3.0), steps.running
    stride = np.zeros(count)
    stride[1:] = np.linalg.norm(np.diff(steps.position, axis=0), axis=-1) / leg
    effort = np.tanh(1.3 * stride)
    forward = np.clip(fast / 0.47, 0.0, 1.15)
    strike_pitch = ((1 - run) * 0.34 * forward + run * np.clip(0.2 - 0.22 * (fast - 0.7), -0.15, 0.2)) * style.foot_roll
    strike_pitch = np.where(fast < -0.05, -0.25 * np.clip(-fast / 0.3, 0, 1), strike_pitch) * effort
    strike_pitch = np.where(steps.hop, -0.35, strike_pitch)
    rise = (0.22 + 0.62 * forward * (1 - run) + run * (1.15 + 0.35 * np.clip(fast - 0.7, 0, 1.2))) * effort
    rise = np.where(steps.hop, 0.95, rise * style.foot_roll)
    peak_share = np.where(steps.hop, 0.2, 0.14 + 0.06 * run)
    height = (0.05 + run * (0.07 + 0.15 * np.clip(fast - 0.7, 0, 1.3))) * leg * style.clearance * (0.35 + 0.65 * effort)
    height = np.where(steps.hop, 0.25 * leg, height)

    swing = steps.strike - steps.lift
    stand_end = np.concatenate([steps.lift[1:], [times[-1] + 10.0]])
    stand = stand_end - steps.strike
    flat = steps.strike + np.minimum(np.where(strike_pitch > 0, 0.2 - 0.04 * run, 0.3) * stand, 0.16)
    flat = np.where(np.abs(strike_pitch) > 1e-9, flat, steps.strike)
    # the heel leaves the ground early in a run; from standing it takes no longer than a push-off
    rise_begin = np.maximum(flat[:-1] + 0.3 * (stand_end - flat)[:-1], stand_end[:-1] - 0.42 * np.sqrt(leg / 0.9))
    # aligned with the step that follows; the first row is read only for a foot that never leaves its footprint
    rise_begin = np.concatenate([steps.lift[:1], rise_begin])
    peak = steps.lift + peak_share * swing

    share = np.where(last, 0.0, np.clip((times - steps.lift[following]) / np.maximum(swing[following], 1e-6), 0, 1))
    step = smooth_step(share)
    settling = (times - steps.strike[now]) / np.maximum(flat - steps.strike, 1e-6)[now]
    landing = strike_pitch[now] * (1 - smooth_step(settling))
    rising = -rise[following] * smooth_step((times - rise_begin[following]) / (peak - rise_begin)[following])
    swung = (rise + strike_pitch)[following] * smooth_step((times - peak[following]) / (steps.strike - peak)[following])
    pitch = landing + np.where(last, 0.0, rising + swung)

    yaw = steps.yaw[now] + (steps.yaw[following] - steps.yaw[now]) * step
    turn = rotations.multiply(rotations.from_yaw(yaw), _pitch(pitch))

    def rolled(index: NDArray[np.intp], up: Floats) -> Floats:
        """The ball on footprint `index` with the toes raised by `up`: the foot rolls over the point of its heel."""
        flat_turn = rotations.from_yaw(steps.yaw[index])
        heel = foot.heel + np.zeros((index.size, 3))
        x, z = steps.position[index].T
        print_at = np.stack([x, np.full(index.size, foot.ball_height), z], axis=-1)
        raised = rotations.multiply(flat_turn, _pitch(np.maximum(up, 0.0)))
        return print_at + rotations.rotate(flat_turn, heel) - rotations.rotate(raised, heel)

    here = rolled(now, landing)
    in_air = (share > 0) & ~last
    lands = rolled(np.arange(count), strike_pitch)[following]
    moved = _travel(share, (0.42 - 0.16 * run)[following])
    ball = here + np.where(in_air, moved, 0.0)[:, None] * (lands - here)
    skew = share ** (1 - 0.1 * run[following])
    ball[:, 1] += np.where(in_air, height[following] * _bump(skew), 0.0)
    ankle = ball + rotations.rotate(turn, foot.ankle + 0 * ball)

    free = smooth_step(share / 0.5)
    room = np.arcsin(np.clip((ball[:, 1] - foot.ball_height) / foot.toe_length, 0.0, 1.0))  # tips stay above the ground
    toe_pitch = np.where(pitch > 0, pitch, np.maximum(pitch * free, -room))
    toe_turn = rotations.multiply(rotations.from_yaw(yaw), _pitch(toe_pitch))

    loose = np.where(in_air, smooth_step(share / 0.2) * smooth_step((1 - share) / 0.25), 0.0)
    still = np.where(last, np.inf, steps.lift[following]) - dt >= times
    if foot.leg.toe is not None:
        contact = still & (times - dt >= np.where(strike_pitch > 0, flat, steps.strike)[now])
    else:
        contact = (times - dt >= flat[now]) & (last | (times + dt <= rise_begin[following]))
    return FootTrack(ball, ankle, turn, toe_turn, yaw, contact, (~in_air).astype(np.float64), loose)
