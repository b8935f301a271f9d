"""Compiled placing of poses in the world."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

F32 = NDArray[np.float32]


@njit(cache=True, error_model="numpy")
def place(root_positions: F32, root_rotations: F32, turned: F32, positions: F32) -> None:
    """Carry joints from the root frames into the world, in place.

    Args:
        root_positions, root_rotations: `[n, 3]` and `[n, 4]`, about +Y only.
        turned, positions: `[n, J, 4]` and `[n, J, 3]`, changed.
    """
    for n in range(turned.shape[0]):
        w, y = root_rotations[n, 0], root_rotations[n, 2]
        cosine, sine = w * w - y * y, 2 * w * y
        for j in range(turned.shape[1]):
            q = turned[n, j]
            q[0], q[1], q[2], q[3] = w * q[0] - y * q[2], w * q[1] + y * q[3], w * q[2] + y * q[0], w * q[3] - y * q[1]
            p = positions[n, j]
            p[0], p[2] = cosine * p[0] + sine * p[2], cosine * p[2] - sine * p[0]
            for axis in range(3):
                p[axis] += root_positions[n, axis]
