from __future__ import annotations

import numpy as np

from kinema.worlds import splat_kernels
from kinema.worlds.splat_kernels import TILE


def test_lists_of_tiles_hold_who_reaches_them_in_order() -> None:
    rng = np.random.default_rng(0)
    seen, reach = splat_kernels.empty(40)
    seen[:, :2], reach[:] = rng.uniform(-5, 45, (40, 2)), rng.uniform(0.5, 9, (40, 2))
    order = rng.permutation(40).astype(np.int32)
    counts = np.zeros((5, 5), np.int64)
    splat_kernels.count_tiles(order, seen, reach, counts)
    ends = np.cumsum(counts).reshape(5, 5)
    begins, lists = ends - counts, np.empty(int(counts.sum()), np.int32)
    splat_kernels.fill_tiles(order, seen, reach, begins.copy(), lists)
    for row in range(5):
        for column in range(5):
            inside = [
                n
                for n in order
                if seen[n, 0] + reach[n, 0] >= column * TILE
                and seen[n, 0] - reach[n, 0] < (column + 1) * TILE
                and seen[n, 1] + reach[n, 1] >= row * TILE
                and seen[n, 1] - reach[n, 1] < (row + 1) * TILE
            ]
            assert lists[begins[row, column] : ends[row, column]].tolist() == inside
