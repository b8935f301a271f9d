"""Several grounds as one."""

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.terrain import Placed, Plane, Union, block, is_void, slope, stairs


def test_the_highest_part_counts(rng):
    parts = (Plane(0.5), slope(), Placed(stairs(), (0.3, -0.2, 1.0), 0.4))
    points = rng.uniform([-2, 0, -2], [2, 0, 6], (300, 3))
    heights = np.stack([part.height(points) for part in parts])
    ground = Union(parts)
    np.testing.assert_array_equal(ground.height(points), heights.max(0))
    highest = heights.argmax(0)
    assert len(np.unique(highest)) == 3
    normals = np.stack([part.normal(points) for part in parts])
    np.testing.assert_allclose(ground.normal(points), normals[highest, np.arange(300)], atol=1e-6)


def test_the_velocity_is_that_of_the_highest_part():
    ground = Union((Plane(), Placed(block(1, 1, 0.2), linear_velocity=(0, 0.5, 1.0))))
    points = np.array([[[0.0, 0, 0]], [[3.0, 0, 0]]])
    np.testing.assert_allclose(ground.velocity(points), [[[0, 0.5, 1.0]], [[0, 0, 0]]])


def test_between_blocks_is_a_gap():
    ground = Union((block(2, 2, 0.0), Placed(block(2, 2, 0.0), (0, 0, 3.0))))
    np.testing.assert_array_equal(is_void(ground.height(np.array([[0, 0, 0.9], [0, 0, 1.5], [0, 0, 2.1]]))), [0, 1, 0])


def test_a_union_that_stands_still_is_itself_at_any_time():
    ground = Union((Plane(), stairs()))
    assert ground.at(5.0) is ground


def test_a_union_of_nothing_is_refused():
    with pytest.raises(UsageError):
        Union(())
