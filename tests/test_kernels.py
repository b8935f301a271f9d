"""Compiled kernels against their plain references."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import kernels, kinematics, rotations


@pytest.mark.parametrize(("count", "joints"), [(1, 1), (7, 1), (1, 60), (50, 23)])
@pytest.mark.parametrize("shared", [False, True])
def test_forward_matches_the_reference(count: int, joints: int, shared: bool, rng: np.random.Generator) -> None:
    parents = np.array([rng.integers(-1, joint) if joint else -1 for joint in range(joints)], np.int32)
    local = rotations.normalize(rng.normal(size=(count, joints, 4))).astype(np.float32)
    moved = rng.normal(size=(1 if shared else count, joints, 3)).astype(np.float32)
    turned, positions = kernels.forward(local, moved, parents)
    assert turned.dtype == positions.dtype == np.float32
    exact = kinematics.forward_reference(local.astype(np.float64), moved.astype(np.float64), parents.tolist())
    np.testing.assert_allclose(turned, exact[0], atol=1e-5)
    np.testing.assert_allclose(positions, exact[1], atol=1e-4)


def test_forward_does_not_touch_its_input(rng: np.random.Generator) -> None:
    local = rotations.normalize(rng.normal(size=(3, 4, 4))).astype(np.float32)
    moved = rng.normal(size=(3, 4, 3)).astype(np.float32)
    before = local.copy(), moved.copy()
    kernels.forward(local, moved, np.array([-1, 0, 1, 1], np.int32))
    np.testing.assert_array_equal(local, before[0])
    np.testing.assert_array_equal(moved, before[1])


def test_small_functions_are_those_of_numpy(rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 3))
    p, q = rotations.normalize(rng.normal(size=(2, 4)))
    assert kernels.dot(a, b) == pytest.approx(a @ b)
    np.testing.assert_allclose(kernels.cross(a, b), np.cross(a, b))
    np.testing.assert_allclose(kernels.scaled_sum(a, 2.0, b, -3.0), 2 * a - 3 * b)
    np.testing.assert_allclose(kernels.multiply(p, q), rotations.multiply(p, q))
    np.testing.assert_allclose(kernels.inverse(p), rotations.inverse(p))
    np.testing.assert_allclose(kernels.rotate(p, a), rotations.rotate(p, a))
    up = (0.0, 1.0, 0.0)
    for length in (1e-5, 1.0, 1e5):
        found = kernels.unit(tuple((length * a).tolist()), up)
        np.testing.assert_allclose(found, a / np.linalg.norm(a))
    assert kernels.unit((0.0, 1e-7, 0.0), up) == up and kernels.unit((1e-8, 0.0, 0.0), up) == up


def written(write, size: int, values: tuple[float, ...]) -> list[float]:
    out = np.full(size, np.nan)
    write(out, values)
    return out.tolist()


def test_writing_fills_every_component() -> None:
    assert written(kernels.write_vector, 3, (1.0, 2.0, 3.0)) == [1.0, 2.0, 3.0]
    assert written(kernels.write_quaternion, 4, (1.0, 2.0, 3.0, 4.0)) == [1.0, 2.0, 3.0, 4.0]
