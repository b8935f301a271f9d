"""Compiled nearest-neighbour search in two levels of boxes around groups of similar rows.

The rows are rotated to their principal axes, which changes no distance, and split at medians into boxes of 16. A few
leading axes hold nearly all of the variance, so they are enough to rule out nearly every box. The search is exact.
Values of a box are stored side by side, and so are its corners: sums over axes then use vector registers.
"""

# pyright: reportIndexIssue=false, reportAssignmentType=false, reportArgumentType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinema.compiled import njit
from kinema.kernels import clear

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]

ROWS = 16
"""Rows of an inner box. Smaller boxes mean more tests, larger ones rule out fewer rows."""

BOXES = 32
"""Inner boxes of an outer box."""

_SHARE = 0.97  # of the variance is held by the leading axes


class Boxes(NamedTuple):
    """Rows in two levels of boxes: `L` inner ones, `L / 32` outer ones. Free places are infinitely far away.

    Attributes:
        axes: `[D, D]`, the principal axes as columns, the widest first. mean: `[D]`.
        rows: `[L, D, 16]`, rotated.
        low, high: corners `[L / 32, K, 32]` of inner boxes along the `K` leading axes.
        outer_low, outer_high: corners `[K, L / 32]` of outer boxes.
    """

    axes: F32
    mean: F32
    rows: F32
    low: F32
    high: F32
    outer_low: F32
    outer_high: F32


def pack(features: F32) -> tuple[Boxes, I64]:
    """Boxes around the rows of `features` `[N, D]`, and which row is where, `[16 L]` (`N` for free places)."""
    dim = features.shape[1]
    mean = features.mean(axis=0, dtype=np.float64)
    variances, axes = np.linalg.eigh(np.cov(features.T, bias=True).reshape(dim, dim))
    variances, axes = variances[::-1], np.ascontiguousarray(axes[:, ::-1], np.float32)
    leading = min(int(np.searchsorted(np.cumsum(variances), _SHARE * variances.sum())) + 1, dim)
    rotated = (features - mean.astype(np.float32)) @ axes
    order = _arranged(rotated[:, :leading])
    places = np.concatenate([rotated, np.full((1, dim), np.inf, np.float32)])[order].reshape(-1, ROWS, dim)
    rows = np.ascontiguousarray(places.transpose(0, 2, 1))
    near = rows[:, :leading]
    low = near.min(axis=2).reshape(-1, BOXES, leading)
    high = np.where(np.isinf(near), np.float32(-np.inf), near).max(axis=2).reshape(-1, BOXES, leading)
    corners = [np.ascontiguousarray(corner.transpose(0, 2, 1)) for corner in (low, high)]
    outer = [np.ascontiguousarray(corner.T) for corner in (low.min(axis=1), high.max(axis=1))]
    return Boxes(axes, mean.astype(np.float32), rows, *corners, *outer), order


def _arranged(points: F32) -> I64:
    """The rows `[N]` of points `[N, K]` in an order in which each box holds similar ones, filled up with `N`."""
    count, whole = len(points), ROWS * BOXES
    pending, groups = [np.arange(count)], []
    while pending:
        rows = pending.pop()
        if len(rows) <= whole:
            groups.append(rows)
            continue
        half = (len(rows) // whole + 1) // 2 * whole  # only the last group is not full
        inside = points[rows]
        split = np.argpartition(inside[:, np.argmax(inside.var(axis=0))], half - 1)
        pending += [rows[split[half:]], rows[split[:half]]]
    order = np.concatenate(groups)
    free = -count % whole
    points = np.concatenate([points, points[order[-1:]]])
    order = np.concatenate([order, np.full(free, count)]).reshape(-1, whole)
    while order.shape[1] > ROWS:  # all groups at once
        inside = points[order]
        widest = inside.var(axis=1).argmax(axis=1)
        ranks = np.argsort(np.take_along_axis(inside, widest[:, None, None], axis=2)[..., 0], axis=1)
        order = np.take_along_axis(order, ranks, axis=1).reshape(-1, order.shape[1] // 2)
    return order.reshape(-1)


@njit(error_model="numpy")
def _add_outside(total: F32, value: np.float32, low: F32, high: F32) -> None:
    """Add the squared distances from a value to intervals (0 inside)."""
    for box in range(len(total)):
        below, above = low[box] - value, value - high[box]
        gap = below if below > above else above
        gap = gap if gap > np.float32(0.0) else np.float32(0.0)
        total[box] += gap * gap


@njit(error_model="numpy")
def _add_squares(total: F32, query: F32, rows: F32, first: int, last: int) -> None:
    """Add the squared differences along some of the axes."""
    for d in range(first, last):
        for i in range(ROWS):
            gap = query[d] - rows[d, i]
            total[i] += gap * gap


@njit(error_model="numpy")
def _scan(
    boxes: Boxes,
    box: int,
    penalty: F32,
    usable: NDArray[np.bool_],
    frames: I64,
    query: F32,
    best: int,
    cost: np.float32,
    total: F32,
) -> tuple[int, np.float32]:
    """Search an inner box. `best` and `cost` are the best so far, `total` `[16]` is scratch space."""
    rows, leading = boxes.rows[box], boxes.low.shape[1]
    clear(total)
    _add_squares(total, query, rows, 0, leading)
    least = total[0]
    for i in range(1, ROWS):
        least = min(least, total[i])
    if not least < cost:
        return best, cost
    _add_squares(total, query, rows, leading, len(query))
    for i in range(ROWS):
        if not total[i] < cost:
            continue
        frame = frames[ROWS * box + i]
        if len(usable) and not usable[frame]:
            continue
        whole = total[i] + penalty[frame] if len(penalty) else total[i]
        if whole < cost:
            best, cost = ROWS * box + i, whole
    return best, cost


@njit(error_model="numpy")
def _search(
    boxes: Boxes, penalty: F32, usable: NDArray[np.bool_], frames: I64, query: F32, bound: np.float32
) -> tuple[int, np.float32]:
    leading, outers = boxes.outer_low.shape
    outer, inner, total = np.zeros(outers, np.float32), np.empty(BOXES, np.float32), np.empty(ROWS, np.float32)
    for d in range(leading):
        _add_outside(outer, query[d], boxes.outer_low[d], boxes.outer_high[d])
    best, cost = -1, bound
    # At both levels the nearest box first. It tightens the bound, and the order of the others hardly matters.
    nearest = np.argmin(outer)
    for turn in range(-1, outers):
        a = nearest if turn < 0 else turn
        if not outer[a] < cost or turn == nearest:
            continue
        clear(inner)
        for d in range(leading):
            _add_outside(inner, query[d], boxes.low[a, d], boxes.high[a, d])
        closest = np.argmin(inner)
        for inner_turn in range(-1, BOXES):
            b = closest if inner_turn < 0 else inner_turn
            if inner[b] < cost and inner_turn != closest:
                best, cost = _scan(boxes, BOXES * a + b, penalty, usable, frames, query, best, cost, total)
    return best, cost


@njit(error_model="numpy")
def search(
    boxes: Boxes, penalty: F32, usable: NDArray[np.bool_], frames: I64, queries: F32, bounds: F32
) -> tuple[I64, F32]:
    """The place with the lowest cost below the bound of each query, and its cost; (-1, bound) if there is none.

    The cost is the squared distance plus the penalty (not negative; empty: none), over usable rows (empty: all).

    Args:
        penalty, usable: by frame of the database.
        frames: the frame in each place `[16 L]`.
        queries: `[B, D]`, rotated to the axes of the boxes.
        bounds: `[B]`.
    """
    found, costs = np.empty(len(queries), np.int64), np.empty(len(queries), np.float32)
    for b in range(len(queries)):
        found[b], costs[b] = _search(boxes, penalty, usable, frames, queries[b], bounds[b])
    return found, costs
