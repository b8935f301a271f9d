"""A history of figures, for graphs over time."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray


class FigureHistory:
    """Named figures of the last `seconds`, one row per call of `add`; missing figures are NaN."""

    def __init__(self, seconds: float, rate: float) -> None:
        self.seconds = seconds
        self._rows: deque[tuple[float, Mapping[str, float]]] = deque(maxlen=max(int(seconds * rate), 2))
        self._names: dict[str, None] = {}

    def add(self, time: float, values: Mapping[str, float]) -> None:
        """Add a row at `time` seconds; times must not decrease."""
        self._rows.append((time, dict(values)))
        self._names |= dict.fromkeys(values)

    @property
    def names(self) -> list[str]:
        """Names of all figures, in order of appearance."""
        return list(self._names)

    @property
    def times(self) -> NDArray[np.float64]:
        """Times of the rows, seconds, oldest first."""
        return np.array([time for time, _ in self._rows], np.float64)

    def values(self, name: str) -> NDArray[np.float64]:
        """Values of a figure in all rows; NaN where it is missing."""
        return np.array([values.get(name, np.nan) for _, values in self._rows], np.float64)

    def last(self, name: str) -> float:
        """The last value; NaN if there is none."""
        return self._rows[-1][1].get(name, np.nan) if self._rows else np.nan

    def mean(self, name: str, seconds: float) -> float:
        """Mean over the last seconds without missing values; 0 if there are none."""
        recent = self.values(name)[self.times > self._latest - seconds]
        recent = recent[np.isfinite(recent)]
        return float(recent.mean()) if len(recent) else 0.0

    def rate(self, name: str, seconds: float) -> float:
        """Growth per second of a counter over the last seconds; resets are ignored."""
        chosen = self.times > self._latest - seconds
        times, counts = self.times[chosen], np.nan_to_num(self.values(name)[chosen])
        if len(times) < 2 or times[-1] <= times[0]:
            return 0.0
        return float(np.maximum(np.diff(counts), 0.0).sum() / (times[-1] - times[0]))

    def clear(self) -> None:
        """Remove all rows."""
        self._rows.clear()
        self._names.clear()

    @property
    def _latest(self) -> float:
        return self._rows[-1][0] if self._rows else 0.0
