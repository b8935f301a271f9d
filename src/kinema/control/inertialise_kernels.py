"""Compiled inertialisation; `kinema.springs.decay_smooth` and `kinema.rotations` are the reference versions."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math

import numpy as np

from kinema.arrays import Reals, Singles
from kinema.compiled import njit
from kinema.kernels import dot, multiply, quaternion_of, vector_of, write_quaternion

_SMALL = 1e-8  # squared angle below which the series is exact


@njit
def decayed(x, v, a, damping, fade, dt):
    """A step of an offset, its velocity and its acceleration to zero; `fade` is `exp(-damping * dt)`."""
    c1 = v + damping * x
    c2 = 0.5 * (a + 2.0 * damping * v + damping * damping * x)
    x = fade * (x + dt * (c1 + dt * c2))
    v = fade * (c1 + 2.0 * c2 * dt) - damping * x
    return x, v, fade * (2.0 * c2 - damping * (c1 + 2.0 * c2 * dt)) - damping * v


@njit
def decay(value: Reals, velocity: Reals, acceleration: Reals, damping: float, dt: float) -> None:
    """Step offsets `[N]` to zero in place; `damping` in 1/s, `dt` in seconds."""
    fade = math.exp(-damping * dt)
    for n in range(len(value)):
        value[n], velocity[n], acceleration[n] = decayed(value[n], velocity[n], acceleration[n], damping, fade, dt)


@njit
def add_rotations(rotations: Singles, vectors: Singles) -> Singles:
    """Unit quaternions `[N, 4]`, rotated by rotation vectors `[N, 3]` afterwards."""
    result = np.empty_like(rotations)
    for n in range(len(rotations)):
        vector = vector_of(vectors[n])
        square = dot(vector, vector)
        if square < _SMALL:
            w, scale = 1.0 - square / 8.0, 0.5 - square / 48.0
        else:
            angle = math.sqrt(square)
            w, scale = math.cos(0.5 * angle), math.sin(0.5 * angle) / angle
        turn = (w, scale * vector[0], scale * vector[1], scale * vector[2])
        write_quaternion(result[n], multiply(turn, quaternion_of(rotations[n])))
    return result
