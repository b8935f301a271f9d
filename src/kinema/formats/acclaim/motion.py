"""AMC: rows of numbers for the bones of an ASF skeleton, frame by frame."""

from __future__ import annotations

import re
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError
from kinema.formats.acclaim.lines import LARGEST, AcclaimLine, lines_of
from kinema.formats.acclaim.skeleton import AcclaimSkeleton

MOST_BYTES = 96 * 1024**2
MOST_WORDS = 8_000_000  # of some eighty thousand frames

MOST_VALUES = 30_000_000  # of all frames and bones together

_FRAME = re.compile(rb"^[ \t]*\d+[ \t\r]*$", re.MULTILINE)
_ANGLES = (b":degrees", b":radians")
_KEYWORD = re.compile(rb"^[ \t]*:.*$|#.*$", re.MULTILINE)

Floats = NDArray[np.float64]


def parse_motion(data: bytes, figure: AcclaimSkeleton, path: str, warnings: list[str]) -> tuple[Floats, bool]:
    """Values `[F, C]`, columns in the order of the figure's bones and their channels, and whether angles are degrees.

    The first frame says which bones are there and in what order; all others must have the same rows, as programs write
    them. A bone that the motion leaves out stays at zero.

    Raises:
        FormatError: a row that does not fit the skeleton or the first frame; names the line.
    """
    if len(data) > MOST_BYTES:
        raise FormatError(f"has {len(data)} bytes; at most {MOST_BYTES} of a motion are read", path=path)
    first = _FRAME.search(data)
    if first is None:
        raise FormatError("has no frames: no line with just a number", path=path)
    head, text = data[: first.start()], _KEYWORD.sub(b"", data[first.start() :])
    words = text.split()
    if len(words) > MOST_WORDS:
        raise FormatError(f"has {len(words)} words; at most {MOST_WORDS} of a motion are read", path=path)
    line = 1 + head.count(b"\n")
    second = _FRAME.search(text, first.end() - first.start())
    order = _bones(list(lines_of(text[: second.start() if second else len(text)], path, line)), figure, warnings)
    names = [figure.bones[bone].name.lower() for bone in order]
    widths = [len(figure.bones[bone].channels) for bone in order]
    starts = list(accumulate((len(bone.channels) for bone in figure.bones), initial=0))
    frames, left = divmod(len(words), 1 + sum(widths) + len(widths))
    if frames * max(starts[-1], len(figure.bones)) > MOST_VALUES:
        raise FormatError(f"has {frames} frames of {len(figure.bones)} bones, more than are read", path=path)
    table = _table(words, frames, names, widths)
    if table is None or left:  # some row is wrong, or the last frame is cut
        bones = max(_check(list(lines_of(text, path, line)), names, widths) - 1, 0)
        warnings.append(f"the last frame has {bones} of {len(names)} bones and was dropped: the file is cut short")
    if table is None:
        raise FormatError("has rows that do not fit those of the first frame", path=path)
    columns = [starts[bone] + place for bone, width in zip(order, widths, strict=True) for place in range(width)]
    values = np.zeros((frames, starts[-1]))
    values[:, columns] = table
    said = [word for found in _KEYWORD.finditer(head) if (word := found[0].strip().lower()) in _ANGLES]
    return values, said[-1] == b":degrees" if said else figure.degrees


def _bones(frame: list[AcclaimLine], figure: AcclaimSkeleton, warnings: list[str]) -> list[int]:
    """The bones that the rows of the first frame move."""
    by_name = figure.by_name()
    order = []
    for line in frame[1:]:
        name, here = line.words[0], len(line.words) - 1
        bone = by_name.get(name.lower())
        if bone is None:
            raise line.fail(f"moves a bone {name[:40]!a} that the skeleton does not have; is it another's?")
        due = len(figure.bones[bone].channels)
        if here != due:
            raise line.fail(f"the bone {name[:40]!a} has {due} channels in the skeleton, {here} here")
        order.append(bone)
    if len(set(order)) < len(order):
        raise frame[0].fail("the first frame moves a bone twice")
    present = set(order)
    still = [bone.name for index, bone in enumerate(figure.bones) if bone.channels and index not in present]
    if still:
        warnings.append(f"bones without motion stay at rest: {', '.join(ascii(name)[1:-1] for name in still[:5])}")
    return order


def _table(words: list[bytes], frames: int, names: list[str], widths: list[int]) -> Floats | None:
    """Numbers `[F, sum of widths]` if every frame has the rows of the first one; None if not."""
    stride = 1 + sum(widths) + len(widths)
    heads = list(accumulate((1 + width for width in widths), initial=1))[:-1]
    columns = [words[place : frames * stride : stride] for place in range(stride)]
    if not all(map(bytes.isdigit, columns[0])):
        return None
    for head, name in zip(heads, names, strict=True):
        if {word.lower() for word in set(columns[head])} != {name.encode("latin-1", "replace")}:
            return None
    try:
        numbers = [list(map(float, columns[place])) for place in range(1, stride) if place not in set(heads)]
    except ValueError:
        return None
    table = np.array(numbers).reshape(-1, frames).T
    return table if (np.abs(table) < LARGEST).all() else None


def _check(rows: list[AcclaimLine], names: list[str], widths: list[int]) -> int:
    """Refuses the first row of a whole frame that is not as in the first one; rows of the last, cut frame."""
    whole = len(rows) // (1 + len(names)) * (1 + len(names))
    for number, line in enumerate(rows[:whole]):
        _check_row(line, number % (1 + len(names)), names, widths)
    return len(rows) - whole


def _check_row(line: AcclaimLine, place: int, names: list[str], widths: list[int]) -> None:
    head, given = line.words[0], line.words[1:]
    if place == 0:
        expected, fits = "the number of a frame", head.isdigit() and not given
    else:
        expected = f"{names[place - 1][:40]!a} and {widths[place - 1]} numbers"
        fits = head.lower() == names[place - 1] and len(given) == widths[place - 1]
    if not fits:
        raise line.fail(f"expected {expected}, as in the first frame, found {' '.join(line.words[:5])[:60]!a}")
    for word in given:
        try:
            good = abs(float(word)) < LARGEST
        except ValueError:
            good = False
        if not good:
            raise line.fail(f"expected a number below {LARGEST:g}, found {word[:40]!a}")
