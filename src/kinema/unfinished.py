"""What a program that ends early must not leave behind: unfinished files and folders, and processes that it started.

Worker processes keep a journal of what they have not finished. The process that started them reads it after they have
ended, so nothing stays of a worker that was killed.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

CHILD_SECONDS = 0.3
"""Time for worker processes to remove their own unfinished files before they are killed."""

_BEGUN, _DONE, _END = b"+", b"-", b"\0"

_lock = threading.Lock()
_paths: set[str] = set()
_journals: set[str] = set()  # of the workers that this process started
_own_journal = -1  # file descriptor, in a worker
_processes: set[subprocess.Popen[bytes]] = set()


def begin(path: str | os.PathLike[str]) -> None:
    """Note a file or folder that is removed if the program ends before `done` is called."""
    name = os.path.abspath(path)
    with _lock:
        _paths.add(name)
        _note(_BEGUN, name)


def done(path: str | os.PathLike[str]) -> None:
    """The file or folder is complete, moved or removed."""
    name = os.path.abspath(path)
    with _lock:
        _paths.discard(name)
        _note(_DONE, name)


def _note(mark: bytes, name: str) -> None:
    if _own_journal >= 0:
        os.write(_own_journal, mark + os.fsencode(name) + _END)


def open_journal() -> str:
    """Path of a new journal for worker processes; see `keep_journal` and `close_journal`."""
    stream, path = tempfile.mkstemp(prefix="kinema-", suffix=".journal")
    os.close(stream)
    _journals.add(path)
    return path


def keep_journal(path: str) -> None:
    """Note in a journal what this worker process begins and finishes."""
    global _own_journal
    _own_journal = os.open(path, os.O_WRONLY | os.O_APPEND)


def close_journal(path: str) -> None:
    """Remove a journal and what it says is unfinished. The workers must have ended."""
    try:
        entries = Path(path).read_bytes().split(_END)[:-1]  # what follows the last end was cut off
    except OSError:
        return  # it was closed before
    left: set[bytes] = set()
    for entry in entries:
        (left.add if entry[:1] == _BEGUN else left.discard)(entry[1:])
    for name in left:
        remove(Path(os.fsdecode(name)))
    remove(Path(path))
    _journals.discard(path)


@contextmanager
def temporary_folder(prefix: str = "kinema-") -> Iterator[str]:
    """A folder that is removed at the end of the block, also when the program ends within it."""
    with tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as folder:
        begin(folder)
        try:
            yield folder
        finally:
            done(folder)


def started(process: subprocess.Popen[bytes]) -> None:
    """Note a process that must not outlive this one."""
    _processes.add(process)


def ended(process: subprocess.Popen[bytes]) -> None:
    """The process has ended."""
    _processes.discard(process)


def end_now(code: int) -> NoReturn:
    """Remove what is unfinished, end all processes that were started, and end this one; from any thread."""
    _lock.acquire()  # for good: nothing new may begin
    for path in _paths:
        remove(Path(path))
    children = multiprocessing.active_children()
    for child in children:
        child.terminate()
    for child in children:
        child.join(CHILD_SECONDS)
        child.kill()
        child.join(CHILD_SECONDS)
    for journal in tuple(_journals):
        close_journal(journal)
    for process in _processes:
        process.kill()
    os._exit(code)


def remove(path: Path) -> None:
    """Remove a file or folder if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return  # its folder is gone, or may no longer be written to
