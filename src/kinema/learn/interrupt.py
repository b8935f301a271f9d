"""Ctrl-C as a request: the running step is finished and saved; a second Ctrl-C ends the program at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def asked_to_stop() -> Iterator[Callable[[], bool]]:
    """Yields a function that tells whether Ctrl-C (or SIGTERM) has come since the block began.

    Signals reach the main thread alone; in another one nothing is caught and the answer stays no.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    caught = (signal.SIGINT, signal.SIGTERM)
    before = {int(number): signal.getsignal(number) for number in caught}

    def answer(number: int, _: FrameType | None) -> None:
        asked.set()
        # The next one goes to the handler before this.
        signal.signal(number, before[number] or signal.SIG_DFL)

    for number in caught:
        signal.signal(number, answer)
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
