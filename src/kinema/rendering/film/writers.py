"""Where pictures go: one writer a kind of file, all used alike, chosen by the suffix.

Usage:

    with open_writer("walk.mp4", 1280, 720, fps=30) as writer:
        for pixels in pictures:
            writer.write(pixels)

A file appears under its name when the block ends without an error, complete; otherwise it never does. Pictures are not
kept in memory, so that a film may be as long as the disk allows.

To add a kind: copy the smallest writer in `kinema.rendering.film.stills` and add a line to `WRITERS`.
"""

from __future__ import annotations

import os
import secrets
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from kinema.errors import KinemaError, MissingError
from kinema.formats.atomic import WriteError

Pixels = NDArray[np.uint8]
"""sRGB `[H, W, 3]` or `[H, W, 4]` with straight alpha, rows from the top."""


@dataclass(frozen=True)
class Encoding:
    """How to encode.

    Attributes:
        fps: pictures a second.
        crf: constant rate factor of H.264 and VP9: lower is better and larger; None takes what looks clean.
        fast: spend less time on packing; the file is somewhat larger, the picture the same.
        alpha: keep transparency where the format can.
    """

    fps: float = 30.0
    crf: int | None = None
    fast: bool = False
    alpha: bool = False


class PictureWriter(ABC):
    """Takes pictures one by one; a context manager that completes its output or leaves nothing.

    Attributes:
        outputs: what was written, known after the block.
        frames: pictures written so far.
    """

    def __init__(self, path: str | os.PathLike[str], width: int, height: int, encoding: Encoding) -> None:
        self.path, self.width, self.height, self.encoding = Path(path), width, height, encoding
        self.outputs: list[str] = []
        self.frames = 0
        if width < 1 or height < 1:
            raise KinemaError(f"{path}: a picture of {width}x{height} pixels cannot be written")
        if not (np.isfinite(encoding.fps) and encoding.fps > 0):
            raise KinemaError(f"{path}: {encoding.fps:g} pictures a second; the rate must be positive")

    def write(self, pixels: Pixels) -> None:
        """Add a picture of the writer's size.

        Raises:
            KinemaError: it has another size or is no sRGB picture.
            WriteError: the disk is full, or the like.
        """
        if pixels.dtype != np.uint8 or pixels.shape not in (
            (self.height, self.width, 3),
            (self.height, self.width, 4),
        ):
            raise KinemaError(
                f"{self.path}: wants pictures of uint8 [{self.height}, {self.width}, 3 or 4], "
                f"not of {pixels.dtype} {list(pixels.shape)}"
            )
        with self._troubles():
            self._add(pixels)
        self.frames += 1

    def finish(self) -> None:
        """Complete the output, once. Raises KinemaError if no picture was written."""
        if self.outputs:
            return
        if not self.frames:
            self.abandon()
            raise KinemaError(f"{self.path}: no picture was written")
        try:
            with self._troubles():
                self.outputs = self._complete()
        except BaseException:
            self.abandon()
            raise

    @abstractmethod
    def abandon(self) -> None:
        """Remove what was begun; what stood under the name before stays."""

    @abstractmethod
    def _add(self, pixels: Pixels) -> None: ...

    @abstractmethod
    def _complete(self) -> list[str]: ...

    @contextmanager
    def _troubles(self) -> Iterator[None]:
        """Troubles of the file system as one line about this output."""
        try:
            yield
        except OSError as error:
            raise WriteError(f"{self.path}: cannot be written: {error.strerror or error}") from None

    def __enter__(self) -> PictureWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.finish()
        else:
            self.abandon()


def beside(path: Path) -> Path:
    """A name next to `path` for what is not complete yet."""
    return path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")


def discard(path: Path) -> None:
    """Remove a file or folder that was begun, if it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _film(path: str | os.PathLike[str], width: int, height: int, encoding: Encoding) -> PictureWriter:
    from kinema.rendering.film.video import FilmWriter

    return FilmWriter(path, width, height, encoding)


def _gif(path: str | os.PathLike[str], width: int, height: int, encoding: Encoding) -> PictureWriter:
    from kinema.rendering.film.gif import GifWriter

    return GifWriter(path, width, height, encoding)


def _png(path: str | os.PathLike[str], width: int, height: int, encoding: Encoding) -> PictureWriter:
    from kinema.rendering.film.stills import PictureFile, SequenceWriter

    kind = SequenceWriter if "%" in Path(path).name else PictureFile
    return kind(path, width, height, encoding)


def _folder(path: str | os.PathLike[str], width: int, height: int, encoding: Encoding) -> PictureWriter:
    from kinema.rendering.film.stills import SequenceWriter

    return SequenceWriter(path, width, height, encoding)


WRITERS: dict[str, Callable[[str | os.PathLike[str], int, int, Encoding], PictureWriter]] = {
    ".mp4": _film,
    ".mov": _film,
    ".webm": _film,
    ".gif": _gif,
    ".png": _png,
    "": _folder,
}
"""By suffix; a name without one is a folder of pictures."""

TRANSPARENT = (".webm", ".gif", ".png", "")
"""Kinds that can keep transparency."""

MOVING = (".mp4", ".mov", ".webm", ".gif", "")
"""Kinds that hold more than one picture; a `.png` with a number in its name (`walk_%04d.png`) does too."""


def is_moving(path: str | os.PathLike[str]) -> bool:
    """Whether a name stands for many pictures."""
    return Path(path).suffix.lower() in MOVING or "%" in Path(path).name


def check_name(path: str | os.PathLike[str], alpha: bool = False) -> None:
    """Raises KinemaError unless a writer stands for this name (and keeps transparency, if that is wanted)."""
    suffix = Path(path).suffix.lower()
    if suffix not in WRITERS:
        kinds = " ".join(filter(None, WRITERS))
        raise KinemaError(f"{path}: unknown kind of picture {suffix!r}; known are {kinds}, and a folder of .png")
    if alpha and suffix not in TRANSPARENT:
        kinds = " ".join(filter(None, TRANSPARENT))
        raise KinemaError(f"{path}: {suffix} keeps no transparency; {kinds} and a folder of .png do")


def open_writer(
    path: str | os.PathLike[str],
    width: int,
    height: int,
    fps: float = 30.0,
    crf: int | None = None,
    fast: bool = False,
    alpha: bool = False,
) -> PictureWriter:
    """A writer for `path`: `.mp4` `.mov` (H.264), `.webm` (VP9), `.gif`, `.png`, or a folder of `.png`.

    A `.png` with a number in its name, `walk_%04d.png`, is a sequence; without one it is a single picture.

    Raises:
        KinemaError: the suffix is unknown, cannot be transparent, or the size does not suit the codec.
        MissingError: the package that encodes is not installed.
        WriteError: the place cannot be written to.
    """
    check_name(path, alpha)
    return WRITERS[Path(path).suffix.lower()](path, width, height, Encoding(fps, crf, fast, alpha))


def need_av() -> None:
    """Raises MissingError unless the package that encodes films is there."""
    try:
        import av  # noqa: F401
    except ImportError:
        raise MissingError("films need the package av: pip install '.[render]' in a clone of Kinema") from None
