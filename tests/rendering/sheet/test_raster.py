"""The rasteriser: coverage, depth, camera, light and shadows."""

import numpy as np
import pytest

from kinema.rendering.sheet import raster

ONE = np.array([[0, 1, 2]], np.uint32)


def _blank(width: int = 12, height: int = 10) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((height, width, 3), np.float32), np.zeros((height, width), np.float32)


def test_a_triangle_covers_the_pixels_whose_centres_it_holds():
    target, near = _blank()
    points = np.array([[1, 1, 1], [9, 1, 1], [1, 9, 1]], np.float32)
    raster.fill(target, near, points, np.ones((3, 3), np.float32), ONE)
    row, column = np.mgrid[0:10, 0:12] + 0.5
    inside = (column >= 1) & (row >= 1) & (column + row <= 10)
    assert np.array_equal(near > 0, inside)
    assert np.array_equal(target[..., 0] > 0, inside)


def test_neighbours_leave_no_gap_and_orientation_does_not_matter(rng: np.random.Generator):
    corners = np.array([[0, 0, 1], [12, 0, 1], [12, 10, 1], [0, 10, 1], [5.3, 4.1, 1]], np.float32)
    faces = np.array([[0, 1, 4], [1, 4, 2], [4, 2, 3], [0, 3, 4]], np.uint32)
    target, near = _blank()
    raster.fill(target, near, corners, rng.random((5, 3), np.float32), faces)
    assert (near > 0).all()


def test_the_nearer_triangle_wins_whatever_the_order():
    red, blue = np.tile(np.float32([1, 0, 0]), (3, 1)), np.tile(np.float32([0, 0, 1]), (3, 1))
    corners = np.array([[0, 0], [12, 0], [0, 10]], np.float32)
    close, far = np.column_stack([corners, np.full(3, 0.5)]), np.column_stack([corners, np.full(3, 0.25)])
    for order in ((0, 1), (1, 0)):
        target, near = _blank()
        for which in order:
            points, values = ((close, red), (far, blue))[which]
            raster.fill(target, near, points.astype(np.float32), values, ONE)
        assert target[2, 2].tolist() == [1, 0, 0]


def test_values_are_right_in_perspective():
    # Half way on the screen between depths 1 and 3 is a quarter of the way along the edge.
    target, near = _blank(9, 1)
    points = np.array([[0.5, -50, 1], [8.5, 0.5, 1 / 3], [0.5, 50, 1]], np.float32)
    values = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], np.float32)
    raster.fill(target, near, points, values, ONE)
    assert target[0, 4, 0] == pytest.approx(0.25, abs=1e-5)


def test_bad_triangles_are_left_out():
    target, near = _blank()
    points = np.array(
        [[1, 1, 1], [9, 1, 0], [1, 9, 1], [np.nan, 1, 1], [5, 5, 1], [1e9, -1e9, 1], [1, 1, 1]], np.float32
    )
    faces = np.array([[0, 1, 2], [0, 3, 2], [0, 4, 6], [0, 0, 0]], np.uint32)
    raster.fill(target, near, points, np.ones((7, 3), np.float32), faces)
    assert not near.any()


def test_compiled_and_plain_agree(rng: np.random.Generator):
    points = np.concatenate([rng.random((30, 2)) * 14 - 1, rng.random((30, 1)) + 0.1], axis=1).astype(np.float32)
    values, faces = rng.random((30, 3), np.float32), rng.integers(0, 30, (20, 3)).astype(np.uint32)
    first, second = _blank(), _blank()
    raster.fill(*first, points, values, faces)
    raster.fill.py_func(*second, points, values, faces)
    assert first[0] == pytest.approx(second[0], abs=1e-4)


@pytest.mark.parametrize("azimuth", [0.0, 1.0, 4.0])
def test_camera_sees_all_and_fills_the_picture(azimuth: float, rng: np.random.Generator):
    points = rng.normal(size=(200, 3)).astype(np.float32) * [3, 0.5, 1]
    camera = raster.Camera.fit(points, azimuth, 0.4, 0.6, 1.5)
    seen = camera.see(points, 300, 200)
    assert camera.axes @ camera.axes.T == pytest.approx(np.eye(3), abs=1e-6)
    assert np.linalg.det(camera.axes) == pytest.approx(-1)  # right, up, forward is a left-handed triple
    assert seen[:, 0].min() > -0.1 and seen[:, 0].max() < 300.1
    assert seen[:, 1].min() > -0.1 and seen[:, 1].max() < 200.1
    assert np.ptp(seen[:, 0]) > 299 or np.ptp(seen[:, 1]) > 199


def test_ground_is_where_the_camera_sees_it():
    camera = raster.Camera.fit([[-1, 0, -1], [1, 0, 2.0]], 0.3, 0.5, 0.6, 1.5)
    where, pixel = camera.ground(60, 40)
    points = np.stack([where[..., 0], np.zeros((40, 60)), where[..., 1]], axis=-1)
    seen = camera.see(points, 60, 40)
    row, column = np.mgrid[0:40, 0:60] + 0.5
    assert seen[..., 0] == pytest.approx(column, abs=1e-2) and seen[..., 1] == pytest.approx(row, abs=1e-2)
    assert (pixel > 0).all()


def test_left_of_a_character_seen_from_the_front_is_right_in_the_picture():
    camera = raster.Camera.fit([[-1, 0, 0], [1, 2, 0.0]], np.pi, 0.2, 0.6, 1.0)  # looks along -Z
    assert camera.see([0.5, 1, 0], 100, 100)[0] > camera.see([-0.5, 1, 0], 100, 100)[0]
    assert camera.see([0, 2, 0], 100, 100)[1] < camera.see([0, 0, 0], 100, 100)[1]


def test_picture_has_the_colours_and_the_background():
    camera = raster.Camera.fit([[-1, -1, 0], [1, 1, 0.0]], 0.0, 0.0, 0.6, 1.0)
    picture = raster.Picture(camera, 20, 20)
    picture.draw(
        np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0]], np.float32), np.tile(np.float32([0, 0.2140411, 1]), (3, 1)), ONE
    )
    pixels = picture.over(np.float32([1, 1, 1]))
    assert pixels[15, 4].tolist() == [0, 127, 255] or pixels[15, 4].tolist() == [0, 128, 255]
    assert pixels[2, 17].tolist() == [255, 255, 255]


def test_sides_toward_the_light_are_brighter():
    normals = np.array([[0, 1, 0], [0, -1, 0], [0, 0, 1]], np.float32)
    sun = np.float32([0, 0.8, -0.6])
    grey, places = np.full((3, 3), 0.5, np.float32), np.zeros((3, 3), np.float32)
    bright = raster.lit(grey, normals, places, np.float32([9, 0, 0]), sun)
    assert bright[0].sum() > bright[2].sum() > bright[1].sum() > 0.3


def test_shadow_lies_away_from_the_sun_and_is_soft():
    plate = np.array([[-0.5, 1, -0.5], [0.5, 1, -0.5], [0.5, 1, 0.5], [-0.5, 1, 0.5]], np.float32)
    faces = np.array([[0, 1, 2], [0, 2, 3]], np.uint32)
    sun = np.float32([0.6, 0.8, 0])
    where = np.array([[-0.75, 0], [0.75, 0], [-1.25, 0], [-3, 0]], np.float32)
    dark = raster.shadow([(plate, faces, 0.8)], where, 0.01, 0.03, sun)
    assert dark == pytest.approx([0.8, 0, 0.4, 0], abs=0.02)
    assert raster.shadow([], where, 0.01, 0.03, sun).tolist() == [0, 0, 0, 0]


def test_srgb_goes_there_and_back():
    levels = np.arange(256, dtype=np.uint8)
    assert np.array_equal(raster.to_srgb(raster.to_linear(levels)), levels)
    assert raster.to_srgb(np.array([-1.0, 2.0])).tolist() == [0, 255]
