"""Ctrl-C as a wish."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from kinema.learn.interrupt import asked_to_stop


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_is_a_wish_and_the_second_is_not(number):
    before = signal.signal(number, signal.default_int_handler)
    try:
        with asked_to_stop() as asked:
            assert not asked()
            os.kill(os.getpid(), number)
            assert asked()
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), number)
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, before)


def test_other_threads_are_left_alone():
    answers = []

    def work() -> None:
        with asked_to_stop() as asked:
            answers.append(asked())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert answers == [False]
