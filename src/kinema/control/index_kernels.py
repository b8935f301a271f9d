"""Compiled nearest-neighbour search in nested boxes, after the search of D. Holden's motion matching."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]

SMALL, LARGE = 16, 64


@njit(cache=True, error_model="numpy")
def boxes(features: F32, size: int) -> tuple[F32, F32]:
    """Lower and upper corners [B, D] of the boxes around each `size` consecutive rows of features [N, D]."""
    n, dim = features.shape
    count = (n + size - 1) // size
    low = np.full((count, dim), np.inf, np.float32)
    high = np.full((count, dim), -np.inf, np.float32)
    for i in range(n):
        b = i // size
        for d in range(dim):
            low[b, d] = min(low[b, d], features[i, d])
            high[b, d] = max(high[b, d], features[i, d])
    return low, high


@njit(cache=True, error_model="numpy", inline="always")
def _distance_to_box(query: F32, low: F32, high: F32, box: int) -> np.float32:
    total = np.float32(0.0)
    for d in range(len(query)):
        gap = max(low[box, d] - query[d], query[d] - high[box, d], np.float32(0.0))
        total += gap * gap
    return total


@njit(cache=True, error_model="numpy")
def _scan(
    features: F32, small_low: F32, small_high: F32, penalty: F32, usable: NDArray[np.bool_], frames: I64, query: F32,
    large: int, best: int, cost: np.float32,
) -> tuple[int, np.float32]:  # fmt: skip
    """Search one large box; `best` and `cost` are the best so far."""
    n, dim = features.shape
    first_small = large * (LARGE // SMALL)
    for small in range(first_small, min(first_small + LARGE // SMALL, len(small_low))):
        if _distance_to_box(query, small_low, small_high, small) >= cost:
            continue
        for i in range(small * SMALL, min((small + 1) * SMALL, n)):
            if len(usable) and not usable[frames[i]]:
                continue
            total = penalty[frames[i]] if len(penalty) else np.float32(0.0)
            for d in range(dim):
                gap = query[d] - features[i, d]
                total += gap * gap
            if total < cost:
                best, cost = i, total
    return best, cost


@njit(cache=True, error_model="numpy")
def search(
    features: F32, small_low: F32, small_high: F32, large_low: F32, large_high: F32, penalty: F32,
    usable: NDArray[np.bool_], frames: I64, query: F32, bound: np.float32,
) -> tuple[int, np.float32]:  # fmt: skip
    """Row with the least cost below `bound`, and its cost; (-1, bound) if there is none.

    Cost = squared distance + penalty (not negative; empty: none), over rows that are usable (empty: all). Both are by
    frame of the database; `frames` [N] are those of the rows.
    """
    count = len(large_low)
    distance = np.empty(count, np.float32)
    nearest = 0
    for box in range(count):
        distance[box] = _distance_to_box(query, large_low, large_high, box)
        if distance[box] < distance[nearest]:
            nearest = box
    # The nearest box first: its best frame is a tight bound that rules out nearly all others.
    best, cost = _scan(features, small_low, small_high, penalty, usable, frames, query, nearest, -1, bound)
    for box in range(count):
        if box != nearest and distance[box] < cost:
            best, cost = _scan(features, small_low, small_high, penalty, usable, frames, query, box, best, cost)
    return best, cost
