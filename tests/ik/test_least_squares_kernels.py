"""One pose: its normal equations, a damped step within limits, and the pose after it."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, kinematics, rotations
from kinema.by_reference import by_reference
from kinema.compiled import njit
from kinema.ik import Above, Capsules, Coordinates, Orient, Reach
from kinema.ik import least_squares_kernels as kernels
from kinema.ik.jacobian_kernels import JacobianRow, new_state
from kinema.ik.least_squares_kernels import Bounds
from kinema.ik.packing import cones_of, task_arrays, tree_of
from kinema.ik.task_kernels import closest
from kinema.ik.tasks import NO_CAPSULES
from kinema.skeleton import Hinge


@njit
def evaluate(frame, tree, tasks, bounds, state, row):
    tree, tasks, bounds = by_reference(tree), by_reference(tasks), by_reference(bounds)
    return kernels.evaluate(frame, tree, tasks, bounds, by_reference(state), by_reference(row))


@njit
def minimise(frame, iterations, tree, tasks, bounds, state, spare, row):
    tree, tasks, bounds, row = by_reference(tree), by_reference(tasks), by_reference(bounds), by_reference(row)
    return kernels.minimise(frame, iterations, tree, tasks, bounds, by_reference(state), by_reference(spare), row)


ONE = Skeleton.create(["a"], [-1], [[0, 0, 0]])
NO_CONES = cones_of(ONE, (), Coordinates.of(ONE))


def test_a_damped_step_solves_the_normal_equations_and_leaves_what_is_fixed(rng: np.random.Generator) -> None:
    rows = rng.normal(size=(9, 5))
    matrix, slope, fixed = rows.T @ rows, rng.normal(size=5), np.array([False, True, False, False, True])
    factor, step = np.zeros((5, 5)), np.zeros(5)
    assert kernels._solve(np.tril(matrix), slope, 0.1, fixed, factor, step)
    free = np.flatnonzero(~fixed)
    damped = matrix + 0.1 * np.diag(np.diag(matrix) + 1e-6)
    np.testing.assert_allclose(step[free], np.linalg.solve(damped[np.ix_(free, free)], -slope[free]), atol=1e-10)
    assert not step[fixed].any()
    assert not kernels._solve(-np.tril(matrix), slope, 0.1, fixed, factor, step), "not positive"


Problem = tuple[Skeleton, Coordinates, list[Reach | Orient | Above], Capsules]


def problem(rng: np.random.Generator) -> Problem:
    """Goals of all kinds for two frames of a tree of six joints, one of them a hinge, one sliding below the root."""
    joints = 6
    turns = rotations.normalize(rng.normal(size=(joints, 4)))
    hinge = Hinge(3, tuple(rotations.normalize_vector(rng.normal(size=3)).tolist()), -0.4, 0.9)
    places = rng.normal(size=(joints, 3))
    skeleton = Skeleton.create([*"abcdef"], [-1, 0, 1, 2, 1, 4], places, turns, hinges=[hinge])
    stay = rng.uniform(0.1, 0.4, joints)
    coordinates = Coordinates.of(skeleton, [0, 1, 3, 4, 5], [0, 4], stay, 0.3, limbs=[[2, 3], [4, 5]])
    goals = [
        Reach(3, rng.normal(size=(2, 3)), 2.0, rng.normal(size=3)),
        Reach(5, rng.normal(size=(2, 3)), [0.0, 1.5], rng.normal(size=3)),
        Orient(3, rotations.normalize(rng.normal(size=(2, 4))), 0.7),
        Orient(5, rotations.normalize(rng.normal(size=(2, 4))), [1.1, 0.0]),
        Above(4, np.array([9.0, 8.0]), 1.3, rng.normal(size=3)),
        Above(2, np.array([-9.0, 7.0]), 0.6, rng.normal(size=3)),
    ]
    ends = 0.3 * rng.normal(size=(3, 2, 3))
    pairs = np.array([[0, 1], [2, 0]])
    return skeleton, coordinates, goals, Capsules(np.array([3, 5, 2]), ends, np.full(3, 2.0), pairs, np.zeros(2), 0.8)


def residuals(
    given: Problem, frame: int, local: np.ndarray, moved: np.ndarray, aims: list[np.ndarray] | None = None
) -> np.ndarray:
    """What goals and capsules ask for in a frame, written out.

    Args:
        aims: orientations from which those of the goals are measured, instead of from their targets.
    """
    skeleton, _, goals, capsules = given
    turned, placed = kinematics.forward_reference(local, moved, skeleton.parents.tolist())
    rows: list[np.ndarray] = []
    faces = iter(aims or [])
    for goal in goals:
        weight = np.broadcast_to(goal.weight, 2)[frame]
        if isinstance(goal, Orient):
            aim = next(faces) if aims is not None else goal.target[frame]
            rows.append(weight * rotations.log(rotations.multiply(turned[goal.joint], rotations.inverse(aim))))
            continue
        point = placed[goal.joint] + rotations.rotate(turned[goal.joint], np.asarray(goal.offset))
        if isinstance(goal, Reach):
            rows.append(weight * (point - goal.target[frame]))
        else:
            rows.append(weight * np.maximum([goal.height[frame] - point[1]], 0.0))
    for (one, other), slack in zip(capsules.pairs, capsules.slack, strict=True):
        ends = [placed[j] + rotations.rotate(turned[j], capsules.ends[i]) for i, j in enumerate(capsules.joints)]
        (a, b), (c, d) = ends[one], ends[other]
        s, t = closest(a, b, c, d)
        gap = np.linalg.norm(a + s * (b - a) - c - t * (d - c))
        depth = capsules.radii[one] + capsules.radii[other] - slack - gap
        rows.append(capsules.weight * np.maximum([depth], 0.0))
    return np.concatenate(rows)


def moved_by(given: Problem, change: np.ndarray, local: np.ndarray, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotations and translations after a change of the coordinates, one joint after the other."""
    coordinates = given[1]
    local, moved = local.copy(), moved.copy()
    for joint in range(len(local)):
        own = coordinates.joints == joint
        moved[joint] += change[own & coordinates.slides] @ coordinates.axes[own & coordinates.slides]
        turn = change[own & ~coordinates.slides] @ coordinates.axes[own & ~coordinates.slides]
        local[joint] = rotations.multiply(local[joint], rotations.exp(turn))
    return local, moved


@pytest.mark.parametrize("frame", [0, 1])
def test_the_normal_equations_are_those_of_all_residuals(rng: np.random.Generator, frame: int) -> None:
    """Jacobian by finite differences of residuals that are written out in NumPy."""
    given = skeleton, coordinates, goals, capsules = problem(rng)
    size = len(coordinates.joints)
    state = new_state(6, size)
    state.local_rotations[:] = local = rotations.normalize(rng.normal(size=(6, 4)))
    state.local_translations[:] = moved = rng.normal(size=(6, 3))
    state.change[:] = change = 0.1 * rng.normal(size=size)
    start = 0.1 * rng.normal(size=(2, size))
    row = JacobianRow(np.zeros(size), np.zeros(size, np.int64), np.zeros(1, np.int64))
    c = coordinates
    bounds = Bounds(start, c.lower, c.upper, c.stay, c.nominal, c.lean, c.limbs, NO_CONES)
    arrays = task_arrays(skeleton, goals, capsules, np.tile([0.0, 1.0, 0.0], (2, 1)))
    total, lasting = evaluate(frame, tree_of(skeleton, c), arrays, bounds, state, row)
    turned = kinematics.forward_reference(local, moved, skeleton.parents.tolist())[0]
    aims = [turned[goal.joint] for goal in goals if isinstance(goal, Orient)]
    steps = 1e-5 * np.eye(size)
    slopes = [
        (
            residuals(given, frame, *moved_by(given, step, local, moved), aims)
            - residuals(given, frame, *moved_by(given, -step, local, moved), aims)
        )
        / 2e-5
        for step in steps
    ]
    here = residuals(given, frame, local, moved)
    stay, lean = c.stay * change, c.lean * (start[frame] + change - c.nominal)
    assert np.count_nonzero(here) >= 12, "most goals are missed, and capsules are in each other"
    jacobian = np.concatenate([np.stack(slopes, axis=1), np.diag(c.stay), np.diag(c.lean)])
    every = np.concatenate([here, stay, lean])
    np.testing.assert_allclose(np.tril(state.matrix), np.tril(jacobian.T @ jacobian), atol=1e-6)
    np.testing.assert_allclose(state.slope, jacobian.T @ every, atol=1e-6)
    assert total == pytest.approx(0.5 * every @ every)
    assert lasting == pytest.approx(0.5 * (here @ here + lean @ lean))
    assert not row.values.any() and not row.count.any(), "ready for the next row"


def test_a_step_moves_the_pose_as_the_coordinates_say(rng: np.random.Generator) -> None:
    given = problem(rng)
    size = len(given[1].joints)
    state, trial = new_state(6, size), new_state(6, size)
    state.local_rotations[:] = rotations.normalize(rng.normal(size=(6, 4)))
    state.local_translations[:] = rng.normal(size=(6, 3))
    state.change[:], step = rng.normal(size=(2, size))
    kernels.apply(tree_of(given[0], given[1]), NO_CONES, step, state, trial)
    local, moved = moved_by(given, step, state.local_rotations, state.local_translations)
    np.testing.assert_allclose(np.abs((trial.local_rotations * local).sum(-1)), 1, atol=1e-9)
    np.testing.assert_allclose(trial.local_translations, moved, atol=1e-12)
    np.testing.assert_allclose(trial.change, state.change + step)


def test_a_step_stops_at_limits_and_leaves_what_pushes_outwards() -> None:
    """Five coordinates alone: inside, beyond reach up and down, at a limit and pushed out, at a limit and pulled in."""
    lower, upper = np.full(5, -1.0), np.full(5, 1.0)
    state = new_state(1, 5)
    state.matrix[:], state.slope[:] = np.eye(5), [-0.5, -9.0, 9.0, -3.0, 3.0]
    state.change[:] = [0.0, 0.25, -0.25, 0.5, 0.5]
    start = np.array([[9.0] * 5, [0.0, 0.25, -0.25, 0.5, 0.5]])
    zero, tree = np.zeros(5), tree_of(ONE, Coordinates.of(ONE))
    bounds = Bounds(start, lower, upper, zero, zero, zero, np.zeros(5, np.int64), NO_CONES)
    fixed, factor, step = np.zeros(5, np.bool_), np.zeros((5, 5)), np.zeros(5)
    assert kernels._bounded_step(1, tree, bounds, state, 0.0, fixed, factor, step)
    np.testing.assert_allclose(step, [0.5, 0.5, -0.5, 0.0, -2.0])
    assert fixed.tolist() == [False, False, False, True, False]
    state.slope[:] = -state.slope
    state.change[:], start[1] = -state.change, -start[1]
    assert kernels._bounded_step(1, tree, bounds, state, 0.0, fixed, factor, step)
    np.testing.assert_allclose(step, [-0.5, -0.5, 0.5, 0.0, 2.0])


def test_the_cost_falls_until_no_free_coordinate_has_a_slope(rng: np.random.Generator) -> None:
    skeleton, c, goals, _ = problem(rng)
    size, tree = len(c.joints), tree_of(skeleton, c)
    arrays = task_arrays(skeleton, goals[:2], NO_CAPSULES, np.tile([0.0, 1.0, 0.0], (2, 1)))
    bounds = Bounds(np.zeros((2, size)), c.lower, c.upper, c.stay, c.nominal, c.lean, c.limbs, NO_CONES)
    row = JacobianRow(np.zeros(size), np.zeros(size, np.int64), np.zeros(1, np.int64))
    state, spare = new_state(6, size), new_state(6, size)
    costs = []
    for iterations in (0, 1, 2, 4, 200):
        state.local_rotations[:], state.local_translations[:] = skeleton.rest_rotations, skeleton.rest_translations
        state.change[:] = 0.0
        costs.append(minimise(1, iterations, tree, arrays, bounds, state, spare, row))
        assert evaluate(1, tree, arrays, bounds, state, row) == pytest.approx(costs[-1])
    totals = [total for total, _ in costs]
    assert (np.diff(totals) < 0).all() and totals[-1] < 0.5 * totals[0]
    free = (state.change > c.lower + 1e-9) & (state.change < c.upper - 1e-9)
    assert free.sum() >= size - 1
    np.testing.assert_allclose(state.slope[free], 0, atol=1e-3)
