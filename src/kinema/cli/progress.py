"""Progress on standard error: a bar in a terminal, a line every few seconds in a pipe or a log file."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LINE_SECONDS = 5.0
"""Seconds between two lines where standard error is not a terminal. Shorter work prints nothing."""


@contextmanager
def progress(description: str, total: int) -> Iterator[Callable[[], None]]:
    """Show progress while the block runs; call the yielded function once per finished item."""
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        report(done, total)

    with progress_of(description) as report:
        report(0, total)
        yield advance


@contextmanager
def progress_of(description: str, detailed: bool = False) -> Iterator[Callable[..., None]]:
    """Show progress of work that counts itself: call the yielded function with done, total and details.

    Args:
        description: what is being done.
        detailed: whether to show the details.
    """
    show = _bar if sys.stderr.isatty() else _lines
    with show(description) as update:
        yield lambda done, total, *details: update(done, total, str(details[0]) if detailed and details else "")


@contextmanager
def _bar(description: str) -> Iterator[Callable[[int, int, str], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns: list[Any] = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    bar = Progress(*columns, TextColumn("{task.fields[details]}"), console=Console(file=sys.stderr), transient=True)
    with bar:
        task = bar.add_task(description, total=None, details="")
        yield lambda done, total, details: bar.update(task, completed=done, total=total, details=details)


@contextmanager
def _lines(description: str) -> Iterator[Callable[[int, int, str], None]]:
    """Print the latest state every few seconds, also while the work reports nothing."""
    began, ended = time.monotonic(), threading.Event()
    state: list[str] = []

    def update(done: int, total: int, details: str) -> None:
        state[:] = [f"{done:,} of {total:,}" if total else f"{done:,}", *([details] if details else [])]

    def report() -> None:
        while not ended.wait(LINE_SECONDS):
            seconds = f"{time.monotonic() - began:.0f} s"
            print(f"{description}: {', '.join([*state, seconds])}", file=sys.stderr, flush=True)

    thread = threading.Thread(target=report, name="kinema-progress", daemon=True)
    thread.start()
    try:
        yield update
    finally:
        ended.set()
        thread.join()
