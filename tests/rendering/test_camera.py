"""The camera: its matrices and its pixels agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema.errors import KinemaError
from kinema.rendering.camera import Camera

place = st.tuples(*[st.floats(-20, 20)] * 3)


def test_what_stands_to_the_left_is_seen_to_the_left():
    camera = Camera.look_at((0, 1, -5), (0, 1, 0))
    np.testing.assert_allclose(camera.ahead, [0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(camera.left, [1, 0, 0], atol=1e-6)
    x, y, depth = camera.project((1, 2, 0), 200, 100)
    assert x < 100 and y < 50 and depth == pytest.approx(5)


@settings(deadline=None)
@given(place, place, st.floats(0.2, 1.5), st.booleans())
def test_matrices_and_pixels_agree(eye, point, fov, flat):
    if np.linalg.norm(np.subtract(eye, (0, 1, 0))) < 0.1:
        return
    camera = Camera.look_at(eye, (0, 1, 0), fov, height=3.0 if flat else None)
    width, height = 320, 180
    x, y, depth = camera.project(point, width, height)
    if depth < 0.1:
        return
    clip = camera.projection_matrix(width / height) @ camera.view_matrix() @ np.array([*point, 1.0])
    ndc = clip[:3] / clip[3]
    np.testing.assert_allclose([(ndc[0] + 1) * width / 2, (1 - ndc[1]) * height / 2], [x, y], rtol=1e-4, atol=0.05)


def test_near_and_far_are_the_ends_of_clip_space():
    for height in (None, 2.0):
        camera = Camera.look_at((0, 0, 0), (0, 0, 1), near=0.5, far=10.0, height=height)
        for depth, expected in ((0.5, -1.0), (10.0, 1.0)):
            clip = camera.projection_matrix(1.5) @ camera.view_matrix() @ np.array([0, 0, depth, 1.0])
            assert clip[2] / clip[3] == pytest.approx(expected, abs=1e-6)


def test_straight_down_is_defined():
    camera = Camera.look_at((0, 5, 0), (0, 0, 0))
    np.testing.assert_allclose(camera.ahead, [0, -1, 0], atol=1e-6)
    assert np.isfinite(camera.view_matrix()).all()


def test_a_camera_cannot_look_at_itself():
    with pytest.raises(KinemaError, match="cannot look at"):
        Camera.look_at((1, 1, 1), (1, 1, 1))
