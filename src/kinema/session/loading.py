"""Runs slow work on a thread; only the newest request counts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from kinema.errors import KinemaError

T = TypeVar("T")


class Loader(Generic[T]):
    """Runs one request at a time on a daemon thread, so a closing screen does not wait for it.

    Attributes:
        what: what is being loaded; empty if nothing is.
    """

    def __init__(self) -> None:
        self.what = ""
        self._number = 0
        self._working = threading.Lock()
        self._result: tuple[int, tuple[T | None, KinemaError | None]] | None = None

    def ask(self, what: str, make: Callable[[], T]) -> None:
        """Request something; it replaces the pending request."""
        self.what, self._number = what, self._number + 1
        request = self._number, what, make
        threading.Thread(target=self._work, args=request, daemon=True, name="kinema-loader").start()

    def take(self) -> tuple[T | None, KinemaError | None] | None:
        """The new result or error, once; None if there is none."""
        held = self._result
        if held is None or held[0] != self._number:
            return None
        self._result, self.what = None, ""
        return held[1]

    def _work(self, number: int, what: str, make: Callable[[], T]) -> None:
        with self._working:
            if number != self._number:
                return
            # The message for a programming error, which ends this thread; Python prints the traceback.
            result: tuple[T | None, KinemaError | None] = None, KinemaError(f"{what}: failed, see the terminal")
            try:
                result = make(), None
            except KinemaError as error:
                result = None, error
            except (MemoryError, OSError) as error:
                result = None, KinemaError(f"{what}: {error or 'not enough memory'}")
            finally:
                self._result = number, result
