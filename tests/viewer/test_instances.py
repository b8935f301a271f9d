"""Rows of batched meshes that are not used."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.viewer.instances import AWAY, IDENTITY, padded


def test_rows_stay_in_front_and_the_rest_is_filled():
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    found = padded(rows, 5, AWAY)
    np.testing.assert_array_equal(found[:2], rows)
    np.testing.assert_array_equal(found[2:], np.tile(AWAY, (3, 1)))
    assert found.dtype == np.float32


def test_no_room_is_left_and_no_row_is_used():
    rows = np.tile(IDENTITY, (3, 1))
    np.testing.assert_array_equal(padded(rows, 3, IDENTITY), rows)
    np.testing.assert_array_equal(padded(rows[:0], 2, IDENTITY), np.tile(IDENTITY, (2, 1)))
    np.testing.assert_array_equal(padded(np.zeros((1, 2, 2), np.uint8), 2, 255)[1], np.full((2, 2), 255))


def test_too_many_rows_are_an_error():
    with pytest.raises(ValueError, match="negative"):
        padded(np.zeros((3, 4)), 2, 0)


def test_unused_rows_are_out_of_sight_and_not_rotated():
    assert AWAY[1] < -100 and np.linalg.norm(IDENTITY) == 1
