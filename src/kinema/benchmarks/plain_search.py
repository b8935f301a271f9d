"""The usual search of motion matching, as a baseline: boxes around runs of 16 and of 64 consecutive frames.

After the search in D. Holden's motion matching demo: a sum over dimensions ends as soon as it exceeds the best cost.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.compiled import njit

F32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PlainBoxes:
    """Rows `[N, D]` and the corners of their boxes: `[N / 16, D]` small ones, `[N / 64, D]` large ones."""

    rows: F32
    small_low: F32
    small_high: F32
    large_low: F32
    large_high: F32

    @staticmethod
    def build(rows: F32) -> PlainBoxes:
        """Put boxes around consecutive rows."""
        starts = [np.arange(0, len(rows), run) for run in (16, 64)]
        corners = [edge.reduceat(rows, start, axis=0) for start in starts for edge in (np.minimum, np.maximum)]
        return PlainBoxes(np.ascontiguousarray(rows), *corners)

    def search(self, query: F32, bound: float = np.inf) -> tuple[int, float]:
        """The nearest row whose squared distance is below `bound`, and the distance; (-1, bound) if there is none."""
        parts = (self.rows, self.small_low, self.small_high, self.large_low, self.large_high)
        best, cost = _search(*parts, query, np.float32(bound))
        return best, float(cost)


@njit(error_model="numpy")
def _outside(query: F32, low: F32, high: F32, cost: np.float32) -> np.float32:
    total = np.float32(0)
    for d in range(len(query)):
        gap = query[d] - min(max(query[d], low[d]), high[d])
        total += gap * gap
        if total >= cost:
            break
    return total


@njit(error_model="numpy")
def _search(rows: F32, small_low: F32, small_high: F32, large_low: F32, large_high: F32, query: F32, cost: np.float32):
    best, i = -1, 0
    while i < len(rows):
        large_stop = min(i // 64 * 64 + 64, len(rows))
        if _outside(query, large_low[i // 64], large_high[i // 64], cost) >= cost:
            i = large_stop
            continue
        while i < large_stop:
            small_stop = min(i // 16 * 16 + 16, len(rows))
            if _outside(query, small_low[i // 16], small_high[i // 16], cost) >= cost:
                i = small_stop
                continue
            while i < small_stop:
                total = _outside(query, rows[i], rows[i], cost)
                if total < cost:
                    best, cost = i, total
                i += 1
    return best, cost
