from __future__ import annotations

import numpy as np
import pytest

from kinema.features import index_kernels as kernels

GROUP = kernels.ROWS * kernels.BOXES


def stretched(rng: np.random.Generator, rows: int, dim: int) -> np.ndarray:
    """Points that vary much along few directions, none of them an axis."""
    mixed = rng.normal(size=(dim, dim)) * 0.5 ** np.arange(dim)[:, None]
    return (rng.normal(size=(rows, dim)) @ mixed + 5).astype(np.float32)


def find(boxes, order, rows, query, bound=np.inf, penalty=(), usable=()):
    """The row and the cost that a search finds."""
    rotated = ((np.asarray(query, np.float32) - boxes.mean) @ boxes.axes)[None]
    bounds, usable = np.array([bound], np.float32), np.asarray(usable, bool)
    places, costs = kernels.search(boxes, np.asarray(penalty, np.float32), usable, rows[order], rotated, bounds)
    return (int(order[places[0]]) if places[0] >= 0 else -1), float(costs[0])


@pytest.mark.parametrize("rows", [1, 15, 16, 17, GROUP, GROUP + 1, 3 * GROUP + 40])
def test_every_row_is_in_one_place_and_inside_its_boxes(rows, rng):
    x = stretched(rng, rows, 5)
    boxes, order = kernels.pack(x)
    assert len(order) % GROUP == 0
    assert sorted(order.tolist()) == [*range(rows), *[rows] * (len(order) - rows)]
    places = boxes.rows.transpose(0, 2, 1).reshape(-1, 5)
    taken = order < rows
    np.testing.assert_allclose(places[taken] @ boxes.axes.T + boxes.mean, x[order[taken]], atol=1e-4)
    assert np.isinf(places[~taken]).all()
    leading = boxes.low.shape[1]
    low, high = (corner.transpose(0, 2, 1).reshape(-1, leading) for corner in (boxes.low, boxes.high))
    inner, outer = np.flatnonzero(taken) // kernels.ROWS, np.flatnonzero(taken) // GROUP
    near = places[taken, :leading]
    assert (near >= low[inner]).all() and (near <= high[inner]).all()
    assert (near >= boxes.outer_low.T[outer]).all() and (near <= boxes.outer_high.T[outer]).all()


def test_boxes_hold_similar_rows(rng):
    x = stretched(rng, 20 * GROUP, 5)
    _, order = kernels.pack(x)
    spread = np.var(x[order].reshape(-1, kernels.ROWS, 5), axis=1).sum(axis=1).mean()
    assert spread < 0.1 * np.var(x, axis=0).sum()


@pytest.mark.parametrize("rows", [1, 17, 300, 3000])
def test_search_is_exact(rows, rng):
    x = stretched(rng, rows, 6)
    (boxes, order), frames = kernels.pack(x), rng.permutation(rows + 1)
    frames = np.where(frames == rows, frames[-1], frames)  # a free place has a frame, too; it must not matter
    for _ in range(50):
        penalty = rng.exponential(size=rows).astype(np.float32)
        usable = rng.random(rows) < 0.6
        query = stretched(rng, 1, 6)[0]
        costs = np.where(usable[frames[:rows]], ((x - query) ** 2).sum(1) + penalty[frames[:rows]], np.inf)
        found, cost = find(boxes, order, frames, query, penalty=penalty, usable=usable)
        if np.isfinite(costs).any():
            assert costs[found] == pytest.approx(costs.min(), rel=1e-4, abs=1e-5)
            assert cost == pytest.approx(costs.min(), rel=1e-4, abs=1e-5)
        else:
            assert (found, cost) == (-1, np.inf)


def test_only_costs_below_the_bound_count(rng):
    x = stretched(rng, 2000, 6)
    boxes, order = kernels.pack(x)
    frames = np.arange(2001)
    query = stretched(rng, 1, 6)[0]
    nearest, least = find(boxes, order, frames, query)
    assert find(boxes, order, frames, query, bound=1.01 * least)[0] == nearest
    assert find(boxes, order, frames, query, bound=0.99 * least) == (-1, pytest.approx(0.99 * least, rel=1e-6))


def test_equal_rows_and_rows_without_extent(rng):
    boxes, order = kernels.pack(np.ones((40, 3), np.float32))
    assert find(boxes, order, np.arange(41), [1, 1, 2])[1] == pytest.approx(1)


def test_a_query_that_is_no_number_finds_nothing():
    boxes, order = kernels.pack(np.zeros((9, 2), np.float32))
    assert find(boxes, order, np.arange(10), [np.nan, 0]) == (-1, np.inf)
