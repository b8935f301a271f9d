"""The compiled residuals of tasks; see `kinema.ik.tasks`.

Each function adds the rows of one kind of task to the normal equations of a pose and returns their cost, which is half
the sum of squared residuals.
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
from kinema.kernels import cross, dot, inverse, multiply, rotate, scaled_sum, unit, vector_of, write_vector


class Reaches(NamedTuple):
    """Positions: joints `[G]`, offsets `[G, 3]`, targets `[F, G, 3]` and weights `[F, G]`."""

    joints: Ints
    offsets: Array
    targets: Array
    weights: Array


class Orientations(NamedTuple):
    """Orientations: joints `[G]`, targets `[F, G, 4]` and weights `[F, G]`."""

    joints: Ints
    targets: Array
    weights: Array


class Floors(NamedTuple):
    """Points that stay above a height: joints `[G]`, offsets `[G, 3]`, heights `[F, G]` and weights `[F, G]`."""

    joints: Ints
    offsets: Array
    heights: Array
    weights: Array


class Obstacles(NamedTuple):
    """Capsules; see `kinema.ik.full_body.Capsules`."""

    joints: Ints
    ends: Array
    radii: Array
    pairs: Ints
    slack: Array
    weight: float


class Rails(NamedTuple):
    """Points that stay on segments: joints `[G]`, offsets `[G, 3]`, starts and ends `[F, G, 3]`, weights `[F, G]`."""

    joints: Ints
    offsets: Array
    starts: Array
    ends: Array
    weights: Array


class Aims(NamedTuple):
    """Directions towards points: joints `[G]`, origins and directions `[G, 3]`, targets `[F, G, 3]`, weights
    `[F, G]`."""

    joints: Ints
    offsets: Array
    directions: Array
    targets: Array
    weights: Array


class Balances(NamedTuple):
    """Centres of mass above points: shares of the mass `[G, J]`, their centres `[G, J, 3]` in the joints' frames,
    targets `[F, G, 3]` and weights `[F, G]`."""

    masses: Array
    centres: Array
    targets: Array
    weights: Array


class Postures(NamedTuple):
    """Local rotations of joints: joints `[G]`, targets `[F, G, 4]` and weights `[F, G]`."""

    joints: Ints
    targets: Array
    weights: Array


class TaskArrays(NamedTuple):
    """All tasks of all frames, and the direction that is up `[F, 3]`, for heights and balance."""

    reaches: Reaches
    orientations: Orientations
    floors: Floors
    obstacles: Obstacles
    rails: Rails
    aims: Aims
    balances: Balances
    postures: Postures
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
def _reach_cost(frame: int, tree: Tree, reaches: Reaches, state: State, row: JacobianRow) -> float:
    cost = 0.0
    for g in range(len(reaches.joints)):
        weight, joint = reaches.weights[frame, g], reaches.joints[g]
        if weight <= 0.0:
            continue
        point = point_of(state.global_rotations[joint], reaches.offsets[g], state.global_positions[joint])
        for k in range(3):
            direction = (1.0 * (k == 0), 1.0 * (k == 1), 1.0 * (k == 2))
            add_point(tree, state, joint, point, direction, weight, row)
            cost += finish(row, weight * (point[k] - reaches.targets[frame, g, k]), state)
    return cost


@njit
def _orientation_cost(frame: int, tree: Tree, orientations: Orientations, state: State, row: JacobianRow) -> float:
    cost = 0.0
    for g in range(len(orientations.joints)):
        weight, joint = orientations.weights[frame, g], orientations.joints[g]
        if weight <= 0.0:
            continue
        # The error is the world-space rotation from the target orientation to the joint's own.
        error = rotation_vector(multiply(state.global_rotations[joint], inverse(orientations.targets[frame, g])))
        for k in range(3):
            direction = (1.0 * (k == 0), 1.0 * (k == 1), 1.0 * (k == 2))
            add_turn(tree, state, joint, direction, weight, row)
            cost += finish(row, weight * error[k], state)
    return cost


@njit
def _floor_cost(frame: int, tree: Tree, floors: Floors, up, state: State, row: JacobianRow) -> float:
    cost = 0.0
    for g in range(len(floors.joints)):
        weight, joint = floors.weights[frame, g], floors.joints[g]
        point = point_of(state.global_rotations[joint], floors.offsets[g], state.global_positions[joint])
        depth = floors.heights[frame, g] - dot(point, up)
        if weight > 0.0 and depth > 0.0:
            add_point(tree, state, joint, point, up, -weight, row)
            cost += finish(row, weight * depth, state)
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
def _rail_cost(frame: int, tree: Tree, rails: Rails, state: State, row: JacobianRow) -> float:
    cost = 0.0
    for g in range(len(rails.joints)):
        weight, joint, start = rails.weights[frame, g], rails.joints[g], rails.starts[frame, g]
        if weight <= 0.0:
            continue
        point = point_of(state.global_rotations[joint], rails.offsets[g], state.global_positions[joint])
        along = scaled_sum(rails.ends[frame, g], 1.0, start, -1.0)
        square = dot(along, along)
        place = dot(scaled_sum(point, 1.0, start, -1.0), along) / square if square > 1e-12 else 0.0
        free = 1.0 / square if 0.0 < place < 1.0 else 0.0  # a point between the ends may slide
        place = min(max(place, 0.0), 1.0)
        miss = scaled_sum(scaled_sum(point, 1.0, start, -1.0), 1.0, along, -place)
        for k in range(3):
            direction = (1.0 * (k == 0), 1.0 * (k == 1), 1.0 * (k == 2))
            direction = scaled_sum(direction, 1.0, along, -free * along[k])
            add_point(tree, state, joint, point, direction, weight, row)
            cost += finish(row, weight * miss[k], state)
    return cost


@njit
def _aim_cost(frame: int, tree: Tree, aims: Aims, state: State, row: JacobianRow) -> float:
    cost = 0.0
    for g in range(len(aims.joints)):
        weight, joint = aims.weights[frame, g], aims.joints[g]
        rotation = state.global_rotations[joint]
        eye = point_of(rotation, aims.offsets[g], state.global_positions[joint])
        line = scaled_sum(aims.targets[frame, g], 1.0, eye, -1.0)
        distance = math.sqrt(dot(line, line))
        if weight <= 0.0 or distance < 1e-9:
            continue
        wanted, has = scaled_sum(line, 1.0 / distance, line, 0.0), rotate(rotation, aims.directions[g])
        across = cross(wanted, has)
        error = math.atan2(math.sqrt(dot(across, across)), dot(wanted, has))
        # The error is the shortest rotation, about the first of two axes orthogonal to the direction.
        first = unit(across, perpendicular(has))
        second = cross(has, first)
        stiffness = error / math.tan(error) if error > 1e-6 else 1.0
        add_turn(tree, state, joint, first, weight, row)
        add_point(tree, state, joint, eye, cross(first, wanted), weight / distance, row)
        cost += finish(row, weight * error, state)
        add_turn(tree, state, joint, second, weight * stiffness, row)
        add_point(tree, state, joint, eye, cross(second, wanted), weight * stiffness / distance, row)
        cost += finish(row, 0.0, state)
    return cost


@njit
def _mass_moments(tree: Tree, masses: Array, centres: Array, state: State) -> tuple[Array, Array]:
    """Mass at and below each joint `[J]`, and this times the position of its centre `[J, 3]`."""
    total, moments = masses.copy(), np.empty_like(centres)
    for joint in range(len(total)):
        place = point_of(state.global_rotations[joint], centres[joint], state.global_positions[joint])
        write_vector(moments[joint], scaled_sum(place, masses[joint], place, 0.0))
    for joint in range(len(total) - 1, -1, -1):
        parent = tree.parents[joint]
        if parent >= 0:
            total[parent] += total[joint]
            moments[parent] += moments[joint]
    return total, moments


@njit
def _balance_cost(frame: int, tree: Tree, balances: Balances, up, state: State, row: JacobianRow) -> float:
    cost = 0.0
    side = unit(cross(up, (0.0, 0.0, 1.0)), perpendicular(up))
    for g in range(len(balances.masses)):
        weight = balances.weights[frame, g]
        if weight <= 0.0:
            continue
        masses, moments = _mass_moments(tree, balances.masses[g], balances.centres[g], state)
        miss = scaled_sum(balances.targets[frame, g], -1.0, up, 0.0)
        for joint in range(len(masses)):
            if tree.parents[joint] < 0:
                miss = scaled_sum(miss, 1.0, moments[joint], 1.0)
        for direction in (side, cross(side, up)):
            add_mass_centre(tree, state, masses, moments, direction, weight, row)
            cost += finish(row, weight * dot(miss, direction), state)
    return cost


@njit
def _posture_cost(frame: int, tree: Tree, postures: Postures, state: State, row: JacobianRow) -> float:
    cost = 0.0
    for g in range(len(postures.joints)):
        weight, joint = postures.weights[frame, g], postures.joints[g]
        if weight <= 0.0:
            continue
        error = rotation_vector(multiply(inverse(postures.targets[frame, g]), state.local_rotations[joint]))
        for k in range(3):
            add_local_turn(tree, joint, k, weight, row)
            cost += finish(row, weight * error[k], state)
    return cost


@njit
def task_cost(frame: int, tree: Tree, tasks: TaskArrays, state: State, row: JacobianRow) -> float:
    """The cost of all tasks of a frame. Adds their rows to the normal equations of the pose."""
    cost = _reach_cost(frame, tree, tasks.reaches, state, row)
    cost += _orientation_cost(frame, tree, tasks.orientations, state, row)
    cost += _floor_cost(frame, tree, tasks.floors, vector_of(tasks.up[frame]), state, row)
    cost += _obstacle_cost(tree, tasks.obstacles, state, row)
    cost += _rail_cost(frame, tree, tasks.rails, state, row)
    cost += _aim_cost(frame, tree, tasks.aims, state, row)
    cost += _balance_cost(frame, tree, tasks.balances, vector_of(tasks.up[frame]), state, row)
    cost += _posture_cost(frame, tree, tasks.postures, state, row)
    return cost
