"""When a screen ends by itself."""

from __future__ import annotations

from kinema.errors import KinemaError
from kinema.session.deadline import Deadline
from kinema.session.session import Session


class Reading(Session):
    waiting = "reading"  # type: ignore[assignment]


def test_seconds_count_from_when_everything_is_loaded():
    session = Reading()
    first = Deadline(session)
    first.seconds = 2.0
    assert not first.over(10.0) and first.ready is None
    Reading.waiting = ""  # type: ignore[assignment]
    assert not first.over(20.0) and not first.over(21.9) and first.over(22.0)
    second = Deadline(session)
    second.seconds = 2.0
    assert not second.over(30.0), "another screen of the same session counts anew"


def test_a_failure_ends_it_and_without_a_limit_nothing_else_does():
    session = Session()
    endless = Deadline(session)
    assert not endless.over(0.0) and not endless.over(1e9)
    session.failure = KinemaError("nothing to show")
    assert endless.over(0.0)
