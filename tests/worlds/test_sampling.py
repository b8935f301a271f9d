from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.benchmarks import plain_scenes
from kinema.worlds import sampling

from .conftest import drawn


def voxels(count: int, each: int, cell: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Numbers and sums of the kernel, and the same in NumPy."""
    scene = drawn(count)
    axes = rotations.to_matrix(scene.rotations.astype(np.float64)) * scene.scales.astype(np.float64)[:, None]
    rng = np.random.default_rng(1)
    counts, shift, above, own = rng.integers(1, each, count), rng.random((count, 3)), *rng.random((2, count))
    rows, columns, layers, low, bottom = 300, 280, 290, (-3.0, -3.2), -2.9
    sizes = low, bottom, cell, 0.5 * cell, (rows, columns, layers), layers + 2
    numbers, sums = sampling.sample(scene.means.astype(np.float64), axes, counts, shift, above, own, *sizes)
    of, places = plain_scenes.samples(scene.means.astype(np.float64), axes, counts, shift)
    x, y, z = places.T
    column, row = np.rint((x - low[0]) / cell).astype(int), np.rint((z - low[1]) / cell).astype(int)
    up = np.floor((y - bottom) / (0.5 * cell)).astype(int)
    inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows) & (up >= 0) & (up < layers)
    assert 0.1 < inside.mean() < 0.9
    weights = [above[of][inside], own[of][inside], (above[of] * y)[inside]]
    expected, reference = plain_scenes.in_voxels(((row * columns + column) * (layers + 2) + up + 1)[inside], weights)
    order = np.argsort(numbers)
    return numbers[order], sums[order], expected, reference


def test_voxels_hold_what_their_samples_have() -> None:
    numbers, sums, expected, reference = voxels(2000, 9, 0.02)
    np.testing.assert_array_equal(numbers, expected)
    np.testing.assert_allclose(sums, reference, rtol=1e-3, atol=1e-3)


def test_more_voxels_than_a_table_begins_with_are_kept() -> None:
    numbers, sums, expected, reference = voxels(80_000, 9, 0.02)
    assert len(numbers) > 40_000
    both, mine, theirs = np.intersect1d(numbers, expected, return_indices=True)
    assert len(both) > 0.999 * max(len(numbers), len(expected)), "but for samples on borders"
    assert np.isclose(sums[mine], reference[theirs], rtol=1e-3, atol=1e-3).mean() > 0.999
    np.testing.assert_allclose(sums.sum(axis=0), reference.sum(axis=0), rtol=1e-3)
