"""Time in a clip."""

import pytest

from kinema.session.playhead import Playhead


def test_plays_at_its_speed_and_starts_again():
    head = Playhead(frames=31, fps=30.0, speed=0.5)
    head.advance(1.0)
    assert head.time == pytest.approx(0.5) and head.frame == 15
    head.advance(1.2)
    assert head.time == pytest.approx(0.1)


def test_stops_at_the_end_without_loop_and_plays_again_from_the_start():
    head = Playhead(frames=11, fps=10.0, loop=False)
    head.advance(5.0)
    assert (head.time, head.frame, head.playing) == (1.0, 10, False)
    head.toggle()
    assert (head.time, head.playing) == (0.0, True)


def test_seek_is_clamped():
    head = Playhead(frames=11, fps=10.0)
    head.seek(99)
    assert head.frame == 10
    head.seek(-3)
    assert head.frame == 0


@pytest.mark.parametrize("frames", [0, 1])
def test_clips_without_length_stay_where_they_are(frames: int):
    head = Playhead(frames=frames)
    head.advance(1.0)
    assert head.time == 0.0 and head.frame == 0


def test_loops_within_a_range_only_from_inside_of_it():
    head = Playhead(frames=101, fps=10.0, within=(20, 31))
    head.advance(2.5)
    assert head.time == pytest.approx(2.5)
    head.advance(0.7)
    assert head.time == pytest.approx(2.2)
    head.seek(50)
    head.advance(1.0)
    assert head.time == pytest.approx(6.0), "outside of the range the clip plays on"
    head.loop = False
    head.seek(29)
    head.advance(0.5)
    assert head.time == pytest.approx(3.4)
