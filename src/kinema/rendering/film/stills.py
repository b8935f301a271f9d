"""Single and numbered pictures, as PNG."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from PIL import Image

from kinema.errors import KinemaError
from kinema.formats.atomic import atomic_write
from kinema.rendering.film.output import Encoding, PictureWriter, Pixels, beside, discard, put, writing

NUMBERED = "frame_%05d.png"
"""Names of the pictures in a folder."""

_NUMBER = re.compile(r"%(0\d+)?d")


def png(pixels: NDArray[Any], fast: bool = False) -> bytes:
    """A picture as the bytes of a PNG file; the same pixels give the same bytes."""
    encoded = io.BytesIO()
    Image.fromarray(pixels).save(encoded, "PNG", compress_level=1 if fast else 6)
    return encoded.getvalue()


class PictureFile(PictureWriter):
    """One picture in one file; a second is an error."""

    def _add(self, pixels: Pixels) -> None:
        if self.frames:
            raise KinemaError(f"{self.path}: holds one picture; name it {self.path.stem}_%04d.png for many")
        self._pixels = pixels if self.encoding.alpha else pixels[..., :3]

    def _complete(self) -> list[str]:
        atomic_write(self.path, png(self._pixels))
        return [str(self.path)]

    def abandon(self) -> None:
        """There is nothing to remove."""


class SequenceWriter(PictureWriter):
    """Pictures numbered from 0: `walk_%04d.png` or, for a folder, `NUMBERED` in it.

    They are written to a folder of their own and moved when all are there; the target folder is made if it is missing.
    Pictures with higher numbers that an earlier, longer run left under the same names are removed, so that no film ends
    in another.

    Raises:
        KinemaError: the name has no or several places for the number.
        WriteError: the place cannot be written to.
    """

    def __init__(self, path: str | os.PathLike[str], width: int, height: int, encoding: Encoding) -> None:
        super().__init__(path, width, height, encoding)
        self.folder, self.pattern = split(self.path)
        self._partial = beside(self.folder / "pictures" if self.folder.is_dir() else self.folder)
        with writing(self.path):
            self._partial.mkdir()

    def _add(self, pixels: Pixels) -> None:
        shown = pixels if self.encoding.alpha else pixels[..., :3]
        (self._partial / (self.pattern % self.frames)).write_bytes(png(shown, self.encoding.fast))

    def _complete(self) -> list[str]:
        names = [self.pattern % number for number in range(self.frames)]
        if self.folder.is_dir():
            for name in names:
                os.replace(self._partial / name, self.folder / name)
            for stale in present(self.path):
                if stale.name not in set(names):
                    stale.unlink()
            discard(self._partial)
        else:
            put(self._partial, self.folder)
        return [str(self.folder / name) for name in names]

    def abandon(self) -> None:
        discard(self._partial)


def split(path: Path) -> tuple[Path, str]:
    """The folder and the numbered name of a sequence. Raises KinemaError when the name cannot be numbered."""
    if "%" not in path.name:
        return path, NUMBERED
    rest = _NUMBER.sub("", path.name)
    if "%" in rest or len(_NUMBER.findall(path.name)) != 1:
        raise KinemaError(f"{path}: needs one place for the number, as in {path.stem.partition('%')[0]}%04d.png")
    return path.parent, path.name


def present(path: Path) -> list[Path]:
    """Pictures of a sequence that exist already."""
    folder, pattern = split(path)
    before, _, after = _NUMBER.sub("\0", pattern).partition("\0")
    known = re.compile(re.escape(before) + r"\d+" + re.escape(after))
    return sorted(entry for entry in folder.iterdir() if known.fullmatch(entry.name)) if folder.is_dir() else []
