"""Moments and views."""

import numpy as np
import pytest

from kinema import rotations
from kinema.rendering.camera import Camera
from kinema.rendering.sheet.framing import frame, moments


def test_moments_keep_their_distance():
    roots = np.zeros((300, 3))
    roots[:, 2] = np.linspace(0, 6, 300)
    camera = Camera.look_at((-5, 1, 3), (0, 1, 3))
    chosen = moments(roots, camera, 1.7, 30.0)
    frames, opacities = [frame for frame, _ in chosen], [opacity for _, opacity in chosen]
    assert frames == sorted(frames) and frames[-1] == 299 and 5 <= len(frames) <= 9
    assert np.diff(roots[frames, 2]).min() > 0.5 * 0.5 * 1.7
    assert opacities == sorted(opacities) and opacities[-1] == 1 and opacities[0] > 0.3
    assert moments(roots * 0, camera, 1.7, 30.0) == [(299, 1.0)]


@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_view_holds_everything_and_shows_the_path_from_the_side(heading: float):
    way = np.array([np.sin(heading), 0, np.cos(heading)])
    roots = np.linspace(0, 8, 100)[:, None] * way
    body = np.array([[0.3, 0, 0], [-0.3, 0, 0], [0, 1.7, 0.3], [0, 1.7, -0.3]])
    headings = np.tile(rotations.from_yaw(np.array(heading)), (100, 1))
    camera = frame(roots[np.linspace(0, 99, 20).astype(int), None] + body, roots, headings, 1.7, 30.0, 2.2)
    seen = camera.project((roots[:, None] + body).reshape(-1, 3), 2200, 1000)
    assert seen[:, 0].min() > 0 and seen[:, 0].max() < 2200 and seen[:, 1].min() > 0 and seen[:, 1].max() < 1000
    assert np.ptp(seen[:, 0]) > 0.6 * 2200  # not along the path
    assert way @ camera.ahead < 0.1  # not from behind
