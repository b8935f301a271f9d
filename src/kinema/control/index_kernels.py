"""Compiled nearest-neighbour search in boxes around runs of frames, after the search of D. Holden's motion matching.

Consecutive frames are similar, so the boxes around short runs of them are small. Frames of a box are stored side by
side, and so are the boxes. Sums over dimensions then use vector registers without changing the order of additions.
Testing every box streams through memory and is cheaper than visiting the boxes of a coarser level.
"""

# pyright: reportIndexIssue=false, reportAssignmentType=false, reportArgumentType=false

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.compiled import njit

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
Boxes = tuple[F32, F32, F32]

RUN = 16
"""Frames per box. Smaller boxes mean more tests, larger ones exclude fewer frames."""


def pack(features: F32) -> Boxes:
    """Features `[N, D]` as blocks `[L, D, 16]`, with the lower and upper corners `[D, L]` of their boxes.

    Unused slots are infinitely far away.
    """
    count, dim = features.shape
    boxes = -(-count // RUN)
    padded = np.full((boxes * RUN, dim), np.inf, np.float32)
    padded[:count] = features
    blocks = np.ascontiguousarray(padded.reshape(boxes, RUN, dim).transpose(0, 2, 1))
    low = blocks.min(axis=2)
    high = np.where(np.isinf(blocks), np.float32(-np.inf), blocks).max(axis=2)
    return blocks, np.ascontiguousarray(low.T), np.ascontiguousarray(high.T)


@njit(error_model="numpy", inline="always")
def _outside(value: np.float32, low: np.float32, high: np.float32) -> np.float32:
    """Distance from a value to an interval (0 inside)."""
    below, above = low - value, value - high
    gap = below if below > above else above
    return gap if gap > np.float32(0.0) else np.float32(0.0)


@njit(error_model="numpy")
def _distances(low: F32, high: F32, query: F32) -> F32:
    """Squared distances `[L]` from the query to the boxes."""
    distance = np.zeros(low.shape[1], np.float32)
    for d in range(len(query)):
        for box in range(len(distance)):
            gap = _outside(query[d], low[d, box], high[d, box])
            distance[box] += gap * gap
    return distance


@njit(error_model="numpy")
def _scan(
    blocks: F32,
    penalty: F32,
    usable: NDArray[np.bool_],
    frames: I64,
    query: F32,
    box: int,
    best: int,
    cost: np.float32,
    total: F32,
) -> tuple[int, np.float32]:
    """Search one box. `best` and `cost` are the best so far, `total` `[16]` is scratch space."""
    total[:] = np.float32(0.0)
    for d in range(len(query)):
        for i in range(RUN):
            gap = query[d] - blocks[box, d, i]
            total[i] += gap * gap
    first = box * RUN
    for i in range(min(RUN, len(frames) - first)):
        if total[i] >= cost:
            continue
        frame = frames[first + i]
        if len(usable) and not usable[frame]:
            continue
        whole = total[i] + penalty[frame] if len(penalty) else total[i]
        if whole < cost:
            best, cost = first + i, whole
    return best, cost


@njit(error_model="numpy")
def search(
    boxes: Boxes, penalty: F32, usable: NDArray[np.bool_], frames: I64, query: F32, bound: np.float32
) -> tuple[int, np.float32]:
    """The row with the lowest cost below `bound`, and its cost; (-1, bound) if there is none.

    The cost is the squared distance plus the penalty (not negative; empty: none), over usable rows (empty: all).
    Penalty and mask are indexed by frame of the database; `frames` `[N]` are the frames of the rows.
    """
    blocks, low, high = boxes
    distance = _distances(low, high, query)
    total = np.empty(RUN, np.float32)
    best, cost = -1, bound
    # The nearest box first. It tightens the bound, and the order of the others hardly matters.
    nearest = np.argmin(distance)
    if distance[nearest] < cost:
        best, cost = _scan(blocks, penalty, usable, frames, query, nearest, best, cost, total)
    for box in range(len(distance)):
        if distance[box] < cost and box != nearest:
            best, cost = _scan(blocks, penalty, usable, frames, query, box, best, cost, total)
    return best, cost
