"""Stairs, ramps and blocks."""

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.terrain import Extrusion, block, is_void, slope, stairs


def along(*places):
    """Points on the centre line at these z."""
    return np.array([[0.0, 0.0, place] for place in places])


def test_stairs_have_exact_vertical_edges():
    ground = stairs(steps=3, rise=0.2, tread=0.25, landing=1.0)
    points = along(0, 0.2499, 0.25, 0.4999, 0.5, 1.4999, 1.5, 1.7499, 1.75, 1.9999)
    np.testing.assert_allclose(ground.height(points), [0.2, 0.2, 0.4, 0.4, 0.6, 0.6, 0.4, 0.4, 0.2, 0.2], atol=1e-6)
    np.testing.assert_array_equal(ground.normal(points), np.broadcast_to([0, 1, 0], points.shape))
    assert is_void(ground.height(along(-1e-4, 2.001))).all()


def test_stairs_may_only_go_up():
    ground = stairs(steps=2, rise=0.1, tread=0.3, landing=0.5, down=False)
    np.testing.assert_allclose(ground.height(along(0.1, 0.79)), [0.1, 0.2])
    assert is_void(ground.height(along(0.81))).all()


def test_one_step_is_a_platform():
    ground = stairs(steps=1, rise=0.3, landing=2.0)
    np.testing.assert_allclose(ground.height(along(0.0, 1.99)), 0.3)
    assert is_void(ground.height(along(2.01))).all()


def test_nothing_is_beside_an_extrusion():
    ground = stairs(width=1.0)
    points = np.array([[0.49, 0, 0.1], [-0.49, 0, 0.1], [0.51, 0, 0.1], [-0.51, 0, 0.1]])
    np.testing.assert_array_equal(is_void(ground.height(points)), [False, False, True, True])


def test_a_slope_goes_up_and_down_with_normals_across_it():
    ground = slope(length=4.0, rise=3.0, landing=1.0)
    points = along(2.0, 4.5, 7.0)
    np.testing.assert_allclose(ground.height(points), [1.5, 3.0, 1.5])
    np.testing.assert_allclose(ground.normal(points), [[0, 0.8, -0.6], [0, 1, 0], [0, 0.8, 0.6]], atol=1e-6)
    assert is_void(slope(length=4.0, landing=1.0, down=False).height(along(5.1))).all()


def test_a_block_is_centred():
    ground = block(2.0, 1.0, 0.4)
    points = np.array([[0.4, 0, 0.9], [-0.4, 0, -0.9], [0.6, 0, 0], [0, 0, 1.1]])
    np.testing.assert_array_equal(is_void(ground.height(points)), [False, False, True, True])
    np.testing.assert_allclose(ground.height(points[:2]), 0.4)


def test_profiles_agree_with_interpolation(rng):
    corners = np.sort(rng.uniform(0, 5, 20))
    ground = Extrusion(corners, rng.normal(size=20), 2.0)
    points = rng.uniform([-1, 0, corners[0]], [1, 0, corners[-1]], (100, 3)).astype(np.float32)
    np.testing.assert_allclose(ground.height(points), np.interp(points[:, 2], corners, ground.heights), atol=1e-5)


def test_every_shape_of_points_is_answered():
    for ground in (stairs(), slope()):
        for shape in ((), (0,), (2, 3)):
            points = np.full((*shape, 3), np.nan)
            assert ground.height(points).shape == shape and ground.normal(points).shape == (*shape, 3)


@pytest.mark.parametrize(
    "make",
    [
        lambda: stairs(steps=0),
        lambda: stairs(steps=10**9),
        lambda: stairs(rise=-0.1),
        lambda: stairs(tread=np.nan),
        lambda: slope(length=0.0),
        lambda: block(1.0, -1.0, 0.0),
        lambda: Extrusion(np.array([0.0, 1.0, 0.5]), np.zeros(3), 1.0),
        lambda: Extrusion(np.zeros(2), np.zeros(2), 1.0),
        lambda: Extrusion(np.arange(3.0), np.zeros(2), 1.0),
        lambda: Extrusion(np.arange(2.0), np.array([0, np.inf]), 1.0),
    ],
)
def test_shapes_that_cannot_be_are_refused(make):
    with pytest.raises(UsageError):
        make()
