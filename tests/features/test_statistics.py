from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema.errors import DatabaseError
from kinema.features import Statistics


@settings(max_examples=30, deadline=None, derandomize=True)
@given(rows=st.integers(1, 3000), dim=st.integers(1, 9), cut=st.integers(0, 3000), seed=st.integers(0, 99))
def test_streams_equal_the_whole(rows, dim, cut, seed):
    x = np.random.default_rng(seed).normal(5.0, 2.0, (rows, dim)).astype(np.float32)
    seen = Statistics(dim)
    for part in np.split(x, [min(cut, rows)]):
        seen.update(part)
    assert seen.count == rows
    np.testing.assert_allclose(seen.mean, x.mean(0, np.float64), rtol=1e-12)
    np.testing.assert_allclose(seen.std, x.std(0, dtype=np.float64), rtol=1e-9, atol=1e-12)


def test_a_large_offset_costs_no_digits(rng):
    """A sum of squares in float64 loses all of these digits, and a float32 sum more."""
    noise = rng.integers(-2, 3, (100_000, 3)).astype(np.float32)
    seen = Statistics.of(noise + np.float32(4e6))
    np.testing.assert_allclose(seen.std, noise.std(0, dtype=np.float64), rtol=1e-10)


def test_known_statistics_go_on_as_one_stream(rng):
    x = rng.normal(3.0, 1.0, (1000, 4)).astype(np.float32)
    first = Statistics.of(x[:300])
    seen = Statistics.known(300, first.mean, first.std).update(x[300:])
    np.testing.assert_allclose(seen.mean, x.mean(0, np.float64), rtol=1e-12)
    np.testing.assert_allclose(seen.std, x.std(0, dtype=np.float64), rtol=1e-12)


def test_nothing_seen_has_no_spread():
    assert Statistics(3).std.tolist() == [0, 0, 0]
    assert Statistics(3).update(np.zeros((0, 3), np.float32)).count == 0


def test_bad_input_is_refused():
    with pytest.raises(DatabaseError, match="with 3 numbers"):
        Statistics(3).update(np.zeros((2, 4), np.float32))
    x = np.zeros((5, 3), np.float32)
    x[4, 1] = np.nan
    with pytest.raises(DatabaseError, match="row 4, column 1"):
        Statistics(3).update(x)


@pytest.mark.bench
def test_five_million_rows_of_27_numbers_a_second(rng):
    x = rng.normal(size=(500_000, 27)).astype(np.float32)
    Statistics.of(x[:10])
    times = []
    for _ in range(5):
        begin = time.thread_time()
        Statistics.of(x)
        times.append(time.thread_time() - begin)
    assert len(x) / min(times) >= 5e6
