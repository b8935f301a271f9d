"""Compiled steps of the trajectory; `kinema.springs` has the reference versions."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math

import numpy as np

from kinema.arrays import Singles
from kinema.compiled import njit
from kinema.kernels import spring, wrap


@njit(error_model="numpy")
def wanted_heading(velocity: Singles, facing: Singles, heading: Singles, slowest: float) -> Singles:
    """See `kinema.control.trajectory.Trajectory.wanted_heading`."""
    result = np.empty_like(heading)
    for n in range(len(heading)):
        if math.isfinite(facing[n, 0] + facing[n, 1] + facing[n, 2]):
            result[n] = math.atan2(facing[n, 0], facing[n, 2])
        elif math.sqrt(velocity[n, 0] * velocity[n, 0] + velocity[n, 2] * velocity[n, 2]) > slowest:
            result[n] = math.atan2(velocity[n, 0], velocity[n, 2])
        else:
            result[n] = heading[n]
    return result


@njit(error_model="numpy")
def move(
    position: Singles, velocity: Singles, acceleration: Singles, goal: Singles, damping: float, dt: float
) -> tuple[Singles, Singles, Singles]:
    """`kinema.springs.move` of points `[n, 3]`, given `kinema.springs.damping` of the half-life."""
    moved, faster, pushed = np.empty_like(position), np.empty_like(position), np.empty_like(position)
    fade = math.exp(-damping * dt)
    first, second = (1.0 - fade) / damping, (1.0 - fade * (1.0 + damping * dt)) / (damping * damping)
    for n in range(position.shape[0]):
        for k in range(3):
            offset = velocity[n, k] - goal[n, k]
            slope = acceleration[n, k] + offset * damping
            moved[n, k] = position[n, k] + offset * first + slope * second + goal[n, k] * dt
            faster[n, k] = fade * (offset + slope * dt) + goal[n, k]
            pushed[n, k] = fade * (acceleration[n, k] - slope * damping * dt)
    return moved, faster, pushed


@njit(error_model="numpy")
def turn(heading: Singles, rate: Singles, goal: Singles, damping: float, dt: float) -> tuple[Singles, Singles]:
    """Headings `[n]` and their rates, sprung towards goals along the shorter way."""
    turned, rates = np.empty_like(heading), np.empty_like(rate)
    for n in range(len(heading)):
        offset, rates[n] = spring(wrap(heading[n] - goal[n]), rate[n], 0.0, damping, dt)
        turned[n] = wrap(goal[n] + offset)
    return turned, rates
