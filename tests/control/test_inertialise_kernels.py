"""The compiled inertialisation against its reference."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations, springs
from kinema.control import inertialise_kernels as kernels


@pytest.mark.parametrize("dt", [1 / 240, 1 / 30])
@pytest.mark.parametrize("halflife", [0.0, 0.02, 0.1, 0.3, 2.0])
def test_decay(halflife, dt, rng):
    before = rng.normal(size=(3, 35)).astype(np.float32)
    after = before.copy()
    kernels.decay(*after, springs.triple_damping(halflife), dt)
    expected = springs.decay_smooth(*before.astype(np.float64), halflife, dt)
    np.testing.assert_allclose(after, expected, rtol=1e-4, atol=1e-4)
    assert np.abs(after - before).max() > 0.01


@pytest.mark.parametrize("length", [0.0, 1e-6, 1e-4, 1.0, 3.1, 7.0])
def test_rotations_are_added_afterwards(length, rng):
    plan = rotations.normalize(rng.normal(size=(50, 4))).astype(np.float32)
    vectors = (length * rotations.normalize_vector(rng.normal(size=(50, 3)))).astype(np.float32)
    expected = rotations.multiply(rotations.exp(vectors), plan)
    np.testing.assert_allclose(kernels.add_rotations(plan, vectors), expected, atol=1e-6)
