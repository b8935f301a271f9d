"""Where bytes come from: files, folders and zip archives look the same.

A `Source` is a small picklable description of one file, so that a process pool can be handed a list of them and each
worker opens what it reads. Everything a hostile archive or reference can demand is bounded or refused here, so that
the readers only ever see bytes.
"""

from __future__ import annotations

import os
import stat
import struct
import threading
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from kinema.errors import FormatError
from kinema.formats.checks import naming, require

DEFAULT_LIMIT = 2 * 1024**3  # bytes of one file
SUSPICIOUS_RATIO = 200  # unpacked over packed size; motion text packs 4 to 12 times
SUSPICIOUS_SIZE = 64 * 1024**2  # below this even an absurd ratio cannot hurt
OPEN_ARCHIVES = 4  # kept open per process
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # of the others zipfile unpacks whole blocks, however large

_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error)
ZIP_ERRORS = (*_DAMAGED, OSError, EOFError, ValueError, RuntimeError, IndexError, OverflowError)
"""What zipfile raises on damaged or hostile archives."""

_NESTED = "is an archive within an archive, which is not opened; unpack the outer one first"

_archives: dict[tuple[int, str, int, int], zipfile.ZipFile] = {}
_archives_lock = threading.Lock()


@dataclass(frozen=True)
class Source:
    """One readable file: on disk, in a zip archive, or already in memory.

    Attributes:
        path: what to show to people, e.g. `takes.zip/walk.bvh`.
        file: the file on disk (the archive for a member), empty for bytes in memory.
        member: name inside the archive, or None.
        size: declared bytes, unpacked.
        limit: refuse to read more bytes than this.
        problem: why this source cannot be read at all (a missing file, a broken archive); `read` raises it.
        data: the bytes of a source in memory, or of a file that was read already.
    """

    path: str
    file: str = ""
    member: str | None = None
    size: int = 0
    limit: int = DEFAULT_LIMIT
    problem: str | None = None
    data: bytes | None = None

    @classmethod
    def from_bytes(cls, data: bytes, name: str) -> Source:
        """A source for bytes in memory; `name` gives the suffix and is used in messages."""
        return cls(path=name, size=len(data), data=bytes(data))

    @property
    def name(self) -> str:
        """File name with suffix: `walk.bvh`."""
        return PurePosixPath(self.path.replace("\\", "/")).name

    @property
    def stem(self) -> str:
        """File name without suffix, `walk`, that can be written anywhere: bytes that are not text become `?`."""
        return PurePosixPath(self.name).stem.encode("utf-8", "replace").decode("utf-8")

    @property
    def suffix(self) -> str:
        """Lower-case suffix with its dot: `.bvh`."""
        return PurePosixPath(self.name).suffix.lower()

    def check(self) -> None:
        """Raises FormatError if this source is known to be unreadable; opens nothing."""
        if self.problem is not None:
            raise FormatError(self.problem, path=self.path)

    def read(self) -> bytes:
        """All bytes. Raises FormatError when missing, too large, encrypted or damaged."""
        self.check()
        if self.data is not None:
            return self.data
        if self.member is None:
            return _read_file(self.file, self.path, self.limit)
        return _read_member(self.file, self.member, self.path, self.limit)

    def kept(self) -> Source:
        """This source with its bytes in memory, for those who read it more than once."""
        return replace(self, data=self.read())

    def beginning(self, size: int) -> bytes:
        """The first bytes, at most `size`; none where they cannot be read."""
        try:
            if self.problem is not None or self.data is not None:
                return b"" if self.data is None else self.data[:size]
            if self.member is not None:
                archive = _open_archive(self.file)
                info = archive.getinfo(self.member)
                if info.compress_type not in PACKINGS:
                    return b""
                with archive.open(info) as stream:
                    return stream.read(size)
            if not stat.S_ISREG(os.stat(self.file).st_mode):
                return b""
            with open(self.file, "rb") as stream:
                return stream.read(size)
        except (KeyError, *ZIP_ERRORS):
            return b""

    def sibling(self, relative: str) -> bytes:
        """Bytes of a file that this one refers to, relative to its own folder.

        The reference may name files beside or below this one, in the same folder or archive. Absolute paths, `..`,
        addresses with a scheme and links that lead out of the folder are refused with FormatError: a file from a
        stranger must not be able to read others.
        """
        with naming(self.path):
            parts = _safe_parts(relative)
            require(self.file, f"refers to {relative!r}, but was given as bytes without a folder")
        if self.member is not None:
            target = str(PurePosixPath(self.member).parent.joinpath(*parts))
            return _read_member(self.file, target, f"{self.file}/{target}", self.limit)
        folder = Path(self.file).parent
        target_path = folder.joinpath(*parts)
        try:
            inside = target_path.resolve().is_relative_to(folder.resolve())
        except (OSError, RuntimeError, ValueError) as error:
            raise FormatError(f"cannot follow the reference {relative!r}: {error}", path=self.path) from None
        if not inside:
            raise FormatError(f"refers to {relative!r}, a link that leads out of its folder", path=self.path)
        return _read_file(str(target_path), str(target_path), self.limit)


def open_source(path: str | os.PathLike[str], limit: int = DEFAULT_LIMIT) -> Source:
    """The source for one file; a path may go through an archive (`takes.zip/a/walk.bvh`).

    Never raises for a missing or broken file: the returned source carries the problem and raises it when read.
    """
    text = os.fspath(path)
    try:
        status = os.stat(text)
    except (OSError, ValueError):
        return _open_member(text, limit)
    if stat.S_ISDIR(status.st_mode):
        return Source(text, text, limit=limit, problem="is a folder, expected a file")
    return Source(text, text, size=status.st_size, limit=limit)


def iterate(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    suffixes: Iterable[str] | None = None,
    limit: int = DEFAULT_LIMIT,
) -> Iterator[Source]:
    """Yields the sources under files, folders (recursively) and zip archives, sorted by name within each.

    Args:
        paths: one path or several.
        suffixes: keep only these in folders and archives (`(".bvh", ".glb")`); None keeps all. A file named
            directly is always yielded, so that a wrong one is reported and not silently skipped.
        limit: bytes that one file may have.

    A missing path, a folder that cannot be listed or a broken archive is yielded as one source whose `read` raises, so
    that a batch goes on. Links to folders are not followed.
    """
    wanted = None if suffixes is None else {suffix.lower() for suffix in suffixes}
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        text = os.fspath(path)
        if os.path.isdir(text):
            yield from _folder(text, wanted, limit)
        elif os.path.isfile(text) and _is_archive(text):
            yield from _members(text, wanted, limit)
        else:
            yield open_source(text, limit)


def _folder(folder: str, wanted: set[str] | None, limit: int) -> Iterator[Source]:
    for file, problem in _walk(folder):
        if problem is not None:
            yield Source(file, file, limit=limit, problem=problem)
        elif _is_archive(file):
            yield from _members(file, wanted, limit)
        elif _is_wanted(file, wanted):
            yield open_source(file, limit)


def _is_wanted(name: str, wanted: set[str] | None) -> bool:
    return wanted is None or PurePosixPath(name).suffix.lower() in wanted


def _is_archive(file: str) -> bool:
    return file.lower().endswith(".zip")


def _is_clutter(name: str) -> bool:
    """Resource forks that macOS leaves beside the real files, under the same suffix."""
    parts = PurePosixPath(name).parts
    return "__MACOSX" in parts or (bool(parts) and parts[-1].startswith("._"))


def _walk(folder: str) -> Iterator[tuple[str, str | None]]:
    """Files below a folder, and folders that cannot be looked into with the reason; links to folders are left alone."""
    closed: list[OSError] = []
    for root, folders, files in os.walk(folder, onerror=closed.append):
        folders.sort()
        for file in sorted(files):
            if not _is_clutter(file):
                yield os.path.join(root, file), None
    for error in closed:
        yield str(error.filename), f"is a folder that cannot be listed: {error.strerror}"


def _members(archive: str, wanted: set[str] | None, limit: int) -> Iterator[Source]:
    try:
        names = {info.filename: info for info in _open_archive(archive).infolist() if not info.is_dir()}
    except ZIP_ERRORS as error:
        yield Source(archive, archive, limit=limit, problem=_archive_problem(error))
        return
    for name in sorted(name for name in names if not _is_clutter(name)):
        if _is_archive(name):
            yield Source(f"{archive}/{name}", archive, name, limit=limit, problem=_NESTED)
        elif _is_wanted(name, wanted):
            yield Source(f"{archive}/{name}", archive, name, names[name].file_size, limit)


def _archive_problem(error: BaseException) -> str:
    return f"not a readable zip archive ({' '.join(str(error).split()) or type(error).__name__})"


def _open_archive(file: str) -> zipfile.ZipFile:
    """An open archive, kept per process: members of one archive are read in a row by each worker."""
    status = os.stat(file)
    # The process id is part of the key because a forked worker would share (and fight over) the file offset.
    key = (os.getpid(), os.path.abspath(file), status.st_mtime_ns, status.st_size)
    with _archives_lock:
        found = _archives.pop(key, None)
        archive = zipfile.ZipFile(file) if found is None else found
        _archives[key] = archive
        while len(_archives) > OPEN_ARCHIVES:
            # Dropped, not closed: another thread may still be reading; the file closes with its last user.
            _archives.pop(next(iter(_archives)))
    return archive


def _open_member(text: str, limit: int) -> Source:
    for parent in Path(text).parents:
        if _is_archive(str(parent)) and os.path.isfile(parent):
            member = Path(text).relative_to(parent).as_posix()
            try:
                info = _open_archive(str(parent)).getinfo(member)
            except KeyError:
                return Source(text, str(parent), member, limit=limit, problem="no such file in the archive")
            except ZIP_ERRORS as error:
                return Source(str(parent), str(parent), limit=limit, problem=_archive_problem(error))
            return Source(text, str(parent), member, info.file_size, limit)
    missing = "a link that leads to no file" if os.path.islink(text) else "no such file"
    return Source(text, text, limit=limit, problem=missing)


def _read_file(file: str, shown: str, limit: int) -> bytes:
    with naming(shown):
        try:
            status = os.stat(file)
            require(stat.S_ISREG(status.st_mode), "not a regular file")  # a pipe or device could block or never end
            require(status.st_size <= limit, _too_large(status.st_size, limit))
            with open(file, "rb") as stream:
                # Python allocates what `read` is given: the size of the file, and one byte because it may be growing.
                data = stream.read(status.st_size + 1)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise FormatError(f"cannot be read: {reason}") from None
        growing = len(data) > status.st_size
        require(not growing, "is being written to while it is read; try again when it is complete")
        return data


def _read_member(archive: str, member: str, shown: str, limit: int) -> bytes:
    try:
        opened = _open_archive(archive)
        info = opened.getinfo(member)
    except KeyError:
        raise FormatError("no such file in the archive", path=shown) from None
    except ZIP_ERRORS as error:
        raise FormatError(_archive_problem(error), path=archive) from None
    return read_member(opened, info, shown, limit)


def read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, shown: str, limit: int = DEFAULT_LIMIT) -> bytes:
    """Bytes of one member of an open archive, bounded; `shown` is what to call it.

    Raises:
        FormatError: encrypted, damaged, larger than `limit`, or packed beyond what real data ever is.
    """
    with naming(shown):
        require(not info.flag_bits & 0x1, "is encrypted in the archive; unpack it with its password first")
        safe = info.compress_type in PACKINGS
        require(safe, "is packed in a way that cannot be unpacked safely; pack it again as an ordinary (deflated) zip")
        require(info.file_size <= limit, _too_large(info.file_size, limit))
        if info.file_size > SUSPICIOUS_SIZE and info.file_size > SUSPICIOUS_RATIO * max(info.compress_size, 1):
            raise FormatError(
                f"unpacks to {info.file_size // max(info.compress_size, 1)} times its packed size, more than "
                f"{SUSPICIOUS_RATIO}; refused as an archive bomb, unpack it yourself if it is genuine"
            )
        try:
            with archive.open(info) as stream:
                data = stream.read(info.file_size + 1)
        except ZIP_ERRORS as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise FormatError(f"is damaged in the archive ({reason})") from None
        whole = len(data) == info.file_size
        require(whole, f"is damaged in the archive ({len(data)} bytes, declared {info.file_size})")
        return data


def _too_large(size: int, limit: int) -> str:
    return f"has {size} bytes, more than the limit of {limit}"


def _safe_parts(relative: str) -> list[str]:
    """Path parts of a reference that cannot leave its folder."""
    plain = relative.replace("\\", "/")
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    require(parts and "\0" not in plain, f"refers to {relative!r}, which names no file")
    if plain.startswith("/") or ":" in parts[0] or ".." in parts:
        raise FormatError(f"refers to {relative!r}; only files in the same folder or below are read")
    return parts
