"""Goals in recorded motion: the place and the facing where a body is about to stand.

Nobody wrote down what a person was about to do. But who stands somewhere later has gone there: seen from before, that
place was the goal.
"""

from __future__ import annotations

import numpy as np

from kinema import kinematics
from kinema.arrays import Bools, Indices, Reals
from kinema.mocap.contacts import Thresholds, runs

STILL = Thresholds().speed_on
"""m/s of an adult: a body stands while all its feet are slower."""

SHORTEST = 0.5
"""Seconds: both feet of a walk are still for less."""

AHEAD = 4.0
"""Seconds from which on a place can be a goal. What a body does before is not yet about it."""

SHARE = 0.5
"""Part of the places that are goals: a network has to know how to stop without one, too."""


def find_goals(positions: Reals, fps: float, size: float = 1.0, seed: int = 0) -> Indices:
    """For each frame of a clip the number of frames until the body is at its goal, int32 `[F]`; -1 without a goal.

    A body that stands is at its goal.

    Args:
        positions: `[F, C, 3]` of the feet in the world, metres.
        fps: frames per second.
        size: of the body over that of an adult.
        seed: chooses the places that are goals.
    """
    speeds = np.linalg.norm(kinematics.velocities(positions, 1.0 / fps), axis=-1) / size
    still: Bools = (speeds < STILL).all(axis=-1)
    ahead = np.full(len(still), -1, np.int32)
    rng, free = np.random.default_rng(seed), 0
    for first, last in runs(still):
        if last - first < SHORTEST * fps:
            continue
        if rng.uniform() < SHARE:
            there = first + round(0.5 * SHORTEST * fps)  # the body sways until it has settled
            begin = max(free, there - round(AHEAD * fps))
            ahead[begin:last] = np.maximum(there - np.arange(begin, last), 0)
        free = last
    return ahead
