"""Grounds at other places."""

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import UsageError
from kinema.terrain import Placed, Plane, block, is_void, slope


def test_a_placed_ground_is_that_ground_in_its_frame(rng):
    inner, position, heading = slope(length=3.0, rise=1.0), np.array([1.0, 0.7, -2.0]), 2.1
    turn = rotations.from_yaw(np.float64(heading))
    local = rng.uniform([-1, 0, 0], [1, 0, 3], (50, 3))
    points = rotations.rotate(turn, local) + position
    ground = Placed(inner, tuple(position), heading)
    np.testing.assert_allclose(ground.height(points), inner.height(local) + 0.7, atol=1e-5)
    np.testing.assert_allclose(ground.normal(points), rotations.rotate(turn, inner.normal(local)), atol=1e-5)


def test_its_plus_z_points_along_the_heading():
    ground = Placed(slope(length=4.0, rise=4.0, landing=1.0), heading=np.pi / 2)
    np.testing.assert_allclose(ground.height(np.array([[3.0, 0, 0]])), 3.0, rtol=1e-5)


def test_nothing_stays_nothing_at_any_height():
    assert is_void(Placed(block(1, 1, 0), (0, 900.0, 0)).height(np.array([[5.0, 0, 5.0]]))).all()


def test_the_velocity_is_how_points_of_the_ground_move(rng):
    """Against differences of where a point that is fixed on the ground is, a moment later."""
    step, rate, speed = 1e-4, 0.8, np.array([0.5, 0.2, -1.0])
    before = Placed(block(9, 9, 0.3), (1.0, 0.0, 2.0), 0.3, tuple(speed), rate)
    local = rng.uniform(-2, 2, (20, 3)) * [1, 0, 1]
    places = [
        rotations.rotate(rotations.from_yaw(np.float64(0.3 + rate * t)), local) + before.position + speed * t
        for t in (0, step)
    ]
    np.testing.assert_allclose(before.velocity(places[0]), (places[1] - places[0]) / step, atol=1e-3)


def test_velocities_add_up():
    inner = Placed(Plane(), linear_velocity=(0.0, 0.0, 1.0))
    outer = Placed(inner, heading=np.pi / 2, linear_velocity=(0.0, 2.0, 0.0))
    np.testing.assert_allclose(outer.velocity(np.zeros((1, 3))), [[1, 2, 0]], atol=1e-6)


def test_shapes_are_kept():
    ground = Placed(Plane())
    for shape in ((), (0,), (2, 3)):
        points = np.zeros((*shape, 3))
        assert ground.height(points).shape == shape
        assert ground.normal(points).shape == ground.velocity(points).shape == (*shape, 3)


def test_places_that_are_not_numbers_are_refused():
    with pytest.raises(UsageError):
        Placed(Plane(), (0, np.nan, 0))
