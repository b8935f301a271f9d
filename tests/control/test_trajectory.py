"""The simulated object."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.control.command import Commands
from kinema.control.trajectory import Trajectory
from kinema.control.walls import Walls


def moving(count: int, rng: np.random.Generator) -> Trajectory:
    it = Trajectory.start(count, 0.27, 0.25)
    for _ in range(20):
        it.step(Commands.create(rng.normal(size=(count, 3))), 1 / 30)
    return it


def test_prediction_is_what_steps_will_do(rng):
    it = moving(3, rng)
    control = Commands.create(2 * rng.normal(size=(3, 3)))
    times = (1 / 3, 2 / 3, 1.0)
    positions, headings = it.predict(control, times)
    assert positions.shape == (3, 3, 3) and headings.shape == (3, 3)
    for frame in range(60):
        it.step(control, 1 / 60)
        for column, time in enumerate(times):
            if frame + 1 == round(60 * time):
                np.testing.assert_allclose(it.position, positions[:, column], atol=1e-4)
                apart = it.heading - headings[:, column]
                np.testing.assert_allclose(np.sin(0.5 * apart), 0, atol=1e-4)


def test_the_way_to_a_goal_is_foreseen(rng):
    """With the braking before it, and beside somebody without a goal."""
    it = moving(2, rng)
    goal = it.position[0] + np.float32([1.0, 0, 0.3])
    commands = Commands.create([[0, 0, 1.4]] * 2, goal=[goal, [np.nan] * 3], goal_facing=[0, 0, -1])
    times = (1 / 3, 2 / 3, 1.0, 2.0)
    positions, headings = it.predict(it.steered(commands), times)
    for frame in range(120):
        it.step(it.steered(commands), 1 / 60)
        for column, time in enumerate(times):
            if frame + 1 == round(60 * time):
                np.testing.assert_allclose(it.position, positions[:, column], atol=0.03)
                np.testing.assert_allclose(np.sin(0.5 * (it.heading - headings[:, column])), 0, atol=0.08)
    np.testing.assert_allclose(positions[0, -1], goal, atol=0.05)


@pytest.mark.parametrize("halflife", [0.1, 0.27])
def test_half_of_a_change_of_velocity_is_left_after_about_the_halflife(halflife):
    it = Trajectory.start(1, velocity_halflife=halflife)
    go = Commands.create([0, 0, 2])
    for _ in range(100):
        it.step(go, halflife / 100)
    # A spring that starts at rest is a little behind its half-life: (1 + 2 ln 2) / 4 is left.
    assert it.velocity[0, 2] == pytest.approx(2 * (1 - (1 + 2 * np.log(2)) / 4), rel=1e-3)
    for _ in range(1000):
        it.step(go, halflife / 100)
    np.testing.assert_allclose(it.velocity[0], [0, 0, 2], atol=0.01)


def test_the_size_of_steps_does_not_matter(rng):
    control = Commands.create([1.0, 0, -2.0])
    fine, coarse = moving(1, np.random.default_rng(1)), moving(1, np.random.default_rng(1))
    for _ in range(60):
        fine.step(control, 1 / 120)
    for _ in range(5):
        coarse.step(control, 1 / 10)
    np.testing.assert_allclose(fine.position, coarse.position, atol=1e-4)
    np.testing.assert_allclose(fine.heading, coarse.heading, atol=1e-4)


def test_it_faces_what_is_told_else_its_travel_else_stays():
    it = Trajectory.start(3)
    it.heading = np.float32([0.3, 0.3, 0.3])
    velocity = np.float32([[1, 0, 0], [1, 0, 0], [0.1, 0, 0]])
    facing = np.float32([[0, 0, -1], [np.nan] * 3, [np.nan] * 3])
    np.testing.assert_allclose(
        np.abs(it.wanted_heading(Commands.create(velocity, facing))), [np.pi, np.pi / 2, 0.3], atol=1e-6
    )


def test_a_facing_that_is_half_a_number_is_none():
    it = Trajectory.start(1)
    it.step(Commands.create([0, 0, 1], np.array([0, 0, np.nan])), 0.1)
    assert np.isfinite(it.heading).all()


def test_it_turns_the_short_way_round():
    it = Trajectory.start(1)
    it.heading = np.float32([3.0])
    behind = Commands.create([np.sin(-3.0), 0, np.cos(-3.0)])
    for _ in range(60):
        it.step(behind, 1 / 60)
        assert abs(it.heading[0]) > 2.9
    assert it.heading[0] == pytest.approx(-3.0, abs=0.02)


def test_objects_share_nothing():
    it = Trajectory.start(2)
    it.step(Commands.create([[0, 0, 1], [0, 0, 0]]), 0.1)
    assert it.position[0, 2] > 0
    assert not it.position[1].any() and not Trajectory.start(2).position.any()


def test_travel_is_the_way_that_steps_go():
    trajectory = Trajectory.start(2)
    commands = Commands.create([[0, 0, 1.4], [2.0, 0, 0]])
    for _ in range(10):
        trajectory.step(commands, 1 / 60)
    before, ahead = trajectory.position.copy(), trajectory.travel(0.5)
    for _ in range(30):
        trajectory.step(commands, 1 / 60)
    np.testing.assert_allclose(before + ahead, trajectory.position, atol=1e-4)


def test_stopping_is_the_way_that_is_left_when_nothing_is_commanded():
    trajectory = Trajectory.start(1)
    for _ in range(10):  # it still speeds up
        trajectory.step(Commands.create([0.5, 0, 1.4]), 1 / 60)
    before, way = trajectory.position.copy(), trajectory.stopping
    for _ in range(300):
        trajectory.step(Commands.idle(), 1 / 60)
    np.testing.assert_allclose(before + way, trajectory.position, atol=1e-4)


def test_steps_end_at_walls():
    walls = Walls(np.float32([[[0, 0, 1]]]), np.float32([[0.01]]))
    trajectory = Trajectory.start(1)
    trajectory.velocity[:] = 1.0, 0.0, 1.0
    trajectory.step(Commands.create([1, 0, 1]), 0.1, walls)
    np.testing.assert_allclose(trajectory.position, [[0.1, 0, 0.01]], atol=1e-6)
    np.testing.assert_allclose(trajectory.velocity, [[1, 0, 0.1]], atol=1e-6)
