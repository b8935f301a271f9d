from __future__ import annotations

import numpy as np
import pytest

from kinema.control import index_kernels as kernels


@pytest.mark.parametrize("rows", [1, 15, 16, 17, 64, 200])
@pytest.mark.parametrize("size", [kernels.SMALL, kernels.LARGE])
def test_boxes_are_the_extremes_of_their_rows(rows, size, rng):
    x = rng.normal(size=(rows, 3)).astype(np.float32)
    low, high = kernels.boxes(x, size)
    parts = [x[a : a + size] for a in range(0, rows, size)]
    np.testing.assert_array_equal(low, [part.min(axis=0) for part in parts])
    np.testing.assert_array_equal(high, [part.max(axis=0) for part in parts])


@pytest.mark.parametrize("rows", [1, 17, 300])
def test_search_is_exact(rows, rng):
    x = rng.normal(size=(rows, 4)).astype(np.float32)
    corners = *kernels.boxes(x, kernels.SMALL), *kernels.boxes(x, kernels.LARGE)
    for _ in range(50):
        penalty = rng.exponential(size=rows).astype(np.float32)
        usable, frames = rng.random(rows) < 0.6, np.arange(rows)
        query = rng.normal(size=4).astype(np.float32)
        costs = np.where(usable, ((x - query) ** 2).sum(1) + penalty, np.inf)
        found, cost = kernels.search(x, *corners, penalty, usable, frames, query, np.float32(np.inf))
        if usable.any():
            assert found == np.argmin(costs)
            assert cost == pytest.approx(costs.min(), rel=1e-5)
        else:
            assert (found, cost) == (-1, np.inf)
