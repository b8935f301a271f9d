"""The pull toward the simulated object."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.control.adjust import Adjustment
from kinema.control.trajectory import Trajectory

DT = 1 / 60


def goal(position=(0, 0, 0), heading: float = 0.0) -> Trajectory:
    it = Trajectory.start(1)
    it.position, it.heading = np.float32([position]), np.float32([heading])
    return it


def pull(steps: int, to: Trajectory, speed: float, turn: float = 0.0, heading: float = 0.0, **options):
    """Positions `[F, 3]` and headings `[F]` of a character whose plan moves on its own."""
    adjustment = Adjustment(to, **options)
    adjustment.reset(1)
    at, facing = np.zeros((1, 3), np.float32), np.float32([heading])
    positions, headings = [at[0]], [facing[0]]
    for _ in range(steps):
        at, facing = adjustment.pull(at, facing, np.float32([speed]), np.float32([turn]), DT)
        positions.append(at[0])
        headings.append(facing[0])
    return np.array(positions), np.array(headings)


def test_a_character_at_rest_is_not_moved_within_the_slack():
    positions, headings = pull(60, goal((0.02, 0, 0.02), 0.05), speed=0.0)
    assert not positions.any() and not headings.any()


@pytest.mark.parametrize("speed", [0.05, 0.1, 0.2])
def test_never_more_than_the_share_of_its_own_speed(speed):
    positions, _ = pull(120, goal((0.028, 0, 0)), speed=speed)
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=-1) / DT
    assert steps.max() <= 0.5 * speed * 1.0001
    assert steps.max() > 0.9 * 0.5 * speed or positions[-1, 0] > 0.02
    _, headings = pull(30, goal(heading=0.09), speed=0.0, turn=speed)
    assert np.abs(np.diff(headings)).max() / DT <= 0.5 * speed * 1.0001


def test_a_walk_straight_on_bends_by_its_share_of_each_metre():
    _, headings = pull(30, goal(heading=0.09), speed=1.4)
    assert np.diff(headings).max() / DT == pytest.approx(0.1 * 1.4, rel=1e-3)


def test_it_converges_and_hardly_overshoots():
    positions, headings = pull(180, goal((0.6, 0, -0.8), 1.0), speed=1.4, turn=0.5)
    left = np.linalg.norm(positions - [0.6, 0, -0.8], axis=-1)
    assert left[-1] < 1e-3
    assert (positions @ np.float32([0.6, 0, -0.8])).max() < 1.1
    assert headings[-1] == pytest.approx(1.0, abs=1e-3) and headings.max() < 1.1
    assert not positions[:, 1].any()


def test_beyond_the_slack_even_a_still_character_is_drawn_back_to_it():
    positions, headings = pull(300, goal((1.0, 0, 0), 0.8), speed=0.0)
    assert abs(1.0 - positions[-1, 0]) < 0.03
    assert abs(0.8 - headings[-1]) < 0.1
    assert np.abs(np.diff(positions[-60:], axis=0)).max() < 1e-5


def test_headings_go_the_short_way_round():
    _, headings = pull(120, goal(heading=-3.0), speed=1.4, turn=1.0, heading=3.0)
    assert np.abs(headings).min() > 2.9
    assert headings[-1] == pytest.approx(-3.0, abs=0.01)


def test_reset_forgets():
    adjustment = Adjustment(goal((1, 0, 0), 1.0))
    adjustment.reset(1)
    zero, none = np.zeros((1, 3), np.float32), np.zeros(1, np.float32)
    for _ in range(5):
        adjustment.pull(zero, none, np.float32([1]), none, DT)
    adjustment.reset(1)
    adjustment.trajectory = goal()
    position, heading = adjustment.pull(zero, none, none, none, DT)
    assert not position.any() and not heading.any()
