"""Files that are either complete or not there."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from kinema import unfinished
from kinema.errors import KinemaError

_LONGEST_NAME = 200  # bytes; with more, a name could be one that the file system takes and with our suffix not


class WriteError(KinemaError):
    """A file could not be written: no space, no permission, no such folder."""


Data = bytes | bytearray | memoryview | Iterable[bytes]
PathLike = str | os.PathLike[str]


def atomic_write(path: PathLike, data: Data) -> None:
    """Writes a file beside its place and renames it when complete, replacing what was there.

    Args:
        path: where to write; the folder must exist.
        data: the bytes, or pieces of them in order (a large file need not be in memory at once).

    Raises:
        WriteError: on any trouble of the file system. No partial file stays and an older file is untouched; the same
            holds when the pieces' iterator raises, or on Ctrl-C.
    """
    atomic_write_all({path: data})


def atomic_write_all(files: Mapping[PathLike, Data]) -> None:
    """Writes files that belong together: none takes its place before all are complete.

    Args:
        files: what to write, by path; see `atomic_write`, also for what is raised.
    """
    parts = {os.fspath(path): _beside(os.fspath(path)) for path in files}
    for partial in parts.values():
        unfinished.begin(partial)
    try:
        for path, data in files.items():
            with _naming(os.fspath(path)):
                _write(parts[os.fspath(path)], data)
                if os.path.isdir(path):  # a rename would fail after others have been made
                    raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        for final, partial in parts.items():
            with _naming(final):
                os.replace(partial, final)
    except BaseException:
        for partial in parts.values():
            unfinished.remove(Path(partial))
        raise
    finally:
        for partial in parts.values():
            unfinished.done(partial)


def _beside(final: str) -> str:
    folder, name = os.path.split(final)
    shown = name if len(os.fsencode(name)) <= _LONGEST_NAME else "kinema"
    return os.path.join(folder, f"{shown}.{secrets.token_hex(4)}.part")


def _write(partial: str, data: Data) -> None:
    with open(partial, "xb") as stream:
        for piece in (data,) if isinstance(data, (bytes, bytearray, memoryview)) else data:
            stream.write(piece)


@contextmanager
def _naming(final: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError(f"{final}: cannot be written: {error.strerror or error}") from None
