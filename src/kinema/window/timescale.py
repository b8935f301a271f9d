"""The range of frames that the timeline shows."""

from __future__ import annotations

import math
from dataclasses import dataclass

CLOSEST = 8.0
"""Fewest frames that are shown."""


@dataclass
class Timescale:
    """Maps frames `first` to `last` of `frames` to the width of the timeline.

    Attributes:
        painting: whether drags over contacts say that the foot touches, or that it does not; None: they scrub.
    """

    frames: int = 1
    first: float = 0.0
    last: float = 1.0
    painting: bool | None = None

    def show(self, frames: int) -> None:
        """Show all of a clip, if its length differs from the last one."""
        if frames != self.frames:
            self.frames, self.first, self.last = frames, 0.0, max(frames - 1.0, 1.0)

    @property
    def length(self) -> float:
        """Number of frames shown."""
        return max(self.last - self.first, 1e-6)

    def x_of(self, frame: float, left: float, width: float) -> float:
        """Position of a frame on a line from `left`, `width` long."""
        return left + (frame - self.first) / self.length * width

    def frame_at(self, x: float, left: float, width: float) -> float:
        """The frame at a position on that line, clamped to the clip."""
        frame = self.first + (x - left) / max(width, 1.0) * self.length
        return min(max(frame, 0.0), max(self.frames - 1.0, 0.0))

    def zoom(self, notches: float, frame: float) -> None:
        """Zoom in or out around a frame."""
        whole = max(self.frames - 1.0, 1.0)
        wanted = min(max(self.length * 0.8**notches, min(CLOSEST, whole)), whole)
        share = (frame - self.first) / self.length
        self._show(frame - share * wanted, wanted)

    def pan(self, frames: float) -> None:
        """Pan by some frames."""
        self._show(self.first + frames, self.length)

    def follow(self, frame: float) -> None:
        """Pan when the playhead leaves the range."""
        if not self.first <= frame <= self.last:
            self._show(frame - 0.05 * self.length, self.length)

    def _show(self, first: float, length: float) -> None:
        self.first = min(max(first, 0.0), max(self.frames - 1.0 - length, 0.0))
        self.last = self.first + length

    def ticks(self, width: float, gap: float) -> list[int]:
        """Frames to label, at least `gap` apart: multiples of 1, 2 or 5 times a power of 10."""
        rough = max(self.length * gap / max(width, 1.0), 1.0)
        power = 10 ** math.floor(math.log10(rough))
        step = next(int(power * factor) for factor in (1, 2, 5, 10) if power * factor >= rough - 1e-9)
        begin = math.ceil(self.first / step) * step
        return list(range(begin, math.floor(self.last) + 1, step))
