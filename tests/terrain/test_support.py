"""What the ground offers a foot."""

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.terrain import Heightmap, Placed, Plane, Union, block, edges, is_void, slope, stairs, support


def test_flat_ground_supports_everywhere(rng):
    found = support(Plane(0.4), rng.normal(size=(3, 2, 3)), 0.1)
    np.testing.assert_allclose(found.height, np.full((3, 2), 0.4))
    np.testing.assert_allclose(found.plane, 0.4, atol=1e-6)
    np.testing.assert_allclose(found.normal, np.broadcast_to([0, 1, 0], (3, 2, 3)), atol=1e-6)
    np.testing.assert_allclose(found.deviation, 0, atol=1e-6)
    np.testing.assert_array_equal(found.coverage, 1)


def test_a_slope_is_its_plane():
    ground = Placed(slope(length=4.0, rise=3.0), (0, 5, 0), 0.7)
    points = np.array([[np.sin(0.7), 0, np.cos(0.7)]]) * 2.0
    found = support(ground, points, 0.1)
    np.testing.assert_allclose(found.normal, ground.normal(points), atol=1e-3)
    np.testing.assert_allclose(found.plane, 6.5, atol=1e-4)
    np.testing.assert_allclose(found.height, 6.5 + 0.075, atol=3e-3)
    assert found.deviation[0] < 1e-4


def test_a_disc_over_an_edge_rests_on_the_higher_side():
    found = support(Union((Plane(), stairs(rise=0.2))), np.array([[0.0, 0, -0.05], [0, 0, -0.2]]), 0.1)
    np.testing.assert_allclose(found.height, [0.2, 0.0], atol=1e-6)
    assert found.deviation[0] > 0.05 > found.deviation[1]


def test_a_disc_over_a_border_is_covered_in_part():
    found = support(block(1, 1, 0.3), np.array([[0.0, 0, 0], [0, 0, 0.5], [0, 0, 5.0]]), 0.1)
    assert found.coverage[0] == 1 and 0.3 < found.coverage[1] < 0.7 and found.coverage[2] == 0
    np.testing.assert_allclose(found.plane[:2], 0.3, atol=1e-4)
    np.testing.assert_allclose(found.normal[:2], [[0, 1, 0]] * 2, atol=1e-4)
    assert is_void(found.height[2:]).all() and is_void(found.plane[2:]).all()
    assert np.isfinite(found.normal).all()


def test_the_next_edge_of_stairs_is_found():
    ground = Union((Plane(), stairs(steps=4, rise=0.17, tread=0.3)))
    found = edges(ground, np.array([[0.0, 0, -0.1], [0.0, 0, 0.35], [0, 0, 0.52], [0, 0, -1.0]]), 0.2)
    np.testing.assert_allclose(found.distance, [0.1, 0.05, 0.08, np.inf], atol=2e-3)
    np.testing.assert_allclose(found.direction, [[0, 0, 1], [0, 0, -1], [0, 0, 1], [0, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(found.change, [0.17, -0.17, 0.17, 0], atol=1e-6)


def test_edges_in_any_direction_are_found_to_two_percent(rng):
    headings = rng.uniform(0, 2 * np.pi, 40)
    for heading in headings:
        found = edges(Union((Plane(), Placed(stairs(width=9), heading=heading))), np.array([[0.0, 0, 0]]), 0.4)
        assert found.distance == pytest.approx(0, abs=0.01)
        away = -0.15 * np.array([[np.sin(heading), 0, np.cos(heading)]])
        found = edges(Union((Plane(), Placed(stairs(width=9), heading=heading))), away, 0.4)
        assert 0.149 < found.distance[0] < 0.15 * 1.03


def test_slopes_and_hills_have_no_edges():
    hill = Heightmap.from_function(lambda x, z: 0.3 * np.sin(2 * x) * np.cos(z), (6.0, 6.0))
    assert np.isinf(edges(hill, np.zeros((1, 3)), 0.5).distance).all()
    ramp = Placed(slope(length=3.0, rise=2.0, width=9.0), (0, 0, -1.5))
    assert np.isinf(edges(ramp, np.zeros((1, 3)), 0.5).distance).all()


def test_a_gap_is_an_edge():
    found = edges(block(2, 2, 0.0), np.array([[0.0, 0, 0.9]]), 0.2)
    assert found.distance[0] == pytest.approx(0.1, abs=2e-3) and found.change[0] < -1000


def test_sizes_that_cannot_be_are_refused():
    with pytest.raises(UsageError):
        support(Plane(), np.zeros(3), 0.0)
    with pytest.raises(UsageError):
        edges(Plane(), np.zeros(3), 100.0)
