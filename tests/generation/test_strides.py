from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinema.generation.strides import SWING, Stand, insistence, remaining, stride

FRAMES = 60


def walk(lift: float) -> np.ndarray:
    """A foot that stands for 20 frames, goes a unit ahead in 10, and stands again."""
    share = np.clip((np.arange(FRAMES) - 19) / 11.0, 0.0, 1.0)
    height = 4.0 * lift * share * (1.0 - share)
    return np.stack([np.zeros(FRAMES), height, share], axis=-1)


def stands(positions: np.ndarray, off: float = 0.0) -> list[Stand]:
    """The two contacts of `walk`, at places that are off sideways."""
    places = [positions[10] + [off, 0, 0], positions[50] - [off, 0, 0]]
    return [Stand.at(places[0], positions, 0, 20), Stand.at(places[1], positions, 30, FRAMES)]


def test_a_foot_that_does_it_right_is_left_alone() -> None:
    positions = walk(0.4)
    np.testing.assert_allclose(stride(positions, stands(positions), 1.0), positions, atol=1e-12)


def test_a_foot_that_never_stands_goes_as_the_motion_has_it() -> None:
    positions = walk(0.0)
    np.testing.assert_array_equal(stride(positions, [], 1.0), positions)


def test_a_foot_that_is_dragged_is_lifted() -> None:
    positions = walk(0.0)
    found = stride(positions, stands(positions), 1.0)
    np.testing.assert_allclose(found[:, [0, 2]], positions[:, [0, 2]], atol=1e-12)
    away = np.minimum(positions[20:30, 2], 1.0 - positions[20:30, 2])
    np.testing.assert_allclose(found[20:30, 1], 0.08 * np.tanh(0.7 * away / 0.08), rtol=0.1)
    assert not found[:20, 1].any()
    assert not found[30:, 1].any()
    near = positions * [1.0, 1.0, 0.1]
    assert 0.02 < stride(near, stands(near), 1.0)[:, 1].max() < 0.04, "a small step is a low one"


def test_a_foot_that_is_away_for_long_is_not_lifted() -> None:
    """Who lies down or flies does more than a step."""
    positions = walk(0.0)
    rare = [Stand.at(positions[0], positions, 0, 3), Stand.at(positions[-1], positions, 55, FRAMES)]
    np.testing.assert_allclose(stride(positions, rare, 1.0), positions, atol=1e-8)


def test_a_foot_goes_from_place_to_place_without_a_jump() -> None:
    positions = walk(0.2)
    found = stride(positions, stands(positions, off=0.2), 1.0)
    assert (found[:20, 0] == 0.2).all()
    assert (found[30:, 0] == -0.2).all()
    assert np.abs(np.diff(found[:, 0])).max() < 0.08


def test_a_move_fades_out_where_no_other_place_follows() -> None:
    positions = walk(0.2)
    found = stride(positions, stands(positions, off=0.2)[:1], 1.0)
    np.testing.assert_allclose(found[20 + SWING :, 0], 0.0, atol=1e-12)
    assert found[20, 0] > 0.18


def test_a_stand_may_be_over_before_the_motion_begins() -> None:
    positions = walk(0.0)
    whole = stride(positions, stands(positions, off=0.1), 1.0)
    first, second = stands(positions, off=0.1)
    early, late = (replace(each, first=each.first - 24, stop=each.stop - 24) for each in (first, second))
    np.testing.assert_allclose(stride(positions[24:], [early, late], 1.0)[:, [0, 2]], whole[24:][:, [0, 2]], atol=1e-12)


def test_a_foot_that_is_dragged_starts_from_rest_and_comes_to_rest() -> None:
    """A network blurs footfalls; the feet of true motion do not move while they are called planted."""
    blurred = np.stack([np.convolve(np.pad(each, 4, "edge"), np.ones(9) / 9, "valid") for each in walk(0.2).T], -1)
    found = stride(blurred, stands(blurred), 1.0)
    asked, made = (np.diff(each[:, 2]) for each in (blurred, found))
    assert 0.02 < asked[19] < asked[20], "it sets off while it is called planted"
    assert not made[:19].any()
    assert not made[30:].any()
    assert 0.0 < made[19] < 0.5 * asked[19]
    assert 0.0 < made[29] < 0.5 * asked[29]
    assert (np.abs(np.diff(made[19:30])) < 0.06).all(), "without a jerk"
    np.testing.assert_allclose(made[19:30].sum(), found[30, 2] - found[19, 2])


def test_corrections_fade_out_smoothly() -> None:
    left = remaining(np.arange(-2, 12), 8)
    assert left[:3].tolist() == [1.0, 1.0, 1.0]
    assert left[-2:].tolist() == [0.0, 0.0]
    assert (np.diff(left) <= 0).all()


def test_a_foot_has_to_be_where_it_stands_and_less_and_less_elsewhere() -> None:
    positions = np.zeros((60, 3))
    stand = Stand.at(np.zeros(3), positions, 20, 30)
    found = insistence([stand], 60)
    np.testing.assert_array_equal(found[20:30], 1.0)
    assert (np.diff(found[:20]) >= 0).all() and (np.diff(found[30:]) <= 0).all()
    assert found[30] > 0.9
    np.testing.assert_array_equal(found[30 + SWING :], 0.0)
    assert not insistence([], 60).any()
