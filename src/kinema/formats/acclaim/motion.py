"""AMC: rows of numbers for the bones of an ASF skeleton, frame by frame."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from kinema.arrays import Floats
from kinema.errors import FormatError, listed
from kinema.formats.acclaim.lines import BLANKS, LARGEST, AcclaimLine, lines_of
from kinema.formats.acclaim.skeleton import AcclaimSkeleton
from kinema.formats.checks import require

MOST_BYTES = 96 * 1024**2
MOST_WORDS = 8_000_000  # of some eighty thousand frames

MOST_VALUES = 30_000_000  # of all frames and bones together

_FRAME = re.compile(rb"^[ \t]*\d+[ \t\r]*$", re.MULTILINE)
_ANGLES = re.compile(rb"^[ \t]*:(degrees|radians)[ \t\r]*$", re.MULTILINE | re.IGNORECASE)
_KEYWORD = re.compile(rb"^[ \t]*:.*$|#.*$", re.MULTILINE)


@dataclass(frozen=True)
class AcclaimMotion:
    """Frames of a motion.

    Attributes:
        frames: their count.
        values: `[F, C]` for each bone that has rows, by its index in the skeleton; columns as the bone's channels.
        degrees: whether angles are in degrees.
    """

    frames: int
    values: dict[int, Floats]
    degrees: bool


@dataclass(frozen=True)
class _Rows:
    """The rows of a frame after its number: names of bones and their counts of numbers."""

    names: list[str]
    widths: list[int]

    @property
    def words(self) -> int:
        """Words of a frame, its number included."""
        return 1 + len(self.names) + sum(self.widths)


def parse_motion(data: bytes, figure: AcclaimSkeleton, warnings: list[str]) -> AcclaimMotion:
    """The frames of an AMC file.

    The first frame says which bones are there and in what order; all others must have the same rows, as programs write
    them.

    Raises:
        FormatError: a row that does not fit the skeleton or the first frame; names the line.
    """
    require(len(data) <= MOST_BYTES, f"has {len(data)} bytes; at most {MOST_BYTES} of a motion are read")
    data = data.translate(BLANKS)
    first = _FRAME.search(data)
    if first is None:
        raise FormatError("has no frames: no line with just a number")
    head, text = data[: first.start()], _KEYWORD.sub(b"", data[first.start() :])
    line = 1 + head.count(b"\n")
    second = _FRAME.search(text, first.end() - first.start())
    order = _bones(list(lines_of(text[: second.start() if second else None], line)), figure, warnings)
    bones = [figure.bones[bone] for bone in order]
    rows = _Rows([bone.name.lower() for bone in bones], [len(bone.channels) for bone in bones])
    words = text.split()
    _check_size(len(words), rows, figure)
    table, left = _table(words, rows), len(words) % rows.words
    if table is None or left:  # some row is wrong, or the last frame is cut
        cut = max(_check(list(lines_of(text, line)), rows) - 1, 0)
        warnings.append(f"the last frame has {cut} of {len(order)} bones and was dropped: the file is cut short")
    if table is None:
        raise FormatError("has rows that do not fit those of the first frame")
    values = np.split(table, np.cumsum(rows.widths)[:-1], axis=1)
    angles = _ANGLES.findall(head)
    degrees = angles[-1].lower() == b"degrees" if angles else figure.degrees
    return AcclaimMotion(len(table), dict(zip(order, values, strict=False)), degrees)


def _check_size(words: int, rows: _Rows, figure: AcclaimSkeleton) -> None:
    require(words <= MOST_WORDS, f"has {words} words; at most {MOST_WORDS} of a motion are read")
    frames, bones = words // rows.words, len(figure.bones)
    if frames * max(sum(rows.widths), bones) > MOST_VALUES:
        raise FormatError(f"has {frames} frames of {bones} bones, more than are read")


def _bones(frame: list[AcclaimLine], figure: AcclaimSkeleton, warnings: list[str]) -> list[int]:
    """The bones that the rows of the first frame move."""
    by_name = figure.by_name()
    order = [_bone(line, figure, by_name) for line in frame[1:]]
    frame[0].require(len(set(order)) >= len(order), "the first frame moves a bone twice")
    present = set(order)
    still = [bone.name for index, bone in enumerate(figure.bones) if bone.channels and index not in present]
    if still:
        warnings.append(f"bones without motion stay at rest: {listed(still)}")
    return order


def _bone(line: AcclaimLine, figure: AcclaimSkeleton, by_name: dict[str, int]) -> int:
    name, count = line.words[0], len(line.words) - 1
    bone = by_name.get(name.lower())
    if bone is None:
        raise line.fail(f"moves a bone {name[:40]!a} that the skeleton does not have; is it another's?")
    channels = len(figure.bones[bone].channels)
    line.require(count == channels, f"the bone {name[:40]!a} has {channels} channels in the skeleton, {count} here")
    return bone


def _table(words: list[bytes], rows: _Rows) -> Floats | None:
    """Numbers `[F, sum of widths]` if every frame has the rows of the first one; None if not."""
    stride = rows.words
    frames = len(words) // stride
    columns = [words[place : frames * stride : stride] for place in range(stride)]
    heads = list(accumulate((1 + width for width in rows.widths), initial=1))[:-1]
    same = (_is_word(columns[head], name) for head, name in zip(heads, rows.names, strict=True))
    if not all(map(bytes.isdigit, columns[0])) or not all(same):
        return None
    numbers = sorted(set(range(1, stride)).difference(heads))
    try:
        table = np.array([list(map(float, columns[place])) for place in numbers]).reshape(-1, frames).T
    except ValueError:
        return None
    return table if (np.abs(table) < LARGEST).all() else None


def _is_word(column: list[bytes], name: str) -> bool:
    return {word.lower() for word in set(column)} == {name.encode("latin-1", "replace")}


def _check(lines: list[AcclaimLine], rows: _Rows) -> int:
    """Refuses the first row of a whole frame that is not as in the first one; rows of the last, cut frame."""
    count = 1 + len(rows.names)
    whole = len(lines) // count * count
    for number, line in enumerate(lines[:whole]):
        _check_row(line, number % count, rows)
    return len(lines) - whole


def _check_row(line: AcclaimLine, place: int, rows: _Rows) -> None:
    head, given = line.words[0], line.words[1:]
    if place == 0:
        expected, fits = "the number of a frame", head.isdigit() and not given
    else:
        name, width = rows.names[place - 1], rows.widths[place - 1]
        expected, fits = f"{name[:40]!a} and {width} numbers", head.lower() == name and len(given) == width
    if not fits:
        raise line.fail(f"expected {expected}, as in the first frame, found {' '.join(line.words[:5])[:60]!a}")
    line.numbers(1, len(given))
