"""The usual search of motion matching finds the nearest row."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.benchmarks.plain_search import PlainBoxes


@pytest.mark.parametrize("rows", [1, 15, 64, 65, 1000])
def test_it_finds_the_nearest_row_below_the_bound(rows, rng):
    x = np.cumsum(rng.normal(size=(rows, 5)), axis=0).astype(np.float32)
    boxes = PlainBoxes.build(x)
    for query in x[rng.integers(0, rows, 20)] + rng.normal(size=(20, 5)).astype(np.float32):
        costs = ((x - query) ** 2).sum(axis=1)
        row, cost = boxes.search(query)
        assert costs[row] == pytest.approx(costs.min(), rel=1e-5)
        assert cost == pytest.approx(costs.min(), rel=1e-5)
        assert boxes.search(query, 0.5 * float(costs.min()))[0] == -1
