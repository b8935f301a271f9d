"""The sun's camera: tight, whole and still."""

import numpy as np
import pytest

from kinema.rendering.camera import Camera
from kinema.rendering.sunfit import fit, frustum, light_axes

CAMERA = Camera.look_at((0, 1, 5), (0, 1, 0))
SUN = (0.5, 0.8, 0.3)


def place(shape, point):
    return shape.matrix[:3, :3] @ point + shape.matrix[:3, 3]


@pytest.mark.parametrize("toward", [SUN, (0, 1, 0), (0, 0, 1), (0, 0, 0)])
def test_axes_are_a_frame(toward):
    axes = light_axes(toward)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) > 0


def test_casters_are_inside_and_the_map_is_no_larger_than_needed():
    centers, radii = np.array([[0.3, 1, 0], [-0.4, 0.4, 0.2]]), np.array([0.3, 0.4])
    shape = fit(SUN, centers, radii, CAMERA, 1.5, 30.0, 1024)
    assert shape is not None
    for center, radius in zip(centers, radii, strict=True):
        for way in np.concatenate([np.eye(3), -np.eye(3)]):
            assert (np.abs(place(shape, center + 0.99 * radius * way)) <= 1).all()
    assert shape.texel * 1024 < 2.5
    # Nearer to the sun is nearer in the map.
    toward = light_axes(SUN)[2]
    assert place(shape, centers[0] + 0.2 * toward)[2] < place(shape, centers[0])[2]


def test_texels_stay_where_they_are_while_a_figure_walks():
    radii, offsets = np.array([0.9]), []
    for step in np.linspace(0, 1, 40):
        shape = fit(SUN, np.array([[step, 1.0, 0.2 * step]]), radii, CAMERA, 1.5, 30.0, 512)
        assert shape is not None
        texel = (place(shape, np.zeros(3))[:2] + 1) / 2 * 512
        offsets.append(texel - np.round(texel))
        assert shape.texel == pytest.approx(2.0 ** (np.ceil(np.log2(1.8 * (1 + 8 / 512)) * 4) / 4) / 512)
    np.testing.assert_allclose(offsets, 0, atol=1e-6)


def test_what_throws_no_visible_shadow_does_not_count():
    near = fit(SUN, np.array([[0, 1, 0.0]]), np.array([0.5]), CAMERA, 1.5, 10.0, 512)
    both = fit(SUN, np.array([[0, 1, 0.0], [60, 1, 60]]), np.array([0.5, 0.5]), CAMERA, 1.5, 10.0, 512)
    assert near is not None and both is not None
    np.testing.assert_array_equal(near.matrix, both.matrix)
    assert fit(SUN, np.array([[60.0, 1, 60]]), np.array([0.5]), CAMERA, 1.5, 10.0, 512) is None
    assert fit(SUN, np.empty((0, 3)), np.empty(0), CAMERA, 1.5, 10.0, 512) is None


@pytest.mark.parametrize("height", [None, 2.0])
def test_frustum_is_what_the_camera_sees(height):
    camera = Camera.look_at((1, 2, 3), (0, 0, 0), height=height)
    seen = camera.project(frustum(camera, 1.5, 7.0), 150, 100)
    assert set(np.round(seen[:, 0]).tolist()) == {0, 150} and set(np.round(seen[:, 1]).tolist()) == {0, 100}
    np.testing.assert_allclose(sorted(seen[:, 2]), [camera.near] * 4 + [7.0] * 4)
