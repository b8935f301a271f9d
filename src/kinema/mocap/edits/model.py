"""Manual edits of a clip: which frames to keep, labels, foot contacts, and mirroring.

Nothing here changes a motion; `kinema.mocap.edits.apply` makes new ones.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from kinema.errors import KinemaError, one_line
from kinema.mocap.edits.spans import Span, Spans, union

MOST_MARKS = 100_000
"""More pieces, labels or contacts than this are refused: no hand makes them, and hostile files do."""

LONGEST_TEXT = 400
LONGEST_WORD = 40
_WORD = re.compile(r"[^\W_][\w-]*")


class EditError(KinemaError):
    """An edit does not fit its clip, or a file of edits cannot be used."""


@dataclass(frozen=True, order=True)
class Piece:
    """Frames `start` to `stop` (not included) that become a clip of their own; without a name it is numbered."""

    start: int
    stop: int
    name: str = ""


@dataclass(frozen=True, order=True)
class Label:
    """What happens in the frames `start` to `stop` (not included): a lower-case word, and any text to it."""

    start: int
    stop: int
    tag: str
    text: str = ""


@dataclass(frozen=True, order=True)
class Contacts:
    """When one contact point is in contact: `left`, `right`, or the joint's name where there is no pair of legs."""

    point: str
    spans: Spans


@dataclass(frozen=True)
class Edits:
    """All edits of one clip. Start from `none` and apply the functions of `kinema.mocap.edits.change`.

    Attributes:
        frames: number of frames of the clip; every interval lies within.
        fps: frame rate of the clip.
        pieces: what is kept, ascending, without overlap; the frames between them never enter a database.
        labels: the labels, in ascending order.
        contacts: when each contact point is in contact; None where the file or detection decides.
        mirror: whether the mirror image may enter a database.
        partners: pairs of joint names that override the mirror map; a joint with itself stays in its place.
    """

    frames: int
    fps: float
    pieces: tuple[Piece, ...]
    labels: tuple[Label, ...] = ()
    contacts: tuple[Contacts, ...] | None = None
    mirror: bool = True
    partners: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def none(frames: int, fps: float) -> Edits:
        """The clip as it is: one piece, no labels."""
        return Edits(frames, float(fps), (Piece(0, frames),) if frames > 0 else ())

    def __post_init__(self) -> None:
        if isinstance(self.frames, bool) or not isinstance(self.frames, int) or self.frames < 0:
            raise EditError(f"a clip has a whole number of frames, not {self.frames!r}")
        if not (math.isfinite(self.fps) and self.fps > 0):
            raise EditError(f"a clip has a positive number of frames per second, not {self.fps!r}")
        self._check_pieces()
        self._check_labels()
        self._check_contacts()
        named = [joint for pair in self.partners for joint in set(pair)]
        if len(named) != len(set(named)):
            raise EditError("a joint has one mirror partner, but a joint is in two pairs")
        marks = len(self.pieces) + len(self.labels) + sum(len(track.spans) for track in self.contacts or ())
        if marks + len(self.partners) > MOST_MARKS:
            raise EditError(f"more than {MOST_MARKS} marks in one clip")

    def _check_pieces(self) -> None:
        end = 0
        for piece in self.pieces:
            self._check_span(piece.start, piece.stop, "piece")
            if piece.start < end:
                raise EditError(f"pieces must not overlap and go up; one starts at {piece.start}, before {end}")
            if piece.name:
                check_text(piece.name, "name of a piece", LONGEST_WORD)
            end = piece.stop

    def _check_labels(self) -> None:
        for label in self.labels:
            self._check_span(label.start, label.stop, "label")
            if check_word(label.tag) != label.tag:
                raise EditError(f"tag {label.tag!r} must be written {check_word(label.tag)!r}")
            check_text(label.text, "text of a label", LONGEST_TEXT)
        if list(self.labels) != sorted(set(self.labels)):
            raise EditError("labels must go up, each once")

    def _check_contacts(self) -> None:
        points = [track.point for track in self.contacts or ()]
        if points != sorted(set(points)):
            raise EditError("contact points must go up by name, each once")
        for track in self.contacts or ():
            for start, stop in track.spans:
                self._check_span(start, stop, f"contact of {track.point}")
            if union(track.spans) != track.spans:
                raise EditError(f"contacts of {track.point} must go up with gaps between them")

    def _check_span(self, start: int, stop: int, what: str) -> None:
        if not 0 <= start < stop <= self.frames:
            raise EditError(f"{what} of frames {start} to {stop} is not within the {self.frames} frames of the clip")

    @property
    def whole(self) -> bool:
        """Whether all of the clip is kept, in one nameless piece."""
        return self.pieces == Edits.none(self.frames, self.fps).pieces

    @property
    def empty(self) -> bool:
        """Whether nothing is edited."""
        return self == Edits.none(self.frames, self.fps)

    @property
    def kept(self) -> int:
        """Frames in all pieces."""
        return sum(piece.stop - piece.start for piece in self.pieces)

    @property
    def tags(self) -> tuple[str, ...]:
        """The words of all labels, each once, in order."""
        return tuple(dict.fromkeys(label.tag for label in self.labels))

    @property
    def summary(self) -> str:
        """What is edited, in words: `2 pieces (812 of 995 frames), walk, jumpcontacts`; empty for nothing."""
        parts: list[str] = []
        if not self.whole:
            count = len(self.pieces)
            parts.append(f"{count} piece{'s' * (count != 1)} ({self.kept} of {self.frames} frames)")
        parts += self.tags
        if self.contacts is not None:
            parts.append("contacts")
        if not self.mirror:
            parts.append("not mirrored")
        if self.partners:
            parts.append("mirror map")
        return ", ".join(parts)

    def contact_spans(self, point: str) -> Spans | None:
        """When a point is in contact; None where it is not edited."""
        return next((track.spans for track in self.contacts or () if track.point == point), None)

    def clamp(self, start: int, stop: int) -> Span:
        """The part of an interval that lies in the clip, its ends in either order.

        Raises:
            EditError: there is none.
        """
        first, last = max(min(start, stop), 0), min(max(start, stop), self.frames)
        if first >= last:
            raise EditError(f"frames {start} to {stop} hold none of the {self.frames} frames of the clip")
        return first, last


def check_word(text: str) -> str:
    """A tag as it is stored: one lower-case word of letters, digits, `-` and `_`.

    Raises:
        EditError: it is not one word.
    """
    word = text.strip().lower()
    if len(word) > LONGEST_WORD or not _WORD.fullmatch(word):
        raise EditError(f"tag {text[:60]!r} must be one word of letters and digits, such as walk or jump-left")
    return word


def check_text(text: str, what: str, longest: int) -> str:
    """Text as it is stored: one line without control characters.

    Raises:
        EditError: it is too long, or holds what is not for reading.
    """
    if len(text) > longest or one_line(text) != text:
        raise EditError(f"{what} must be one line of at most {longest} characters: {text[:60]!r}")
    return text
