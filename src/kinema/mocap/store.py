"""Databases on disk: one `.npy` per array beside `index.json`, written atomically."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from kinema.errors import DatabaseError

INDEX = "index.json"
FORMAT = "kinema.database"
VERSION = 1
ARRAYS = {
    "root_positions": "<f4",
    "root_rotations": "<f4",
    "local_rotations": "<f4",
    "local_translations": "<f4",
    "contacts": "|u1",
}
_NEW, _PREVIOUS = "new", "previous"
_REBUILD = "build the database again"


class ArrayFile:
    """Writes one `.npy` from pieces.

    Plain writes, not a writable memory map: on a full disk a map kills the process with a signal, a write raises.
    """

    def __init__(self, stream: BinaryIO, dtype: str, shape: tuple[int, ...]) -> None:
        self.stream, self.dtype, self.shape = stream, np.dtype(dtype), shape
        self.hash = hashlib.blake2b(digest_size=16)
        self.rows = 0
        header = {"descr": dtype, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(stream, header)

    def write(self, block: NDArray[Any]) -> None:
        if block.shape[1:] != self.shape[1:]:
            raise ValueError(f"a block of shape {block.shape} does not fit an array of shape {self.shape}")
        data = np.ascontiguousarray(block, dtype=self.dtype).tobytes()
        self.stream.write(data)
        self.hash.update(data)
        self.rows += len(block)

    def entry(self) -> dict[str, Any]:
        """What the index says about the array, which is on the disk then; ValueError if rows are missing."""
        if self.rows != self.shape[0]:
            raise ValueError(f"{self.rows} rows were written, {self.shape[0]} announced")
        self.stream.flush()
        os.fsync(self.stream.fileno())  # a disk may report that it is full only now
        return {"dtype": self.dtype.str, "shape": list(self.shape), "blake2b": self.hash.hexdigest()}


def write(
    folder: Path,
    document: Mapping[str, Any],
    shapes: Mapping[str, tuple[int, ...]],
    blocks: Iterable[Mapping[str, NDArray[Any]]],
) -> None:
    """Write a database into an empty folder.

    Args:
        document: what goes into the index besides format, version and arrays; plain JSON values.
        shapes: full shape of each array of `ARRAYS`.
        blocks: pieces of all arrays, in order.
    """
    with ExitStack() as stack:
        files = {
            name: ArrayFile(stack.enter_context(open(folder / f"{name}.npy", "wb")), dtype, shapes[name])
            for name, dtype in ARRAYS.items()
        }
        for block in blocks:
            for name, file in files.items():
                file.write(block[name])
        arrays = {name: file.entry() for name, file in files.items()}
    write_index(folder, {"format": FORMAT, "version": VERSION, **document, "arrays": arrays})


def write_index(folder: Path, index: Mapping[str, Any]) -> None:
    """Write what a folder of arrays holds, plain JSON values."""
    with open(folder / INDEX, "w", encoding="utf-8") as stream:
        # Escaped, since the name of a source may hold bytes that are not text.
        json.dump(index, stream, indent=1, allow_nan=False)
        stream.flush()
        os.fsync(stream.fileno())


def read_index(folder: Path) -> dict[str, Any]:
    """The index of a database.

    Raises:
        DatabaseError: there is none, it is damaged, or of another format or version.
    """
    path = folder / INDEX
    if not path.is_file():
        what = "no such database" if not folder.exists() else f"not a motion database (it has no {INDEX})"
        raise DatabaseError(f"{folder}: {what}; make one with `kinema build DATA -o {folder}`")
    try:
        index = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DatabaseError(f"{path}: cannot be read ({error}); build the database again") from None
    if not isinstance(index, dict) or index.get("format") != FORMAT:
        raise DatabaseError(f"{path}: not the index of a motion database (no format {FORMAT!r})")
    if index.get("version") != VERSION:
        raise DatabaseError(
            f"{folder}: a database of version {index.get('version')}, this program reads version {VERSION}; build it "
            "again from its sources"
        )
    return index


def map_arrays(folder: Path, index: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """The arrays of a database, mapped read-only into memory.

    Raises:
        DatabaseError: an array is missing, cut short, or not what the index says.
    """
    entries = index.get("arrays", {})
    return {name: map_array(folder / f"{name}.npy", entries, dtype) for name, dtype in ARRAYS.items()}


def map_array(path: Path, entries: Mapping[str, Any], dtype: str | None = None, cure: str = _REBUILD) -> NDArray[Any]:
    """An array, mapped read-only into memory.

    Args:
        path: its file, `NAME.npy`.
        entries: what the index says about arrays, by name.
        dtype: what it must hold; what the index says where None.
        cure: what to do about a damaged one.

    Raises:
        DatabaseError: it is missing, cut short, or not what the index says.
    """
    try:
        array = np.lib.format.open_memmap(path, mode="r")  # unlike np.load it takes nothing but arrays
        entry = entries[path.stem]
        shape, dtype = tuple(entry["shape"]), dtype or str(entry["dtype"])
    except (OSError, ValueError, EOFError, KeyError, TypeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DatabaseError(f"{path}: damaged or missing ({reason}); {cure}") from None
    if array.dtype.str != dtype or array.shape != shape:
        found = f"holds {array.dtype.str} {list(array.shape)}, the index says {dtype} {list(shape)}"
        raise DatabaseError(f"{path}: {found}; {cure}")
    return array


def verify(folder: Path) -> None:
    """Compare all bytes of the arrays with the hashes in the index.

    Raises:
        DatabaseError: names the array that has changed.
    """
    index = read_index(folder)
    for name, array in map_arrays(folder, index).items():
        check_hash(folder / f"{name}.npy", array, index["arrays"])


def check_hash(path: Path, array: NDArray[Any], entries: Mapping[str, Any], cure: str = _REBUILD) -> None:
    """Compare an array with the hash in the index; the arguments are those of `map_array`.

    Raises:
        DatabaseError: it has changed.
    """
    digest = hashlib.blake2b(digest_size=16)
    for start in range(0, len(array), 65_536):
        digest.update(np.ascontiguousarray(array[start : start + 65_536]).tobytes())
    if digest.hexdigest() != entries[path.stem]["blake2b"]:
        raise DatabaseError(f"{path}: has changed since it was written; {cure}")


def partial_folder(out: Path) -> Path:
    """The folder beside `out` in which it is made."""
    return out.with_name(f"{out.name}.partial")


def check_target(out: Path, force: bool) -> None:
    """Refuse to overwrite anything but a database, and a database without `force`.

    Raises:
        DatabaseError: something else is there; the message says what to do.
    """
    if not os.path.lexists(out) or (out.is_dir() and not out.is_symlink() and not any(out.iterdir())):
        return
    if not (out / INDEX).is_file() or out.is_symlink():
        raise DatabaseError(f"{out}: exists and is not a motion database; choose another name")
    if not force:
        raise DatabaseError(f"{out}: exists; append to it with --append or replace it with --force")


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Yields an empty folder to write into. When the block succeeds, it replaces `out`.

    Whatever happens, `out` is the whole old database or the whole new one.
    """
    partial = partial_folder(out)
    new = partial / _NEW
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        yield new
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        _drop_if_empty(partial)
        raise
    previous = partial / _PREVIOUS
    if out.exists():
        shutil.rmtree(previous, ignore_errors=True)
        out.rename(previous)
    try:
        new.rename(out)
    except BaseException:
        recover(out)
        raise
    shutil.rmtree(previous, ignore_errors=True)
    _drop_if_empty(partial)


def _drop_if_empty(folder: Path) -> None:
    if not any(folder.iterdir()):
        folder.rmdir()


def recover(out: Path) -> None:
    """Undo a replacement that was killed between its two renames."""
    previous = partial_folder(out) / _PREVIOUS
    if previous.is_dir() and not out.exists():
        previous.rename(out)


def describe(error: OSError, out: Path, kept: bool) -> DatabaseError:
    """The error for trouble of the file system while `out` was made."""
    reason = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else error.strerror or str(error)
    then = "; the same command resumes from here once that is solved" if kept else ""
    return DatabaseError(f"{out}: cannot be written, {reason} (what was there before is untouched){then}")
