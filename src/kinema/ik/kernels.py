"""Compiled two-bone inverse kinematics; `kinema.ik.two_bone.two_bone_reference` is the reference version.

Everything is computed in float64.
"""

# pyright: reportIndexIssue=false, reportReturnType=false

from __future__ import annotations

import math

import numpy as np

from kinema.compiled import njit
from kinema.kernels import cross, dot, inverse, multiply, rotate, scaled_sum, unit

_STRAIGHT = 1e-4  # as in two_bone.py
_LEAST_BEND = 0.35
_ANY_BEND = (0.0, math.pi)


@njit
def perpendicular(v):
    """Scalar version of `kinema.rotations.perpendicular`."""
    helper = (1.0, 0.0, 0.0) if abs(v[0]) < 0.6 else (0.0, 0.0, 1.0)
    return unit(cross(helper, v), (0.0, 0.0, 1.0))


@njit
def frame(z, up):
    """Quaternion that rotates +Z to `z` and +Y to `up` (orthogonal unit vectors)."""
    x = cross(up, z)
    y = cross(z, x)
    trace = x[0] + y[1] + z[2]
    if trace > 0.0:
        s = 0.5 / math.sqrt(1.0 + trace)
        return (0.25 / s, (y[2] - z[1]) * s, (z[0] - x[2]) * s, (x[1] - y[0]) * s)
    if x[0] > y[1] and x[0] > z[2]:
        s = 0.5 / math.sqrt(1.0 + x[0] - y[1] - z[2])
        return ((y[2] - z[1]) * s, 0.25 / s, (y[0] + x[1]) * s, (z[0] + x[2]) * s)
    if y[1] > z[2]:
        s = 0.5 / math.sqrt(1.0 + y[1] - x[0] - z[2])
        return ((z[0] - x[2]) * s, (y[0] + x[1]) * s, 0.25 / s, (z[1] + y[2]) * s)
    s = 0.5 / math.sqrt(1.0 + z[2] - x[0] - y[1])
    return ((x[1] - y[0]) * s, (z[0] + x[2]) * s, (z[1] + y[2]) * s, 0.25 / s)


@njit
def between(a, b):
    """Scalar version of `kinema.rotations.between` for unit vectors."""
    w = 1.0 + dot(a, b)
    if w > 0.1:
        c = cross(a, b)
        scale = 1.0 / math.sqrt(w * w + dot(c, c))
        return (w * scale, c[0] * scale, c[1] * scale, c[2] * scale)
    # Near opposite vectors the cosine cancels: rotate twice to the direction halfway between.
    apart = unit(scaled_sum(a, 1.0, b, -1.0), a)
    middle = scaled_sum(a, 1.0, b, 1.0)
    middle = unit(scaled_sum(middle, 1.0, apart, -dot(middle, apart)), perpendicular(apart))
    w, c = dot(a, middle), cross(a, middle)
    scale = 1.0 / math.sqrt(w * w + dot(c, c))
    return (w * scale, c[0] * scale, c[1] * scale, c[2] * scale)


@njit
def _across_bend(upper, lower, bend):
    return math.sqrt(max(upper * upper + lower * lower + 2.0 * math.cos(bend) * upper * lower, 1e-12))


@njit
def _reach(distance, upper, lower, softness, bends):
    longest = upper + lower if bends[0] <= 0.0 else _across_bend(upper, lower, bends[0])
    shortest = abs(upper - lower) if bends[1] >= math.pi else _across_bend(upper, lower, bends[1])
    if softness > 0.0:
        zone = softness * longest
        over = distance - (longest - zone)
        if over > 0.0 and zone > 1e-12:
            distance = longest - zone * math.exp(-over / zone)
    return min(max(distance, shortest), longest)


@njit
def across(v, axis, fallback):
    """The unit component of `v` orthogonal to the unit vector `axis`."""
    return unit(scaled_sum(v, 1.0, axis, -dot(v, axis)), fallback)


@njit(error_model="numpy")
def bend_forward(bend, front, least):
    """Scalar version of `kinema.ik.two_bone.bend_forward`."""
    ahead = dot(bend, front)
    forward = 0.5 * (ahead + math.sqrt(ahead * ahead + 4.0 * least * least))
    aside = scaled_sum(bend, 1.0, front, -ahead)
    return scaled_sum(front, forward, aside, min(forward / max(abs(ahead), least), 1.0))


@njit(error_model="numpy")
def solve(q0, q1, a, b, c, t, pole, has_pole, softness, bends=_ANY_BEND):
    """Scalar version for other kernels: takes tuples of numbers and returns the two new global rotations."""
    first, second = scaled_sum(b, 1.0, a, -1.0), scaled_sum(c, 1.0, b, -1.0)
    upper, lower = math.sqrt(dot(first, first)), math.sqrt(dot(second, second))
    first = unit(first, unit(second, (0.0, -1.0, 0.0)))
    second = unit(second, first)
    old_direction = unit(scaled_sum(c, 1.0, a, -1.0), first)
    line = scaled_sum(t, 1.0, a, -1.0)
    direction = unit(line, old_direction)
    distance = _reach(math.sqrt(dot(line, line)), upper, lower, softness, bends)

    swing = between(old_direction, direction)
    plane = cross(first, second)
    axis = across(rotate(q0, (1.0, 0.0, 0.0)), first, perpendicular(first))
    old_normal = axis if dot(plane, plane) < _STRAIGHT * _STRAIGHT else unit(plane, axis)
    normal = rotate(swing, old_normal)
    if has_pole:
        sideways = cross(pole, direction)
        if dot(sideways, sideways) >= _STRAIGHT * _STRAIGHT * max(dot(pole, pole), 1e-24):
            normal = unit(sideways, normal)
        carried = rotate(inverse(swing), normal)
        old_normal = unit(bend_forward(plane, carried, _LEAST_BEND), carried)
    normal = across(normal, direction, perpendicular(direction))

    along = 0.0
    if distance >= 1e-6:
        along = (upper * upper + distance * distance - lower * lower) / (2.0 * distance)
        along = min(max(along, -upper), upper)
    out = math.sqrt(max(upper * upper - along * along, 1e-12))
    new_first = scaled_sum(direction, along, cross(direction, normal), out)
    new_second = unit(scaled_sum(direction, distance, new_first, -1.0), direction)
    new_first = unit(new_first, direction)
    root_turn = multiply(frame(new_first, normal), inverse(frame(first, across(old_normal, first, axis))))
    mid_turn = multiply(frame(new_second, normal), inverse(frame(second, across(old_normal, second, axis))))
    return multiply(root_turn, q0), multiply(mid_turn, q1)


@njit
def load3(v):
    """The first three numbers of an array in float64."""
    return (float(v[0]), float(v[1]), float(v[2]))


@njit
def load4(v):
    """The first four numbers of an array in float64."""
    return (float(v[0]), float(v[1]), float(v[2]), float(v[3]))


@njit
def two_bone_single(q0, q1, a, b, c, t, pole, has_pole, softness, bends):
    """One chain: rotations `[4]`, positions `[3]`; returns the two new global rotations `[4]`, float32."""
    chain = load4(q0), load4(q1), load3(a), load3(b), load3(c)
    root, mid = solve(*chain, load3(t), load3(pole), has_pole, softness, bends)
    out = np.empty((2, 4), np.float32)
    for k in range(4):
        out[0, k], out[1, k] = root[k], mid[k]
    return out[0], out[1]


@njit
def two_bone_batch(q0, q1, a, b, c, t, pole, has_pole, softness, bends):
    """`N` chains: rotations `[N, 4]`, positions `[N, 3]`, float32; see `kinema.ik.two_bone.two_bone`."""
    count = a.shape[0]
    roots = np.empty((count, 4), np.float32)
    mids = np.empty((count, 4), np.float32)
    for n in range(count):
        root, mid = solve(
            load4(q0[n]),
            load4(q1[n]),
            load3(a[n]),
            load3(b[n]),
            load3(c[n]),
            load3(t[n]),
            load3(pole[n]),
            has_pole,
            softness,
            bends,
        )
        for k in range(4):
            roots[n, k] = root[k]
            mids[n, k] = mid[k]
    return roots, mids
