"""Skinning matrices of many characters at once, in the layout of the float texture that shaders read.

One instance takes `2 + 3 P` texels of four floats: its tint, its entity id (low and high 16 bits, both exact as
floats), and three rows for each of the `P` matrices that its character uses.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

import numpy as np

from kinema.arrays import Indices, Ints, Singles
from kinema.compiled import njit

WIDTH = 2048
"""Texels of a row of the palette."""

HEAD = 2
"""Texels of an instance before its matrices."""


def stride(matrices: int) -> int:
    """Texels of one instance with this many matrices."""
    return HEAD + 3 * matrices


def fill_heads(out: Singles, tints: Singles, entities: Indices) -> None:
    """Write tints `[n, 4]` and entity ids `[n]` into the instances `out` `[n, texels, 4]`."""
    out[:, 0] = tints
    ids = np.asarray(entities, np.int64) & 0xFFFFFFFF
    out[:, 1, 0], out[:, 1, 1] = ids & 0xFFFF, ids >> 16
    out[:, 1, 2:] = 0.0


@njit(error_model="numpy", fastmath={"contract"})
def fill_matrices(
    out: Singles, global_rotations: Singles, global_positions: Singles, joints: Indices, binds: Singles, order: Ints
) -> None:
    """Write mesh-to-world matrices into the instances `out`.

    Args:
        out: float32 `[n, 2 + 3 P, 4]`; rows from 2 up are written.
        global_rotations: float32 `[n, J, 4]`, unit (wxyz).
        global_positions: float32 `[n, J, 3]`, metres.
        joints: int32 `[P]`: the joint of each matrix; -1 for one that no joint moves.
        binds: float32 `[P, 3, 4]`: inverse bind matrices, from mesh space to the space of the joint.
        order: `[n]`: which pose goes to each row.
    """
    one, two = np.float32(1.0), np.float32(2.0)
    for n in range(out.shape[0]):
        pose = order[n]
        for p in range(joints.shape[0]):
            row = 2 + 3 * p
            j = joints[p]
            if j < 0:
                for r in range(3):
                    for c in range(4):
                        out[n, row + r, c] = binds[p, r, c]
                continue
            w, x = global_rotations[pose, j, 0], global_rotations[pose, j, 1]
            y, z = global_rotations[pose, j, 2], global_rotations[pose, j, 3]
            xx, xy, xz, xw = two * x * x, two * x * y, two * x * z, two * x * w
            yy, yz, yw, zz, zw = two * y * y, two * y * z, two * y * w, two * z * z, two * z * w
            for c in range(4):
                a, b, d = binds[p, 0, c], binds[p, 1, c], binds[p, 2, c]
                out[n, row, c] = (one - yy - zz) * a + (xy - zw) * b + (xz + yw) * d
                out[n, row + 1, c] = (xy + zw) * a + (one - xx - zz) * b + (yz - xw) * d
                out[n, row + 2, c] = (xz - yw) * a + (yz + xw) * b + (one - xx - yy) * d
            out[n, row, 3] += global_positions[pose, j, 0]
            out[n, row + 1, 3] += global_positions[pose, j, 1]
            out[n, row + 2, 3] += global_positions[pose, j, 2]
