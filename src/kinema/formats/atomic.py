"""Files that are either complete or not there."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from kinema import unfinished
from kinema.errors import KinemaError

_LONGEST_NAME = 200  # bytes; with more, a name could be one that the file system takes and with our suffix not


class WriteError(KinemaError):
    """A file could not be written: no space, no permission, no such folder."""


def atomic_write(path: str | os.PathLike[str], data: bytes | bytearray | memoryview | Iterable[bytes]) -> None:
    """Writes a file beside its place and renames it when complete, replacing what was there.

    Args:
        path: where to write; the folder must exist.
        data: the bytes, or pieces of them in order (a large file need not be in memory at once).

    Raises:
        WriteError: on any trouble of the file system. No partial file stays and an older file is untouched; the same
            holds when the pieces' iterator raises, or on Ctrl-C.
    """
    final = os.fspath(path)
    folder, name = os.path.split(final)
    shown = name if len(os.fsencode(name)) <= _LONGEST_NAME else "kinema"
    partial = os.path.join(folder, f"{shown}.{secrets.token_hex(4)}.part")
    pieces = (data,) if isinstance(data, (bytes, bytearray, memoryview)) else data
    unfinished.begin(partial)
    try:
        try:
            with open(partial, "xb") as stream:
                for piece in pieces:
                    stream.write(piece)
            os.replace(partial, final)
        except OSError as error:
            raise WriteError(f"{final}: cannot be written: {error.strerror or error}") from None
    except BaseException:
        unfinished.remove(Path(partial))
        raise
    finally:
        unfinished.done(partial)
