"""One damped step."""

from __future__ import annotations

import numpy as np

from kinema.ik import least_squares_kernels as kernels


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
