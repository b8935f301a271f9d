"""Signals that ask a program to end: Ctrl-C, SIGTERM, and SIGHUP of a terminal that was closed.

A command gets an exception, so that everything is tidied up on the way out. It is ended by force if that takes too
long, or if the exception was lost in a callback. A training takes the first signal as a request, and saves.
"""

from __future__ import annotations

import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from kinema import unfinished

GRACE_SECONDS = 1.2
"""Time for a program to end on its own after a signal."""

NUMBERS = tuple(int(getattr(signal, name)) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

_HANDLED = 0x80  # added to the number of a signal of which the program has heard
_patient = threading.Event()  # the first signal is a request


class Interruption(KeyboardInterrupt):
    """A signal that asks the program to end.

    Attributes:
        number: of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class SignalGuard:
    """Turns signals into `Interruption`, once, and ends the program by force if it is still there after a while.

    Signals that the program was started to ignore stay ignored (`nohup`, background jobs).

    Attributes:
        number: of the signal that was received; 0 for none.
    """

    def __init__(self, last: Callable[[], None]) -> None:
        self.number = 0
        self._last, self._closed = last, threading.Event()
        self._before: dict[int, object] = {}
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may take over signals
        self._before = {number: signal.getsignal(number) for number in NUMBERS}
        self._receiver, self._sender = socket.socketpair()
        self._sender.setblocking(False)
        # The bytes arrive at once, the exception only when the main thread is back from compiled code.
        self._wakeup = signal.set_wakeup_fd(self._sender.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=self._watch, name="kinema-signals", daemon=True).start()
        for number, handler in self._before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, self._answer)

    def close(self) -> None:
        """Stop: signals do what they did before."""
        self._closed.set()
        if self._before:
            for number, handler in self._before.items():
                signal.signal(number, handler or signal.SIG_DFL)  # type: ignore[arg-type]
            signal.set_wakeup_fd(self._wakeup)
            self._tell(0)

    def _answer(self, number: int, _: FrameType | None) -> None:
        self._tell(number | _HANDLED)
        if not self.number:  # the program is on its way out after the first
            self.number = number
            sys.unraisablehook = lambda _: None  # objects cut off in their making may fail once more when deleted
            raise Interruption(number)

    def _tell(self, byte: int) -> None:
        try:
            self._sender.send(bytes([byte]))
        except OSError:
            return  # full of signals already

    def _watch(self) -> None:
        with self._receiver, self._sender:
            while byte := self._receiver.recv(1)[0]:
                number = byte & ~_HANDLED
                if number in NUMBERS and (byte & _HANDLED or not _patient.is_set()):
                    if self._closed.wait(GRACE_SECONDS):
                        return
                    self._last()
                    unfinished.end_now(128 + number)


class StopRequest:
    """Whether a signal has been received.

    Attributes:
        number: of the signal; 0 for none.
    """

    number = 0

    def __call__(self) -> bool:
        return self.number != 0


@contextmanager
def asked_to_stop() -> Iterator[StopRequest]:
    """The first signal in the block is a request to stop; the next one does what it did before.

    Only the main thread receives signals; in other threads nothing is caught.
    """
    request = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    before = {number: signal.getsignal(number) for number in NUMBERS}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)

    def answer(number: int, _: FrameType | None) -> None:
        request.number = number
        restore()

    _patient.set()
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, answer)
    try:
        yield request
    finally:
        restore()
        _patient.clear()


def end_on_signals() -> None:
    """End this worker process, with its unfinished files, when it is asked to. Ctrl-C is left to the parent."""
    receiver, sender = socket.socketpair()
    sender.setblocking(False)

    def watch() -> None:
        with receiver, sender:
            unfinished.end_now(128 + receiver.recv(1)[0])

    for number in NUMBERS:
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else lambda *_: None)
    signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=watch, name="kinema-signals", daemon=True).start()
