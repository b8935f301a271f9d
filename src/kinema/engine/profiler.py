"""Measures the time that each system takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_KEPT = 1024


@dataclass(frozen=True)
class ProfileRow:
    """The cost of one system.

    Attributes:
        name: name of the system.
        calls: number of calls.
        mean_ms: mean of all calls, milliseconds.
        p99_ms: 99th percentile of the last 1024 calls, milliseconds.
        share: fraction of all time measured, 0 to 1.
    """

    name: str
    calls: int
    mean_ms: float
    p99_ms: float
    share: float


class _Track:
    def __init__(self) -> None:
        self.calls = self.total = 0
        self.recent: NDArray[np.int64] = np.zeros(_KEPT, np.int64)


class Profiler:
    """Adds up times by name. Adding one takes well under a microsecond."""

    def __init__(self) -> None:
        self._tracks: dict[str, _Track] = {}

    def add(self, name: str, nanoseconds: int) -> None:
        """Record the duration of one call."""
        track = self._tracks.get(name)
        if track is None:
            track = self._tracks[name] = _Track()
        track.recent[track.calls % _KEPT] = nanoseconds
        track.calls += 1
        track.total += nanoseconds

    def rows(self) -> list[ProfileRow]:
        """The measurements, most expensive first."""
        whole = sum(track.total for track in self._tracks.values()) or 1
        rows = [
            ProfileRow(
                name,
                track.calls,
                1e-6 * track.total / track.calls,
                1e-6 * float(np.percentile(track.recent[: track.calls], 99)),
                track.total / whole,
            )
            for name, track in self._tracks.items()
        ]
        return sorted(rows, key=lambda row: -row.share)

    def reset(self) -> None:
        """Discard all measurements."""
        self._tracks.clear()
