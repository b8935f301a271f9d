"""The ground of a world, as the characters of a group see it."""

import numpy as np
import pytest

from kinema import rotations
from kinema.engine.framed_ground import FramedGround
from kinema.errors import WorldError
from kinema.terrain import Placed, Plane, Union, block, is_void, slope


def test_characters_see_the_ground_in_their_own_frames(rng):
    ground = Union((Plane(), Placed(slope(width=9.0), linear_velocity=(0.5, 0.0, 1.0))))
    positions = np.float32([[0, 0.2, 1], [1, 0, 2], [-1, 0.5, 0]])
    turns = rotations.from_yaw(np.float32([0.3, -1.2, 2.5]))
    framed = FramedGround(ground, positions, turns)
    points = rng.uniform(-1, 1, (3, 2, 5, 3)).astype(np.float32)
    for n in range(3):
        world = rotations.rotate(turns[n], points[n]) + positions[n]
        np.testing.assert_allclose(framed.height(points)[n], ground.height(world) - positions[n, 1], atol=1e-5)
        np.testing.assert_allclose(
            framed.normal(points)[n], rotations.inverse_rotate(turns[n], ground.normal(world)), atol=1e-5
        )
        np.testing.assert_allclose(
            framed.velocity(points)[n], rotations.inverse_rotate(turns[n], ground.velocity(world)), atol=1e-5
        )
    assert framed.height(points[:, 0, 0]).shape == (3,)


def test_nothing_stays_nothing():
    framed = FramedGround(block(1, 1, 0), np.float32([[0, 7000, 0]]), rotations.identity((1,), np.zeros(1, np.float32)))
    assert is_void(framed.height(np.float32([[9, 0, 9]]))).all()


def test_points_of_some_of_the_characters_are_refused():
    framed = FramedGround(Plane(), np.zeros((3, 3), np.float32), rotations.from_yaw(np.zeros(3, np.float32)))
    with pytest.raises(WorldError, match="3 characters"):
        framed.height(np.zeros((2, 3), np.float32))
