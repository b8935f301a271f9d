"""The rows of the timeline: contacts, labels and edits."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.mocap.contacts import runs
from kinema.mocap.edits import Edits
from kinema.motion import Motion
from kinema.session.clips import ClipSession

MOST_ROWS = 6
"""Maximum number of label rows; a file may hold hundreds of labels."""


@dataclass(frozen=True)
class Bar:
    """Frames `start` to `stop` (not included) of a row, with a text."""

    start: int
    stop: int
    text: str = ""


@dataclass(frozen=True)
class TimelineRow:
    """A named row of bars.

    Attributes:
        tone: `left`, `right` (of the body), `accent` or `good`: names of the theme's colours.
        kind: `contact`, `label` or `piece`: what a drag on it edits.
    """

    name: str
    bars: tuple[Bar, ...]
    tone: str = "accent"
    kind: str = "label"


def rows(session: ClipSession) -> list[TimelineRow]:
    """Rows of a session: contacts, labels of the file, then edits."""
    shown = session.shown
    if shown is None or shown.motion is None or shown.feet is None:
        return []
    contacts = session.contacts
    found = [
        TimelineRow(name, tuple(Bar(*span) for span in contacts.get(name, ())), _tone(name, index), "contact")
        for index, name in enumerate(shown.feet.points)
    ]
    return [*found, *label_rows(shown.motion), *(edit_rows(session.editor.edits) if session.editor.clip else [])]


def edit_rows(edits: Edits) -> list[TimelineRow]:
    """Rows of the pieces that are kept, and of labels."""
    pieces = tuple(
        Bar(piece.start, piece.stop, piece.name or f"clip {number}") for number, piece in enumerate(edits.pieces, 1)
    )
    found = [] if edits.whole else [TimelineRow("kept", pieces, "good", "piece")]
    for tag in edits.tags:
        bars = tuple(Bar(one.start, one.stop, one.text or tag) for one in edits.labels if one.tag == tag)
        found.append(TimelineRow(tag, bars, "accent", "label"))
    return found


def _tone(name: str, index: int) -> str:
    lower = name.lower()
    if "left" in lower or "right" in lower:
        return "left" if "left" in lower else "right"
    return ("left", "right")[index % 2]


def label_rows(motion: Motion) -> list[TimelineRow]:
    """Rows of labels that are truth values or words. Continuous labels are curves."""
    labels = {name: np.asarray(values) for name, values in motion.labels.items() if not name.startswith("contact.")}
    rows = (_label_row(name, values) for name, values in labels.items() if values.ndim == 1)
    return [row for row in rows if row is not None][:MOST_ROWS]


def _label_row(name: str, values: NDArray) -> TimelineRow | None:
    if values.dtype == np.bool_:
        return TimelineRow(name, tuple(Bar(*span) for span in runs(values)), "good")
    if values.dtype.kind in "UiS" and len(np.unique(values)) <= 40:
        return TimelineRow(name, tuple(Bar(a, b, str(word)) for a, b, word in stretches(values)), "accent")
    return None


def stretches(values: NDArray) -> list[tuple[int, int, object]]:
    """Runs of equal values in `[F]`: first frame, end (not included) and value."""
    if not len(values):
        return []
    edges = [0, *(np.flatnonzero(values[1:] != values[:-1]) + 1).tolist(), len(values)]
    return [(a, b, values[a].item()) for a, b in itertools.pairwise(edges)]
