"""Figures of the last seconds, for graphs over time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray


class FigureHistory:
    """Named figures of the last `seconds`, one row for each call of `add`; a name that a row lacks is a gap (NaN).

    Rows are stored twice, so that the last ones always lie in one piece of memory, in order.
    """

    def __init__(self, seconds: float, rate: float) -> None:
        self.seconds, self._length = seconds, max(int(seconds * rate), 2)
        self._times = np.full(2 * self._length, np.nan)
        self._values: dict[str, NDArray[np.float64]] = {}
        self._rows = 0

    def add(self, time: float, values: Mapping[str, float]) -> None:
        """Add a row at `time` seconds, which must not go back."""
        place = self._rows % self._length
        both = [place, place + self._length]
        self._rows += 1
        self._times[both] = time
        for name in [name for name in values if name not in self._values]:
            self._values[name] = np.full(2 * self._length, np.nan)
        for name, column in self._values.items():
            column[both] = values.get(name, np.nan)

    @property
    def names(self) -> list[str]:
        """All figures so far, in order of appearance."""
        return list(self._values)

    @property
    def times(self) -> NDArray[np.float64]:
        """Seconds of the rows kept, oldest first."""
        return self._window(self._times)

    def values(self, name: str) -> NDArray[np.float64]:
        """A figure in each row kept; NaN in rows that lack it, and everywhere for an unknown name."""
        column = self._values.get(name)
        return np.full(len(self.times), np.nan) if column is None else self._window(column)

    def last(self, name: str) -> float:
        """The newest value; NaN where there is none."""
        values = self.values(name)
        return float(values[-1]) if len(values) else float("nan")

    def mean(self, name: str, seconds: float) -> float:
        """The mean over the last seconds, gaps left out; 0 where there is nothing."""
        recent = self.values(name)[self.times > self._latest - seconds]
        recent = recent[np.isfinite(recent)]
        return float(recent.mean()) if len(recent) else 0.0

    def rate(self, name: str, seconds: float) -> float:
        """How much a running count grew in a second, over the last seconds; a reset does not count."""
        chosen = self.times > self._latest - seconds
        times, counts = self.times[chosen], np.nan_to_num(self.values(name)[chosen])
        if len(times) < 2 or times[-1] <= times[0]:
            return 0.0
        return float(np.maximum(np.diff(counts), 0.0).sum() / (times[-1] - times[0]))

    def clear(self) -> None:
        """Forget everything."""
        self._values.clear()
        self._rows = 0

    @property
    def _latest(self) -> float:
        times = self.times
        return float(times[-1]) if len(times) else 0.0

    def _window(self, column: NDArray[np.float64]) -> NDArray[np.float64]:
        if self._rows <= self._length:
            return column[: self._rows]
        first = self._rows % self._length
        return column[first : first + self._length]
