"""Levenberg-Marquardt for the coordinates of one pose, compiled."""

# pyright: reportArgumentType=false, reportIndexIssue=false

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kinema.compiled import njit
from kinema.ik.cone_kernels import Cones, clamp_cones, hold_cones
from kinema.ik.jacobian_kernels import Array, Bools, Ints, JacobianRow, State, Tree, forward
from kinema.ik.task_kernels import TaskArrays, task_cost
from kinema.kernels import assign, clear, dot, multiply, scaled_sum, write_quaternion, write_vector

SMALLEST_GAIN = 1e-7  # relative decrease of the cost at which a frame is done
GROW, SHRINK = 8.0, 0.25
LEAST_DAMPING, FIRST_DAMPING, MOST_DAMPING = 1e-9, 1e-3, 1e8


class Bounds(NamedTuple):
    """Start values of the coordinates `[F, D]` and their limits, and see `kinema.ik.coordinates.Coordinates`."""

    start: Array
    lower: Array
    upper: Array
    stay: Array
    nominal: Array
    lean: Array
    limbs: Ints
    cones: Cones


@njit
def evaluate(
    frame: int, tree: Tree, tasks: TaskArrays, bounds: Bounds, state: State, row: JacobianRow
) -> tuple[float, float]:
    """Half the sum of squared residuals of a pose, and the part of it that does not depend on the start.

    Also computes the pose's global rotations and positions, and its normal equations.
    """
    forward(state, tree.parents)
    clear(state.matrix)
    clear(state.slope)
    cost = task_cost(frame, tree, tasks, state, row)
    stayed = 0.0
    for k in range(len(bounds.stay)):
        pull = bounds.stay[k] * state.change[k]
        lean = bounds.lean[k] * (bounds.start[frame, k] + state.change[k] - bounds.nominal[k])
        stayed += 0.5 * pull * pull
        cost += 0.5 * lean * lean
        state.matrix[k, k] += bounds.stay[k] * bounds.stay[k] + bounds.lean[k] * bounds.lean[k]
        state.slope[k] += bounds.stay[k] * pull + bounds.lean[k] * lean
    return cost + stayed, cost


@njit
def _factorise(matrix: Array, damping: float, fixed: Bools, factor: Array) -> bool:
    """Cholesky factor of the damped matrix without its fixed coordinates. False if it is not positive definite."""
    for i in range(len(matrix)):
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
            if i != j:
                factor[i, j] = value / factor[j, j]
            elif value > 0.0:
                factor[i, i] = math.sqrt(value)
            else:
                return False
    return True


@njit
def _solve(matrix: Array, slope: Array, damping: float, fixed: Bools, factor: Array, step: Array) -> bool:
    """The damped step, zero for fixed coordinates. False if the matrix is not positive definite."""
    if not _factorise(matrix, damping, fixed, factor):
        return False
    size = len(slope)
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


@njit
def _bounded_step(
    frame: int, tree: Tree, bounds: Bounds, state: State, damping: float, fixed: Bools, factor: Array, step: Array
) -> bool:
    """A damped step within the limits. False if there is none.

    A coordinate at a limit stays there if the slope pushes it further out.
    """
    for k in range(len(step)):
        value = bounds.start[frame, k] + state.change[k]
        below = value <= bounds.lower[k] and state.slope[k] > 0.0
        fixed[k] = below or (value >= bounds.upper[k] and state.slope[k] < 0.0)
    hold_cones(tree, bounds.cones, state)
    if not _solve(state.matrix, state.slope, damping, fixed, factor, step):
        return False
    for k in range(len(step)):
        value = bounds.start[frame, k] + state.change[k]
        step[k] = min(max(step[k], min(bounds.lower[k] - value, 0.0)), max(bounds.upper[k] - value, 0.0))
    return True


@njit
def apply(tree: Tree, cones: Cones, step: Array, state: State, trial: State) -> None:
    """Set the pose of `trial` to that of `state` moved by a step."""
    for k in range(len(step)):
        trial.change[k] = state.change[k] + step[k]
    for joint in range(len(tree.parents)):
        write_quaternion(trial.local_rotations[joint], state.local_rotations[joint])
        write_vector(trial.local_translations[joint], state.local_translations[joint])
        turn = (0.0, 0.0, 0.0)
        for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
            if tree.slides[k]:
                moved = trial.local_translations[joint]
                write_vector(moved, scaled_sum(moved, 1.0, tree.axes[k], step[k]))
            else:
                turn = scaled_sum(turn, 1.0, tree.axes[k], step[k])
        size = math.sqrt(dot(turn, turn))
        if size > 0.0:
            s = math.sin(0.5 * size) / size
            q = multiply(state.local_rotations[joint], (math.cos(0.5 * size), s * turn[0], s * turn[1], s * turn[2]))
            scale = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
            write_quaternion(trial.local_rotations[joint], (q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale))
    clamp_cones(tree, cones, trial)


@njit
def minimise(
    frame: int,
    iterations: int,
    tree: Tree,
    tasks: TaskArrays,
    bounds: Bounds,
    state: State,
    spare: State,
    row: JacobianRow,
) -> tuple[float, float]:
    """Minimise the cost of a frame from the pose in `state`. Returns both of its costs, see `evaluate`."""
    size = len(bounds.stay)
    fixed, factor, step = np.zeros(size, np.bool_), np.zeros((size, size)), np.zeros(size)
    best, trial = state, spare
    costs = evaluate(frame, tree, tasks, bounds, best, row)
    damping = FIRST_DAMPING
    for _ in range(iterations):
        if not _bounded_step(frame, tree, bounds, best, damping, fixed, factor, step):
            damping *= GROW
            continue
        apply(tree, bounds.cones, step, best, trial)
        new_costs = evaluate(frame, tree, tasks, bounds, trial, row)
        if new_costs[0] < costs[0]:
            gain = costs[0] - new_costs[0]
            best, trial = trial, best
            damping = max(damping * SHRINK, LEAST_DAMPING)
            done = gain < SMALLEST_GAIN * costs[0]
            costs = new_costs
            if done:
                break
        else:
            damping *= GROW
            if damping > MOST_DAMPING:
                break
    copy(best, state)
    return costs


@njit
def copy(state: State, to: State) -> None:
    """Copy a pose and the change of its coordinates."""
    assign(to.local_rotations, state.local_rotations)
    assign(to.local_translations, state.local_translations)
    assign(to.change, state.change)
