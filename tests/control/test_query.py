"""What a family is asked."""

import numpy as np

from kinema.control.command import Commands
from kinema.control.query import Query
from kinema.control.trajectory import Trajectory
from kinema.terrain import Plane


def test_paths_and_goals_are_in_the_root_frame():
    trajectory = Trajectory.start(2)
    trajectory.position = np.float32([[1, 0, 2], [0, 0, 0]])
    trajectory.heading = np.float32([np.pi / 2, 0])
    commands = Commands.create(np.zeros((2, 3)), goal=[[3, 0, 2], [np.nan] * 3])
    places, headings = np.float32([[1, 0, 2], [0, 0, -1]]), np.float32([np.pi / 2, 0])
    query = Query(commands, trajectory, Plane(), places, headings, np.array([True, True]))
    positions, directions = query.path([0.5, 1.0])
    np.testing.assert_allclose(positions, [[[0, 0, 0]] * 2, [[0, 0, 1]] * 2], atol=1e-6)
    np.testing.assert_allclose(directions, np.broadcast_to([0, 0, 1], (2, 2, 3)), atol=1e-6)
    np.testing.assert_allclose(query.goals[0], [0, 0, 2], atol=1e-6)
    assert np.isnan(query.goals[1]).all()


def test_facings_at_goals_are_in_the_root_frame():
    """As stated, else as the object wants to face now."""
    trajectory = Trajectory.start(3)
    trajectory.heading = np.float32([0, np.pi / 2, 0])
    goal, facing = [[3, 0, 2], [0, 0, 1], [np.nan] * 3], [[-1, 0, 0], [np.nan] * 3, [np.nan] * 3]
    commands = Commands.create(np.zeros((3, 3)), goal=goal, goal_facing=facing)
    headings = np.full(3, np.pi / 2, np.float32)
    query = Query(commands, trajectory, Plane(), np.zeros((3, 3), np.float32), headings, np.ones(3, bool))
    np.testing.assert_allclose(query.goal_directions[:2], [[0, 0, -1], [0, 0, 1]], atol=1e-6)
    assert np.isnan(query.goal_directions[2]).all()
