"""The part of a clip that the timeline shows."""

import pytest

from kinema.window.timescale import CLOSEST, Timescale


@pytest.fixture
def whole() -> Timescale:
    time = Timescale()
    time.show(1001)
    return time


def test_frames_and_places_are_inverse(whole: Timescale):
    assert whole.x_of(500, 100, 400) == pytest.approx(300)
    assert whole.frame_at(300, 100, 400) == pytest.approx(500)
    assert whole.frame_at(-1e9, 100, 400) == 0 and whole.frame_at(1e9, 100, 400) == 1000


def test_zooming_keeps_the_frame_under_the_hand(whole: Timescale):
    before = whole.x_of(250, 0, 800)
    whole.zoom(3, 250)
    assert whole.length < 1000 and whole.x_of(250, 0, 800) == pytest.approx(before)
    whole.zoom(1000, 250)
    assert whole.length == pytest.approx(CLOSEST)
    whole.zoom(-1000, 250)
    assert (whole.first, whole.last) == (0, 1000)


def test_panning_stops_at_the_ends(whole: Timescale):
    whole.zoom(5, 500)
    length = whole.length
    whole.pan(1e6)
    assert whole.last == pytest.approx(1000) and whole.length == pytest.approx(length)
    whole.pan(-1e6)
    assert whole.first == 0


def test_the_page_turns_with_the_playhead(whole: Timescale):
    whole.zoom(8, 0)
    whole.follow(500)
    assert whole.first <= 500 <= whole.last
    first = whole.first
    whole.follow(501)
    assert whole.first == first


def test_another_length_is_shown_whole(whole: Timescale):
    whole.zoom(5, 500)
    whole.show(1001)
    assert whole.length < 1000, "the same clip keeps its zoom"
    whole.show(300)
    assert (whole.first, whole.last) == (0, 299)


def test_ticks_are_round_and_apart(whole: Timescale):
    ticks = whole.ticks(800, 60)
    assert ticks[:3] == [0, 100, 200]
    whole.zoom(100, 500)
    assert all(b - a == 1 for a, b in zip(whole.ticks(800, 60), whole.ticks(800, 60)[1:], strict=False))


def test_a_clip_of_one_frame_has_a_length():
    time = Timescale()
    time.show(1)
    assert time.length > 0 and time.frame_at(50, 0, 100) == 0
    time.zoom(1, 0)
    assert time.ticks(100, 50)
