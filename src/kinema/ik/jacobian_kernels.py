"""Sparse rows of the Jacobian of a pose with respect to its coordinates, and the normal equations that they fill.

A residual depends only on the coordinates of its joint and the joint's ancestors, so its row is sparse. Everything is
float64.
"""

# pyright: reportArgumentType=false, reportIndexIssue=false

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinema.compiled import njit
from kinema.kernels import cross, dot, multiply, rotate, scaled_sum, write_quaternion, write_vector

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Tree(NamedTuple):
    """The skeleton and its coordinates. Those of joint `j` are `first[j]` to `first[j] + count[j] - 1`.

    Attributes:
        parents, first, count: `[J]`. hinged: `[J]`, joints that continue from the previous frame.
        axes: `[D, 3]`, in the joint's frame, or in its parent's where the coordinate `slides` `[D]`.
    """

    parents: Ints
    first: Ints
    count: Ints
    hinged: Bools
    axes: Array
    slides: Bools


class State(NamedTuple):
    """A pose of one frame, the change of its coordinates, and its normal equations (the lower half of `matrix`)."""

    local_rotations: Array
    local_translations: Array
    global_rotations: Array
    global_positions: Array
    change: Array
    matrix: Array
    slope: Array


class JacobianRow(NamedTuple):
    """A sparse row of the Jacobian: values `[D]`, and the coordinates in use, `count[0]` of them."""

    values: Array
    used: Ints
    count: Ints


@njit
def new_state(joints: int, size: int) -> State:
    """Allocate a state for `joints` joints and `size` coordinates."""
    return State(
        np.empty((joints, 4)),
        np.empty((joints, 3)),
        np.empty((joints, 4)),
        np.empty((joints, 3)),
        np.zeros(size),
        np.zeros((size, size)),
        np.zeros(size),
    )


@njit
def point_of(q: Array, offset: Array, base: Array) -> tuple[float, float, float]:
    """A point in a frame with rotation `q` and origin `base`."""
    return scaled_sum(rotate(q, offset), 1.0, base, 1.0)


@njit
def forward(state: State, parents: Ints) -> None:
    """Compute the global rotations and positions."""
    for joint in range(len(parents)):
        parent = parents[joint]
        if parent < 0:
            write_quaternion(state.global_rotations[joint], state.local_rotations[joint])
            write_vector(state.global_positions[joint], state.local_translations[joint])
        else:
            above = state.global_rotations[parent]
            write_quaternion(state.global_rotations[joint], multiply(above, state.local_rotations[joint]))
            place = point_of(above, state.local_translations[joint], state.global_positions[parent])
            write_vector(state.global_positions[joint], place)


@njit
def rotation_vector(q: tuple[float, float, float, float]) -> tuple[float, float, float]:
    """Scalar version of `kinema.rotations.log`."""
    sign = 1.0 if q[0] >= 0 else -1.0
    sine = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    factor = 2.0 * sign if sine < 1e-9 else 2.0 * sign * math.atan2(sine, sign * q[0]) / sine
    return (factor * q[1], factor * q[2], factor * q[3])


@njit
def _put(row: JacobianRow, coordinate: int, value: float) -> None:
    if row.values[coordinate] == 0.0:
        row.used[row.count[0]] = coordinate
        row.count[0] += 1
        row.values[coordinate] = 1e-300  # marks the coordinate as used even if its values cancel
    row.values[coordinate] += value


@njit
def add_point(tree: Tree, state: State, joint: int, point, direction, sign: float, row: JacobianRow) -> None:
    """Add the derivative of `sign * direction . point` to the row, for every coordinate that moves the point."""
    while joint >= 0:
        parent = tree.parents[joint]
        for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
            if not tree.slides[k]:
                axis = rotate(state.global_rotations[joint], tree.axes[k])
                value = dot(cross(axis, scaled_sum(point, 1.0, state.global_positions[joint], -1.0)), direction)
            elif parent >= 0:
                value = dot(rotate(state.global_rotations[parent], tree.axes[k]), direction)
            else:
                value = dot(tree.axes[k], direction)
            _put(row, k, sign * value)
        joint = parent


@njit
def add_turn(tree: Tree, state: State, joint: int, direction, weight: float, row: JacobianRow) -> None:
    """Add the derivative of the joint's rotation about a direction in the world to the row."""
    while joint >= 0:
        for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
            if not tree.slides[k]:
                _put(row, k, weight * dot(rotate(state.global_rotations[joint], tree.axes[k]), direction))
        joint = tree.parents[joint]


@njit
def add_local_turn(tree: Tree, joint: int, component: int, weight: float, row: JacobianRow) -> None:
    """Add the derivative of the joint's own rotation, in its own frame, to the row."""
    for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
        if not tree.slides[k]:
            _put(row, k, weight * tree.axes[k, component])


@njit
def add_mass_centre(tree: Tree, state: State, masses: Array, moments: Array, direction, weight, row) -> None:
    """Add the derivative of the centre of mass in a direction to the row.

    Args:
        masses, moments: `[J]` and `[J, 3]`, share of the body's mass at and below each joint, and this times the
            position of its centre.
    """
    for joint in range(len(tree.parents)):
        parent = tree.parents[joint]
        for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
            if not tree.slides[k]:
                axis = rotate(state.global_rotations[joint], tree.axes[k])
                arm = scaled_sum(moments[joint], 1.0, state.global_positions[joint], -masses[joint])
                value = dot(cross(axis, arm), direction)
            elif parent >= 0:
                value = masses[joint] * dot(rotate(state.global_rotations[parent], tree.axes[k]), direction)
            else:
                value = masses[joint] * dot(tree.axes[k], direction)
            _put(row, k, weight * value)


@njit
def finish(row: JacobianRow, residual: float, state: State) -> float:
    """Add a row to the normal equations and clear it. Returns its cost."""
    for i in range(row.count[0]):
        a = row.used[i]
        state.slope[a] += row.values[a] * residual
        for j in range(row.count[0]):
            b = row.used[j]
            if b <= a:
                state.matrix[a, b] += row.values[a] * row.values[b]
    for i in range(row.count[0]):
        row.values[row.used[i]] = 0.0
    row.count[0] = 0
    return 0.5 * residual * residual
