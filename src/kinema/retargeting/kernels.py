"""The compiled closed-form transfer; `kinema.retargeting.transfer.turn_reference` is its plain form."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinema.ik.kernels import inverse, multiply

KEEP, LINK, LOWER, UPPER = 0, 1, 2, 3
"""What moves a joint: nothing (rest on its parent), the source, or a share of the twist of the bone it sits on."""


@njit(cache=True, inline="always")
def _at(array, n, j):
    return (array[n, j, 0], array[n, j, 1], array[n, j, 2], array[n, j, 3])


@njit(cache=True, inline="always")
def _row(array, j):
    return (array[j, 0], array[j, 1], array[j, 2], array[j, 3])


@njit(cache=True)
def _between(a, b, t):
    cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    sign = 1.0
    if cosine < 0.0:
        cosine, sign = -cosine, -1.0
    if cosine > 0.9999995:
        u, v = 1.0 - t, t * sign
    else:
        angle = math.acos(cosine)
        over = 1.0 / math.sin(angle)
        u, v = math.sin((1.0 - t) * angle) * over, math.sin(t * angle) * over * sign
    return (u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2], u * a[3] + v * b[3])


@njit(cache=True)
def _share_of_twist(q, axis, share):
    """The rotation about `axis` by a share of the twist of `q` about it."""
    along = q[1] * axis[0] + q[2] * axis[1] + q[3] * axis[2]
    half = math.atan2(along, q[0])
    if half > 0.5 * math.pi:
        half -= math.pi
    elif half < -0.5 * math.pi:
        half += math.pi
    half *= share
    s = math.sin(half)
    return (math.cos(half), s * axis[0], s * axis[1], s * axis[2])


@njit(cache=True, error_model="numpy")
def turn(
    source: NDArray[np.float32],
    ops: NDArray[np.int32],
    pairs: NDArray[np.int32],
    shares: NDArray[np.float32],
    first: NDArray[np.float32],
    second: NDArray[np.float32],
    rest: NDArray[np.float32],
    parents: NDArray[np.int32],
    anchors: NDArray[np.int32],
    axes: NDArray[np.float32],
    seats: NDArray[np.float32],
    relations: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Local rotations `[F, J, 4]` of the target from global ones `[F, S, 4]` of the source; see `transfer.Plan`."""
    frames, joints = source.shape[0], ops.shape[0]
    local = np.empty((frames, joints, 4), np.float32)
    world = np.empty((1, joints, 4), np.float64)
    for n in range(frames):
        for j in range(joints):
            if ops[j] == LINK:
                q = multiply(_at(source, n, pairs[j, 0]), _row(first, j))
                if shares[j] > 0.0:
                    q = _between(q, multiply(_at(source, n, pairs[j, 1]), _row(second, j)), shares[j])
                world[0, j, 0], world[0, j, 1], world[0, j, 2], world[0, j, 3] = q
        for j in range(joints):
            p = parents[j]
            op = ops[j]
            if op == KEEP:
                result = _row(rest, j)
                q = multiply(_at(world, 0, p), result) if p >= 0 else result
                world[0, j, 0], world[0, j, 1], world[0, j, 2], world[0, j, 3] = q
            else:
                if op == LINK:
                    q = _at(world, 0, j)
                else:
                    a, b = anchors[j, 0], anchors[j, 1]
                    bone = _at(world, 0, a)
                    if op == LOWER:
                        relative = multiply(multiply(inverse(bone), _at(world, 0, b)), _row(relations, j))
                    else:
                        relative = multiply(_row(relations, j), multiply(inverse(_at(world, 0, b)), bone))
                    q = multiply(multiply(bone, _share_of_twist(relative, axes[j], shares[j])), _row(seats, j))
                    world[0, j, 0], world[0, j, 1], world[0, j, 2], world[0, j, 3] = q
                result = multiply(inverse(_at(world, 0, p)), q) if p >= 0 else q
            scale = 1.0 / math.sqrt(
                result[0] * result[0] + result[1] * result[1] + result[2] * result[2] + result[3] * result[3]
            )
            for k in range(4):
                local[n, j, k] = result[k] * scale
    return local
