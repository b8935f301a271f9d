"""The plane as a ground."""

import numpy as np

from kinema.control.ground import Plane


def test_a_plane_has_one_height_and_points_up():
    points = np.random.default_rng(0).normal(size=(4, 2, 3))
    np.testing.assert_array_equal(Plane(0.3).height(points), np.full((4, 2), 0.3, np.float32))
    np.testing.assert_array_equal(Plane().normal(points), np.broadcast_to([0, 1, 0], (4, 2, 3)))
