"""Figures of the last seconds, for graphs over time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray


class History:
    """Named figures of the last `seconds`, one row a call of `add`; a name that is missing in a row is a gap.

    Rows are kept twice, so that the last ones always lie in one piece of memory, in order.
    """

    def __init__(self, seconds: float, rate: float) -> None:
        self.seconds, self._length = seconds, max(int(seconds * rate), 2)
        self._times = np.full(2 * self._length, np.nan)
        self._values: dict[str, NDArray[np.float64]] = {}
        self._rows = 0

    def add(self, time: float, values: Mapping[str, float]) -> None:
        """A row at `time` seconds, which must not go back."""
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
        """All figures that were ever there, in order of appearance."""
        return list(self._values)

    @property
    def times(self) -> NDArray[np.float64]:
        """Seconds of the rows kept, oldest first."""
        return self._window(self._times)

    def values(self, name: str) -> NDArray[np.float64]:
        """A figure in each row kept, NaN where it was not there; all NaN for a name never seen."""
        column = self._values.get(name)
        return np.full(len(self.times), np.nan) if column is None else self._window(column)

    def last(self, name: str) -> float:
        """The newest value, NaN where there is none."""
        values = self.values(name)
        return float(values[-1]) if len(values) else float("nan")

    def clear(self) -> None:
        """Forget everything."""
        self._values.clear()
        self._rows = 0

    def _window(self, column: NDArray[np.float64]) -> NDArray[np.float64]:
        if self._rows <= self._length:
            return column[: self._rows]
        first = self._rows % self._length
        return column[first : first + self._length]
