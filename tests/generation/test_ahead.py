from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from kinema.errors import KinemaError
from kinema.generation.ahead import Ahead
from kinema.generation.wishes import Wish


def wait_for(condition: Callable[[], object], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return False


class Counting:
    """Makes patches of one number; waits at a gate."""

    def __init__(self) -> None:
        self.wishes: list[Wish] = []
        self.gate = threading.Event()

    def __call__(self, wish: Wish) -> np.ndarray:
        assert self.gate.wait(10.0)
        self.wishes.append(wish)
        return np.full(1, len(self.wishes), np.float32)


def test_taking_never_waits_and_no_more_is_made_than_asked_for() -> None:
    make = Counting()
    ahead = Ahead(make, Wish(), 2)
    assert ahead.take() is None, "nothing is made yet"
    make.gate.set()
    assert wait_for(lambda: ahead.waiting == 2)
    time.sleep(0.05)
    assert len(make.wishes) == 2
    ahead.wish = Wish(action="run")
    first = ahead.take()
    assert first is not None
    assert first[0] == 1
    assert wait_for(lambda: len(make.wishes) == 3)
    assert make.wishes[-1].action == "run"
    ahead.close()
    assert not ahead._thread.is_alive()


def test_what_was_made_before_a_restart_is_dropped() -> None:
    slow, other = Counting(), Counting()
    other.gate.set()
    ahead = Ahead(slow, Wish(), 1)
    ahead.restart(lambda wish: other(wish) + 100)
    slow.gate.set()
    assert wait_for(lambda: ahead.waiting == 1)
    made = ahead.take()
    assert made is not None
    assert made[0] == 101
    ahead.close()


def test_an_error_is_raised_where_patches_are_taken() -> None:
    def fail(wish: Wish) -> np.ndarray:
        raise KinemaError("no more")

    ahead = Ahead(fail, Wish(), 1)
    assert wait_for(lambda: not ahead._thread.is_alive())
    with pytest.raises(KinemaError, match="no more"):
        ahead.take()
    ahead.close()


def test_without_look_ahead_patches_are_made_when_they_are_taken() -> None:
    make = Counting()
    make.gate.set()
    ahead = Ahead(make, Wish(), 0)
    assert make.wishes == []
    ahead.wish = Wish(action="jump")
    made = ahead.take()
    assert made is not None
    assert made[0] == 1
    assert make.wishes[0].action == "jump"
    ahead.close()
