"""Steps of one length out of uneven time."""

import numpy as np
import pytest

from kinema.engine.clock import FixedClock


def test_steps_keep_up_with_uneven_calls():
    rng = np.random.default_rng(1)
    clock, now, steps = FixedClock(1 / 60), 0.0, 0
    for gap in rng.uniform(0.001, 0.05, 400):
        steps += clock.due(now)
        assert 0 <= clock.alpha < 1
        now += gap
    steps += clock.due(now)
    assert steps == pytest.approx(now * 60, abs=2) and clock.dropped == 0


def test_a_stall_is_let_go():
    clock = FixedClock(0.01, most=4)
    assert clock.due(0.0) == 1
    assert clock.due(1.0) == 4
    assert clock.dropped == pytest.approx(0.96)
    assert clock.due(1.01) == 1


def test_waits_exactly_until_the_next_step():
    clock = FixedClock(0.02)
    assert clock.wait(5.0) == 0.0
    clock.due(0.0)
    assert clock.wait(0.005) == pytest.approx(0.015)
    assert clock.wait(1.0) == 0.0
    assert clock.due(0.019) == 0
    assert clock.wait(0.019) == pytest.approx(0.001)


def test_time_that_runs_backwards_asks_for_nothing():
    clock = FixedClock(0.01)
    clock.due(1.0)
    assert clock.due(0.5) == 0
    assert clock.advance(-1.0) == 0


def test_alpha_is_the_share_of_a_step_that_is_left():
    clock = FixedClock(0.02)
    assert clock.advance(0.05) == 2 and clock.alpha == pytest.approx(0.5)
    assert clock.advance(0.005) == 0 and clock.alpha == pytest.approx(0.75)
