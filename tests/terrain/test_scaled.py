"""Grounds at other sizes."""

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.terrain import Placed, Plane, Scaled, is_void, slope


def test_everything_is_larger_but_the_normals(rng):
    inner = Placed(slope(length=3.0, rise=1.0), (0, 0.5, 0), 0.3, (0.1, 0.2, 0.3))
    points = rng.uniform(-1, 3, (60, 3)).astype(np.float32)
    ground = Scaled(inner, 2.0)
    there = ~is_void(inner.height(points))
    assert 5 < there.sum() < 55
    np.testing.assert_allclose(ground.height(2 * points)[there], 2 * inner.height(points)[there], atol=1e-5)
    assert is_void(ground.height(2 * points)[~there]).all()
    np.testing.assert_allclose(ground.normal(2 * points), inner.normal(points), atol=1e-5)
    np.testing.assert_allclose(ground.velocity(2 * points), 2 * inner.velocity(points), atol=1e-5)


def test_ground_that_stands_still_is_itself_at_any_time():
    ground = Scaled(Plane(), 2.0)
    assert ground.at(3.0) is ground


def test_sizes_that_cannot_be_are_refused():
    with pytest.raises(UsageError):
        Scaled(Plane(), 0.0)
