"""Heightmaps: bilinear heights, normals of the same surface, borders, functions and triangles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema.errors import UsageError
from kinema.terrain import VOID, Heightmap, is_void


def reference(heightmap: Heightmap, points):
    """Bilinear interpolation in NumPy, for points on the map."""
    x0, z0 = heightmap.origin
    heights, cell = heightmap.heights.astype(np.float64), heightmap.cell
    i, v = np.divmod((points[..., 2] - z0) / cell, 1)
    j, u = np.divmod((points[..., 0] - x0) / cell, 1)
    i, j = i.astype(int), j.astype(int)
    top = heights[i, j] * (1 - u) + heights[i, j + 1] * u
    return top * (1 - v) + (heights[i + 1, j] * (1 - u) + heights[i + 1, j + 1] * u) * v


@pytest.fixture
def rough(rng):
    return Heightmap(rng.normal(size=(7, 5)), 0.5, (-1.0, 3.0))


def test_heights_are_bilinear(rng, rough):
    points = rng.uniform([-1, -9, 3], [1, 9, 6], (6, 50, 3)).astype(np.float32)
    np.testing.assert_allclose(rough.height(points), reference(rough, points.astype(np.float64)), atol=1e-5)


def test_heights_at_samples_are_those_given(rough):
    x, z = np.meshgrid(-1 + 0.5 * np.arange(5), 3 + 0.5 * np.arange(7))
    np.testing.assert_allclose(rough.height(np.stack([x, 0 * x, z], -1)), rough.heights, atol=1e-6)


@given(seed=st.integers(0, 2**32 - 1), edge=st.sampled_from(["open", "extend", "repeat"]))
@settings(deadline=None, max_examples=30)
def test_normals_are_perpendicular_to_the_interpolated_surface(seed, edge):
    rng = np.random.default_rng(seed)
    ground = Heightmap(rng.normal(size=(6, 8)), 0.25, edge=edge)
    points = rng.uniform(-1.3, 1.3, (300, 3)) * [1, 0, 1]
    step = 1e-3
    normals = ground.normal(points)
    assert np.abs(np.linalg.norm(normals, axis=-1) - 1).max() < 1e-5
    for axis in ([step, 0, 0], [0, 0, step]):
        ahead, behind = ground.height(points + axis), ground.height(points - axis)
        smooth = ~is_void(ahead) & ~is_void(behind)  # and within one cell:
        cells = [np.floor((points + sign * np.array(axis)) / 0.25 + [0.5, 0, 0.5]) for sign in (-1, 1)]
        cells += [np.floor((points + sign * np.array(axis)) / 0.25) for sign in (-1, 1)]
        smooth &= (cells[0] == cells[1]).all(-1) & (cells[2] == cells[3]).all(-1)
        tangent = 2 * np.array(axis) + (ahead - behind)[:, None] * [0, 1, 0]
        across = np.abs((tangent * normals).sum(-1)) / np.linalg.norm(tangent, axis=-1)
        assert smooth.sum() > 30 and across[smooth].max() < 2e-3


def test_beyond_the_border():
    heights = np.array([[0.0, 1.0, 5.0], [2.0, 3.0, 4.0]])
    beyond = np.array([[10.0, 0.0, 0.0], [0.5, 0.0, -7.0]])
    ground = {edge: Heightmap(heights, 1.0, (0.0, 0.0), edge) for edge in ("open", "extend", "repeat")}
    assert is_void(ground["open"].height(beyond)).all()
    np.testing.assert_array_equal(ground["open"].normal(beyond), [[0, 1, 0]] * 2)
    np.testing.assert_allclose(ground["extend"].height(beyond), [5.0, 0.5])
    assert ground["extend"].normal(beyond)[0, 0] == 0, "the border continues level"
    np.testing.assert_allclose(ground["repeat"].height(beyond), [1.0, 2.5])  # x = 10 is 1; z = -7 is 1
    np.testing.assert_allclose(
        ground["repeat"].height(np.array([[2.5, 0, 0]])), [2.5]
    )  # between the last and the first


def test_a_map_repeats_everywhere(rng):
    ground = Heightmap(rng.normal(size=(6, 8)), 0.25, (0.1, -0.2), "repeat")
    points = rng.uniform(-1, 1, (200, 3)).astype(np.float32)
    for times in (1, -1, -7):
        moved = points + np.array([8, 0, -6], np.float32) * np.float32(0.25 * times)
        np.testing.assert_allclose(ground.height(moved), ground.height(points), atol=2e-5)


def test_a_hole_takes_the_cells_around_it():
    heights = np.zeros((5, 5))
    heights[2, 2] = VOID
    ground = Heightmap(heights, 1.0)
    points = np.array([[0, 0, 0], [0.9, 0, 0.9], [-0.9, 0, 0.9], [1.1, 0, 0.9], [0.0, 0.0, -1.01]])
    np.testing.assert_array_equal(is_void(ground.height(points)), [True, True, True, False, False])


@pytest.mark.parametrize("edge", ["open", "extend", "repeat"])
def test_points_that_are_not_numbers_do_no_harm(rough, edge):
    ground = Heightmap(rough.heights, 0.5, edge=edge)
    points = np.array([[np.nan, 0, 0], [np.inf, 0, -np.inf], [1e30, 0, -1e30]])
    assert ground.height(points).shape == (3,) and ground.normal(points).shape == (3, 3)


def test_empty_and_single_queries(rough):
    assert rough.height(np.zeros((0, 3))).shape == (0,)
    assert rough.normal(np.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert rough.height(np.zeros(3)).shape == ()


def test_a_function_becomes_a_map_centred_on_the_origin(rng):
    ground = Heightmap.from_function(lambda x, z: 2 * x - z, (4.0, 6.0), 0.5)
    points = rng.uniform([-2, 0, -3], [2, 0, 3], (40, 3))
    np.testing.assert_allclose(ground.height(points), 2 * points[:, 0] - points[:, 2], atol=1e-5)
    assert (Heightmap.from_function(lambda x, z: 1.0, (1.0, 1.0)).heights == 1).all()


def test_triangles_become_their_highest_surface(rng):
    # A floor at y = 1 under a tilted roof that covers a part of it, seen from both sides.
    floor = np.array([[0, 1, 0], [4, 1, 0], [4, 1, 4], [0, 1, 4]], float)
    roof = np.array([[1, 2, 1], [3, 4, 1], [3, 4, 3], [1, 2, 3]], float)
    triangles = np.array([[0, 2, 1], [0, 2, 3], [4, 6, 5], [4, 6, 7]])
    ground = Heightmap.from_triangles(np.concatenate([floor, roof]), triangles, 0.25)
    inside = rng.uniform([1.01, 0, 1.01], [2.99, 0, 2.99], (50, 3))
    np.testing.assert_allclose(ground.height(inside), 1 + inside[:, 0], atol=1e-5)
    np.testing.assert_allclose(ground.height(np.array([[0.5, 0, 0.5], [3.9, 0, 3.9]])), 1)
    assert is_void(ground.height(np.array([[5.0, 0, 1.0]]))).all()


def test_what_no_triangle_covers_is_a_hole():
    vertices = np.array([[0, 0, 0], [4, 0, 0], [0, 0, 4.0]])
    ground = Heightmap.from_triangles(vertices, np.array([[0, 1, 2]]), 0.5)
    np.testing.assert_array_equal(is_void(ground.height(np.array([[0.5, 0, 0.5], [3.5, 0, 3.5]]))), [False, True])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Heightmap(np.zeros((1, 5)), 1.0), "2 x 2"),
        (lambda: Heightmap(np.zeros(5), 1.0), "2 x 2"),
        (lambda: Heightmap(np.full((3, 3), np.nan), 1.0), "finite"),
        (lambda: Heightmap(np.zeros((3, 3)), 0.0), "above zero"),
        (lambda: Heightmap(np.zeros((3, 3)), 1.0, edge="round"), "extend"),
        (lambda: Heightmap(np.broadcast_to(np.float32(0), (10**5, 10**5)), 1.0), "larger"),
        (lambda: Heightmap.from_function(lambda x, z: x, (1e9, 1e9)), "larger"),
        (lambda: Heightmap.from_function(lambda x, z: x, (np.inf, 1.0)), "finite extent"),
        (lambda: Heightmap.from_triangles(np.eye(3) * 1e9, np.array([[0, 1, 2]])), "larger"),
        (lambda: Heightmap.from_triangles(np.eye(3), np.array([[0, 1, 3]])), "vertices"),
        (lambda: Heightmap.from_triangles(np.eye(3), np.zeros((0, 3), int)), "at least one"),
        (lambda: Heightmap.from_triangles(np.full((3, 3), np.inf), np.array([[0, 1, 2]])), "finite"),
        (
            lambda: Heightmap.from_triangles(np.array([[0, 0, 0], [1, 0, 0], [2, 9, 0.0]]), np.array([[0, 1, 2]])),
            "above",
        ),
        (lambda: Heightmap.from_triangles(np.eye(3) * 400, np.tile([0, 1, 2], (10**4, 1))), "overlap"),
    ],
)
def test_maps_that_cannot_be_are_refused(make, words):
    with pytest.raises(UsageError, match=words):
        make()
