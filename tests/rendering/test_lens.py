"""The camera in the numbers of shaders."""

import numpy as np
import pytest

from kinema.rendering.camera import Camera
from kinema.rendering.lens import lens_uniforms, metres, view_projection


@pytest.mark.parametrize("height", [None, 3.0])
def test_depth_values_become_metres(height):
    camera = Camera.look_at((0, 1, 4), (0, 0, 0), near=0.1, far=50.0, height=height)
    for ahead in (0.1, 0.7, 5.0, 49.0):
        clip = view_projection(camera, 1.3) @ np.append(camera.position + ahead * camera.ahead, 1.0)
        value = np.float32([clip[2] / clip[3] * 0.5 + 0.5])
        np.testing.assert_allclose(metres(np.minimum(value, 0.9999999), camera), ahead, rtol=2e-3)
    assert np.isinf(metres(np.float32([1.0]), camera)).all()


@pytest.mark.parametrize("height", [None, 3.0])
def test_spans_reach_the_corner_of_the_picture(height):
    camera = Camera.look_at((1, 2, 4), (0, 0.5, 0), height=height)
    lens = lens_uniforms(camera, 1.5)
    right, up, ahead = (np.array(lens[name]) for name in ("span_right", "span_up", "ahead"))
    np.testing.assert_allclose(camera.project(camera.position + right + up + ahead, 150, 100), [150, 0, 1], atol=1e-5)
