from __future__ import annotations

import numpy as np

from kinema.rendering.reconstruction.projection import COLUMNS
from kinema.rendering.reconstruction.tiles import REACH, TILE, listed


def test_each_tile_lists_what_reaches_it_in_order() -> None:
    rng = np.random.default_rng(0)
    seen = np.zeros((200, COLUMNS), np.float32)
    seen[:, :2] = rng.uniform(-20, 80, (200, 2))
    seen[:, REACH : REACH + 2] = rng.uniform(0.5, 20, (200, 2))
    ends, counts, lists = listed(seen, 50, 33)
    assert ends.shape == (3, 4) and counts.sum() == len(lists)
    for row, column in np.ndindex(3, 4):
        low = np.asarray([column, row]) * TILE
        reach = seen[:, REACH : REACH + 2]
        touched = ((seen[:, :2] + reach >= low) & (seen[:, :2] - reach < low + TILE)).all(axis=1)
        end = ends[row, column]
        assert lists[end - counts[row, column] : end].tolist() == np.flatnonzero(touched).tolist()
