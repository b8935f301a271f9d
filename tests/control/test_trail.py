"""Where characters were."""

import numpy as np
import pytest

from kinema.control.trail import Trail


def walked(trail: Trail, steps: int, dt: float = 1 / 60, first: int = 0) -> None:
    """Two characters, one a metre a second along +Z, the other round a circle of a metre."""
    for step in range(first, first + steps):
        time = step * dt
        places = np.array([[0, 5, time], [np.sin(time), 0, np.cos(time)]])
        trail.step(places, np.array([0.0, time + np.pi / 2]), dt)


def test_it_tells_where_they_were():
    trail = Trail()
    trail.reset(2)
    walked(trail, 180)
    now, times = 3.0, np.array([-1.0, -0.51, -0.1])
    places, headings = trail.at(times.tolist(), np.array([0, 1]))
    np.testing.assert_allclose(places[0], np.stack([0 * times, now + times], axis=-1), atol=1e-4)
    np.testing.assert_allclose(places[1], np.stack([np.sin(now + times), np.cos(now + times)], axis=-1), atol=1e-3)
    np.testing.assert_allclose(np.sin(headings[1]), np.sin(now + times + np.pi / 2), atol=1e-3)
    only, _ = trail.at([-0.1], np.array([1]))
    np.testing.assert_array_equal(only[0], places[1, 2:])


def test_who_has_just_begun_has_always_been_there():
    trail = Trail()
    trail.reset(2)
    walked(trail, 1, first=60)
    places, headings = trail.at([-1.0, -0.2], np.array([0, 1]))
    np.testing.assert_allclose(places[0], [[0, 1], [0, 1]], atol=1e-6)
    np.testing.assert_allclose(headings[1], [1 + np.pi / 2] * 2, atol=1e-5)


def test_who_begins_is_somewhere_before_the_first_step():
    trail = Trail()
    trail.begin(np.array([[3.0, 0, 4]]), np.array([0.5]))
    trail.begin(np.array([[9.0, 0, 9]]), np.array([0.0]))  # is there already
    places, headings = trail.at([-0.3], np.array([0]))
    assert places.tolist() == [[[3, 4]]] and headings[0, 0] == pytest.approx(0.5)


def test_nothing_is_asked_for():
    trail = Trail()
    places, headings = trail.at([], np.array([0]))
    assert places.shape == (1, 0, 2) and headings.shape == (1, 0)


def test_who_stays_keeps_the_trail():
    trail = Trail()
    trail.reset(2)
    walked(trail, 90)
    before, _ = trail.at([-0.5], np.array([1]))
    trail.select(np.array([1]), 1)
    trail.step(np.array([[9.0, 0, 9], [7, 0, 7]]), np.zeros(2), 1 / 60)
    after, _ = trail.at([-0.5 - 1 / 60], np.array([0]))
    np.testing.assert_allclose(after, before, atol=1e-3)
    np.testing.assert_allclose(trail.at([-1.0], np.array([1]))[0], [[[7, 7]]])
