"""Worker processes that end together with the process that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from types import TracebackType
from typing import ParamSpec, TypeVar

from kinema import unfinished
from kinema.interruption import end_on_signals

P = ParamSpec("P")
T = TypeVar("T")

# Python's resource tracker removes the semaphores of a program that was ended by force. It need not say so.
_QUIET = "ignore:resource_tracker:UserWarning"

WORTH_A_POOL = 8 * 1024**2
"""Size of the input in bytes below which starting processes takes longer than the work."""


def worth_using(workers: int | None, size: int) -> int:
    """The number of processes for an input of `size` bytes. None: one per core, or a single one for small input."""
    if workers is not None:
        return workers
    return available_cores() if size > WORTH_A_POOL else 1


def available_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_pool(workers: int) -> ProcessPoolExecutor:
    """A pool of processes that ignore Ctrl-C and end when this process does.

    Processes are spawned, not forked, because a fork copies the locks of other threads in any state. A script that
    opens a pool needs the usual `if __name__ == "__main__":`.
    """
    if _QUIET not in sys.warnoptions:
        sys.warnoptions.append(_QUIET)
    with signals_held_back():
        return _Pool(workers)


class _Pool(ProcessPoolExecutor):
    """Starts its processes with the signals of a terminal blocked.

    An exception in the `with` block ends the processes, whatever they are working on. Nothing unfinished stays of a
    process that was killed.
    """

    def __init__(self, workers: int) -> None:
        self._journal = unfinished.open_journal()
        super().__init__(
            workers, multiprocessing.get_context("spawn"), initializer=_start_worker, initargs=(self._journal,)
        )

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        if kind is not None:
            for process in list((self._processes or {}).values()):
                process.terminate()
        return super().__exit__(kind, error, trace)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            unfinished.close_journal(self._journal)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with signals_held_back():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Block the signals that a terminal sends to all of its processes; those started in this block inherit that.

    Otherwise they print tracebacks before they know what to do; one of them is the resource tracker of Python.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker(journal: str) -> None:
    unfinished.keep_journal(journal)
    end_with_parent(journal)


def end_with_parent(*files: str) -> None:
    """End this process when its parent ends, also when the parent is killed and cannot stop its workers.

    Ctrl-C reaches all processes of a terminal. It is ignored here; the parent handles it and ends the workers.

    Args:
        files: of the parent, removed when it is killed.
    """
    end_on_signals()
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            for file in files:
                unfinished.begin(file)
            unfinished.end_now(1)

    threading.Thread(target=watch, daemon=True).start()
