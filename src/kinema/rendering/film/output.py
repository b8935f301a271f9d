"""What every writer of pictures has in common: its output appears complete, or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

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
        fast: spend less time on compression; the file is somewhat larger, the picture the same.
        alpha: keep transparency where the format can.
    """

    fps: float = 30.0
    crf: int | None = None
    fast: bool = False
    alpha: bool = False


class Output(ABC):
    """A context manager that completes an output, or leaves nothing after an error."""

    @abstractmethod
    def finish(self) -> list[str]:
        """Complete the output; returns the files written. Further calls return the same."""

    @abstractmethod
    def abandon(self) -> None:
        """Remove what was begun; what had the name before stays."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.finish()
        else:
            self.abandon()


class PictureWriter(Output):
    """Takes pictures one by one.

    Attributes:
        outputs: the files written, known at the end.
        frames: pictures written so far.

    Raises:
        KinemaError: the size or the rate is not above 0.
    """

    def __init__(self, path: str | os.PathLike[str], width: int, height: int, encoding: Encoding) -> None:
        self.path, self.width, self.height, self.encoding = Path(path), width, height, encoding
        self.outputs: list[str] = []
        self.frames = 0
        if width < 1 or height < 1:
            raise KinemaError(f"{path}: a picture of {width}x{height} pixels cannot be written")
        check_rate(path, encoding.fps)

    def write(self, pixels: Pixels) -> None:
        """Add a picture of the writer's size.

        Raises:
            KinemaError: it has another size or is not an sRGB picture.
            WriteError: the disk is full, or the like.
        """
        size = self.height, self.width
        if pixels.dtype != np.uint8 or pixels.shape not in ((*size, 3), (*size, 4)):
            raise KinemaError(
                f"{self.path}: pictures must be uint8 [{self.height}, {self.width}, 3 or 4], "
                f"not {pixels.dtype} {list(pixels.shape)}"
            )
        with writing(self.path):
            self._add(pixels)
        self.frames += 1

    def finish(self) -> list[str]:
        """Complete the output; returns the files written. Raises KinemaError if no picture was written."""
        if self.outputs:
            return self.outputs
        try:
            if not self.frames:
                raise KinemaError(f"{self.path}: no picture was written")
            with writing(self.path):
                self.outputs = self._complete()
        except BaseException:
            self.abandon()
            raise
        return self.outputs

    @abstractmethod
    def _add(self, pixels: Pixels) -> None: ...

    @abstractmethod
    def _complete(self) -> list[str]: ...


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Report errors of the file system as one line about an output."""
    try:
        yield
    except OSError as error:
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from None


def beside(path: Path) -> Path:
    """A name next to `path` for what is not complete yet."""
    return path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")


def discard(path: Path) -> None:
    """Remove a file or folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def check_rate(path: str | os.PathLike[str], fps: float) -> None:
    """Raises KinemaError unless pictures a second are above 0."""
    if not (np.isfinite(fps) and fps > 0):
        raise KinemaError(f"{path}: {fps:g} pictures a second; the rate must be above 0")


def need_av() -> None:
    """Raises MissingError unless the package that encodes films is there."""
    try:
        import av  # noqa: F401
    except ImportError:
        raise MissingError("films need the package av: pip install '.[render]' in a clone of Kinema") from None
