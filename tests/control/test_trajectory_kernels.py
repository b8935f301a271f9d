"""Compiled steps of the trajectory against the springs that they are."""

from __future__ import annotations

import numpy as np

from kinema import rotations, springs
from kinema.control.trajectory_kernels import move, turn, wanted_heading

DT = 1 / 60


def test_points_move_as_springs(rng):
    position, velocity, acceleration, goal = rng.normal(size=(4, 40, 3)).astype(np.float32)
    parts = [part.astype(np.float64) for part in (position, velocity, acceleration, goal)]
    for seconds in (DT, 0.45):
        expected = springs.move(*parts, 0.27, seconds)
        found = move(position, velocity, acceleration, goal, springs.damping(0.27), seconds)
        for mine, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(mine, other, atol=1e-5)


def test_headings_turn_along_the_shorter_way(rng):
    heading, goal = rng.uniform(-np.pi, np.pi, size=(2, 200)).astype(np.float32)
    rate = rng.normal(size=200).astype(np.float32)
    offset, rates = springs.decay(rotations.wrap(heading - goal).astype(np.float64), rate, 0.25, DT)
    found, found_rates = turn(heading, rate, goal, springs.damping(0.25), DT)
    np.testing.assert_allclose(rotations.wrap(found - rotations.wrap(goal + offset)), 0, atol=1e-5)
    np.testing.assert_allclose(found_rates, rates, atol=1e-5)


def test_a_facing_counts_more_than_the_way_and_the_way_more_than_nothing():
    velocity = np.float32([[1, 0, 0], [1, 0, 0], [0.1, 0, 0]])
    facing = np.float32([[0, 0, -1], [np.nan] * 3, [np.nan] * 3])
    found = wanted_heading(velocity, facing, np.float32([0.1, 0.2, 0.3]), 0.2)
    np.testing.assert_allclose(found, [np.pi, np.pi / 2, 0.3], atol=1e-6)
