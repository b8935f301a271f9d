"""Chasing a goal: the same at any frame rate."""

import numpy as np
import pytest

from kinema import rotations
from kinema.rendering.tracking import Chase, angles_of, nearest_turn, view_rotation


def test_many_short_steps_are_one_long_one_when_the_goal_moves_evenly():
    paths = []
    for count in (1, 7, 300):
        chase = Chase(0.3)
        chase.update(np.zeros(3), 0.0)
        for step in range(1, count + 1):
            chase.update(np.array([2.0, 0, -1]) * step / count * 1.5, 1.5 / count)
        paths.append(np.concatenate([chase.value, chase.velocity]))
    np.testing.assert_allclose(paths[0], paths[1], atol=1e-9)
    np.testing.assert_allclose(paths[0], paths[2], atol=1e-9)


def test_half_of_the_way_is_gone_after_about_a_half_life_and_the_lag_is_as_told():
    chase = Chase(0.4)
    chase.update(0.0, 0.0)
    chase.update(1.0, 1e-9)
    assert chase.update(1.0, 0.4) == pytest.approx(0.4, abs=0.12)
    chase = Chase(0.2)
    for step in range(500):
        chase.update([3.0 * step / 60, 0, 0], 1 / 60)
    goal = 3.0 * 499 / 60
    assert goal - chase.value[0] == pytest.approx(3.0 * chase.lag, abs=1e-4)
    np.testing.assert_allclose(chase.ahead(0.0)[0], goal, atol=1e-3)
    np.testing.assert_allclose(chase.ahead(0.5)[0], goal + 1.5, atol=1e-3)


def test_what_is_put_elsewhere_is_there_at_once_and_what_runs_is_not():
    chase = Chase(0.2, snap=30.0)
    chase.update(np.zeros(3), 0.0)
    assert not chase.jumps([3.0, 0, 0], 0.5)
    assert chase.update([3.0, 0, 0], 0.5)[0] < 2.9
    lag = 3.0 - chase.value[0]
    assert chase.update([53.0, 0, 0], 1 / 60)[0] == pytest.approx(53.0 - lag)


def test_goals_that_are_not_finite_are_passed_over():
    chase = Chase(0.2)
    assert np.isfinite(chase.update([np.nan, 0, 0], 0.1)).all()
    chase.update([1.0, 2, 3], 0.1)
    assert chase.update([np.nan, 0, 0], 0.1).tolist() == [1, 2, 3]
    assert chase.update([5.0, 0, 0], 0.0).tolist() == [1, 2, 3], "no time, no way"


def test_views_are_angles_and_back():
    for azimuth in (-2.0, 0.0, 0.7, 3.0):
        for elevation in (-1.2, 0.0, 0.4):
            way = rotations.rotate(view_rotation(azimuth, elevation), np.array([0, 0, 1.0]))
            assert angles_of(way) == pytest.approx((azimuth, elevation))
    assert angles_of((0, -2, 0), 1.3) == pytest.approx((1.3, np.pi / 2))
    assert nearest_turn(0.1, 6.2) == pytest.approx(0.1 + 2 * np.pi)
    assert nearest_turn(-3.0, 3.0) == pytest.approx(2 * np.pi - 3.0)
