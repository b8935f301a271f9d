"""AMC: rows of numbers for the bones of an ASF skeleton, frame by frame."""

from __future__ import annotations

import re
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError
from kinema.formats.acclaim.lines import LARGEST
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
    rows = _Rows(_KEYWORD.sub(b"", data[first.start() :]), path, 1 + data.count(b"\n", 0, first.start()))
    second = next((row for row in range(1, len(rows)) if rows.is_frame(row)), len(rows))
    order = _bones_of_first_frame(rows, second, figure, warnings)
    frames, left = divmod(len(rows), second)
    if left:
        warnings.append(f"the last frame has {left - 1} of {second - 1} bones and was dropped: the file is cut short")
    starts = list(accumulate((len(bone.channels) for bone in figure.bones), initial=0))
    if frames * max(starts[-1], len(figure.bones)) > MOST_VALUES:
        raise FormatError(f"has {frames} frames of {len(figure.bones)} bones, more than are read", path=path)
    names = [figure.bones[bone].name.lower() for bone in order]
    widths = [len(figure.bones[bone].channels) for bone in order]
    columns = [starts[bone] + place for bone, width in zip(order, widths, strict=True) for place in range(width)]
    values = np.zeros((frames, starts[-1]))
    values[:, columns] = rows.numbers(frames, names, widths)
    return values, _in_degrees(data[: first.start()], figure.degrees)


def _in_degrees(head: bytes, default: bool) -> bool:
    """Whether a motion's angles are degrees: as its head says, else as the skeleton does."""
    said = [word for found in _KEYWORD.finditer(head) if (word := found[0].strip().lower()) in _ANGLES]
    return said[-1] == b":degrees" if said else default


def _bones_of_first_frame(rows: _Rows, second: int, figure: AcclaimSkeleton, warnings: list[str]) -> list[int]:
    """The bone of each row of the first frame, which ends where row `second` is."""
    by_name = figure.by_name()
    order = [rows.bone(row, by_name, figure) for row in range(1, second)]
    if len(set(order)) < len(order):
        raise rows.fail(0, "the first frame moves a bone twice")
    present = set(order)
    still = [bone.name for index, bone in enumerate(figure.bones) if bone.channels and index not in present]
    if still:
        warnings.append(f"bones without motion stay at rest: {', '.join(ascii(name)[1:-1] for name in still[:5])}")
    return order


class _Rows:
    """The words of a text, row by row; rows without words do not count."""

    def __init__(self, text: bytes, path: str, line: int) -> None:
        raw = np.frombuffer(text, np.uint8)
        blank = (raw == 32) | ((raw >= 9) & (raw <= 13))
        starts = np.flatnonzero(~blank & np.concatenate([[True], blank[:-1]]))
        if len(starts) > MOST_WORDS:
            raise FormatError(f"has {len(starts)} words; at most {MOST_WORDS} of a motion are read", path=path)
        lines = np.searchsorted(np.flatnonzero(raw == 10), starts)
        self.lines, self.first, self.counts = np.unique(lines, return_index=True, return_counts=True)
        self.words = text.split()
        self.path, self.line = path, line

    def __len__(self) -> int:
        return len(self.lines)

    def fail(self, row: int, message: str) -> FormatError:
        return FormatError(message, path=self.path, line=self.line + int(self.lines[row]))

    def head(self, row: int) -> bytes:
        return self.words[self.first[row]]

    def is_frame(self, row: int) -> bool:
        return self.counts[row] == 1 and self.head(row).isdigit()

    def bone(self, row: int, bones: dict[str, int], figure: AcclaimSkeleton) -> int:
        """The bone that a row of the first frame moves."""
        name = self.head(row).decode("latin-1")
        bone = bones.get(name.lower())
        if bone is None:
            raise self.fail(row, f"moves a bone {name[:40]!a} that the skeleton does not have; is it another's?")
        due = len(figure.bones[bone].channels)
        if self.counts[row] - 1 != due:
            here = self.counts[row] - 1
            raise self.fail(row, f"the bone {name[:40]!a} has {due} channels in the skeleton, {here} here")
        return bone

    def numbers(self, frames: int, names: list[str], widths: list[int]) -> Floats:
        """Numbers `[F, sum of widths]` of frames that all have the rows of the first."""
        rows = 1 + len(names)
        due = np.array([1, *(1 + width for width in widths)])
        wrong = np.flatnonzero(self.counts[: frames * rows].reshape(frames, rows) != due)
        per_frame = int(due.sum())
        if not wrong.size:
            words = self.words[: frames * per_frame]
            heads = np.cumsum(due) - due
            called = [words[head::per_frame] for head in heads.tolist()]
            fine = all(map(bytes.isdigit, called[0])) and all(
                {word.lower() for word in set(column)} == {name.encode("latin-1", "replace")}
                for name, column in zip(names, called[1:], strict=True)
            )
            if fine:
                return self._table(words, frames, per_frame, heads)
            wrong = [row for row in range(frames * rows) if not self._fits(row, row % rows, names)]
        row = int(wrong[0])
        place = row % rows
        expected = f"{names[place - 1][:40]!a} and {due[place] - 1} numbers" if place else "the number of a frame"
        shown = self.words[self.first[row] : self.first[row] + min(self.counts[row], 5)]
        found = b" ".join(shown).decode("latin-1")
        raise self.fail(row, f"expected {expected}, as in the first frame, found {found[:60]!a}")

    def _fits(self, row: int, place: int, names: list[str]) -> bool:
        head = self.head(row)
        return head.isdigit() if place == 0 else head.decode("latin-1").lower() == names[place - 1]

    def _table(self, words: list[bytes], frames: int, per_frame: int, heads: NDArray[np.int64]) -> Floats:
        columns = sorted(set(range(per_frame)) - set(heads.tolist()))
        table = np.empty((frames, len(columns)))
        for index, column in enumerate(columns):
            try:
                table[:, index] = list(map(float, words[column::per_frame]))
            except ValueError:
                table[:, index] = np.nan
            bad = np.flatnonzero(~(np.abs(table[:, index]) < LARGEST))
            if bad.size:
                at = next((f for f in range(frames) if not _is_number(words[column + f * per_frame])), int(bad[0]))
                row = int(np.searchsorted(self.first, column + at * per_frame, side="right")) - 1
                found = words[column + at * per_frame].decode("latin-1")
                raise self.fail(row, f"expected a number below {LARGEST:g}, found {found[:40]!a}")
        return table


def _is_number(word: bytes) -> bool:
    try:
        return abs(float(word)) < LARGEST
    except ValueError:
        return False
