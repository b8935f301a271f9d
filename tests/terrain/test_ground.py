"""The plane as a ground, and what every ground has."""

import numpy as np

from kinema.terrain import VOID, Ground, Moving, Placed, Plane, Scaled, Shuttle, Union, block, hills, is_void


def test_a_plane_has_one_height_and_points_up(rng):
    points = rng.normal(size=(4, 2, 3))
    np.testing.assert_array_equal(Plane(0.3).height(points), np.full((4, 2), 0.3, np.float32))
    np.testing.assert_array_equal(Plane().normal(points), np.broadcast_to([0, 1, 0], (4, 2, 3)))


def test_a_ground_stands_still_unless_it_says_otherwise(rng):
    class Wave(Ground):
        def height(self, points):
            return np.sin(points[..., 0]).astype(np.float32)

        def normal(self, points):
            slope = np.stack([-np.cos(points[..., 0]), *np.ones((1, *points.shape[:-1])), 0 * points[..., 0]], -1)
            return (slope / np.linalg.norm(slope, axis=-1, keepdims=True)).astype(np.float32)

    wave = Wave()
    assert wave.at(3.0) is wave
    np.testing.assert_array_equal(wave.velocity(rng.normal(size=(5, 3))), np.zeros((5, 3)))


def test_no_ground_is_told_from_deep_ground():
    assert is_void(np.array([VOID, VOID + 100.0])).all()
    assert not is_void(np.array([-1000.0, 0.0, 8848.0])).any()


def test_planes_are_level_wherever_they_are():
    level = (Plane(), Placed(Plane(), (1.0, 2.0, 3.0)), Scaled(Plane(1.0), 2.0), Moving(Plane(), Shuttle(((0, 0, 0),))))
    assert all(ground.at(1.0).is_level for ground in level)
    uneven = (block(1.0, 1.0, 1.0), Placed(block(1.0, 1.0, 1.0)), Scaled(hills(), 2.0), Union((Plane(), hills())))
    assert not any(ground.is_level for ground in uneven)
