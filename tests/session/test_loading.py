"""Work beside the window."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from kinema.errors import FormatError
from kinema.session.loading import Loader


def until(ready: Callable[[], object], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


def result(loader: Loader):
    found = []
    until(lambda: found.append(loader.take()) or found[-1] is not None)
    return found[-1]


def test_what_is_made_is_taken_once():
    loader: Loader[int] = Loader()
    loader.ask("seven", lambda: 7)
    assert loader.what == "seven"
    assert result(loader) == (7, None)
    assert loader.take() is None and loader.what == ""


def test_the_newest_request_wins():
    loader: Loader[str] = Loader()
    gate, begun = threading.Event(), threading.Event()
    made: list[str] = []

    def slow() -> str:
        begun.set()
        gate.wait(5)
        return "slow"

    loader.ask("slow", slow)
    assert begun.wait(5)
    loader.ask("never", lambda: made.append("never") or "never")
    loader.ask("newest", lambda: "newest")
    gate.set()
    assert result(loader) == ("newest", None)
    assert not made, "a request that was replaced before its turn is not carried out"


def test_errors_come_back_and_the_next_request_works():
    loader: Loader[int] = Loader()

    def bad() -> int:
        raise FormatError("broken", path="a.bvh")

    loader.ask("a.bvh", bad)
    made, error = result(loader)
    assert made is None and "a.bvh: broken" in str(error)
    loader.ask("one", lambda: 1)
    assert result(loader) == (1, None)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_mistake_does_not_leave_the_window_waiting():
    loader: Loader[int] = Loader()
    loader.ask("mistake", lambda: 1 // 0)
    made, error = result(loader)
    assert made is None and "mistake" in str(error)
    loader.ask("one", lambda: 1)
    assert result(loader) == (1, None)
    for thread in threading.enumerate():
        if thread.name == "kinema-loader":
            thread.join(5)  # its traceback belongs to this test
