"""The compiled adjustment against the same formulas in NumPy."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.control.adjust_kernels import Pull, moves, pull

DT = 1 / 60


def plain(position, heading, speed, turn, goal, goal_heading, velocity, turning, settings: Pull):
    """New positions, headings and corrections of both."""
    ratio, bend, slack, slack_turn, rate, kept = settings
    offset = (goal - position) * [1, 0, 1]
    distance = np.linalg.norm(offset, axis=-1)
    allowed = ratio * speed + rate * np.maximum(distance - slack, 0)
    way = offset / distance[:, None] * np.minimum(rate * distance, allowed)[:, None]
    velocity = way + kept * (velocity - way)
    angle = rotations.wrap(goal_heading - heading)
    allowed = ratio * np.abs(turn) + rate * np.maximum(np.abs(angle) - slack_turn, 0) + bend * speed
    wanted = np.clip(rate * angle, -allowed, allowed)
    turning = wanted + kept * (turning - wanted)
    return position + DT * velocity, rotations.wrap(heading + DT * turning), velocity, turning


def test_parity(rng):
    settings = Pull(0.5, 0.1, 0.03, 0.1, 8.0, 0.7)
    spread = rng.choice([0.01, 0.1, 1.0], 200)[:, None]
    position, velocity = rng.normal(size=(2, 200, 3)).astype(np.float32)
    velocity[:, 1] = 0
    goal = (position + spread * rng.normal(size=(200, 3))).astype(np.float32)
    heading, goal_heading = rng.uniform(-np.pi, np.pi, size=(2, 200)).astype(np.float32)
    turn, turning = rng.normal(size=(2, 200)).astype(np.float32)
    speed = np.abs(rng.normal(size=200)).astype(np.float32)
    state = (position, heading, speed, turn, goal, goal_heading, velocity, turning)
    expected = plain(*(part.astype(np.float64) for part in state), settings)
    found = pull(*state, settings, DT)
    for mine, other in zip((*found, velocity, turning), expected, strict=True):
        np.testing.assert_allclose(mine, other, atol=2e-5)


def test_who_is_there_is_not_pulled():
    zero, flat = np.zeros((1, 3), np.float32), np.zeros(1, np.float32)
    positions, headings = pull(
        zero, flat, flat, flat, zero, flat, zero.copy(), flat.copy(), Pull(0.5, 0.1, 0.03, 0.1, 8.0, 0.7), DT
    )
    assert not positions.any() and not headings.any()


def test_moves_are_those_since_the_step_before(rng):
    position, before = rng.normal(size=(2, 50, 3)).astype(np.float32)
    heading, heading_before = rng.uniform(-np.pi, np.pi, size=(2, 50)).astype(np.float32)
    found, speeds, turns = moves(position, rotations.from_yaw(heading), before, heading_before, DT)
    np.testing.assert_allclose(found, heading, atol=1e-5)
    np.testing.assert_allclose(speeds, np.linalg.norm(position - before, axis=-1) / DT, rtol=1e-5)
    np.testing.assert_allclose(turns, rotations.wrap(heading - heading_before) / DT, atol=1e-2)
