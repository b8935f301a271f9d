"""Normals of meshes."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.formats.normals import cofactors, smooth, unit


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_unit_vectors_of_any_length(rng: np.random.Generator, dtype: type) -> None:
    directions = rng.normal(size=(5, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    lengths = np.array([1.0, 1e-18, 1e18, 0.5, 7.0])[:, None]
    found = unit((directions * lengths).astype(dtype))
    np.testing.assert_allclose(found, directions, atol=1e-6)
    assert found.dtype == np.float32
    assert unit(np.zeros((2, 3), dtype)).tolist() == [[0, 1, 0]] * 2
    assert unit(np.zeros((0, 3), dtype)).shape == (0, 3)


def test_smooth_normals_weigh_by_area() -> None:
    positions = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 2], [9, 9, 9]], float)
    found = smooth(positions, np.array([[0, 1, 2], [0, 2, 3]]))
    np.testing.assert_allclose(found[1], [0, 0, 1])
    np.testing.assert_allclose(found[3], [2, 0, 0])
    np.testing.assert_allclose(found[0], [2, 0, 1])
    assert not found[4].any(), "in no triangle"


def test_normals_stay_at_right_angles_under_any_map(rng: np.random.Generator) -> None:
    for trial in range(10):
        m = rng.normal(size=(3, 3))
        if trial % 3 == 0:
            m[:, 2] = m[:, 0] + m[:, 1]  # flat
        a, b = rng.normal(size=(2, 3))
        turned = cofactors(m) @ np.cross(a, b)
        np.testing.assert_allclose(turned, np.cross(m @ a, m @ b), atol=1e-9)
