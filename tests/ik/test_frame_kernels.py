"""How the frames of a clip follow each other: an arm of two hinges that reaches for points in its plane."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.by_reference import by_reference
from kinema.compiled import njit
from kinema.ik import Cone, Coordinates, Reach
from kinema.ik import frame_kernels as kernels
from kinema.ik.jacobian_kernels import JacobianRow, Tree, new_state
from kinema.ik.least_squares_kernels import Bounds
from kinema.ik.packing import cones_of, task_arrays, tree_of
from kinema.ik.task_kernels import TaskArrays
from kinema.ik.tasks import NO_CAPSULES
from kinema.skeleton import Hinge

HINGES = [Hinge(0, (0.0, 0.0, 1.0), -3.0, 3.0), Hinge(1, (0.0, 0.0, 1.0), -2.0, 3.0)]


class Problem(NamedTuple):
    tree: Tree
    bounds: Bounds
    poses: kernels.LocalPoses
    tasks: TaskArrays
    work: kernels.Work


@njit
def begin(frame: int, p: Problem, follow: bool) -> float:
    work = refer(p.work)
    return kernels._begin(
        frame, by_reference(p.tree), by_reference(p.tasks), by_reference(p.bounds), p.poses, follow, work
    )


@njit
def restart(frame: int, limb: int, iterations: int, p: Problem, costs: tuple[float, float]) -> tuple[float, float]:
    tree, tasks, bounds = by_reference(p.tree), by_reference(p.tasks), by_reference(p.bounds)
    return kernels._restart(frame, limb, iterations, tree, tasks, bounds, costs, refer(p.work))


@njit
def spread_back(frame: int, limb: int, iterations: int, p: Problem, costs: np.ndarray) -> None:
    tree, tasks, bounds = by_reference(p.tree), by_reference(p.tasks), by_reference(p.bounds)
    kernels._spread_back(frame, limb, iterations, tree, tasks, bounds, p.poses, costs, refer(p.work))


@njit
def refer(work: kernels.Work) -> kernels.Work:
    return kernels.Work(
        by_reference(work.state), by_reference(work.trial), by_reference(work.other), by_reference(work.row)
    )


def turns(angles: np.ndarray) -> np.ndarray:
    """Rotations about Z."""
    return rotations.exp(np.asarray(angles, float)[..., None] * np.array([0.0, 0.0, 1.0]))


def problem(
    angles: np.ndarray,
    targets: np.ndarray,
    limbs: list[list[int]],
    stay: float = 0.0,
    hinges: list[Hinge] | None = None,
) -> Problem:
    """An arm of two bones of a metre with hinges at some angles `[F, 2]`, whose end is to reach targets `[F, 3]`."""
    angles, targets = np.asarray(angles, float), np.asarray(targets, float)
    offsets = [[0, 0, 0], [1, 0, 0], [1, 0, 0]]
    skeleton = Skeleton.create([*"abc"], [-1, 0, 1], offsets, hinges=HINGES if hinges is None else hinges)
    c = Coordinates.of(skeleton, [0, 1], stay=stay, limbs=limbs)
    frames, size = len(angles), len(c.joints)
    local = np.tile([1.0, 0, 0, 0], (frames, 3, 1))
    local[:, :2] = turns(angles)
    start = angles.copy() if size == 2 else np.zeros((frames, size))
    bounds = Bounds(start, c.lower, c.upper, c.stay, c.nominal, c.lean, c.limbs, cones_of(skeleton, [], c))
    poses = kernels.LocalPoses(local, np.tile(np.array(offsets, float), (frames, 1, 1)))
    row = JacobianRow(np.zeros(size), np.zeros(size, np.int64), np.zeros(1, np.int64))
    work = kernels.Work(new_state(3, size), new_state(3, size), new_state(3, size), row)
    tasks = task_arrays(skeleton, [Reach(2, targets)], NO_CAPSULES, np.tile([0.0, 1.0, 0.0], (frames, 1)))
    return Problem(tree_of(skeleton, c), bounds, poses, tasks, work)


def tip(angles: np.ndarray) -> np.ndarray:
    """Where the arm ends."""
    first, second = np.asarray(angles, float)[..., 0], np.asarray(angles, float).sum(-1)
    return np.stack([np.cos(first) + np.cos(second), np.sin(first) + np.sin(second), 0 * first], axis=-1)


def cost(angles: np.ndarray, target: np.ndarray) -> np.ndarray:
    return 0.5 * ((tip(angles) - target) ** 2).sum(-1)


@pytest.mark.parametrize(("share", "follows"), [(9.8, True), (10.2, False)])
def test_hinges_go_on_from_the_previous_frame_unless_that_is_a_trap(share: float, follows: bool) -> None:
    """The target is where the previous frame would cost ten times more than the given pose, nearly."""
    before, given = np.array([0.5, 0.3]), np.array([0.1, 0.7])
    target = tip(given) + (tip(before) - tip(given)) / (1 + np.sqrt(share))
    p = problem(np.array([before, given]), np.array([target, target]), [[0, 1]])
    assert cost(before, target) == pytest.approx(share * cost(given, target))
    found = begin(1, p, True)
    assert found == pytest.approx(cost(given, target)), "that of the given pose"
    np.testing.assert_allclose(p.work.state.local_rotations[:2], turns(before if follows else given), atol=1e-12)
    np.testing.assert_allclose(p.bounds.start, [before, before if follows else given])
    assert not p.work.state.change.any()


def test_the_first_frame_and_frames_for_themselves_start_where_they_are_given() -> None:
    angles, target = np.array([[0.5, 0.3], [0.1, 0.7]]), np.tile(tip(np.array([0.5, 0.3])), (2, 1))
    for frame, follow in ((0, True), (0, False), (1, False)):
        p = problem(angles, target, [[0, 1]])
        p.work.state.change[:] = 9.0
        found = begin(frame, p, follow)
        assert found == pytest.approx(cost(angles[frame], target[frame]), abs=1e-12)
        np.testing.assert_allclose(p.work.state.local_rotations[:2], turns(angles[frame]), atol=1e-12)
        np.testing.assert_allclose(p.bounds.start, angles)
        assert not p.work.state.change.any()


def test_joints_that_are_no_hinges_do_not_follow() -> None:
    """Only the elbow is a hinge; the shoulder stays as given."""
    angles = np.array([[0.5, 0.3], [0.4, 0.35]])
    p = problem(angles, tip(angles), [], hinges=HINGES[1:])
    p.bounds.start[:, 3] = angles[:, 1]
    p = p._replace(tasks=p.tasks._replace(weights=0 * p.tasks.weights))
    begin(1, p, True)
    np.testing.assert_allclose(p.work.state.local_rotations[:2], turns(np.array([0.4, 0.3])), atol=1e-12)
    np.testing.assert_allclose(p.bounds.start, [[0, 0, 0, 0.3], [0, 0, 0, 0.3]])


def test_a_frame_starts_within_its_limits() -> None:
    """Free joints with a cone about the bone that they exceed."""
    angles = np.array([[1.0, 0.0], [0.9, 0.0]])
    p = problem(angles, tip(angles), [], hinges=[])
    skeleton = Skeleton.create([*"abc"], [-1, 0, 1], [[0, 0, 0], [1, 0, 0], [1, 0, 0]])
    cones = cones_of(skeleton, [Cone(0, 0.4, axis=(1.0, 0.0, 0.0))], Coordinates.of(skeleton, [0, 1]))
    bounds = p.bounds._replace(cones=cones)
    for follow in (True, False):
        found = begin(1, p._replace(bounds=bounds), follow)
        np.testing.assert_allclose(p.work.state.local_rotations[0], turns(np.array(0.4)), atol=1e-9)
        assert found == pytest.approx(cost(np.array([0.4, 0.0]), tip(angles[1])))
        assert not p.work.state.change.any()


def test_a_limb_is_tried_at_its_nominal_angles_and_kept_if_it_costs_less() -> None:
    """Without iterations: the elbow at the middle of its limits, the shoulder, of another limb, as it was."""
    angles, nominal = np.array([[0.2, 1.1]]), 0.5
    for target, better in ((tip(np.array([0.2, nominal])), True), (tip(np.array([0.2, 1.0])), False)):
        p = problem(angles, target[None], [[0], [1]])
        p.work.state.local_rotations[:] = p.poses.local_rotations[0]
        p.work.state.local_translations[:] = p.poses.local_translations[0]
        moved = np.array([0.05, -0.2])  # since the start
        p.work.state.change[:], p.bounds.start[0] = moved, angles[0] - moved
        costs = 2 * (float(cost(angles[0], target)),)
        found = restart(0, 1, 0, p, costs)
        kept = np.array([0.2, nominal if better else 1.1])
        np.testing.assert_allclose(p.work.state.local_rotations[:2], turns(kept), atol=1e-9)
        np.testing.assert_allclose(p.work.state.change, kept - angles[0] + moved, atol=1e-9)
        np.testing.assert_allclose(found, cost(kept, target), atol=1e-9)


def test_a_better_posture_is_carried_back_as_far_as_it_is_better() -> None:
    """Frame 3 has a new elbow, which fits frames 1 and 2 better and frame 0 worse; the shoulder has its own angles."""
    angles = np.array([[0.1, 1.0], [0.2, 1.0], [0.3, 1.0], [0.4, 0.0]])
    wanted = np.array([[0.1, 0.9], [0.2, 0.2], [0.3, 0.1], [0.4, 0.0]])
    p = problem(angles, tip(wanted), [[0], [1]])
    costs = cost(angles, tip(wanted))
    spread_back(3, 1, 0, p, costs)
    now = np.array([[0.1, 1.0], [0.2, 0.0], [0.3, 0.0], [0.4, 0.0]])
    np.testing.assert_allclose(p.poses.local_rotations[:, :2], turns(now), atol=1e-9)
    np.testing.assert_allclose(p.bounds.start, now, atol=1e-9)
    np.testing.assert_allclose(costs, cost(now, tip(wanted)), atol=1e-9)


def solved(p: Problem, iterations: int, follow: bool, every: int = 0) -> np.ndarray:
    costs = np.zeros((len(p.bounds.start), 2))
    kernels.solve_frames(p.poses, p.tree, p.bounds, p.tasks, iterations, follow, every, costs)
    return costs


def test_all_frames_are_solved_and_costs_are_those_before_and_after() -> None:
    angles = np.array([[0.3, 0.4], [0.2, 0.5], [0.4, 0.3]])
    targets = tip(np.array([[0.5, 0.9], [0.6, 0.8], [0.1, 1.2]]))
    p = problem(angles, targets, [[0, 1]])
    costs = solved(p, 30, True)
    np.testing.assert_allclose(costs[:, 0], cost(angles, targets))
    np.testing.assert_allclose(costs[:, 1], 0, atol=1e-9)
    np.testing.assert_allclose(tip(p.bounds.start), targets, atol=1e-4)
    np.testing.assert_allclose(p.poses.local_rotations[:, :2], turns(p.bounds.start), atol=1e-9)


def test_the_first_of_frames_that_follow_has_five_times_the_iterations() -> None:
    angles, targets = np.array([[0.3, 0.4]]), tip(np.array([[0.5, 1.3]]))
    one, five, first = (problem(angles, targets, [[0, 1]]) for _ in range(3))
    costs = [solved(one, 1, False), solved(five, 5, False), solved(first, 1, True)]
    assert costs[0][0, 1] > 2 * costs[1][0, 1]
    np.testing.assert_array_equal(costs[2], costs[1])
    np.testing.assert_array_equal(first.bounds.start, five.bounds.start)


@pytest.mark.parametrize(("every", "changed"), [(0, []), (2, [3, 4, 6]), (3, [3, 6])])
def test_limbs_are_tried_again_in_every_so_many_frames(every: int, changed: list[int]) -> None:
    """Without iterations a frame is only tried at nominal angles. In frames 0, 2 and 5 these cost more, in the others
    less; frame 3 follows frame 4."""
    angles, wanted = np.tile([0.0, 1.4], (7, 1)), np.zeros((7, 2))
    wanted[:, 1] = [1.3, 0.5, 1.3, 0.5, 0.5, 1.3, 0.5]
    p = problem(angles, tip(wanted), [[0], [1]], hinges=[Hinge(0, (0.0, 0.0, 1.0), -1.0, 1.0), HINGES[1]])
    solved(p, 0, False, every)
    angles[changed, 1] = 0.5
    np.testing.assert_allclose(p.bounds.start, angles, atol=1e-9)
    np.testing.assert_allclose(p.poses.local_rotations[:, :2], turns(angles), atol=1e-9)
