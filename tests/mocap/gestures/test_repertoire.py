from __future__ import annotations

from itertools import pairwise

import pytest

from kinema.errors import UsageError
from kinema.mocap.gestures.posture import KeyPosture
from kinema.mocap.gestures.repertoire import ALIKE, GESTURES, NOTHING, gesture_of


@pytest.mark.parametrize("name", GESTURES)
def test_gestures_begin_and_end_at_rest_and_go_on_in_time(name: str) -> None:
    gesture = GESTURES[name]
    times = [time for time, _ in gesture.keys]
    assert times[0] == 0.0 and all(after > before for before, after in pairwise(times))
    assert gesture.keys[0][1] == gesture.keys[-1][1] == KeyPosture()
    if gesture.repeat:
        begin, end = gesture.repeat
        assert gesture.keys[begin][1] == gesture.keys[end][1], "a cycle ends as it begins"


def test_what_is_done_several_times_repeats_its_middle() -> None:
    wave = GESTURES["wave"]
    once, thrice = wave.lasting(None, 1), wave.lasting(None, 3)
    begin, end = wave.repeat or (0, 0)
    cycle = wave.keys[end][0] - wave.keys[begin][0]
    assert thrice[-1][0] == pytest.approx(once[-1][0] + 2 * cycle)
    assert (
        sum(posture == wave.keys[3][1] for _, posture in thrice)
        >= sum(posture == wave.keys[3][1] for _, posture in once) + 2
    )
    times = [time for time, _ in thrice]
    assert times == sorted(times)


def test_what_is_held_lasts_as_long_as_it_should_and_the_rest_is_repeated() -> None:
    assert GESTURES["sit"].lasting(10.0, 1)[-1][0] == pytest.approx(10.0)
    assert GESTURES["sit"].lasting(0.5, 1) == GESTURES["sit"].keys, "nobody sits down and up in half a second"
    assert GESTURES["dance"].lasting(12.0, 1)[-1][0] == pytest.approx(12.0, abs=0.7)


def test_all_that_is_alike_exists_and_the_unknown_is_refused() -> None:
    assert all(gesture_of(action) is not None for action in ALIKE)
    assert all(gesture_of(action) is None for action in NOTHING)
    with pytest.raises(UsageError, match=r"nobody can fly yet; there are: .*wave"):
        gesture_of("fly")
