"""Slow work on a thread of its own: the newest request wins, and nothing that draws waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from kinema.errors import KinemaError

T = TypeVar("T")


class Loader(Generic[T]):
    """Makes things one at a time on a daemon thread, so a screen that closes does not wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: tuple[int, Callable[[], T]] | None = None
        self._number = 0
        self._running = False
        self._result: tuple[T | None, KinemaError | None] | None = None
        self.what = ""
        """What is being made, in words; empty when nothing is."""

    def ask(self, what: str, make: Callable[[], T]) -> None:
        """Make something soon, instead of what was asked for before and is not done yet."""
        with self._lock:
            self._number += 1
            self._asked = self._number, make
            self._result = None
            self.what = what
            if not self._running:
                self._running = True
                threading.Thread(target=self._work, daemon=True, name="kinema-loader").start()

    def take(self) -> tuple[T | None, KinemaError | None] | None:
        """What was made, or why it could not be, once; None while there is nothing new."""
        with self._lock:
            result, self._result = self._result, None
            if result is not None:
                self.what = ""
            return result

    def _work(self) -> None:
        try:
            self._make_all()
        finally:
            with self._lock:
                self._running = False

    def _make_all(self) -> None:
        while True:
            with self._lock:
                if self._asked is None:
                    return
                (number, make), self._asked = self._asked, None
            # The message for a mistake in the program, which ends this thread; Python prints where.
            result: tuple[T | None, KinemaError | None] = None, KinemaError(f"{self.what}: failed, see the terminal")
            try:
                result = make(), None
            except KinemaError as error:
                result = None, error
            except (MemoryError, OSError) as error:
                result = None, KinemaError(f"{self.what}: {error or 'not enough memory'}")
            finally:
                with self._lock:
                    if number == self._number:
                        self._result = result
