from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from kinema.errors import FormatError
from kinema.rendering.reconstruction.shots import CameraModel, placed, taken


def png(pixels: np.ndarray) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(out, "PNG")
    return out.getvalue()


def shot(model: CameraModel):
    return placed("a.png", model, np.zeros(3), np.eye(3), "frame")


def test_pictures_of_another_size_than_their_camera_keep_what_they_see() -> None:
    model = CameraModel((80, 60), (50.0, 60.0), (41.0, 29.0))
    photo = taken(shot(model), png(np.zeros((30, 40, 3))), 1000)
    assert photo.lens.focal.tolist() == [25.0, 30.0] and photo.lens.middle.tolist() == [20.5, 14.5]
    with pytest.raises(FormatError, match=r"a.png: is 40x40, and its camera 80x60"):
        taken(shot(model), png(np.zeros((40, 40, 3))), 1000)
    with pytest.raises(FormatError, match="no picture"):
        taken(shot(model), b"no", 1000)


def test_an_angle_is_that_of_the_width() -> None:
    photo = taken(shot(CameraModel(None, None, None, angle=np.pi / 2)), png(np.zeros((30, 40, 3))), 1000)
    assert np.allclose(photo.lens.focal, 20.0) and photo.lens.middle.tolist() == [20.0, 15.0]


def test_what_is_transparent_does_not_count() -> None:
    pixels = np.full((8, 8, 4), 255)
    pixels[:4, :, 3] = 100
    photo = taken(shot(CameraModel(None, (8.0, 8.0), None)), png(pixels), 1000)
    assert photo.mask is not None and photo.mask[4:].all() and not photo.mask[:4].any()


def test_distortion_is_undone() -> None:
    focal, k1 = 40.0, 0.3
    row, column = np.indices((64, 64)) + 0.5
    x, y = (column - 32) / focal, (row - 32) / focal
    bent = x * (1 + k1 * 0)  # the picture below shows the undistorted x at each distorted pixel
    for _ in range(50):
        square = bent**2 + (y / np.maximum(1 + k1 * bent**2, 1e-9)) ** 2 * 0
        bent = x / (1 + k1 * square)
    middle = 32
    ramp = np.repeat(np.clip(128 + 150 * bent, 0, 255)[..., None], 3, axis=-1)
    photo = taken(shot(CameraModel(None, (focal, focal), None, (k1, 0.0, 0.0, 0.0))), png(ramp), 1000)
    across = photo.picture[middle, 16:48, 0].astype(float)
    assert np.abs(across - (128 + 150 * x[middle, 16:48])).max() < 2.0
    assert photo.mask is not None and not photo.mask[0, 0] and photo.mask[middle, middle]


def test_cameras_that_are_nowhere_are_refused() -> None:
    for position, axes in ((np.full(3, np.nan), np.eye(3)), (np.zeros(3), np.ones((3, 3)))):
        with pytest.raises(FormatError, match="frame: has a camera"):
            placed("a", CameraModel(None, (1.0, 1.0), None), position, axes, "frame")
