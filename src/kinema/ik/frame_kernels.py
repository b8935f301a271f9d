"""The compiled part of `kinema.ik.full_body`: frame after frame."""

# pyright: reportArgumentType=false, reportIndexIssue=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinema.by_reference import by_reference
from kinema.compiled import njit
from kinema.ik.cone_kernels import clamp_cones
from kinema.ik.jacobian_kernels import Array, JacobianRow, State, Tree, new_state
from kinema.ik.least_squares_kernels import Bounds, apply, copy, evaluate, minimise
from kinema.ik.task_kernels import TaskArrays
from kinema.kernels import assign, clear, write_quaternion

FIRST = 5  # factor of iterations for the first frame, which has no previous one
TRAPPED = 10.0  # a frame ignores the previous one if that start costs this many times more


class LocalPoses(NamedTuple):
    """Local rotations `[F, J, 4]` and translations `[F, J, 3]`."""

    local_rotations: Array
    local_translations: Array


class Work(NamedTuple):
    """Memory of the solver: the pose of a frame, one to try steps in, another candidate, and a row."""

    state: State
    trial: State
    other: State
    row: JacobianRow


@njit
def _read(frame: int, poses: LocalPoses, state: State) -> None:
    """Read the pose of a frame."""
    clear(state.change)
    assign(state.local_rotations, poses.local_rotations[frame])
    assign(state.local_translations, poses.local_translations[frame])


@njit
def _write(frame: int, poses: LocalPoses, bounds: Bounds, state: State) -> None:
    """Write a pose as that of a frame, and its coordinates as their start values."""
    assign(poses.local_rotations[frame], state.local_rotations)
    assign(poses.local_translations[frame], state.local_translations)
    for k in range(len(state.change)):
        bounds.start[frame, k] += state.change[k]


@njit
def _begin(
    frame: int, tree: Tree, tasks: TaskArrays, bounds: Bounds, poses: LocalPoses, follow: bool, work: Work
) -> float:
    """Set up where a frame starts: at its given pose, or with its hinges as they were at the end of the previous frame.

    Returns the cost of the given pose.
    """
    state, trial = work.state, work.trial
    _read(frame, poses, state)
    clamp_cones(tree, bounds.cones, state)
    clear(state.change)
    cost = evaluate(frame, tree, tasks, bounds, state, work.row)[0]
    if not follow or frame == 0:
        return cost
    own = bounds.start[frame].copy()
    _read(frame, poses, trial)
    clamp_cones(tree, bounds.cones, trial)
    clear(trial.change)
    for joint in range(len(tree.parents)):
        if tree.hinged[joint]:
            write_quaternion(trial.local_rotations[joint], poses.local_rotations[frame - 1, joint])
            for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
                bounds.start[frame, k] = bounds.start[frame - 1, k]
    if evaluate(frame, tree, tasks, bounds, trial, work.row)[0] <= TRAPPED * cost:
        copy(trial, state)
    else:
        assign(bounds.start[frame], own)
    return cost


@njit
def _restart(
    frame: int, limb: int, iterations: int, tree: Tree, tasks: TaskArrays, bounds: Bounds, costs, work: Work
) -> tuple[float, float]:
    """Solve a frame again with a limb's hinges at their nominal angles, and keep the result if it costs less.

    Args:
        costs: of the pose in `work.state`.

    Returns:
        The costs of the pose that is kept.
    """
    step = np.zeros(len(bounds.nominal))
    for k in range(len(step)):
        if bounds.limbs[k] == limb:
            step[k] = bounds.nominal[k] - bounds.start[frame, k] - work.state.change[k]
    apply(tree, bounds.cones, step, work.state, work.other)
    new_costs = minimise(frame, iterations, tree, tasks, bounds, work.other, work.trial, work.row)
    if new_costs[1] < costs[1]:
        copy(work.other, work.state)
        return new_costs
    return costs


@njit
def _spread_back(
    frame: int,
    limb: int,
    iterations: int,
    tree: Tree,
    tasks: TaskArrays,
    bounds: Bounds,
    poses: LocalPoses,
    costs: Array,
    work,
) -> None:
    """Carry the angles of a limb back over the frames before this one, as long as they cost less there."""
    step = np.zeros(len(bounds.stay))
    for earlier in range(frame - 1, -1, -1):
        for k in range(len(step)):
            step[k] = bounds.start[earlier + 1, k] - bounds.start[earlier, k] if bounds.limbs[k] == limb else 0.0
        own = bounds.start[earlier].copy()
        _read(earlier, poses, work.state)
        apply(tree, bounds.cones, step, work.state, work.other)
        for k in range(len(step)):
            bounds.start[earlier, k] += step[k]
        clear(work.other.change)
        new_costs = minimise(earlier, iterations, tree, tasks, bounds, work.other, work.trial, work.row)
        if new_costs[1] >= costs[earlier]:
            assign(bounds.start[earlier], own)
            return
        costs[earlier] = new_costs[1]
        _write(earlier, poses, bounds, work.other)


@njit(nogil=True)
def solve_frames(
    poses: LocalPoses,
    tree: Tree,
    bounds: Bounds,
    tasks: TaskArrays,
    iterations: int,
    follow: bool,
    every: int,
    costs: Array,
) -> None:
    """Solve all frames. Changes `poses` in place.

    Writes the final values of the coordinates to `bounds.start` and the costs before and after to `costs` `[F, 2]`.
    With `follow`, hinges start a frame where they ended the previous one, unless that start is a trap. Otherwise the
    result could alternate between angles that fit equally well. In every `every`-th frame (0: in none) each limb also
    starts from its nominal angles. Where that costs less, the frames before follow as long as it costs less there too.
    """
    joints, size = len(tree.parents), len(bounds.stay)
    tree, bounds, tasks = by_reference(tree), by_reference(bounds), by_reference(tasks)
    row = by_reference(JacobianRow(np.zeros(size), np.zeros(size, np.int64), np.zeros(1, np.int64)))
    state, trial, other = new_state(joints, size), new_state(joints, size), new_state(joints, size)
    work = Work(by_reference(state), by_reference(trial), by_reference(other), row)
    limbs = 0
    for k in range(size):
        limbs = max(limbs, bounds.limbs[k] + 1)
    free_of_start = np.zeros(len(costs))
    for frame in range(len(costs)):
        costs[frame, 0] = _begin(frame, tree, tasks, bounds, poses, follow, work)
        most = FIRST * iterations if follow and frame == 0 else iterations
        found = minimise(frame, most, tree, tasks, bounds, work.state, work.trial, row)
        changed = np.zeros(limbs, np.bool_)
        if every > 0 and frame % every == 0:
            for limb in range(limbs):
                before = found[1]
                found = _restart(frame, limb, FIRST * iterations, tree, tasks, bounds, found, work)
                changed[limb] = found[1] < before
        costs[frame, 1], free_of_start[frame] = found
        _write(frame, poses, bounds, work.state)
        for limb in range(limbs):
            if changed[limb]:
                _spread_back(frame, limb, iterations, tree, tasks, bounds, poses, free_of_start, work)
