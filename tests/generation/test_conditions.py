from __future__ import annotations

import numpy as np
import pytest

from kinema.generation import conditions
from kinema.generation.channels import CHANNELS, FPS, TRAVEL
from kinema.mocap.creatures.acts import ACTIONS


def test_what_is_left_open_is_zero() -> None:
    none = np.full(2, np.nan)
    made = conditions.asked(
        np.asarray([-1, 2]),
        np.asarray([np.nan, 4.0]),
        np.asarray([0.5, np.nan]),
        np.asarray([np.nan, 2.0]),
        np.asarray([np.nan, 1.25]),
        none,
        none,
    )
    assert made.shape == (2, conditions.ASKED)
    assert made[0, : len(ACTIONS)].sum() == 0
    assert made[1, 2] == 1
    np.testing.assert_allclose(
        made[:, conditions.SPEED : conditions.TIMES], [[0, 0, 0.5, 1, 0, 0, 0, 0], [2, 1, 0, 0, 1, 1, 0, 1]], atol=1e-6
    )
    assert not made[:, conditions.TIMES :].any()


def test_clocks_go_on_and_stay_open() -> None:
    none = np.full(2, np.nan)
    made = conditions.asked(np.full(2, -1), none, none, none, np.asarray([np.nan, 0.4]), none, none)
    later = conditions.asked(np.full(2, -1), none, none, none, np.asarray([np.nan, 2.1]), none, none)
    np.testing.assert_allclose(conditions.shifted_clock(made, 1.7), later, atol=1e-6)


def test_every_time_within_an_act_has_its_own_numbers() -> None:
    times = np.linspace(0, conditions.LONGEST, 46)
    nothing = np.full(46, np.nan)
    made = conditions.asked(np.full(46, -1), nothing, nothing, nothing, nothing, times, nothing)[:, conditions.TIMES :]
    since, until = made[:, : conditions.WAVES], made[:, conditions.WAVES :]
    assert not until.any()
    apart = np.linalg.norm(since[:, None] - since[None], axis=-1) + 100 * np.eye(46)
    assert apart.min() > 0.5
    longer = conditions.asked(np.asarray(-1), np.nan, np.nan, np.nan, np.nan, 60.0, np.nan)
    np.testing.assert_array_equal(longer[conditions.TIMES :], made[-1])


def test_speed_and_turning_are_measured_over_a_second() -> None:
    channels = np.zeros((96, 3, CHANNELS), np.float32)
    channels[:, 0, TRAVEL] = [0.3, 0.4, 0.8]
    channels[40, 0, TRAVEL] = [9.0, 9.0, 9.0]
    speed, turn = conditions.measured(channels, 8)
    assert speed.shape == (12,)
    assert speed[0] == pytest.approx(0.5)
    assert turn[-1] == pytest.approx(0.8)
    assert speed[5] < 1.0


def test_places_are_seen_from_the_start() -> None:
    frames = 16
    heading = np.full(frames, np.pi / 2, np.float32)
    path = np.stack([np.arange(frames) + 5.0, np.full(frames, 7.0)], axis=-1).astype(np.float32)
    made = conditions.places(path, heading, 8)
    np.testing.assert_allclose(made[:, 0], 0, atol=1e-6)  # nothing to the left
    np.testing.assert_allclose(made[:, 1], 0.25 * np.asarray([7, 15]), rtol=1e-6)  # straight ahead
    np.testing.assert_allclose(made[:, 2:], [[0, 1, 1]] * 2, atol=1e-6)
    assert conditions.patch_seconds(8) == 8 / FPS
