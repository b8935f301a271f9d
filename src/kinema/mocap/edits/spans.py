"""Intervals of frames: half open, sorted, apart from each other."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from kinema.arrays import Bools

Span = tuple[int, int]
"""Frames `start` to `stop`, the latter not included."""

Spans = tuple[Span, ...]


def union(spans: Iterable[Span]) -> Spans:
    """The frames of all spans, as sorted spans with gaps between them; empty ones vanish."""
    joined: list[Span] = []
    for start, stop in sorted(span for span in spans if span[0] < span[1]):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], stop))
        else:
            joined.append((start, stop))
    return tuple(joined)


def without(spans: Iterable[Span], start: int, stop: int) -> Spans:
    """The spans without the frames `start` to `stop`."""
    if start >= stop:
        return tuple(spans)
    parts = [part for a, b in spans for part in ((a, min(b, start)), (max(a, stop), b))]
    return tuple(part for part in parts if part[0] < part[1])


def to_mask(spans: Iterable[Span], frames: int) -> Bools:
    """`[F]`, True in the spans."""
    mask = np.zeros(frames, bool)
    for start, stop in spans:
        mask[max(start, 0) : stop] = True
    return mask
