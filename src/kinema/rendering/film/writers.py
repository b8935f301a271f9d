"""Where pictures go: one writer for each kind of file, chosen by the suffix.

```python
with open_writer("walk.mp4", 1280, 720, fps=30) as writer:
    for pixels in pictures:
        writer.write(pixels)
```

A file appears under its name, complete, when the block ends without an error; otherwise it never does. Pictures are not
kept in memory, so that a film may be as long as the disk allows.

To add a kind: copy the smallest writer in `kinema.rendering.film.stills` and add a line to `WRITERS`.
"""

from __future__ import annotations

import os
from pathlib import Path

from kinema.errors import KinemaError
from kinema.rendering.film.gif import GifWriter
from kinema.rendering.film.output import Encoding, PictureWriter
from kinema.rendering.film.stills import PictureFile, SequenceWriter
from kinema.rendering.film.video import FilmWriter

WRITERS: dict[str, type[PictureWriter]] = {
    ".mp4": FilmWriter,
    ".mov": FilmWriter,
    ".webm": FilmWriter,
    ".gif": GifWriter,
    ".png": PictureFile,
    "": SequenceWriter,
}
"""By suffix; a name without one is a folder of pictures. Names with a number are sequences."""

TRANSPARENT = (".webm", ".gif", ".png", "")
"""Kinds that can keep transparency."""

MOVING = (".mp4", ".mov", ".webm", ".gif", "")
"""Kinds that hold more than one picture; a `.png` with a number in its name (`walk_%04d.png`) does too."""


def is_moving(path: str | os.PathLike[str]) -> bool:
    """Whether a name stands for many pictures."""
    return Path(path).suffix.lower() in MOVING or "%" in Path(path).name


def check_name(path: str | os.PathLike[str], alpha: bool = False) -> None:
    """Raises KinemaError unless there is a writer for this name (and it keeps transparency, if that is wanted)."""
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
    suffix = Path(path).suffix.lower()
    numbered = suffix == ".png" and "%" in Path(path).name
    kind = SequenceWriter if numbered else WRITERS[suffix]
    return kind(path, width, height, Encoding(fps, crf, fast, alpha))
