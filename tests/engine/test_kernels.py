"""Compiled code against plain references."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.engine import kernels


def quaternions(rng, *shape):
    return rotations.normalize(rng.standard_normal((*shape, 4)).astype(np.float32))


def forest(rng, count):
    """Parents in any order, without cycles."""
    places = rng.permutation(count)
    parents = np.full(count, -1, np.int64)
    for index in range(1, count):
        if rng.random() < 0.8:
            parents[places[index]] = places[rng.integers(index)]
    return parents


def plain_depths(parents):
    def depth(row):
        return 0 if parents[row] < 0 else 1 + depth(parents[row])

    return [depth(row) for row in range(len(parents))]


def test_depths_and_inheritance(rng):
    for count in (0, 1, 2, 40):
        parents = forest(rng, count)
        depths = kernels.depths(parents)
        assert depths.tolist() == plain_depths(parents)
        flags = rng.random(count) < 0.1
        expected = flags.copy()
        for _ in range(count):
            expected |= (parents >= 0) & expected[parents] if count else expected
        kernels.inherit(np.argsort(depths, kind="stable"), parents, flags)
        np.testing.assert_array_equal(flags, expected)


def test_propagation(rng):
    count = 60
    parents = forest(rng, count)
    positions, turns = rng.standard_normal((count, 3)).astype(np.float32), quaternions(rng, count)
    scales = rng.uniform(0.5, 2, count).astype(np.float32)
    out = np.empty((count, 3), np.float32), np.empty((count, 4), np.float32), np.empty(count, np.float32)
    order = np.argsort(kernels.depths(parents), kind="stable")
    kernels.propagate(order, parents, positions, turns, scales, *out)
    for row in range(count):
        place, turn, scale, above = positions[row], turns[row], scales[row], parents[row]
        while above >= 0:
            place = positions[above] + rotations.rotate(turns[above], scales[above] * place)
            turn, scale, above = rotations.multiply(turns[above], turn), scale * scales[above], parents[above]
        np.testing.assert_allclose(out[0][row], place, rtol=1e-4, atol=1e-3)
        np.testing.assert_allclose(out[1][row], turn, atol=1e-5)
        np.testing.assert_allclose(out[2][row], scale, rtol=1e-5)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_blending(rng, share):
    before, positions_before = quaternions(rng, 4, 6), rng.standard_normal((4, 6, 3)).astype(np.float32)
    after = rotations.multiply(rotations.exp(rng.uniform(-0.1, 0.1, (4, 6, 3)).astype(np.float32)), before)
    after[0] *= -1  # the same rotations
    positions = positions_before + 1
    turned, placed = kernels.blend(before, positions_before, after, positions, np.float32(share))
    np.testing.assert_allclose(placed, positions_before + share, atol=1e-5)
    np.testing.assert_allclose(np.abs((turned * rotations.slerp(before, after, share)).sum(-1)), 1, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), 1, atol=1e-6)
