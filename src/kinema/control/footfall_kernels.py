"""Compiled parts of the foot lock, for small arrays `[n, C]`; their settings are in `kinema.control.footfall`."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kinema.arrays import Bools, Singles
from kinema.compiled import njit
from kinema.control.inertialise_kernels import decayed
from kinema.kernels import quaternion_of, rotate, spring, vector_of


class Lift(NamedTuple):
    """The settings of `kinema.control.footfall.Clearance`, with a share that is kept and a damping for half-lives."""

    height: float
    extra: float
    slow: float
    fast: float
    near: float
    far: float
    kept: float
    damping: float


@njit
def _level(x, z):
    return math.sqrt(x * x + z * z)


@njit
def _ramp(x, low, high):
    """From 0 at `low` to 1 at `high`, without a kink."""
    share = min(max((x - low) / (high - low), 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


@njit(error_model="numpy")
def slip(travel: Singles, rotation: Singles, velocity: Singles, time: float, most: float) -> Singles:
    """How far `[n, 1, 3]` objects travel beyond plans on the ground, at most so many metres.

    Args:
        travel: of the objects in that time, `[n, 3]`, metres. rotation: of the roots, `[n, 4]`.
        velocity: of the plans in the root frames, `[n, 3]`, m/s.
    """
    result = np.zeros((len(travel), 1, 3), np.float32)
    for n in range(len(travel)):
        plan = rotate(quaternion_of(rotation[n]), vector_of(velocity[n]))
        x, z = travel[n, 0] - time * plan[0], travel[n, 2] - time * plan[2]
        share = min(1.0, most / max(_level(x, z), 1e-6))
        result[n, 0, 0], result[n, 0, 2] = share * x, share * z
    return result


@njit(error_model="numpy")
def aim(
    states: tuple[Singles, Singles], soon: Bools, aimed: Singles, toes: Singles, damping: float, dt: float
) -> Singles:
    """Toes `[n, C, 3]`, moved by shifts that go towards `aimed` for feet that come down `soon`, and to zero for others.

    Args:
        states: shifts `[n, C, 3]` and their rates, changed in place.
        damping: of the shifts; see `kinema.springs.damping`.
    """
    shifts, rates = states
    result = np.empty_like(toes)
    for n in range(len(toes)):
        for c in range(toes.shape[1]):
            for k in range(3):
                goal = aimed[n, c, k] if soon[n, c] else 0.0
                shift, rate = spring(shifts[n, c, k], rates[n, c, k], goal, damping, dt)
                shifts[n, c, k], rates[n, c, k] = shift, rate
                result[n, c, k] = toes[n, c, k] + shifts[n, c, k]
    return result


@njit(error_model="numpy")
def tired(
    standing: Bools, locked: Bools, left: Bools, wanted: Bools, toes: Singles, anchors: Singles, radius: float
) -> Bools:
    """Feet `[n, C]` that step; see `kinema.control.foot_lock.FootLock`.

    One foot at a time does: one that is `left` behind out of reach, or that is further than `radius` from its plan
    while others give support. Half of the feet that should stand are enough support, and at least one.
    """
    result = np.zeros_like(standing)
    for n in range(standing.shape[0]):
        down = held = 0
        for c in range(standing.shape[1]):
            down += wanted[n, c]
            held += locked[n, c]
        enough = max(down // 2, 1)
        for c in range(standing.shape[1]):
            far = _level(toes[n, c, 0] - anchors[n, c, 0], toes[n, c, 2] - anchors[n, c, 2]) > radius
            if standing[n, c] and (left[n, c] or (far and held - locked[n, c] >= enough)):
                result[n, c] = wanted[n, c]
                break
    return result


@njit(error_model="numpy")
def follow(
    offset: tuple[Singles, Singles, Singles],
    held: Bools,
    stepping: Bools,
    anchors: Singles,
    toes: Singles,
    dampings: tuple[float, float, float],
    arrived: float,
    dt: float,
) -> tuple[Singles, Bools]:
    """Where feet are wanted `[n, C, 3]`, and which of them stand `[n, C]`.

    A foot goes to its anchor while it is held and otherwise with the toe of the pose. What is left of the way from one
    to the other decays.

    Args:
        offset: of feet from where they go, with velocity and acceleration, `[n, C, 3]`, changed in place.
        dampings: of offsets of feet that are held, that step, and that are free; see `kinema.springs.triple_damping`.
        arrived: distance from its anchor within which a foot stands, metres.
    """
    values, velocities, accelerations = offset
    wanted, standing = np.empty_like(toes), np.zeros_like(held)
    for n in range(len(toes)):
        for c in range(toes.shape[1]):
            damping = dampings[2] if not held[n, c] else dampings[1] if stepping[n, c] else dampings[0]
            fade = math.exp(-damping * dt)
            for k in range(3):
                values[n, c, k], velocities[n, c, k], accelerations[n, c, k] = decayed(
                    values[n, c, k], velocities[n, c, k], accelerations[n, c, k], damping, fade, dt
                )
                wanted[n, c, k] = values[n, c, k] + (anchors[n, c, k] if held[n, c] else toes[n, c, k])
            away = _level(wanted[n, c, 0] - anchors[n, c, 0], wanted[n, c, 2] - anchors[n, c, 2])
            standing[n, c] = held[n, c] and away < arrived
    return wanted, standing


@njit(error_model="numpy")
def keep_above(feet: Singles, floors: Singles, lifts: Singles) -> None:
    """Raise feet `[n, C, 3]`, in place, to `floors + lifts` `[n, C]`, metres, eased over half of the lift."""
    for n in range(len(feet)):
        for c in range(feet.shape[1]):
            over = feet[n, c, 1] - floors[n, c] - lifts[n, c]
            over += math.sqrt(over * over + np.float32(0.25) * lifts[n, c] * lifts[n, c])
            feet[n, c, 1] = floors[n, c] + lifts[n, c] + np.float32(0.5) * over


@njit(error_model="numpy")
def lift(
    states: tuple[Singles, Singles, Singles, Singles],
    drawn: Singles,
    planned: Singles,
    standing: Bools,
    settings: Lift,
    size: float,
    dt: float,
) -> Singles:
    """See `kinema.control.footfall.Clearance.step`; changes `states`: speeds, speeds apart, lifts and their rates."""
    speeds, aparts, lifts, rates = states
    count, feet = lifts.shape
    result = np.empty((count, feet), np.float32)
    for n in range(count):
        stand = 0
        for c in range(feet):
            stand += standing[n, c]
        for c in range(feet):
            x, z, u, w = drawn[n, c, 0], drawn[n, c, 2], planned[n, c, 0], planned[n, c, 2]
            speed = max(_level(x, z), _level(u, w)) / size  # a foot is lifted before it catches up with its plan
            apart = _level(x - u, z - w) / size
            speed += (speeds[n, c] - speed) * settings.kept
            apart += (aparts[n, c] - apart) * settings.kept
            goal = 0.0
            if not standing[n, c]:
                extra = settings.extra * _ramp(apart, settings.near, settings.far) if stand > 0 else 0.0
                goal = _ramp(speed, settings.slow, settings.fast) * (settings.height + extra)
            height, rate = spring(lifts[n, c], rates[n, c], goal, settings.damping, dt)
            speeds[n, c], aparts[n, c], lifts[n, c], rates[n, c] = speed, apart, height, rate
            result[n, c] = size * max(height, 0.0)
    return result


@njit(error_model="numpy")
def drop(depth: Singles, hips: Singles, feet: Singles, reach: Singles, standing: Bools, most: float) -> None:
    """Raise depths `[n]` to what feet that stand need, up to `most`, metres; see `kinema.control.footfall.HipDrop`."""
    for n in range(len(depth)):
        for c in range(feet.shape[1]):
            if standing[n, c]:
                x, z = feet[n, c, 0] - hips[n, c, 0], feet[n, c, 2] - hips[n, c, 2]
                height = math.sqrt(max(reach[c] * reach[c] - x * x - z * z, 0.0))
                depth[n] = max(depth[n], min(hips[n, c, 1] - feet[n, c, 1] - height, most))


@njit(error_model="numpy")
def sink(depth: Singles, rate: Singles, wanted: Singles, damping: float, dt: float) -> None:
    """Step depths `[n]` and their rates towards what is wanted, in place; see `kinema.springs.damping`."""
    for n in range(len(depth)):
        depth[n], rate[n] = spring(depth[n], rate[n], wanted[n], damping, dt)
