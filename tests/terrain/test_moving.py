"""Grounds that move."""

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.terrain import Moving, Placed, Plane, Shuttle, Union, block, is_void, relief

POINTS = np.array([[0.2, 0.0, 0.1], [-0.3, 0.0, 0.4]])


def around(time: float):
    """A turntable that goes around the origin and rises."""
    return (np.sin(0.7 * time), 0.1 * time, np.cos(0.7 * time)), 1.3 * time


def test_a_moving_ground_is_where_its_path_leads():
    ground = Moving(block(1, 1, 0.2), around)
    for time in (0.0, 1.0, 7.5):
        (x, y, z), heading = around(time)
        now = ground.at(time)
        assert isinstance(now, Placed) and now.heading == heading
        assert now.height(np.array([x, 0, z])) == pytest.approx(y + 0.2)
        assert is_void(now.height(np.array([x + 2, 0, z])))
    assert ground.height(np.array([0.0, 0, 1.0])) == pytest.approx(0.2), "asked without a time: time 0"


def test_its_velocity_is_how_points_on_it_move():
    ground, step = Moving(block(9, 9, 0.0), around), 1e-3
    for time in (0.5, 3.0):
        now, later = ground.at(time), ground.at(time + step)
        assert isinstance(now, Placed) and isinstance(later, Placed)

        def carried(placed: Placed, local: np.ndarray) -> np.ndarray:
            sine, cosine = np.sin(placed.heading), np.cos(placed.heading)
            turn = np.array([[cosine, 0, sine], [0, 1, 0], [-sine, 0, cosine]])
            return local @ turn.T + placed.position

        moved = (carried(later, POINTS) - carried(now, POINTS)) / step
        np.testing.assert_allclose(now.velocity(carried(now, POINTS)), moved, atol=3e-3)


def test_a_heading_that_wraps_has_no_jump_in_its_velocity():
    ground = Moving(Plane(), lambda time: ((0.0, 0.0, 0.0), np.remainder(time, 2 * np.pi)))
    np.testing.assert_allclose(ground.at(2 * np.pi).velocity(np.array([[1.0, 0, 0]])), [[0, 0, -1]], atol=1e-3)


def test_parts_of_a_union_move():
    ground = Union((Plane(), Moving(block(1, 1, 0.0), Shuttle(((0, 0.1, 0), (0, 2, 0)), travel=2.0, wait=1.0))))
    heights = [float(ground.at(time).height(np.zeros(3))) for time in (0.0, 0.9, 2.0, 3.0, 3.9, 5.0, 6.0)]
    np.testing.assert_allclose(heights, [0.1, 0.1, 1.05, 2, 2, 1.05, 0.1], atol=1e-6)
    now = ground.at(2.0)
    np.testing.assert_allclose(
        now.velocity(np.array([[0, 0, 0], [3.0, 0, 0]])), [[0, 1.9 * 1.875 / 2, 0], [0, 0, 0]], atol=1e-3
    )


def test_what_stands_on_a_moving_ground_may_move_too():
    ferry = Moving(Moving(block(1, 1, 0.0), lambda time: ((0.0, time, 0.0), 0.0)), lambda time: ((time, 0.0, 0.0), 0.0))
    now, there = ferry.at(3.0), np.array([3.0, 0.0, 0.0])
    assert now.height(there) == pytest.approx(3.0)
    np.testing.assert_allclose(now.velocity(there), [1, 1, 0], atol=1e-6)


def test_a_moving_ground_is_drawn_with_the_same_triangles():
    ground = Moving(block(1, 1, 0.2), around)
    first, second = (relief(ground.at(time), np.zeros(3), 9.0).surfaces[0] for time in (0.0, 1.0))
    assert first.surface is second.surface and first.position != second.position


def test_a_shuttle_starts_and_stops_softly():
    shuttle, step = Shuttle(((0, 0, 0), (0, 0, 4), (2, 0, 0)), travel=2.0, wait=0.5), 0.01
    times = np.arange(0, 16, step)
    places = np.array([shuttle(time)[0] for time in times])
    acceleration = np.diff(places, 2, axis=0) / step**2
    assert np.abs(np.diff(acceleration, axis=0)).max() < 60 * 4 / 2**3 * step * 1.1, "no jumps of the acceleration"
    np.testing.assert_allclose(shuttle(7.5 + 0.2)[0], (0, 0, 0))
    np.testing.assert_allclose(Shuttle(shuttle.stops, 2.0, 0.5, start=2.6)(0.0)[0], (0, 0, 4))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Shuttle(()),
        lambda: Shuttle(((0, 0, 0),), travel=0.0),
        lambda: Shuttle(((0, 0, 0),), wait=-1.0),
        lambda: Moving(Plane(), lambda time: ((0, np.nan, 0), 0.0)).at(1.0),
        lambda: Moving(Plane(), lambda time: ((0, 0), 0.0)).at(1.0),
    ],
)
def test_paths_that_cannot_be_are_refused(wrong):
    with pytest.raises(UsageError):
        wrong()
