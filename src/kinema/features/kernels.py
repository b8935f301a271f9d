"""Compiled kernels of feature extraction, each bound by a parity test to its plain version in the tests.

Shapes: `positions` `[n, K, 3]` in each frame's root frame; `roots` `[n, 5]` = x, y, z, sin yaw, cos yaw in the world;
`low`, `high` `[n]` the first and last frame of each frame's clip.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kinema.arrays import Floats, Indices, Ints, Singles
from kinema.compiled import njit

COPY, POINT, VECTOR, PLANAR_POINT, PLANAR_VECTOR, STEP, HEIGHT = range(7)
ROOT, OWN, WORLD = range(3)


class Rows(NamedTuple):
    """What is known of `n` consecutive frames.

    Attributes:
        rows: `[n, width]`: the numbers of all features. roots, low, high: as above.
    """

    rows: Singles
    roots: Singles
    low: Ints
    high: Ints


@njit(error_model="numpy")
def root_velocities(positions: Singles, roots: Singles, low: Ints, high: Ints, dt: float) -> Singles:
    """World velocities in each frame's root frame `[n, K, 3]`, m/s: central differences, one-sided at clip ends."""
    n, joints, _ = positions.shape
    out = np.zeros((n, joints, 3), np.float32)
    for f in range(n):
        a, b = max(f - 1, low[f]), min(f + 1, high[f])
        if b == a:
            continue
        rate = 1.0 / ((b - a) * dt)
        s, c = roots[f, 3], roots[f, 4]
        # Both neighbours are brought into frame f: relative yaw and relative root position, in double precision.
        sa, ca = roots[a, 3] * c - roots[a, 4] * s, roots[a, 4] * c + roots[a, 3] * s
        sb, cb = roots[b, 3] * c - roots[b, 4] * s, roots[b, 4] * c + roots[b, 3] * s
        gx, gz = float(roots[b, 0]) - roots[a, 0], float(roots[b, 2]) - roots[a, 2]
        dx, dz, dy = c * gx - s * gz, s * gx + c * gz, float(roots[b, 1]) - roots[a, 1]
        for j in range(joints):
            ax, az = positions[a, j, 0], positions[a, j, 2]
            bx, bz = positions[b, j, 0], positions[b, j, 2]
            out[f, j, 0] = (cb * bx + sb * bz - ca * ax - sa * az + dx) * rate
            out[f, j, 1] = (positions[b, j, 1] - positions[a, j, 1] + dy) * rate
            out[f, j, 2] = (cb * bz - sb * bx - ca * az + sa * ax + dz) * rate
    return out


@njit(error_model="numpy")
def planar_velocities(roots: Singles, low: Ints, high: Ints, dt: float) -> Singles:
    """Root velocities in the world `[n, 2]` (x, z), m/s: central differences, one-sided at clip ends."""
    n = len(roots)
    out = np.zeros((n, 2), np.float32)
    for f in range(n):
        a, b = max(f - 1, low[f]), min(f + 1, high[f])
        if b > a:
            out[f, 0] = (float(roots[b, 0]) - roots[a, 0]) / ((b - a) * dt)
            out[f, 1] = (float(roots[b, 2]) - roots[a, 2]) / ((b - a) * dt)
    return out


@njit(error_model="numpy")
def axes(rotations: Singles, joints: Indices, first: int, second: int) -> Singles:
    """Two columns (0, 1, 2 = X, Y, Z) of the matrices of unit quaternions [n, J, 4]: `[n, K, 6]`."""
    n, count = len(rotations), len(joints)
    out = np.empty((n, count, 6), np.float32)
    for f in range(n):
        for k in range(count):
            w, x, y, z = rotations[f, joints[k]]
            for place in range(2):
                column = first if place == 0 else second
                o = 3 * place
                if column == 0:
                    out[f, k, o] = 1 - 2 * (y * y + z * z)
                    out[f, k, o + 1] = 2 * (x * y + w * z)
                    out[f, k, o + 2] = 2 * (x * z - w * y)
                elif column == 1:
                    out[f, k, o] = 2 * (x * y - w * z)
                    out[f, k, o + 1] = 1 - 2 * (x * x + z * z)
                    out[f, k, o + 2] = 2 * (y * z + w * x)
                else:
                    out[f, k, o] = 2 * (x * z + w * y)
                    out[f, k, o + 1] = 2 * (y * z - w * x)
                    out[f, k, o + 2] = 1 - 2 * (x * x + y * y)
    return out


@njit(error_model="numpy")
def window_mean(positions: Singles, low: Ints, high: Ints, first: int, last: int) -> Singles:
    """Means `[n, K, 3]` over frames f + first to f + last inside the clip (its end frame if there are none)."""
    n, joints, _ = positions.shape
    out = np.empty((n, joints, 3), np.float32)
    total = np.zeros((joints, 3), np.float64)
    begin, end, clip = 0, 0, -1  # `total` is the sum over begin <= frame < end
    for f in range(n):
        a = min(max(f + first, low[f]), high[f])
        b = min(max(f + last, low[f]), high[f]) + 1
        if low[f] != clip:
            clip, begin, end = low[f], a, a
            total[:] = 0.0
        while end < b:
            for j in range(joints):
                for c in range(3):
                    total[j, c] += positions[end, j, c]
            end += 1
        while begin < a:
            for j in range(joints):
                for c in range(3):
                    total[j, c] -= positions[begin, j, c]
            begin += 1
        scale = 1.0 / (end - begin)
        for j in range(joints):
            for c in range(3):
                out[f, j, c] = total[j, c] * scale
    return out


@njit(error_model="numpy")
def gather(
    data: Rows, column: int, width: int, frames: Ints, offsets: Ints, carry: int, frame: int, out: Singles, start: int
) -> None:
    """Write one feature's windows to `out[:, start : start + len(offsets) * w]` .

    Columns `column` to `column + width` of the rows hold the feature's numbers per frame. w = width, but 2 for planar
    points and 3 for steps, which come from `roots` alone.
    """
    if carry in (POINT, VECTOR):
        _gather_joints(data, column, width, frames, offsets, carry, frame, out, start)
    elif carry in (PLANAR_POINT, PLANAR_VECTOR):
        _gather_planar(data, column, frames, offsets, carry, frame, out, start)
    elif carry == STEP:
        _gather_steps(data, frames, offsets, out, start)
    else:
        _gather_copies(data, column, width, frames, offsets, carry, frame, out, start)


@njit(error_model="numpy")
def _gather_copies(
    data: Rows, column: int, width: int, frames: Ints, offsets: Ints, carry: int, frame: int, out: Singles, start: int
) -> None:
    """Numbers as they are, or heights above the root frame."""
    # Numba reads the fields of a tuple again at every use, so they are unpacked once.
    rows, roots, low, high = data
    for i in range(len(frames)):
        f = frames[i]
        o = start
        for k in range(len(offsets)):
            g = min(max(f + offsets[k], low[f]), high[f])
            ground = np.float32(0.0)
            if carry == HEIGHT and frame != WORLD:
                ground = roots[f, 1] if frame == ROOT else roots[g, 1]
            for c in range(width):
                out[i, o + c] = rows[g, column + c] - ground
            o += width


@njit(error_model="numpy")
def _gather_joints(
    data: Rows, column: int, width: int, frames: Ints, offsets: Ints, carry: int, frame: int, out: Singles, start: int
) -> None:
    """Points or vectors from each time's root frame to that of the sample, or to the world."""
    rows, roots, low, high = data
    for i in range(len(frames)):
        f = frames[i]
        fx, fy, fz, fs, fc = roots[f, 0], roots[f, 1], roots[f, 2], roots[f, 3], roots[f, 4]
        o = start
        for k in range(len(offsets)):
            g = min(max(f + offsets[k], low[f]), high[f])
            s, c = roots[g, 3], roots[g, 4]
            dx, dy, dz = roots[g, 0], roots[g, 1], roots[g, 2]
            if frame != WORLD:
                wx, wz = dx - fx, dz - fz
                dx, dy, dz = fc * wx - fs * wz, dy - fy, fs * wx + fc * wz
                s, c = s * fc - c * fs, c * fc + s * fs
            if carry == VECTOR:
                dx, dy, dz = np.float32(0.0), np.float32(0.0), np.float32(0.0)
            for j in range(0, width, 3):
                x, y, z = rows[g, column + j], rows[g, column + j + 1], rows[g, column + j + 2]
                out[i, o + j] = c * x + s * z + dx
                out[i, o + j + 1] = y + dy
                out[i, o + j + 2] = c * z - s * x + dz
            o += width


@njit(error_model="numpy")
def _gather_planar(
    data: Rows, column: int, frames: Ints, offsets: Ints, carry: int, frame: int, out: Singles, start: int
) -> None:
    """The root's position, or a vector of the world, as (x, z) in a root frame or in the world."""
    rows, roots, low, high = data
    rotated = frame == ROOT or (carry == PLANAR_VECTOR and frame != WORLD)
    for i in range(len(frames)):
        f = frames[i]
        for k in range(len(offsets)):
            g = min(max(f + offsets[k], low[f]), high[f])
            if carry == PLANAR_VECTOR:
                x, z = rows[g, column], rows[g, column + 1]
            elif frame == ROOT:
                x, z = roots[g, 0] - roots[f, 0], roots[g, 2] - roots[f, 2]
            else:
                x, z = roots[g, 0], roots[g, 2]
            if rotated:
                own = f if frame == ROOT else g
                s, c = roots[own, 3], roots[own, 4]
                x, z = c * x - s * z, s * x + c * z
            out[i, start + 2 * k], out[i, start + 2 * k + 1] = x, z


@njit(error_model="numpy")
def _gather_steps(data: Rows, frames: Ints, offsets: Ints, out: Singles, start: int) -> None:
    """Steps (dx, dtheta, dz) of the root from the time before, in its frame then; the first from the sample."""
    _, roots, low, high = data
    for i in range(len(frames)):
        f = frames[i]
        before = f
        for k in range(len(offsets)):
            g = min(max(f + offsets[k], low[f]), high[f])
            s, c = roots[before, 3], roots[before, 4]
            wx, wz = roots[g, 0] - roots[before, 0], roots[g, 2] - roots[before, 2]
            o = start + 3 * k
            out[i, o] = c * wx - s * wz
            out[i, o + 1] = math.atan2(roots[g, 3] * c - roots[g, 4] * s, roots[g, 4] * c + roots[g, 3] * s)
            out[i, o + 2] = s * wx + c * wz
            before = g


@njit(error_model="numpy")
def accumulate(x: Singles, count: int, mean: Floats, squares: Floats) -> int:
    """Add rows `[N, D]` to running means and sums of squared deviations `[D]` in place; returns the new count."""
    n, dim = x.shape
    shift = np.empty(dim, np.float64)
    total = np.empty(dim, np.float64)
    square = np.empty(dim, np.float64)
    for begin in range(0, n, 512):
        end = min(begin + 512, n)
        for c in range(dim):
            shift[c] = x[begin, c]
            total[c] = 0.0
            square[c] = 0.0
        for r in range(begin, end):
            for c in range(dim):
                d = x[r, c] - shift[c]
                total[c] += d
                square[c] += d * d
        size = end - begin
        merged = count + size
        for c in range(dim):
            average = total[c] / size
            step = shift[c] + average - mean[c]
            mean[c] += step * size / merged
            squares[c] += square[c] - average * total[c] + step * step * count * size / merged
        count = merged
    return count
