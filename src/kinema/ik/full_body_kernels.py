"""The compiled part of `kinema.ik.full_body`: Levenberg-Marquardt on one frame after the other.

A residual depends on the coordinates of the joints above it only, so its row of the Jacobian is a short list; the
normal matrix is filled from such lists and solved by Cholesky. Everything is float64.
"""

# pyright: reportArgumentType=false

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

SMALLEST_GAIN = 1e-7  # relative decrease of the cost at which a frame is done
GROW, SHRINK = 8.0, 0.25
MOST_DAMPING = 1e8
FIRST = 5  # times as many iterations for the first frame, which has no one before
TRAPPED = 10.0  # times the cost of its own start at which a frame does not go on from the one before


@njit(cache=True)
def _multiply(a: Array, b: Array, out: Array) -> None:
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    out[0], out[1], out[2], out[3] = w, x, y, z


@njit(cache=True)
def _rotate(q: Array, v: Array, out: Array) -> None:
    tx = 2.0 * (q[2] * v[2] - q[3] * v[1])
    ty = 2.0 * (q[3] * v[0] - q[1] * v[2])
    tz = 2.0 * (q[1] * v[1] - q[2] * v[0])
    x = v[0] + q[0] * tx + q[2] * tz - q[3] * ty
    y = v[1] + q[0] * ty + q[3] * tx - q[1] * tz
    z = v[2] + q[0] * tz + q[1] * ty - q[2] * tx
    out[0], out[1], out[2] = x, y, z


@njit(cache=True)
def _forward(local: Array, moved: Array, parents: Ints, turned: Array, placed: Array) -> None:
    spare = np.empty(3)
    for joint in range(len(parents)):
        parent = parents[joint]
        if parent < 0:
            turned[joint] = local[joint]
            placed[joint] = moved[joint]
        else:
            _multiply(turned[parent], local[joint], turned[joint])
            _rotate(turned[parent], moved[joint], spare)
            placed[joint] = placed[parent] + spare


@njit(cache=True)
def _log(q: Array, out: Array) -> None:
    sign = 1.0 if q[0] >= 0 else -1.0
    sine = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    factor = 2.0 * sign if sine < 1e-9 else 2.0 * sign * math.atan2(sine, sign * q[0]) / sine
    for axis in range(3):
        out[axis] = factor * q[axis + 1]


@njit(cache=True)
def closest(a: Array, b: Array, c: Array, d: Array) -> tuple[float, float]:
    """Shares `s` and `t` of the closest points of segments `a b` and `c d` (Ericson, Real-Time Collision
    Detection, 2005, section 5.1.9)."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = d[0] - c[0], d[1] - c[1], d[2] - c[2]
    wx, wy, wz = a[0] - c[0], a[1] - c[1], a[2] - c[2]
    uu, vv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    vw = vx * wx + vy * wy + vz * wz
    uw = ux * wx + uy * wy + uz * wz
    uv = ux * vx + uy * vy + uz * vz
    if uu < 1e-12 and vv < 1e-12:
        return 0.0, 0.0
    if uu < 1e-12:
        return 0.0, min(max(vw / vv, 0.0), 1.0)
    if vv < 1e-12:
        return min(max(-uw / uu, 0.0), 1.0), 0.0
    area = uu * vv - uv * uv
    s = min(max((uv * vw - uw * vv) / area, 0.0), 1.0) if area > 1e-12 * uu * vv else 0.0
    t = (uv * s + vw) / vv
    if t < 0.0:
        return min(max(-uw / uu, 0.0), 1.0), 0.0
    if t > 1.0:
        return min(max((uv - uw) / uu, 0.0), 1.0), 1.0
    return s, t


@njit(cache=True)
def _slopes(
    joint: int,
    point: Array,
    direction: Array,
    sign: float,
    parents: Ints,
    first: Ints,
    count: Ints,
    axes: Array,
    slides: NDArray[np.bool_],
    turned: Array,
    placed: Array,
    row: Array,
    used: Ints,
    held: int,
) -> int:
    """Adds the derivative of `sign * direction . point` by every coordinate above it to `row`; returns how many
    coordinates `used` lists."""
    axis, arm = np.empty(3), np.empty(3)
    while joint >= 0:
        for k in range(first[joint], first[joint] + count[joint]):
            if slides[k]:
                if parents[joint] >= 0:
                    _rotate(turned[parents[joint]], axes[k], axis)
                else:
                    axis[:] = axes[k]
                value = axis[0] * direction[0] + axis[1] * direction[1] + axis[2] * direction[2]
            else:
                _rotate(turned[joint], axes[k], axis)
                arm[:] = point - placed[joint]
                value = (
                    (axis[1] * arm[2] - axis[2] * arm[1]) * direction[0]
                    + (axis[2] * arm[0] - axis[0] * arm[2]) * direction[1]
                    + (axis[0] * arm[1] - axis[1] * arm[0]) * direction[2]
                )
            if row[k] == 0.0:
                used[held] = k
                held += 1
                row[k] = 1e-300  # marked, should the value be zero
            row[k] += sign * value
        joint = parents[joint]
    return held


@njit(cache=True)
def _add(row: Array, used: Ints, held: int, residual: float, matrix: Array, slope: Array) -> None:
    """Adds a row to the normal equations and clears it."""
    for i in range(held):
        a = used[i]
        slope[a] += row[a] * residual
        for j in range(held):
            b = used[j]
            if b <= a:
                matrix[a, b] += row[a] * row[b]
    for i in range(held):
        row[used[i]] = 0.0


@njit(cache=True)
def _residuals(
    parents: Ints,
    first: Ints,
    count: Ints,
    axes: Array,
    slides: NDArray[np.bool_],
    turned: Array,
    placed: Array,
    reach_joint: Ints,
    reach_offset: Array,
    reach_target: Array,
    reach_weight: Array,
    face_joint: Ints,
    face_target: Array,
    face_weight: Array,
    capsule_joint: Ints,
    capsule_ends: Array,
    capsule_radius: Array,
    pairs: Ints,
    slack: Array,
    push: float,
    moved_by: Array,
    stay: Array,
    matrix: Array,
    slope: Array,
    row: Array,
    used: Ints,
) -> float:
    """Half the sum of squared residuals; their normal matrix (lower half) and slope are left in the arrays."""
    cost = 0.0
    point, aim, error, direction = np.empty(3), np.empty(4), np.empty(3), np.empty(3)
    matrix[:] = 0.0
    slope[:] = 0.0
    for g in range(len(reach_joint)):
        weight, joint = reach_weight[g], reach_joint[g]
        if weight <= 0.0:
            continue
        _rotate(turned[joint], reach_offset[g], point)
        point += placed[joint]
        for k in range(3):
            residual = weight * (point[k] - reach_target[g, k])
            cost += 0.5 * residual * residual
            direction[:] = 0.0
            direction[k] = 1.0
            held = _slopes(
                joint, point, direction, weight, parents, first, count, axes, slides, turned, placed, row, used, 0
            )
            _add(row, used, held, residual, matrix, slope)
    for g in range(len(face_joint)):
        weight, joint = face_weight[g], face_joint[g]
        if weight <= 0.0:
            continue
        # The error turns the joint from where it should face to where it does, seen in the world.
        aim[0], aim[1:] = face_target[g, 0], -face_target[g, 1:]
        _multiply(turned[joint], aim, aim)
        _log(aim, error)
        for k in range(3):
            residual = weight * error[k]
            cost += 0.5 * residual * residual
            held = 0
            above = joint
            while above >= 0:
                for c in range(first[above], first[above] + count[above]):
                    if not slides[c]:
                        _rotate(turned[above], axes[c], direction)
                        row[c] = weight * direction[k] + 1e-300
                        used[held] = c
                        held += 1
                above = parents[above]
            _add(row, used, held, residual, matrix, slope)
    ends = np.empty((4, 3))
    for p in range(len(pairs)):
        for side in range(2):
            capsule = pairs[p, side]
            for end in range(2):
                _rotate(turned[capsule_joint[capsule]], capsule_ends[capsule, end], point)
                ends[2 * side + end] = point + placed[capsule_joint[capsule]]
        s, t = closest(ends[0], ends[1], ends[2], ends[3])
        one = ends[0] + s * (ends[1] - ends[0])
        other = ends[2] + t * (ends[3] - ends[2])
        direction[:] = one - other
        apart = math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2)
        wanted = capsule_radius[pairs[p, 0]] + capsule_radius[pairs[p, 1]] - slack[p]
        if apart >= wanted or apart < 1e-9:
            continue
        residual = push * (wanted - apart)
        cost += 0.5 * residual * residual
        direction /= apart
        held = _slopes(
            capsule_joint[pairs[p, 0]],
            one,
            direction,
            -push,
            parents,
            first,
            count,
            axes,
            slides,
            turned,
            placed,
            row,
            used,
            0,
        )
        held = _slopes(
            capsule_joint[pairs[p, 1]],
            other,
            direction,
            push,
            parents,
            first,
            count,
            axes,
            slides,
            turned,
            placed,
            row,
            used,
            held,
        )
        _add(row, used, held, residual, matrix, slope)
    for k in range(len(stay)):
        cost += 0.5 * (stay[k] * moved_by[k]) ** 2
        matrix[k, k] += stay[k] * stay[k]
        slope[k] += stay[k] * stay[k] * moved_by[k]
    return cost


@njit(cache=True)
def _solve(matrix: Array, slope: Array, damping: float, fixed: NDArray[np.bool_], factor: Array, step: Array) -> bool:
    """The damped step by Cholesky, nothing along fixed coordinates; False where the matrix is not positive."""
    size = len(slope)
    for i in range(size):
        for j in range(i + 1):
            value = 0.0
            if i == j and fixed[i]:
                value = 1.0
            elif not (fixed[i] or fixed[j]):
                value = matrix[i, j]
                if i == j:
                    value += damping * (value + 1e-6)
            for k in range(j):
                value -= factor[i, k] * factor[j, k]
            if i == j:
                if value <= 0.0:
                    return False
                factor[i, i] = math.sqrt(value)
            else:
                factor[i, j] = value / factor[j, j]
    for i in range(size):
        value = 0.0 if fixed[i] else -slope[i]
        for k in range(i):
            value -= factor[i, k] * step[k]
        step[i] = value / factor[i, i]
    for i in range(size - 1, -1, -1):
        value = step[i]
        for k in range(i + 1, size):
            value -= factor[k, i] * step[k]
        step[i] = value / factor[i, i]
    return True


@njit(cache=True)
def _apply(
    step: Array,
    first: Ints,
    count: Ints,
    axes: Array,
    slides: NDArray[np.bool_],
    local: Array,
    moved: Array,
    new_local: Array,
    new_moved: Array,
) -> None:
    turn = np.empty(4)
    for joint in range(len(first)):
        new_local[joint] = local[joint]
        new_moved[joint] = moved[joint]
        vx = vy = vz = 0.0
        for k in range(first[joint], first[joint] + count[joint]):
            if slides[k]:
                new_moved[joint] += step[k] * axes[k]
            else:
                vx += step[k] * axes[k, 0]
                vy += step[k] * axes[k, 1]
                vz += step[k] * axes[k, 2]
        size = math.sqrt(vx * vx + vy * vy + vz * vz)
        if size > 0.0:
            factor = math.sin(0.5 * size) / size
            turn[0], turn[1], turn[2], turn[3] = math.cos(0.5 * size), factor * vx, factor * vy, factor * vz
            _multiply(new_local[joint], turn, new_local[joint])
            new_local[joint] /= math.sqrt((new_local[joint] ** 2).sum())


@njit(cache=True, nogil=True)
def solve_frames(
    local: Array,
    moved: Array,
    parents: Ints,
    first: Ints,
    count: Ints,
    axes: Array,
    slides: NDArray[np.bool_],
    start: Array,
    lower: Array,
    upper: Array,
    stay: Array,
    reach_joint: Ints,
    reach_offset: Array,
    reach_target: Array,
    reach_weight: Array,
    face_joint: Ints,
    face_target: Array,
    face_weight: Array,
    capsule_joint: Ints,
    capsule_ends: Array,
    capsule_radius: Array,
    pairs: Ints,
    slack: Array,
    push: float,
    iterations: int,
    hinged: NDArray[np.bool_],
    follow: bool,
    costs: Array,
) -> None:
    """Moves `local` `[F, J, 4]` and `moved` `[F, J, 3]` in place; `costs` `[F, 2]` are those before and after.

    `start` `[F, D]` are the coordinates' values at the start, which `lower` and `upper` `[D]` bound; those at the
    end are left in it. With `follow`, joints that are `hinged` `[J]` begin a frame as they ended the one before,
    unless that is a trap: angles that fit equally well would otherwise change places from frame to frame.
    """
    joints, size = len(parents), len(stay)
    turned, placed = np.empty((joints, 4)), np.empty((joints, 3))
    new_local, new_moved = np.empty((joints, 4)), np.empty((joints, 3))
    matrix, new_matrix, factor = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, size))
    slope, new_slope, step, row = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size)
    used = np.zeros(2 * size + 1, np.int64)
    fixed = np.zeros(size, np.bool_)
    moved_by, new_by = np.zeros(size), np.zeros(size)
    for frame in range(len(local)):
        damping, cost = 1e-3, 0.0
        most = iterations if frame > 0 or not follow else FIRST * iterations
        for trial in range(2 + most):
            if trial == 0:  # as given
                new_local[:], new_moved[:] = local[frame], moved[frame]
                new_by[:] = 0.0
            elif trial == 1:  # as the frame before
                if frame == 0 or not follow:
                    continue
                for joint in range(joints):
                    if hinged[joint]:
                        new_local[joint] = local[frame - 1, joint]
            else:
                for k in range(size):
                    # At a limit, and the slope pushes further out: that coordinate stays.
                    value = start[frame, k] + moved_by[k]
                    fixed[k] = (value <= lower[k] and slope[k] > 0.0) or (value >= upper[k] and slope[k] < 0.0)
                if not _solve(matrix, slope, damping, fixed, factor, step):
                    damping *= GROW
                    continue
                for k in range(size):
                    value = start[frame, k] + moved_by[k]
                    step[k] = min(max(step[k], min(lower[k] - value, 0.0)), max(upper[k] - value, 0.0))
                    new_by[k] = moved_by[k] + step[k]
                _apply(step, first, count, axes, slides, local[frame], moved[frame], new_local, new_moved)
            _forward(new_local, new_moved, parents, turned, placed)
            new_cost = _residuals(
                parents,
                first,
                count,
                axes,
                slides,
                turned,
                placed,
                reach_joint,
                reach_offset,
                reach_target[frame],
                reach_weight[frame],
                face_joint,
                face_target[frame],
                face_weight[frame],
                capsule_joint,
                capsule_ends,
                capsule_radius,
                pairs,
                slack,
                push,
                new_by,
                stay,
                new_matrix,
                new_slope,
                row,
                used,
            )
            if trial == 0:
                costs[frame, 0] = new_cost
            taken = trial == 0 or (new_cost <= TRAPPED * cost if trial == 1 else new_cost < cost)
            if trial > 1:
                damping = max(damping * SHRINK, 1e-9) if taken else damping * GROW
            if taken:
                done = trial > 1 and cost - new_cost < SMALLEST_GAIN * cost
                local[frame], moved[frame] = new_local, new_moved
                moved_by[:], slope[:] = new_by, new_slope
                matrix[:] = new_matrix
                cost = new_cost
                if trial == 1:
                    for joint in range(joints):
                        if hinged[joint]:
                            for k in range(first[joint], first[joint] + count[joint]):
                                start[frame, k] = start[frame - 1, k]
                if done:
                    break
            elif damping > MOST_DAMPING:
                break
        costs[frame, 1] = cost
        start[frame] += moved_by
