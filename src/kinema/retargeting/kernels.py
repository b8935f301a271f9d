"""The compiled closed-form transfer; `kinema.retargeting.transfer.transfer_reference` is its plain form."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math

import numpy as np

from kinema.arrays import Singles
from kinema.compiled import njit
from kinema.ik.kernels import load3, load4
from kinema.kernels import inverse, multiply
from kinema.retargeting.transfer import KEEP, LINK, LOWER, Transfer


@njit
def _slerp(a, b, t):
    """Between two quaternions; not normalised."""
    cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    sign = 1.0
    if cosine < 0.0:
        cosine, sign = -cosine, -1.0
    if cosine > 0.9999995:
        u, v = 1.0 - t, t * sign
    else:
        angle = math.acos(cosine)
        u, v = math.sin((1.0 - t) * angle), math.sin(t * angle) * sign
    return (u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2], u * a[3] + v * b[3])


@njit
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


@njit
def _twisted(op, bone, driver, relation, axis, share, seat):
    """Global rotation of a twist joint."""
    if op == LOWER:
        relative = multiply(multiply(inverse(bone), driver), relation)
    else:
        relative = multiply(relation, multiply(inverse(driver), bone))
    return multiply(multiply(bone, _share_of_twist(relative, axis, share)), seat)


@njit(error_model="numpy")
def transfer_rotations(constants: Transfer, source: Singles) -> Singles:
    """Local rotations `[F, J, 4]` of the target from global ones `[F, S, 4]` of the source."""
    # Numba reads the fields of a tuple again at every use, so they are unpacked once.
    ops, pairs, shares, first, second, rest, parents, bones, drivers, axes, seats, relations = constants
    frames, joints = source.shape[0], ops.shape[0]
    local = np.empty((frames, joints, 4), np.float32)
    world = np.empty((joints, 4), np.float64)
    for n in range(frames):
        for j in range(joints):
            if ops[j] == LINK:
                q = multiply(load4(source[n, pairs[j, 0]]), load4(first[j]))
                if shares[j] > 0.0:
                    q = _slerp(q, multiply(load4(source[n, pairs[j, 1]]), load4(second[j])), shares[j])
                world[j, 0], world[j, 1], world[j, 2], world[j, 3] = q
        for j in range(joints):
            p, op, q = parents[j], ops[j], load4(world[j])
            above = load4(world[p]) if p >= 0 else (1.0, 0.0, 0.0, 0.0)
            if op == KEEP:
                own = load4(rest[j])
                q = multiply(above, own)
            else:
                if op != LINK:
                    bone, driver = load4(world[bones[j]]), load4(world[drivers[j]])
                    q = _twisted(op, bone, driver, load4(relations[j]), load3(axes[j]), shares[j], load4(seats[j]))
                own = multiply(inverse(above), q)
            scale = 1.0 / math.sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2] + own[3] * own[3])
            for k in range(4):
                world[j, k] = q[k]
                local[n, j, k] = own[k] * scale
    return local
