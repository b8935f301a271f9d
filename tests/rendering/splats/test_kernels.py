from __future__ import annotations

import numpy as np

from kinema.rendering.splats import kernels
from kinema.rendering.splats.kernels import REACH, TILE

from ...worlds.conftest import drawn


def test_lists_of_tiles_hold_who_reaches_them_in_order() -> None:
    rng = np.random.default_rng(0)
    seen = np.zeros((40, kernels.COLUMNS), np.float32)
    seen[:, :2], seen[:, REACH : REACH + 2] = rng.uniform(-5, 85, (40, 2)), rng.uniform(0.5, 18, (40, 2))
    counts = np.zeros((5, 5), np.int64)
    kernels.count_tiles(seen, 0, 40, counts)
    ends = np.cumsum(counts).reshape(5, 5)
    begins, lists = ends - counts, np.empty(int(counts.sum()), np.int32)
    kernels.fill_tiles(seen, 0, 40, begins.copy(), lists)
    for row in range(5):
        for column in range(5):
            inside = [
                n
                for n in range(40)
                if seen[n, 0] + seen[n, REACH] >= column * TILE
                and seen[n, 0] - seen[n, REACH] < (column + 1) * TILE
                and seen[n, 1] + seen[n, REACH + 1] >= row * TILE
                and seen[n, 1] - seen[n, REACH + 1] < (row + 1) * TILE
            ]
            assert lists[begins[row, column] : ends[row, column]].tolist() == inside


def test_order_is_that_of_a_stable_sort() -> None:
    rng = np.random.default_rng(1)
    for count in (0, 1, 7, 5000):
        depths = rng.choice(np.exp(rng.normal(0, 3, 1000)), count).astype(np.float32)
        np.testing.assert_array_equal(kernels.nearest_first(depths), np.argsort(depths, kind="stable"))


def test_shapes_are_covariances_and_where_gaussians_fade() -> None:
    scene = drawn(50)
    scene.logits[:5] = -9.0
    covariances, opacities, widths = np.empty((50, 6), np.float32), np.empty(50, np.float32), np.empty(50, np.float32)
    kernels.shapes(scene.quaternions, scene.log_scales, scene.logits, 0, 50, covariances, opacities, widths)
    rows, columns = np.triu_indices(3)
    np.testing.assert_allclose(covariances, scene.covariances()[:, rows, columns], rtol=2e-4, atol=1e-9)
    np.testing.assert_allclose(opacities, scene.opacities, rtol=1e-5)
    seen = opacities >= kernels.LEAST
    np.testing.assert_allclose((opacities * np.exp(-0.5 * widths**2))[seen], kernels.LEAST, rtol=1e-4)
    assert not widths[~seen].any()
    assert not seen[:5].any()
