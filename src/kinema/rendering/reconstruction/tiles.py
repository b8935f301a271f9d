"""Kernels that list which Gaussians reach each tile of a picture."""

from __future__ import annotations

import math

import numpy as np

from kinema.arrays import Indices, Ints, Singles
from kinema.compiled import njit

TILE = 16
"""Pixels of a side of a tile."""

X, Y, DEPTH, REACH = 0, 1, 2, 9
"""Columns of what is seen; see `projection`."""


def listed(seen: Singles, width: int, height: int) -> tuple[Ints, Ints, Indices]:
    """Where the list of each tile ends, how long it is, both `[tiles down, tiles across]`, and all lists.

    Args:
        seen: `[N, COLUMNS]`, nearest first.
    """
    counts = np.zeros((-(-height // TILE), -(-width // TILE)), np.int64)
    _count(seen, counts)
    ends = np.cumsum(counts).reshape(counts.shape)
    lists = np.empty(int(counts.sum()), np.int32)
    _fill(seen, ends - counts, lists)
    return ends, counts, lists


@njit(nogil=True)
def _count(seen, counts):
    down, across = counts.shape
    for n in range(len(seen)):
        left, right, top, bottom = _box(seen, n, across, down)
        for row in range(top, bottom):
            for column in range(left, right):
                counts[row, column] += 1


@njit(nogil=True)
def _fill(seen, begins, lists):
    down, across = begins.shape
    for n in range(len(seen)):
        left, right, top, bottom = _box(seen, n, across, down)
        for row in range(top, bottom):
            for column in range(left, right):
                lists[begins[row, column]] = n
                begins[row, column] += 1


@njit
def _box(seen, n, across, down):
    x, y, rx, ry = seen[n, X], seen[n, Y], seen[n, REACH], seen[n, REACH + 1]
    left = min(max(math.floor((x - rx) / TILE), 0), across)
    right = min(max(math.floor((x + rx) / TILE) + 1, 0), across)
    top = min(max(math.floor((y - ry) / TILE), 0), down)
    bottom = min(max(math.floor((y + ry) / TILE) + 1, 0), down)
    return left, right, top, bottom
