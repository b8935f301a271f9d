"""From goals to velocities and facings."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.control.command import Commands
from kinema.control.controller import Controller
from kinema.control.goals import BRAKING, WALK, towards, walking, with_goals
from kinema.control.trajectory import Trajectory

SIDE = [1.0, 0, 0]


def sent(*goals, speed: float = 1.0, facing=None) -> Commands:
    return Commands.create(np.tile([0, 0, speed], (len(goals), 1)), goal=goals, goal_facing=facing)


def test_commands_without_a_goal_stay_as_they_are(rng):
    commands = Commands.create(rng.normal(size=(3, 3)), rng.normal(size=(3, 3)))
    assert towards(commands, np.zeros((3, 3)), BRAKING) is commands and walking(commands, WALK) is commands
    one = Commands.create(commands.velocity, commands.facing, goal=[[np.nan] * 3, [5, 0, 0], [np.nan] * 3])
    assert with_goals(one).tolist() == [False, True, False]
    led = towards(one, np.zeros((3, 3)), BRAKING)
    np.testing.assert_array_equal(led.velocity[[0, 2]], commands.velocity[[0, 2]])
    np.testing.assert_array_equal(led.facing, commands.facing)
    np.testing.assert_allclose(led.velocity[1], [np.linalg.norm(commands.velocity[1]), 0, 0], atol=1e-6)


def test_far_away_the_speed_is_as_commanded_and_near_it_falls_with_the_distance():
    stops = np.array([[0, 0, 0], [0, 0.5, 0], [3, 0, -3]], np.float32)
    led = towards(sent([3, 0, 4], [0.06, 7, 0.08], [3, 0, -3], speed=2.0), stops, 0.4)
    np.testing.assert_allclose(led.velocity, [[1.2, 0, 1.6], [0.15, 0, 0.2], [0, 0, 0]], atol=1e-6)


def test_the_facing_of_the_goal_counts_once_it_slows_down():
    led = towards(sent([0, 0, 3.0], [0, 0, 0.3], facing=SIDE), np.zeros((2, 3)), 0.4)
    assert np.isnan(led.facing[0]).all() and led.facing[1].tolist() == SIDE
    assert np.isnan(towards(sent([0, 0, 0.3]), np.zeros((1, 3)), 0.4).facing).all()


def test_whoever_has_no_speed_walks():
    made = walking(sent([0, 0, 3.0], [1, 0, 0], speed=0.0), 1.4)
    np.testing.assert_allclose(np.linalg.norm(made.velocity, axis=-1), 1.4)
    kept = walking(sent([0, 0, 3.0], speed=0.3), 1.4)
    np.testing.assert_allclose(np.linalg.norm(kept.velocity, axis=-1), 0.3)
    assert not walking(Commands.idle(1), 1.4).velocity.any()


@pytest.mark.parametrize("speed", [0.6, 1.4, 3.0])
def test_objects_reach_the_goal_straight_without_passing_it(speed):
    goal, it, way = np.array([2.0, 0, 3.0], np.float32), Trajectory.start(1), []
    for _ in range(round((np.hypot(2, 3) / speed + 3) * 60)):
        it.step(it.steered(sent(goal, speed=speed, facing=SIDE)), 1 / 60)
        way.append(it.position[0])
    way = np.array(way)
    along, aside = way @ goal / np.linalg.norm(goal), way @ [3, 0, -2] / np.linalg.norm(goal)
    assert np.linalg.norm(way[-1] - goal) < 0.01 and along.max() < np.linalg.norm(goal) + 1e-3
    assert np.abs(aside).max() < 1e-3 and abs(it.heading[0] - np.pi / 2) < 0.01


def test_a_goal_may_change_and_leave(gliding: Controller):
    gliding.reset(2)
    for goal in ([0, 0, 2.0], [2.0, 0, 0]):
        for _ in range(240):
            gliding.step(sent(goal, [np.nan] * 3, speed=1.4), 1 / 60)
        np.testing.assert_allclose(gliding.trajectory.position[0], goal, atol=0.02)
    assert gliding.trajectory.position[1, 2] > 5
    before = gliding.trajectory.position.copy()
    for _ in range(60):
        gliding.step(Commands.idle(2), 1 / 60)
    np.testing.assert_allclose(gliding.trajectory.position[0], before[0], atol=0.02)
