"""Signals as exceptions and as requests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from kinema.interruption import NUMBERS, Interruption, SignalGuard, asked_to_stop


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_is_a_wish_and_the_second_is_not(number):
    before = signal.signal(number, signal.default_int_handler)
    try:
        with asked_to_stop() as asked:
            assert not asked()
            os.kill(os.getpid(), number)
            assert asked() and asked.number == number
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


@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_is_an_exception_once_and_then_all_is_as_before(number, monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    before = signal.signal(number, signal.default_int_handler)
    guard = SignalGuard(lambda: None)
    try:
        with pytest.raises(Interruption) as interrupted:
            os.kill(os.getpid(), number)
        assert interrupted.value.number == guard.number == number
        os.kill(os.getpid(), number)  # the second changes nothing
    finally:
        guard.close()
        assert signal.signal(number, before) is signal.default_int_handler


def test_what_the_program_was_told_to_ignore_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    guard = SignalGuard(lambda: None)
    try:
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        with asked_to_stop() as asked:
            os.kill(os.getpid(), signal.SIGHUP)
        assert not asked() and guard.number == 0
    finally:
        guard.close()
        signal.signal(signal.SIGHUP, before)


CUT_OFF = """
import os, signal
from kinema.interruption import Interruption, SignalGuard

class Half:  # like a wrapper of a library's handle that a signal cut off before the handle was there
    def __init__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        self.handle = 1

    def __del__(self):
        self.handle

guard = SignalGuard(lambda: None)
kept = Half.__new__(Half)
try:
    Half()
except Interruption:
    guard.close()
"""


def test_objects_that_were_cut_off_say_nothing_when_they_are_deleted():
    done = subprocess.run([sys.executable, "-c", CUT_OFF], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
