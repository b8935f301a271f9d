"""Worker processes that end together with the process that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


WORTH_A_POOL = 8 * 1024**2
"""Bytes of input below which starting processes takes longer than the work."""


def worth_using(workers: int | None, size: int) -> int:
    """The number of processes for an input of `size` bytes; None for one per core, or a single one for small input."""
    if workers is not None:
        return workers
    return available_cores() if size > WORTH_A_POOL else 1


def available_cores() -> int:
    """The number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_pool(workers: int) -> ProcessPoolExecutor:
    """A pool of processes that ignore Ctrl-C and end when this process does.

    Processes are spawned, not forked: a fork copies the locks of other threads in whatever state they are. A script
    that opens a pool needs the usual `if __name__ == "__main__":`.
    """
    return _Pool(workers, multiprocessing.get_context("spawn"), initializer=end_with_parent)


class _Pool(ProcessPoolExecutor):
    """Starts its processes with Ctrl-C blocked: it would end in a traceback before they ignore it."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with ctrl_c_held_back():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Block Ctrl-C, which processes started within the block inherit; they print no traceback before they ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """End this process when its parent ends, also when the parent is killed and cannot stop its workers.

    Ctrl-C reaches all processes of a terminal. It is ignored here; the parent handles it and ends the workers.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
