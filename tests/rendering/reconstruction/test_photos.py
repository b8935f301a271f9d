from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import SceneError
from kinema.rendering.camera import Camera
from kinema.rendering.reconstruction.photos import Capture, Lens

CAMERA = Camera.look_at((1, 2, 3), (0.2, 0.1, -0.3), 0.9)


def test_points_are_seen_where_the_camera_sees_them_and_rays_lead_back() -> None:
    points = np.random.default_rng(0).normal(0, 0.5, (20, 3))
    lens = Lens.of(CAMERA, 64, 48)
    seen = lens.seen(points)
    assert np.allclose(seen, CAMERA.project(points, 64, 48))
    assert np.allclose(lens.position + lens.rays(seen[:, :2]) * seen[:, 2:], points)
    with pytest.raises(SceneError, match="orthographic"):
        Lens.of(Camera.look_at((1, 2, 3), (0, 0, 0), height=2.0), 64, 48)


def test_smaller_pictures_see_the_same(capture: Capture) -> None:
    small = capture.resized(12)
    first, whole = small.photos[0], capture.photos[0]
    assert first.picture.shape == (12, 12, 3)
    mean = whole.picture.reshape(12, 4, 12, 4, 3).mean(axis=(1, 3))
    assert np.abs(first.picture - mean).max() < 1.0
    point = np.asarray([0.3, 0.2, 0.1])
    assert np.allclose(4.0 * first.lens.seen(point)[:2], whole.lens.seen(point)[:2])
    assert capture.resized(100).photos[0] is whole


def test_pictures_are_kept_back(capture: Capture) -> None:
    kept, held = capture.parted(5)
    assert len(kept.photos) == 16 and len(held.photos) == 4
    assert not {id(photo) for photo in kept.photos} & {id(photo) for photo in held.photos}
    assert len(capture.parted(0)[1].photos) == 0
