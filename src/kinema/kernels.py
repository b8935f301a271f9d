"""Compiled forms of hot paths. Each has a plain reference elsewhere and a parity test that binds the two."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, error_model="numpy")
def forward(
    local_rotations: NDArray[np.float32], local_translations: NDArray[np.float32], parents: NDArray[np.int32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Forward kinematics of `[N, J, 4]` and `[N or 1, J, 3]`; see `kinema.kinematics.forward`."""
    count, joints = local_rotations.shape[0], local_rotations.shape[1]
    global_rotations = np.empty((count, joints, 4), np.float32)
    global_positions = np.empty((count, joints, 3), np.float32)
    shared = local_translations.shape[0] == 1
    for n in range(count):
        row = 0 if shared else n
        for j in range(joints):
            p = parents[j]
            bw, bx = local_rotations[n, j, 0], local_rotations[n, j, 1]
            by, bz = local_rotations[n, j, 2], local_rotations[n, j, 3]
            vx, vy, vz = local_translations[row, j, 0], local_translations[row, j, 1], local_translations[row, j, 2]
            if p < 0:
                global_rotations[n, j, 0], global_rotations[n, j, 1] = bw, bx
                global_rotations[n, j, 2], global_rotations[n, j, 3] = by, bz
                global_positions[n, j, 0], global_positions[n, j, 1], global_positions[n, j, 2] = vx, vy, vz
                continue
            aw, ax = global_rotations[n, p, 0], global_rotations[n, p, 1]
            ay, az = global_rotations[n, p, 2], global_rotations[n, p, 3]
            tx = np.float32(2.0) * (ay * vz - az * vy)
            ty = np.float32(2.0) * (az * vx - ax * vz)
            tz = np.float32(2.0) * (ax * vy - ay * vx)
            global_positions[n, j, 0] = global_positions[n, p, 0] + vx + aw * tx + ay * tz - az * ty
            global_positions[n, j, 1] = global_positions[n, p, 1] + vy + aw * ty + az * tx - ax * tz
            global_positions[n, j, 2] = global_positions[n, p, 2] + vz + aw * tz + ax * ty - ay * tx
            global_rotations[n, j, 0] = aw * bw - ax * bx - ay * by - az * bz
            global_rotations[n, j, 1] = aw * bx + ax * bw + ay * bz - az * by
            global_rotations[n, j, 2] = aw * by - ax * bz + ay * bw + az * bx
            global_rotations[n, j, 3] = aw * bz + ax * by - ay * bx + az * bw
    return global_rotations, global_positions
