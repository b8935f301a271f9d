"""What a program that ends early must not leave behind: unfinished files and folders, and processes that it started."""

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

_lock = threading.Lock()
_paths: set[str] = set()
_processes: set[subprocess.Popen[bytes]] = set()


def begin(path: str | os.PathLike[str]) -> None:
    """Note a file or folder that is removed if the program ends before `done` is called."""
    with _lock:
        _paths.add(os.path.abspath(path))


def done(path: str | os.PathLike[str]) -> None:
    """The file or folder is complete, moved or removed."""
    with _lock:
        _paths.discard(os.path.abspath(path))


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
