"""Compiled kernels for the work on every entity or joint in every step. The tests have plain reference versions."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.compiled import njit

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]


@njit(error_model="numpy")
def depths(parents: I64) -> I64:
    """The number of ancestors of each row `[N]`. `parents` are rows, -1 for none, without cycles."""
    result = np.full(parents.shape[0], -1, np.int64)
    for row in range(parents.shape[0]):
        above = 0
        at = row
        while at >= 0 and result[at] < 0:
            above += 1
            at = parents[at]
        depth = above + (result[at] if at >= 0 else -1)
        at = row
        while at >= 0 and result[at] < 0:
            result[at] = depth
            depth -= 1
            at = parents[at]
    return result


@njit(error_model="numpy")
def inherit(order: I64, parents: I64, flags: NDArray[np.bool_]) -> None:
    """Flag all descendants of flagged rows `[N]`, in place. `order` has parents first."""
    for row in order:
        if parents[row] >= 0 and flags[parents[row]]:
            flags[row] = True


@njit(error_model="numpy")
def propagate(
    order: I64,
    parents: I64,
    positions: F32,
    rotations: F32,
    scales: F32,
    global_positions: F32,
    global_rotations: F32,
    global_scales: F32,
) -> None:
    """Compute global from local transforms `[N, ...]`. `order` has parents first; `parents` are rows or -1."""
    for row in order:
        p = parents[row]
        vx, vy, vz = positions[row, 0], positions[row, 1], positions[row, 2]
        bw, bx, by, bz = rotations[row, 0], rotations[row, 1], rotations[row, 2], rotations[row, 3]
        if p < 0:
            global_positions[row, 0], global_positions[row, 1], global_positions[row, 2] = vx, vy, vz
            global_rotations[row, 0], global_rotations[row, 1] = bw, bx
            global_rotations[row, 2], global_rotations[row, 3] = by, bz
            global_scales[row] = scales[row]
            continue
        s = global_scales[p]
        vx, vy, vz = s * vx, s * vy, s * vz
        aw, ax = global_rotations[p, 0], global_rotations[p, 1]
        ay, az = global_rotations[p, 2], global_rotations[p, 3]
        tx = np.float32(2.0) * (ay * vz - az * vy)
        ty = np.float32(2.0) * (az * vx - ax * vz)
        tz = np.float32(2.0) * (ax * vy - ay * vx)
        global_positions[row, 0] = global_positions[p, 0] + vx + aw * tx + ay * tz - az * ty
        global_positions[row, 1] = global_positions[p, 1] + vy + aw * ty + az * tx - ax * tz
        global_positions[row, 2] = global_positions[p, 2] + vz + aw * tz + ax * ty - ay * tx
        global_rotations[row, 0] = aw * bw - ax * bx - ay * by - az * bz
        global_rotations[row, 1] = aw * bx + ax * bw + ay * bz - az * by
        global_rotations[row, 2] = aw * by - ax * bz + ay * bw + az * bx
        global_rotations[row, 3] = aw * bz + ax * by - ay * bx + az * bw
        global_scales[row] = s * scales[row]


@njit(error_model="numpy")
def blend(
    rotations_before: F32, positions_before: F32, rotations: F32, positions: F32, share: np.float32
) -> tuple[F32, F32]:
    """Blend two poses `[n, J, 4]`, `[n, J, 3]`: `share` 0 is the earlier one, 1 the later one.

    Rotations are interpolated linearly the short way and normalised. Over the angles of one step this matches slerp.
    """
    out_rotations, out_positions = np.empty_like(rotations), np.empty_like(positions)
    for n in range(rotations.shape[0]):
        for j in range(rotations.shape[1]):
            for axis in range(3):
                start = positions_before[n, j, axis]
                out_positions[n, j, axis] = start + share * (positions[n, j, axis] - start)
            dot = np.float32(0.0)
            for axis in range(4):
                dot += rotations_before[n, j, axis] * rotations[n, j, axis]
            before = np.float32(share - 1.0) if dot < 0 else np.float32(1.0 - share)
            w = before * rotations_before[n, j, 0] + share * rotations[n, j, 0]
            x = before * rotations_before[n, j, 1] + share * rotations[n, j, 1]
            y = before * rotations_before[n, j, 2] + share * rotations[n, j, 2]
            z = before * rotations_before[n, j, 3] + share * rotations[n, j, 3]
            length = np.sqrt(w * w + x * x + y * y + z * z)
            out_rotations[n, j, 0], out_rotations[n, j, 1] = w / length, x / length
            out_rotations[n, j, 2], out_rotations[n, j, 3] = y / length, z / length
    return out_rotations, out_positions
