"""Compiled conversion of Euler angles to quaternions, for motion files.

The plain reference is `rotations.from_euler`, joint by joint.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math

import numpy as np

from kinema.arrays import Floats, Ints, Singles
from kinema.compiled import njit

_RADIANS = np.pi / 180.0
_S3, _S5, _S7, _S9, _S11, _S13 = ((-1) ** (n // 2) / math.factorial(n) for n in range(3, 14, 2))
_C2, _C4, _C6, _C8, _C10, _C12, _C14 = ((-1) ** (n // 2) / math.factorial(n) for n in range(2, 15, 2))


@njit(error_model="numpy")
def euler_to_quaternions(values: Floats, starts: Ints, axes: Ints, columns: Ints) -> Singles:
    """Local rotations `[F, J, 4]` wxyz from rows of Euler angles.

    Args:
        values: rows `[F, C]`, angles in degrees.
        starts: `[J + 1]`: joint j rotates about `axes[starts[j]:starts[j + 1]]` (0 to 2), first channel outermost.
        axes, columns: `[R]`: axis and column of each rotation channel.
    """
    frames, joints, turns = values.shape[0], starts.size - 1, axes.size
    out = np.empty((frames, joints, 4), np.float32)
    sines = np.empty(turns)
    cosines = np.empty(turns)
    angles = np.empty(turns)
    for f in range(frames):
        for r in range(turns):
            angles[r] = values[f, columns[r]]
        for r in range(turns):
            # Sine and cosine of half the angle, branch-free so that it vectorises: reduced to within 45 degrees in
            # degrees, where the reduction is exact, then Taylor (error below 1e-13).
            half = 0.5 * angles[r]
            quarter = np.floor(half * (1.0 / 90.0) + 0.5)
            x = (half - 90.0 * quarter) * _RADIANS
            y = x * x
            s = x * (1.0 + y * (_S3 + y * (_S5 + y * (_S7 + y * (_S9 + y * (_S11 + y * _S13))))))
            c = 1.0 + y * (_C2 + y * (_C4 + y * (_C6 + y * (_C8 + y * (_C10 + y * (_C12 + y * _C14))))))
            turn = np.int64(quarter) & 3
            odd = (turn & 1) == 1
            a = c if odd else s
            b = s if odd else c
            sines[r] = -a if turn >= 2 else a
            cosines[r] = -b if turn == 1 or turn == 2 else b
        for j in range(joints):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for r in range(starts[j], starts[j + 1]):
                c, s, axis = cosines[r], sines[r], axes[r]
                if axis == 0:
                    w, x, y, z = w * c - x * s, x * c + w * s, y * c + z * s, z * c - y * s
                elif axis == 1:
                    w, x, y, z = w * c - y * s, x * c - z * s, y * c + w * s, z * c + x * s
                else:
                    w, x, y, z = w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s
            out[f, j, 0], out[f, j, 1], out[f, j, 2], out[f, j, 3] = w, x, y, z
    return out
