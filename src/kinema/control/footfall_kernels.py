"""Compiled parts of the foot lock, for small arrays `[n, C]`; their settings are in `kinema.control.footfall`."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kinema.arrays import Bools, Singles
from kinema.compiled import njit
from kinema.kernels import spring


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


@njit(inline="always")
def _level(x, z):
    return math.sqrt(x * x + z * z)


@njit(inline="always")
def _ramp(x, low, high):
    """From 0 at `low` to 1 at `high`, without a kink."""
    share = min(max((x - low) / (high - low), 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


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
