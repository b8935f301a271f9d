"""The compiled parts of full-body inverse kinematics against NumPy."""

from __future__ import annotations

import numpy as np

from kinema import kinematics, rotations
from kinema.ik import jacobian_kernels, least_squares_kernels, task_kernels


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
        s, t = task_kernels.closest(a, b, c, d)
        assert 0 <= s <= 1 and 0 <= t <= 1
        one, other = a + shares[:, None] * (b - a), c + shares[:, None] * (d - c)
        least = np.linalg.norm(one[:, None] - other[None], axis=-1).min()
        assert np.linalg.norm(a + s * (b - a) - c - t * (d - c)) <= least + 1e-9


def test_forward_kinematics_are_those_of_the_house(rng: np.random.Generator) -> None:
    parents = np.array([-1, 0, 1, 1, -1, 4])
    state = jacobian_kernels.new_state(6, 0)
    state.local_rotations[:] = rotations.normalize(rng.normal(size=(6, 4)))
    state.local_translations[:] = rng.normal(size=(6, 3))
    jacobian_kernels.forward(state, parents)
    wanted = kinematics.forward_reference(state.local_rotations, state.local_translations, parents.tolist())
    np.testing.assert_allclose(state.global_rotations, wanted[0], atol=1e-12)
    np.testing.assert_allclose(state.global_positions, wanted[1], atol=1e-12)


def test_a_damped_step_solves_the_normal_equations_and_leaves_what_is_fixed(rng: np.random.Generator) -> None:
    rows = rng.normal(size=(9, 5))
    matrix, slope, fixed = rows.T @ rows, rng.normal(size=5), np.array([False, True, False, False, True])
    factor, step = np.zeros((5, 5)), np.zeros(5)
    assert least_squares_kernels._solve(np.tril(matrix), slope, 0.1, fixed, factor, step)
    free = np.flatnonzero(~fixed)
    damped = matrix + 0.1 * np.diag(np.diag(matrix) + 1e-6)
    np.testing.assert_allclose(step[free], np.linalg.solve(damped[np.ix_(free, free)], -slope[free]), atol=1e-10)
    assert not step[fixed].any()
    assert not least_squares_kernels._solve(-np.tril(matrix), slope, 0.1, fixed, factor, step), "not positive"
