"""Compiled nearest-neighbour search in nested boxes, after the search of D. Holden's motion matching.

Frames follow each other in time, so boxes around runs of them are small. Everything is laid out side by side (eight
frames of a small box, eight small boxes of a large one, all large boxes): sums over dimensions then run in vector
registers, without changing the order of their additions.
"""

# pyright: reportIndexIssue=false, reportAssignmentType=false, reportArgumentType=false

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
Boxes = tuple[F32, F32, F32, F32, F32]

WIDE = 8
LARGE = WIDE * WIDE
NEAREST_FIRST = 12
"""Boxes taken in the order of their distance; by then the bound is tight and the order of the others hardly matters."""


def pack(features: F32) -> Boxes:
    """Features [N, D] in blocks [L, 8, D, 8], and corners of small boxes [L, D, 8] and of large ones [D, L].

    Lower corners come before upper ones. Places without a frame are infinitely far away.
    """
    count, dim = features.shape
    large = -(-count // LARGE)
    padded = np.full((large * LARGE, dim), np.inf, np.float32)
    padded[:count] = features
    blocks = np.ascontiguousarray(padded.reshape(large, WIDE, WIDE, dim).transpose(0, 1, 3, 2))
    low = blocks.min(axis=3)
    high = np.where(np.isinf(blocks), np.float32(-np.inf), blocks).max(axis=3)
    small = [np.ascontiguousarray(corner.transpose(0, 2, 1)) for corner in (low, high)]
    wide = [np.ascontiguousarray(low.min(axis=1).T), np.ascontiguousarray(high.max(axis=1).T)]
    return blocks, small[0], small[1], wide[0], wide[1]


@njit(cache=True, error_model="numpy", inline="always")
def _outside(value: np.float32, low: np.float32, high: np.float32) -> np.float32:
    """How far a value is outside of an interval (0 inside)."""
    below, above = low - value, value - high
    gap = below if below > above else above
    return gap if gap > np.float32(0.0) else np.float32(0.0)


@njit(cache=True, error_model="numpy")
def _scan(
    blocks: F32, small_low: F32, small_high: F32, penalty: F32, usable: NDArray[np.bool_], frames: I64, query: F32,
    large: int, best: int, cost: np.float32,
) -> tuple[int, np.float32]:  # fmt: skip
    """Search one large box; `best` and `cost` are the best so far."""
    distance = np.zeros(WIDE, np.float32)
    for d in range(len(query)):
        for s in range(WIDE):
            gap = _outside(query[d], small_low[large, d, s], small_high[large, d, s])
            distance[s] += gap * gap
    total = np.empty(WIDE, np.float32)
    for s in range(WIDE):
        if distance[s] >= cost:
            continue
        total[:] = np.float32(0.0)
        for d in range(len(query)):
            for i in range(WIDE):
                gap = query[d] - blocks[large, s, d, i]
                total[i] += gap * gap
        first = large * LARGE + s * WIDE
        for i in range(min(WIDE, len(frames) - first)):
            if total[i] >= cost:
                continue
            frame = frames[first + i]
            if len(usable) and not usable[frame]:
                continue
            whole = total[i] + penalty[frame] if len(penalty) else total[i]
            if whole < cost:
                best, cost = first + i, whole
    return best, cost


@njit(cache=True, error_model="numpy")
def search(
    boxes: Boxes, penalty: F32, usable: NDArray[np.bool_], frames: I64, query: F32, bound: np.float32
) -> tuple[int, np.float32]:
    """Row with the least cost below `bound`, and its cost; (-1, bound) if there is none.

    Cost = squared distance + penalty (not negative; empty: none), over rows that are usable (empty: all). Both are by
    frame of the database; `frames` [N] are those of the rows.
    """
    blocks, small_low, small_high, low, high = boxes
    count = len(blocks)
    distance = np.zeros(count, np.float32)
    for d in range(len(query)):
        for box in range(count):
            gap = _outside(query[d], low[d, box], high[d, box])
            distance[box] += gap * gap
    best, cost = -1, bound
    for _ in range(NEAREST_FIRST):
        nearest = np.argmin(distance)
        if not distance[nearest] < cost:
            return best, cost
        best, cost = _scan(blocks, small_low, small_high, penalty, usable, frames, query, nearest, best, cost)
        distance[nearest] = np.inf
    for box in range(count):
        if distance[box] < cost:
            best, cost = _scan(blocks, small_low, small_high, penalty, usable, frames, query, box, best, cost)
    return best, cost
