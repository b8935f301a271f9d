"""Compiled versions of hot paths. Each has a reference version elsewhere, and a parity test compares the two.

The scalar functions take and return numbers, or tuples of them, of any precision. Other kernels inline them.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from kinema.compiled import njit

F32 = NDArray[np.float32]
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


@njit
def dot(a, b) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit
def cross(a, b) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@njit
def scaled_sum(a, s, b, t) -> Vector:
    """`s a + t b`."""
    return (a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t)


@njit
def unit(v, fallback) -> Vector:
    square = dot(v, v)
    if square < 1e-12:
        return fallback
    scale = 1.0 / math.sqrt(square)
    return (v[0] * scale, v[1] * scale, v[2] * scale)


@njit
def multiply(a, b) -> Quaternion:
    """The quaternion product: rotates by `b` first, then by `a`."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@njit
def inverse(q) -> Quaternion:
    return (q[0], -q[1], -q[2], -q[3])


@njit
def rotate(q, v) -> Vector:
    """Rotate the vector `v` by the unit quaternion `q`."""
    x, y, z = q[2] * v[2] - q[3] * v[1], q[3] * v[0] - q[1] * v[2], q[1] * v[1] - q[2] * v[0]
    x, y, z = x + x, y + y, z + z
    return (
        v[0] + q[0] * x + q[2] * z - q[3] * y,
        v[1] + q[0] * y + q[3] * x - q[1] * z,
        v[2] + q[0] * z + q[1] * y - q[2] * x,
    )


@njit
def wrap(angle) -> float:
    """An angle in `[-pi, pi)`."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi


@njit
def spring(x, velocity, goal, damping, dt) -> tuple[float, float]:
    """A step of `kinema.springs.spring`, given `kinema.springs.damping` of the half-life."""
    offset = x - goal
    slope = velocity + offset * damping
    fade = math.exp(-damping * dt)
    return fade * (offset + slope * dt) + goal, fade * (velocity - slope * (damping * dt))


@njit
def vector_of(a) -> Vector:
    """The first three numbers of an array as a tuple."""
    return (a[0], a[1], a[2])


@njit
def quaternion_of(a) -> Quaternion:
    """The first four numbers of an array as a tuple."""
    return (a[0], a[1], a[2], a[3])


@njit
def clear(out) -> None:
    """Set all numbers of an array to 0. As a slice it would be as fast, but take seconds to compile."""
    for i in range(out.size):
        out.flat[i] = 0.0


@njit
def assign(out, values) -> None:
    """Set all numbers of an array to those of another one of its shape; see `clear` for why."""
    for i in range(out.size):
        out.flat[i] = values.flat[i]


@njit
def write_vector(out, v) -> None:
    out[0], out[1], out[2] = v[0], v[1], v[2]


@njit
def write_quaternion(out, q) -> None:
    out[0], out[1], out[2], out[3] = q[0], q[1], q[2], q[3]


@njit(error_model="numpy")
def forward(local_rotations: F32, local_translations: F32, parents: NDArray[np.int32]) -> tuple[F32, F32]:
    """Forward kinematics of `[N, J, 4]` and `[N or 1, J, 3]`; see `kinema.kinematics.forward`."""
    count, joints = local_rotations.shape[0], local_rotations.shape[1]
    global_rotations = np.empty((count, joints, 4), np.float32)
    global_positions = np.empty((count, joints, 3), np.float32)
    shared = local_translations.shape[0] == 1
    for n in range(count):
        row = 0 if shared else n
        for j in range(joints):
            p = parents[j]
            rotation, offset = quaternion_of(local_rotations[n, j]), vector_of(local_translations[row, j])
            if p >= 0:
                above, at = quaternion_of(global_rotations[n, p]), global_positions[n, p]
                x, y, z = rotate(above, offset)
                offset = (at[0] + x, at[1] + y, at[2] + z)
                rotation = multiply(above, rotation)
            write_quaternion(global_rotations[n, j], rotation)
            write_vector(global_positions[n, j], offset)
    return global_rotations, global_positions


@njit(error_model="numpy")
def place(origins: F32, turns: F32, rotations: F32, positions: F32) -> tuple[F32, F32]:
    """Transform joints from root frames to the world; see `kinema.kinematics.place`.

    Args:
        origins, turns: positions `[n, 3]` and rotations `[n, 4]` of the root frames.
        rotations, positions: `[n, J, 4]` and `[n, J, 3]`, of joints in the root frames.

    Returns:
        Global rotations `[n, J, 4]` and positions `[n, J, 3]`.
    """
    out_rotations, out_positions = np.empty_like(rotations), np.empty_like(positions)
    for n in range(rotations.shape[0]):
        origin, turn = vector_of(origins[n]), quaternion_of(turns[n])
        for j in range(rotations.shape[1]):
            x, y, z = rotate(turn, vector_of(positions[n, j]))
            write_vector(out_positions[n, j], (origin[0] + x, origin[1] + y, origin[2] + z))
            write_quaternion(out_rotations[n, j], multiply(turn, quaternion_of(rotations[n, j])))
    return out_rotations, out_positions


@njit(error_model="numpy")
def mirror(rotations: F32, pairs: NDArray[np.int32], outer: F32, inner: F32) -> F32:
    """Mirror images `outer[j] M rotations[n, pairs[j]] M inner[j]` of `[n, J, 4]`; see `kinema.mirroring.mirror_pose`.

    Args:
        rotations: `[n, J, 4]`.
        pairs: mirror map `[J]`.
        outer, inner: `[J, 4]`.
    """
    out = np.empty_like(rotations)
    for n in range(rotations.shape[0]):
        for j in range(rotations.shape[1]):
            w, x, y, z = quaternion_of(rotations[n, pairs[j]])
            turned = multiply(quaternion_of(outer[j]), (w, x, -y, -z))
            write_quaternion(out[n, j], multiply(turned, quaternion_of(inner[j])))
    return out
