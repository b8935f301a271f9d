from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.worlds.harmonics import DEGREES, basis, colours, flips, rotation


def directions(count: int = 4000) -> np.ndarray:
    found = np.random.default_rng(1).normal(size=(count, 3))
    return found / np.linalg.norm(found, axis=-1, keepdims=True)


def test_functions_are_orthonormal_on_the_sphere() -> None:
    """Exactly, by a quadrature of 20 by 40 points: Gauss in height, even in angle."""
    heights, weights = np.polynomial.legendre.leggauss(20)
    angles = np.arange(40) * np.pi / 20
    z, angle = (each.ravel() for each in np.meshgrid(heights, angles, indexing="ij"))
    wide = np.sqrt(1 - z * z)
    values = basis(np.stack([wide * np.cos(angle), wide * np.sin(angle), z], -1), 16)
    weighed = values * np.repeat(weights, 40)[:, None] * np.pi / 20
    np.testing.assert_allclose(values.T @ weighed, np.eye(16), atol=1e-12)


@pytest.mark.parametrize("count", list(DEGREES))
def test_a_turned_scene_is_seen_from_turned_directions_as_before(count: int) -> None:
    rng = np.random.default_rng(2)
    quaternion = rng.normal(size=4)
    matrix = rotations.to_matrix(quaternion / np.linalg.norm(quaternion))
    coefficients = rng.normal(size=(count, 3))
    turned = rotation(matrix, count) @ coefficients
    seen = directions(50)
    np.testing.assert_allclose(colours(turned, seen @ matrix.T), colours(coefficients, seen), atol=1e-5)


@pytest.mark.parametrize("axes", ["xy", "yz", "xz", "x", "xyz"])
def test_signs_are_those_of_mirrored_directions(axes: str) -> None:
    seen = directions(50)
    signs = np.asarray([-1.0 if axis in axes else 1.0 for axis in "xyz"])
    np.testing.assert_allclose(basis(seen * signs, 16), basis(seen, 16) * flips(axes, 16), atol=1e-12)
