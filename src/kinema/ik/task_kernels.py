"""The compiled residuals of tasks; see `kinema.ik.tasks`.

Each function adds the rows of one task to the normal equations of a pose, and their cost to the cost so far. The cost
is half the sum of squared residuals.
"""

# pyright: reportArgumentType=false, reportIndexIssue=false

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kinema.compiled import njit
from kinema.ik.jacobian_kernels import (
    Array,
    Ints,
    JacobianRow,
    State,
    Tree,
    add_local_turn,
    add_mass_centre,
    add_point,
    add_turn,
    finish,
    point_of,
    rotation_vector,
)
from kinema.ik.kernels import perpendicular
from kinema.kernels import assign, cross, dot, inverse, multiply, rotate, scaled_sum, unit, vector_of, write_vector

REACH, ORIENT, ABOVE, HOLD, LOOK_AT, BALANCE, POSTURE = range(7)
"""Kinds of tasks in the order in which they are stored."""


class Obstacles(NamedTuple):
    """Capsules; see `kinema.ik.tasks.Capsules`."""

    joints: Ints
    ends: Array
    radii: Array
    pairs: Ints
    slack: Array
    weight: float


class TaskArrays(NamedTuple):
    """The tasks of all frames, sorted by kind.

    Attributes:
        first: `[8]`: where each kind begins, and the number of tasks `G`.
        joints: `[G]`. A posture is one task for each of its joints; for a balance this is the row of its `masses`.
        offsets, directions: `[G, 3]`, in the joints' frames.
        targets: `[F, G, 6]`: a position, a rotation, a height, or both ends of a rail.
        weights: `[F, G]`.
        obstacles: capsules.
        masses, centres: `[B, J]` shares of the mass and `[J, 3]` their centres in the joints' frames.
        up: `[F, 3]`, the direction in which heights are measured.
    """

    first: Ints
    joints: Ints
    offsets: Array
    directions: Array
    targets: Array
    weights: Array
    obstacles: Obstacles
    masses: Array
    centres: Array
    up: Array


@njit
def closest(a: Array, b: Array, c: Array, d: Array) -> tuple[float, float]:
    """Parameters `s` and `t` (0 to 1) of the closest points of segments `a b` and `c d` (Ericson, Real-Time Collision
    Detection, 2005, section 5.1.9)."""
    u, v, w = scaled_sum(b, 1.0, a, -1.0), scaled_sum(d, 1.0, c, -1.0), scaled_sum(a, 1.0, c, -1.0)
    uu, vv, vw, uw, uv = dot(u, u), dot(v, v), dot(v, w), dot(u, w), dot(u, v)
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


@njit
def _axis(k: int) -> tuple[float, float, float]:
    """A unit vector along an axis of the world."""
    return (1.0 * (k == 0), 1.0 * (k == 1), 1.0 * (k == 2))


@njit
def _reach(weight: float, joint: int, point, target: Array, tree: Tree, state: State, row: JacobianRow) -> float:
    cost = 0.0
    for k in range(3):
        add_point(tree, state, joint, point, _axis(k), weight, row)
        cost += finish(row, weight * (point[k] - target[k]), state)
    return cost


@njit
def _orient(weight: float, joint: int, target: Array, tree: Tree, state: State, row: JacobianRow) -> float:
    # The error is the world-space rotation from the target orientation to the joint's own.
    error = rotation_vector(multiply(state.global_rotations[joint], inverse(target)))
    cost = 0.0
    for k in range(3):
        add_turn(tree, state, joint, _axis(k), weight, row)
        cost += finish(row, weight * error[k], state)
    return cost


@njit
def _above(weight: float, joint: int, point, height: float, up, tree: Tree, state: State, row: JacobianRow) -> float:
    depth = height - dot(point, up)
    if depth <= 0.0:
        return 0.0
    add_point(tree, state, joint, point, up, -weight, row)
    return finish(row, weight * depth, state)


@njit
def _hold(weight: float, joint: int, point, rail: Array, tree: Tree, state: State, row: JacobianRow) -> float:
    start, end = vector_of(rail), vector_of(rail[3:])
    along = scaled_sum(end, 1.0, start, -1.0)
    square = dot(along, along)
    place = dot(scaled_sum(point, 1.0, start, -1.0), along) / square if square > 1e-12 else 0.0
    free = 1.0 / square if 0.0 < place < 1.0 else 0.0  # a point between the ends may slide
    place = min(max(place, 0.0), 1.0)
    miss = scaled_sum(scaled_sum(point, 1.0, start, -1.0), 1.0, along, -place)
    cost = 0.0
    for k in range(3):
        add_point(tree, state, joint, point, scaled_sum(_axis(k), 1.0, along, -free * along[k]), weight, row)
        cost += finish(row, weight * miss[k], state)
    return cost


@njit
def _look_at(
    weight: float, joint: int, eye, forward: Array, target: Array, tree: Tree, state: State, row: JacobianRow
) -> float:
    line = scaled_sum(target, 1.0, eye, -1.0)
    distance = math.sqrt(dot(line, line))
    if distance < 1e-9:
        return 0.0
    wanted = scaled_sum(line, 1.0 / distance, line, 0.0)
    has = rotate(state.global_rotations[joint], forward)
    across = cross(wanted, has)
    error = math.atan2(math.sqrt(dot(across, across)), dot(wanted, has))
    # The error is the shortest rotation, about the first of two axes orthogonal to the direction.
    first = unit(across, perpendicular(has))
    second = cross(has, first)
    add_turn(tree, state, joint, first, weight, row)
    add_point(tree, state, joint, eye, cross(first, wanted), weight / distance, row)
    cost = finish(row, weight * error, state)
    weight *= error / math.tan(error) if error > 1e-6 else 1.0
    add_turn(tree, state, joint, second, weight, row)
    add_point(tree, state, joint, eye, cross(second, wanted), weight / distance, row)
    return cost + finish(row, 0.0, state)


@njit
def _mass_moments(tree: Tree, masses: Array, centres: Array, state: State) -> tuple[Array, Array]:
    """Mass at and below each joint `[J]`, and this times the position of its centre `[J, 3]`."""
    total, moments = np.empty_like(masses), np.empty_like(centres)
    assign(total, masses)
    for joint in range(len(total)):
        place = point_of(state.global_rotations[joint], centres[joint], state.global_positions[joint])
        write_vector(moments[joint], scaled_sum(place, masses[joint], place, 0.0))
    for joint in range(len(total) - 1, -1, -1):
        parent = tree.parents[joint]
        if parent >= 0:
            total[parent] += total[joint]
            write_vector(moments[parent], scaled_sum(moments[parent], 1.0, moments[joint], 1.0))
    return total, moments


@njit
def _balance(
    weight: float, own: Array, centres: Array, target: Array, up, tree: Tree, state: State, row: JacobianRow
) -> float:
    side = unit(cross(up, (0.0, 0.0, 1.0)), perpendicular(up))
    masses, moments = _mass_moments(tree, own, centres, state)
    miss = scaled_sum(target, -1.0, up, 0.0)
    for joint in range(len(masses)):
        if tree.parents[joint] < 0:
            miss = scaled_sum(miss, 1.0, moments[joint], 1.0)
    cost = 0.0
    for direction in (side, cross(side, up)):
        add_mass_centre(tree, state, masses, moments, direction, weight, row)
        cost += finish(row, weight * dot(miss, direction), state)
    return cost


@njit
def _posture(weight: float, joint: int, target: Array, tree: Tree, state: State, row: JacobianRow) -> float:
    error = rotation_vector(multiply(inverse(target), state.local_rotations[joint]))
    cost = 0.0
    for k in range(3):
        add_local_turn(tree, joint, k, weight, row)
        cost += finish(row, weight * error[k], state)
    return cost


@njit
def _kind_cost(kind: int, frame: int, tree: Tree, tasks: TaskArrays, state: State, row: JacobianRow) -> float:
    """The cost of all tasks of a kind."""
    cost, up = 0.0, vector_of(tasks.up[frame])
    for g in range(tasks.first[kind], tasks.first[kind + 1]):
        weight, joint, target = tasks.weights[frame, g], tasks.joints[g], tasks.targets[frame, g]
        if weight <= 0.0:
            continue
        if kind == BALANCE:
            cost += _balance(weight, tasks.masses[joint], tasks.centres, target, up, tree, state, row)
            continue
        point = point_of(state.global_rotations[joint], tasks.offsets[g], state.global_positions[joint])
        if kind == REACH:
            cost += _reach(weight, joint, point, target, tree, state, row)
        elif kind == ORIENT:
            cost += _orient(weight, joint, target, tree, state, row)
        elif kind == ABOVE:
            cost += _above(weight, joint, point, target[0], up, tree, state, row)
        elif kind == HOLD:
            cost += _hold(weight, joint, point, target, tree, state, row)
        elif kind == LOOK_AT:
            cost += _look_at(weight, joint, point, tasks.directions[g], target, tree, state, row)
        else:
            cost += _posture(weight, joint, target, tree, state, row)
    return cost


@njit
def _end(state: State, obstacles: Obstacles, capsule: int, end: int) -> tuple[float, float, float]:
    joint = obstacles.joints[capsule]
    return point_of(state.global_rotations[joint], obstacles.ends[capsule, end], state.global_positions[joint])


@njit
def _obstacle_cost(tree: Tree, obstacles: Obstacles, state: State, row: JacobianRow) -> float:
    cost, weight = 0.0, obstacles.weight
    for p in range(len(obstacles.pairs)):
        one, other = obstacles.pairs[p, 0], obstacles.pairs[p, 1]
        a, b = _end(state, obstacles, one, 0), _end(state, obstacles, one, 1)
        c, d = _end(state, obstacles, other, 0), _end(state, obstacles, other, 1)
        s, t = closest(a, b, c, d)
        first, second = scaled_sum(a, 1.0 - s, b, s), scaled_sum(c, 1.0 - t, d, t)
        apart = scaled_sum(first, 1.0, second, -1.0)
        distance = math.sqrt(dot(apart, apart))
        depth = obstacles.radii[one] + obstacles.radii[other] - obstacles.slack[p] - distance
        if depth <= 0.0 or distance < 1e-9:
            continue
        direction = scaled_sum(apart, 1.0 / distance, apart, 0.0)
        add_point(tree, state, obstacles.joints[one], first, direction, -weight, row)
        add_point(tree, state, obstacles.joints[other], second, direction, weight, row)
        cost += finish(row, weight * depth, state)
    return cost


@njit
def task_cost(frame: int, tree: Tree, tasks: TaskArrays, state: State, row: JacobianRow) -> float:
    """The cost of all tasks of a frame. Adds their rows to the normal equations of the pose."""
    cost = 0.0
    for kind in range(len(tasks.first) - 1):
        cost += _kind_cost(kind, frame, tree, tasks, state, row)
    return cost + _obstacle_cost(tree, tasks.obstacles, state, row)
