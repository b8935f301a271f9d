"""The rows of the timeline: when feet touch, what labels say."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.motion import Motion
from kinema.window.footage import Footage, Spans

MOST_ROWS = 6
"""Rows of labels that are shown; a file may hold hundreds."""


@dataclass(frozen=True)
class Bar:
    """Frames `start` to `stop` (not included) of a row, with what is written on them."""

    start: int
    stop: int
    text: str = ""


@dataclass(frozen=True)
class Row:
    """A named row of bars.

    Attributes:
        tone: `left`, `right` (of the body), `accent` or `good`: names of the theme's colours.
        kind: `contact`, `label` or `piece`: what a stroke on it changes while editing.
    """

    name: str
    bars: tuple[Bar, ...]
    tone: str = "accent"
    kind: str = "label"


def rows(footage: Footage, contacts: Mapping[str, Spans]) -> list[Row]:
    """Contacts first, then labels of the file."""
    found = [
        Row(name, tuple(Bar(*span) for span in contacts.get(name, ())), _tone(name, index), "contact")
        for index, name in enumerate(footage.feet)
    ]
    return found + (label_rows(footage.motion) if footage.motion is not None else [])


def _tone(name: str, index: int) -> str:
    lower = name.lower()
    if "left" in lower or "right" in lower:
        return "left" if "left" in lower else "right"
    return ("left", "right")[index % 2]


def label_rows(motion: Motion) -> list[Row]:
    """Labels that are yes or no, or words: stretches of frames. Numbers that flow belong to the curves."""
    found: list[Row] = []
    for name, values in motion.labels.items():
        values = np.asarray(values)
        if name.startswith("contact.") or values.ndim != 1 or len(found) == MOST_ROWS:
            continue
        if values.dtype == np.bool_:
            found.append(Row(name, tuple(Bar(a, b) for a, b, on in stretches(values) if on), "good"))
        elif values.dtype.kind in "UiS" and len(np.unique(values)) <= 40:
            found.append(Row(name, tuple(Bar(a, b, str(word)) for a, b, word in stretches(values)), "accent"))
    return found


def stretches(values: NDArray) -> list[tuple[int, int, object]]:
    """Runs of equal values of `[F]`: first frame, end (not included) and value."""
    if not len(values):
        return []
    edges = [0, *(np.flatnonzero(values[1:] != values[:-1]) + 1).tolist(), len(values)]
    return [(a, b, values[a].item()) for a, b in itertools.pairwise(edges)]
