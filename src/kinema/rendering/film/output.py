"""What every writer of pictures has in common: its output appears complete, or not at all."""

from __future__ import annotations

import os
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from kinema import unfinished
from kinema.arrays import Bytes
from kinema.errors import KinemaError, MissingError
from kinema.formats.atomic import WriteError
from kinema.rates import RATES, is_rate

Pixels = Bytes
"""sRGB `[H, W, 3]` or `[H, W, 4]` with straight alpha, rows from the top."""


@dataclass(frozen=True)
class Encoding:
    """How to encode.

    Attributes:
        fps: frames per second.
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
        """Remove the unfinished output; an existing file of that name stays."""

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
    """A name next to `path` for the unfinished output; call `put` or `discard` at the end."""
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    unfinished.begin(partial)
    return partial


def put(partial: Path, path: Path) -> None:
    """Move a complete output to its place."""
    os.replace(partial, path)
    unfinished.done(partial)


def discard(path: Path) -> None:
    """Remove a file or folder, if it is there."""
    unfinished.remove(path)
    unfinished.done(path)


def check_rate(path: str | os.PathLike[str], fps: float) -> None:
    """Raises KinemaError unless a film may have this frame rate."""
    if not is_rate(fps):
        raise KinemaError(f"{path}: {fps:g} frames per second; the rate must be {RATES}")


def need_av() -> None:
    """Raises MissingError unless the package that encodes films is there."""
    try:
        import av  # noqa: F401
    except ImportError:
        raise MissingError("films need the package av: pip install 'kinema[render]'") from None
