"""The residuals of tasks: their slope is that of their cost, and closest points are closest."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.by_reference import by_reference
from kinema.compiled import njit
from kinema.ik import Above, Balance, Capsules, Coordinates, Hold, LookAt, Orient, Posture, Reach, Task
from kinema.ik import jacobian_kernels as rows
from kinema.ik import task_kernels as kernels
from kinema.ik.least_squares_kernels import apply
from kinema.ik.packing import cones_of, task_arrays, tree_of
from kinema.ik.tasks import NO_CAPSULES


@njit
def task_cost(tree, tasks, state, row):
    return kernels.task_cost(0, by_reference(tree), by_reference(tasks), by_reference(state), by_reference(row))


def test_closest_points_of_segments(rng: np.random.Generator) -> None:
    shares = np.linspace(0, 1, 201)
    for trial in range(40):
        a, b, c, d = rng.normal(size=(4, 3))
        if trial % 4 == 1:
            b = a.copy()
        if trial % 4 == 2:
            d = c.copy()
        if trial % 4 == 3:
            d = c + 0.7 * (b - a)
        s, t = kernels.closest(a, b, c, d)
        assert 0 <= s <= 1 and 0 <= t <= 1
        one, other = a + shares[:, None] * (b - a), c + shares[:, None] * (d - c)
        least = np.linalg.norm(one[:, None] - other[None], axis=-1).min()
        assert np.linalg.norm(a + s * (b - a) - c - t * (d - c)) <= least + 1e-9


POINT = (0.1, 0.2, -0.3)


def a_task(kind: str, rng: np.random.Generator) -> tuple[list[Task], Capsules]:
    """A task of each kind on a body of six joints, for one frame."""
    place, turn = rng.normal(size=(1, 3)), rotations.normalize(rng.normal(size=(1, 4)))
    boxes = Capsules(
        np.array([3, 5]), rng.normal(size=(2, 2, 3)), np.full(2, 3.0), np.array([[0, 1]]), np.zeros(1), 0.7
    )
    tasks: dict[str, Task] = {
        "reach": Reach(3, place, 1.7, POINT),
        "orient": Orient(3, turn, 1.7),
        "above": Above(3, np.array([9.0]), 1.7, POINT),
        "hold inside": Hold(3, place - 9 * turn[:, 1:], place + 9 * turn[:, 1:], 1.7, POINT),
        "hold at an end": Hold(3, place + 9, place + 9 + turn[:, 1:], 1.7, POINT),
        "look at": LookAt(3, place, 1.7, POINT, rotations.normalize_vector(np.array([1.0, 2, 3]))),
        "balance": Balance(place, 1.7, rng.uniform(size=6)),
        "posture": Posture(rotations.normalize(rng.normal(size=(1, 6, 4))), rng.uniform(size=6)),
    }
    return ([], boxes) if kind == "capsules" else ([tasks[kind]], NO_CAPSULES)


@pytest.mark.parametrize(
    "kind",
    ["reach", "orient", "above", "hold inside", "hold at an end", "look at", "balance", "posture", "capsules"],
)
@pytest.mark.parametrize("seed", range(5))
def test_the_slope_of_a_task_is_that_of_its_cost(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    body = Skeleton.create([*"abcdef"], [-1, 0, 1, 2, 0, 4], rng.normal(size=(6, 3)))
    coordinates = Coordinates.of(body, sliding=[0, 2])
    task, capsules = a_task(kind, rng)
    tree = tree_of(body, coordinates)
    arrays = task_arrays(body, task, capsules, rotations.normalize_vector(rng.normal(size=(1, 3))))
    cones = cones_of(body, (), coordinates)
    size = len(coordinates.joints)
    row = rows.JacobianRow(np.zeros(size), np.zeros(size, np.int64), np.zeros(1, np.int64))

    def cost(state: rows.State) -> float:
        rows.forward(state, tree.parents)
        state.matrix[:] = 0
        state.slope[:] = 0
        return task_cost(tree, arrays, state, row)

    state, trial = rows.new_state(6, size), rows.new_state(6, size)
    state.local_rotations[:] = rotations.normalize(rng.normal(size=(6, 4)))
    state.local_translations[:] = rng.normal(size=(6, 3))
    assert cost(state) > 1e-6
    slope, step = state.slope.copy(), 1e-6
    for k in range(size):
        ends = []
        for sign in (-1, 1):
            apply(tree, cones, sign * step * np.eye(size)[k], state, trial)
            ends.append(cost(trial))
        assert (ends[1] - ends[0]) / (2 * step) == pytest.approx(slope[k], abs=1e-6 * max(1, np.abs(slope).max()))


@pytest.mark.parametrize("where", [-0.3, 0.4, 1.2])
def test_a_point_slides_along_its_rail_but_not_beyond_its_ends(where: float) -> None:
    """Moving the root along the rail costs nothing between the ends, and as much as any way beyond them."""
    start, along, weight = np.array([1.0, 2.0, 3.0]), np.array([2.0, -1.0, 2.0]), 1.7
    body = Skeleton.create(["a"], [-1], np.zeros((1, 3)))
    coordinates = Coordinates.of(body, moving=[], sliding=[0])
    tree = tree_of(body, coordinates)
    rail = Hold(0, start[None], (start + along)[None], weight)
    arrays = task_arrays(body, [rail], NO_CAPSULES, np.array([[0.0, 1, 0]]))
    state = rows.new_state(1, 3)
    state.local_rotations[0], state.local_translations[0] = [1, 0, 0, 0], start + where * along + [0.1, 0.2, 0.0]
    rows.forward(state, tree.parents)
    task_cost(tree, arrays, state, rows.JacobianRow(np.zeros(3), np.zeros(3, np.int64), np.zeros(1, np.int64)))
    free = np.outer(along, along) / (along @ along) if 0 < where < 1 else 0.0
    np.testing.assert_allclose(np.tril(state.matrix), np.tril(weight**2 * (np.eye(3) - free)), atol=1e-12)
