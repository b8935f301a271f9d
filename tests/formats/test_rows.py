"""Different rows are found whatever their hash says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from kinema.formats import rows as module
from kinema.formats.rows import unique_rows

SMALL = arrays.arrays(
    np.float32, st.tuples(st.integers(0, 30), st.integers(1, 3)), elements=st.sampled_from([0.0, -0.0, 1.0, -1.0, 2.5])
)


@given(SMALL)
def test_rows_are_told_apart(values: np.ndarray) -> None:
    first, which = unique_rows(values)
    np.testing.assert_array_equal(values[first[which]], values)
    assert len({tuple(row) for row in (values + 0.0).tolist()}) == len(first)
    assert (np.diff(first) > 0).all()
    assert all((values[:place] != values[place]).any(axis=1).all() for place in first)


@pytest.mark.parametrize("dtype", [np.int64, np.float32])
def test_rows_with_equal_hashes_are_told_apart(monkeypatch: pytest.MonkeyPatch, dtype: type) -> None:
    monkeypatch.setattr(module, "_FACTOR", np.uint64(0))
    values = np.array([[1, 2], [3, 4], [1, 2], [5, 6]], dtype)
    first, which = unique_rows(values)
    assert first.tolist() == [0, 1, 3] and which.tolist() == [0, 1, 0, 2]


def test_no_rows_and_no_columns() -> None:
    assert unique_rows(np.zeros((0, 3)))[1].shape == (0,)
    assert unique_rows(np.zeros((4, 0)))[0].tolist() == [0]
