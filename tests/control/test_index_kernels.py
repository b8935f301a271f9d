from __future__ import annotations

import numpy as np
import pytest

from kinema.control import index_kernels as kernels


@pytest.mark.parametrize("rows", [1, 15, 16, 17, 200])
def test_boxes_hold_their_frames_and_nothing_more(rows, rng):
    x = rng.normal(size=(rows, 3)).astype(np.float32)
    blocks, low, high = kernels.pack(x)
    assert blocks.shape == (-(-rows // kernels.RUN), 3, kernels.RUN)
    np.testing.assert_array_equal(blocks.transpose(0, 2, 1).reshape(-1, 3)[:rows], x)
    assert np.isinf(blocks.transpose(0, 2, 1).reshape(-1, 3)[rows:]).all()
    for box, part in enumerate(x[a : a + kernels.RUN] for a in range(0, rows, kernels.RUN)):
        np.testing.assert_array_equal(low[:, box], part.min(axis=0))
        np.testing.assert_array_equal(high[:, box], part.max(axis=0))


@pytest.mark.parametrize("rows", [1, 17, 300, 3000])
def test_search_is_exact(rows, rng):
    x = rng.normal(size=(rows, 4)).astype(np.float32)
    boxes, frames = kernels.pack(x), rng.permutation(rows)
    for _ in range(50):
        penalty = rng.exponential(size=rows).astype(np.float32)
        usable = rng.random(rows) < 0.6
        query = rng.normal(size=4).astype(np.float32)
        costs = np.where(usable[frames], ((x - query) ** 2).sum(1) + penalty[frames], np.inf)
        found, cost = kernels.search(boxes, penalty, usable, frames, query, np.float32(np.inf))
        if usable.any():
            assert found == np.argmin(costs)
            assert cost == pytest.approx(costs.min(), rel=1e-5)
        else:
            assert (found, cost) == (-1, np.inf)


def test_a_query_that_is_no_number_finds_nothing():
    boxes = kernels.pack(np.zeros((9, 2), np.float32))
    none, every = np.zeros(0, np.float32), np.zeros(0, bool)
    query = np.float32([np.nan, 0])
    assert kernels.search(boxes, none, every, np.arange(9), query, np.float32(np.inf)) == (-1, np.inf)
