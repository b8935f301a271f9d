"""Figures of the last seconds."""

import numpy as np

from kinema.session.history import FigureHistory


def test_rows_come_back_in_order_and_old_ones_go():
    history = FigureHistory(1.0, 10)
    for number in range(25):
        history.add(0.1 * number, {"a": float(number)})
    np.testing.assert_allclose(history.times, 0.1 * np.arange(15, 25))
    np.testing.assert_allclose(history.values("a"), np.arange(15, 25))
    assert history.last("a") == 24


def test_what_is_missing_is_a_gap():
    history = FigureHistory(1.0, 10)
    history.add(0.0, {"a": 1.0})
    history.add(0.1, {"b": 2.0})
    np.testing.assert_array_equal(history.values("a"), [1.0, np.nan])
    np.testing.assert_array_equal(history.values("b"), [np.nan, 2.0])
    assert np.isnan(history.values("never")).all() and history.names == ["a", "b"]


def test_names_keep_their_order():
    history = FigureHistory(1.0, 10)
    history.add(0.0, {name: 0.0 for name in "zebra"})
    assert "".join(history.names) == "zebra"


def test_a_name_that_comes_late_has_no_past_and_clearing_forgets():
    history = FigureHistory(1.0, 4)
    for number in range(6):
        history.add(number, {"a": 1.0})
    history.add(6, {"late": 5.0, "a": 1.0})
    assert np.isnan(history.values("late")[:-1]).all() and history.last("late") == 5
    history.clear()
    assert len(history.times) == 0 and np.isnan(history.last("a"))
