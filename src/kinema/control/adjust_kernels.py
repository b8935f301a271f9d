"""Compiled adjustment; its settings are in `kinema.control.adjust`."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kinema.arrays import Singles
from kinema.compiled import njit
from kinema.kernels import wrap


class Pull(NamedTuple):
    """The settings of `kinema.control.adjust.Adjustment`, with a rate (1/s) and a share kept for its half-lives."""

    ratio: float
    bend: float
    slack: float
    slack_turn: float
    rate: float
    kept: float


@njit(error_model="numpy")
def moves(
    position: Singles, rotation: Singles, before: Singles, heading_before: Singles, dt: float
) -> tuple[Singles, Singles, Singles]:
    """Headings `[n]` of roots at positions `[n, 3]` with rotations `[n, 4]`, and how fast they move and turn since."""
    headings = np.empty_like(heading_before)
    speeds, turns = np.empty_like(headings), np.empty_like(headings)
    for n in range(len(position)):
        w, x, y, z = rotation[n]
        headings[n] = math.atan2(2.0 * (x * z + w * y), 1.0 - 2.0 * (x * x + y * y))
        square = 0.0
        for axis in range(3):
            square += (position[n, axis] - before[n, axis]) ** 2
        speeds[n] = math.sqrt(square) / dt
        turns[n] = wrap(headings[n] - heading_before[n]) / dt
    return headings, speeds, turns


@njit(error_model="numpy")
def pull(
    position: Singles,
    heading: Singles,
    speed: Singles,
    turn: Singles,
    goal: Singles,
    goal_heading: Singles,
    velocity: Singles,
    turning: Singles,
    settings: Pull,
    dt: float,
) -> tuple[Singles, Singles]:
    """See `kinema.control.adjust.Adjustment.pull`; changes the corrections, `velocity` `[n, 3]` and `turning` `[n]`."""
    ratio, bend, slack, slack_turn, rate, kept = settings
    positions, headings = np.empty_like(position), np.empty_like(heading)
    for n in range(len(position)):
        x, z = goal[n, 0] - position[n, 0], goal[n, 2] - position[n, 2]
        distance = math.sqrt(x * x + z * z)
        allowed = ratio * speed[n] + rate * max(distance - slack, 0.0)
        share = min(rate * distance, allowed) / distance if rate * distance > 1e-6 else 0.0
        velocity[n, 0] = share * x + kept * (velocity[n, 0] - share * x)
        velocity[n, 1] *= kept
        velocity[n, 2] = share * z + kept * (velocity[n, 2] - share * z)
        angle = wrap(goal_heading[n] - heading[n])
        allowed = ratio * abs(turn[n]) + rate * max(abs(angle) - slack_turn, 0.0) + bend * speed[n]
        wanted = min(max(rate * angle, -allowed), allowed)
        turning[n] = wanted + kept * (turning[n] - wanted)
        for axis in range(3):
            positions[n, axis] = position[n, axis] + velocity[n, axis] * dt
        headings[n] = wrap(heading[n] + turning[n] * dt)
    return positions, headings
