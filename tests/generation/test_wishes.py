from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.generation import conditions
from kinema.generation.cadence import usual_cadence
from kinema.generation.channels import Start
from kinema.generation.rig import AnyRig
from kinema.generation.wishes import Wish, ask, divided, path_places, times_of
from kinema.mocap.creatures.acts import ACTIONS
from kinema.mocap.creatures.words import concepts_of


def test_wishes_share_the_time_that_is_left() -> None:
    assert divided([None, None], 4, 0.25).tolist() == [0, 0, 1, 1]
    assert divided([0.25, None], 4, 0.25).tolist() == [0, 1, 1, 1]
    assert divided([5.0, None], 4, 0.25).tolist() == [0, 0, 0, 0]


def test_times_count_from_where_each_wish_begins_to_where_it_ends() -> None:
    since, until = times_of([0.5, None], 5, 0.25)
    np.testing.assert_allclose(since, [0.125, 0.375, 0.125, 0.375, 0.625])
    np.testing.assert_allclose(until, [0.375, 0.125, 0.625, 0.375, 0.125])
    since, until = times_of([5.0], 2, 0.25)
    np.testing.assert_allclose(until, [4.875, 4.625])
    since, until = times_of([0.25], 2, 0.25)
    np.testing.assert_allclose((since[-1], until[-1]), (0.375, 0.0))


def test_with_motion_around_nobody_knows_when_the_first_wish_began_and_the_last_ends() -> None:
    since, until = times_of([0.5, None, 0.25], 5, 0.25, around=True)
    assert np.isnan(since).tolist() == [True, True, False, False, False]
    assert np.isnan(until).tolist() == [False, False, False, False, True]


def test_numbers_are_in_the_units_of_the_rig(dog: AnyRig) -> None:
    asked = ask([Wish(action="run", speed=2.0, turn=-0.5)], dog, 3, 8)
    assert asked.asked.shape == (3, conditions.ASKED)
    assert (asked.asked[:, ACTIONS.index("run")] == 1).all()
    np.testing.assert_allclose(asked.asked[:, len(ACTIONS)] ** 2, 2.0 / dog.unit, rtol=1e-5)
    turning = slice(conditions.TURNING, conditions.TURNING + 2)
    np.testing.assert_allclose(asked.asked[:, turning], [[-0.5, 1.0]] * 3)
    assert not ask([Wish()], dog, 3, 8).asked.any()


def test_the_cadence_is_the_one_asked_for_or_the_usual_one_or_open(dog: AnyRig) -> None:
    wishes = [Wish(action="walk", cadence=3.0), Wish(action="walk", speed=1.0), Wish(action="idle"), Wish(speed=1.0)]
    told = slice(conditions.CADENCE, conditions.CADENCE + 2)
    usual = np.log2(usual_cadence(dog, "walk", 1.0))
    np.testing.assert_allclose(
        ask(wishes, dog, 4, 8).asked[:, told], [[np.log2(3.0), 1], [usual, 1], [0, 0], [0, 0]], rtol=1e-5
    )
    rhythm = np.asarray([np.nan, 2.0, 2.0, np.nan]), np.asarray([np.nan, 0.25, 0.5, np.nan])
    given = ask(wishes, dog, 4, 8, rhythm=rhythm).asked[:, told.start : told.stop + 2]
    np.testing.assert_allclose(given, [[0, 0, 0, 0], [1, 1, 0, 1], [1, 1, -1, 0], [0, 0, 0, 0]], atol=1e-6)


def test_the_clock_counts_strides_and_those_of_a_loop_are_whole(dog: AnyRig) -> None:
    clock = slice(conditions.CLOCK, conditions.CLOCK + 2)
    wish = [Wish(action="walk", cadence=1.5)]
    angle = 2 * np.pi * 1.5 * (np.arange(4) + 0.5) * 8 / 30
    np.testing.assert_allclose(
        ask(wish, dog, 4, 8).asked[:, clock], np.stack([np.cos(angle), np.sin(angle)], -1), atol=1e-5
    )
    looped = ask(wish, dog, 4, 8, whole=True).asked
    assert 2 ** looped[0, conditions.CADENCE] * 4 * 8 / 30 == pytest.approx(2.0, rel=1e-5)
    assert not ask([Wish(action="idle")], dog, 4, 8, whole=True).asked[:, clock].any()


def test_words_say_how_fast_legs_go(dog: AnyRig) -> None:
    wishes = [Wish(text, "walk") for text in ("walks slowly", "walks", "walks quickly")]
    cadences = ask(wishes, dog, 3, 8).asked[:, conditions.CADENCE]
    assert (np.diff(cadences) > 0.1).all()


def test_an_action_without_a_text_is_said_too(dog: AnyRig) -> None:
    asked = ask([Wish(action="attack"), Wish("strikes", "attack"), Wish()], dog, 3, 8)
    assert asked.texts == ["attack", "strikes", ""]
    assert all(concepts_of(text) == ("attack",) for text in asked.texts[:2])


def test_a_path_straight_ahead_goes_along_z(dog: AnyRig) -> None:
    places, start = path_places([[0, 0], [0, 2 * dog.unit]], dog, 64, 8)
    assert start == Start()
    np.testing.assert_allclose(places[:, 0], 0, atol=1e-6)
    assert (np.diff(places[:, 1]) > 0).all()
    np.testing.assert_allclose(places[-1, 1], 0.25 * 2, rtol=0.02)
    np.testing.assert_allclose(places[:, 2:], [[0, 1, 1]] * 8, atol=1e-6)


def test_a_path_begins_at_its_first_point_facing_the_next(dog: AnyRig) -> None:
    ahead, _ = path_places([[0, 0], [0, 2]], dog, 64, 8)
    places, start = path_places([[1, -1], [1, -1], [3, -1], [3, -1]], dog, 64, 8)
    assert (start.x, start.z, start.heading) == pytest.approx((1.0, -1.0, np.pi / 2))
    np.testing.assert_allclose(places, ahead, atol=1e-5)
    standing, _ = path_places([[1, 1], [1, 1]], dog, 64, 8)
    np.testing.assert_allclose(standing, [[0, 0, 0, 1, 1]] * 8, atol=1e-6)


def test_what_no_body_of_this_size_can_do_is_refused(dog: AnyRig) -> None:
    with pytest.raises(UsageError, match="m/s can be asked"):
        ask([Wish(speed=1e6)], dog, 3, 8)
    with pytest.raises(UsageError, match="along a path of 1000 m in so short a time is too fast"):
        path_places([[0, 0], [0, 1000]], dog, 30, 8)
    with pytest.raises(UsageError, match="up to 720 degrees a second"):
        Wish(turn=20.0)


@pytest.mark.parametrize("points", [[[0, 0]], [[0, 0, 0], [1, 1, 1]], [[0, 0], [np.nan, 1]], [[0, 0], [1]]])
def test_bad_paths_are_refused(dog: AnyRig, points: list) -> None:
    with pytest.raises(UsageError, match="two points"):
        path_places(points, dog, 32, 8)


@pytest.mark.parametrize("bad", [{"action": "dance"}, {"speed": -1.0}, {"turn": float("nan")}, {"seconds": 0.0}])
def test_bad_wishes_are_refused(bad: dict) -> None:
    with pytest.raises(UsageError):
        Wish(**bad)
