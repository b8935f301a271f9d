"""Goals in recorded motion."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.mocap.goals import AHEAD, SHARE, find_goals

FPS = 30.0


def feet(*parts: tuple[float, bool]) -> np.ndarray:
    """Two feet that go or stand for some seconds each, `[F, 2, 3]`."""
    speeds = np.concatenate([np.full(round(seconds * FPS), 1.5 if goes else 0.0) for seconds, goes in parts])
    return np.cumsum(speeds / FPS)[:, None, None] * np.ones((1, 2, 3)) * [0, 0, 1]


def seed_of(*wanted: bool) -> int:
    """A seed that makes the first places goals, or not."""
    for seed in range(100):
        if ((np.random.default_rng(seed).uniform(size=len(wanted)) < SHARE) == wanted).all():
            return seed
    raise AssertionError


def test_the_next_place_to_stand_is_the_goal():
    ahead = find_goals(feet((2, True), (2, False), (2, True)), FPS, seed=seed_of(True))
    assert ahead.dtype == np.int32
    there = 60 + 8  # a quarter of a second after the feet have stopped
    np.testing.assert_array_equal(ahead[:there], there - np.arange(there))
    assert (ahead[there:118] == 0).all() and (ahead[122:] == -1).all()


def test_places_too_far_ahead_are_no_goals_yet():
    ahead = find_goals(feet((8, True), (1, False)), FPS, seed=seed_of(True))
    first = int(np.argmax(ahead >= 0))
    assert ahead[first] == round(AHEAD * FPS) and (ahead[:first] == -1).all() and ahead[-1] == 0


def test_a_short_pause_is_no_place():
    assert (find_goals(feet((2, True), (0.3, False), (2, True)), FPS, seed=seed_of(True)) == -1).all()


def test_some_places_are_no_goals():
    clip = feet((2, True), (1, False), (2, True), (1, False))
    ahead = find_goals(clip, FPS, seed=seed_of(False, True))
    assert (ahead[:88] == -1).all() and ahead[150] > 0 and ahead[-1] == 0
    shares = [(find_goals(clip, FPS, seed=seed) >= 0).any() for seed in range(200)]
    assert np.mean(shares) == pytest.approx(1 - (1 - SHARE) ** 2, abs=0.12)


def test_small_bodies_stand_at_smaller_speeds():
    slow = 0.1 * feet((2, True), (2, True))  # 0.15 m/s: an adult stands
    assert (find_goals(slow, FPS, 1.0, seed_of(True)) >= 0).all() and (
        find_goals(slow, FPS, 0.5, seed_of(True)) == -1
    ).all()
