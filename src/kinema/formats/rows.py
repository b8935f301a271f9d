"""Rows of an array that are equal, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Ints

_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def unique_rows(rows: NDArray[Any]) -> tuple[Ints, Ints]:
    """The first index of each unique row of `[N, K]` `[U]`, ascending, and which of these every row is `[N]`.

    Zeros of either sign are equal. Rows are compared by a 64-bit hash, which is checked; sorting whole rows
    takes ten times as long.
    """
    count, width = rows.shape
    if not count or not width:
        return np.zeros(min(count, 1), np.int64), np.zeros(count, np.int64)
    kind = {4: np.uint32, 8: np.uint64}[rows.dtype.itemsize]
    plain = rows + rows.dtype.type(0)
    bits = np.ascontiguousarray(plain).view(kind)
    hashed = np.zeros(count, np.uint64)
    with np.errstate(over="ignore"):
        for column in range(width):
            hashed = (hashed ^ bits[:, column]) * _FACTOR
            hashed ^= hashed >> np.uint64(29)
    _, first, which = np.unique(hashed, return_index=True, return_inverse=True)
    which = which.reshape(-1)
    if not np.array_equal(bits[first[which]], bits):  # a collision, made on purpose
        keys = np.ascontiguousarray(bits).view(np.dtype((np.void, width * bits.itemsize)))[:, 0]
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        which = which.reshape(-1)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return first[order].astype(np.int64), rank[which]
