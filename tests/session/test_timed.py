"""Sessions with a playhead."""

from __future__ import annotations

import pytest

from kinema.session.timed import TimedSession


@pytest.fixture
def session() -> TimedSession:
    made = TimedSession()
    made.playhead.frames, made.playhead.time = 60, 1.0
    return made


@pytest.mark.parametrize(
    ("code", "frame"), [("ArrowRight", 31), ("ArrowLeft", 29), ("Home", 0), ("End", 59), ("KeyX", None)]
)
def test_keys_go_where_they_say(session: TimedSession, code: str, frame: int | None):
    assert session.key(code) == (frame is not None)
    assert session.playhead.frame == (30 if frame is None else frame)
    assert session.playhead.playing == (frame is None)


def test_only_arrows_repeat(session: TimedSession):
    assert session.key("ArrowRight", frozenset({"ShiftLeft"}), repeat=True) and session.playhead.frame == 40
    assert not session.key("Space", repeat=True) and session.key("Space") and session.playhead.playing


def test_speeds_go_in_steps(session: TimedSession):
    for _ in range(20):
        session.change_speed(1)
    assert session.playhead.speed == 4.0
    session.key("Minus")
    assert session.playhead.speed == 2.0


def test_it_is_still_while_paused_and_shown(session: TimedSession):
    session.seek(3)
    assert not session.still
    session.changed = False
    assert session.still
    session.set_mark("Body", False)
    assert not session.still
