"""Rows of batched meshes: viser cannot change their number, so unused rows are kept out of sight."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

AWAY = np.array([0, -1000, 0], np.float32)
"""Position of unused instances."""

IDENTITY = np.array([1, 0, 0, 0], np.float32)


def padded(rows: NDArray, room: int, fill: ArrayLike) -> NDArray:
    """Rows `[n, ...]`, followed by copies of `fill` up to `room` rows."""
    unused = np.broadcast_to(np.asarray(fill, rows.dtype), (room - len(rows), *rows.shape[1:]))
    return np.concatenate([rows, unused])
