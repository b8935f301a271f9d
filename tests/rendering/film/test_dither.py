"""Palettes and painting with them."""

import numpy as np
import pytest

from kinema.rendering.film.dither import ColorCount, Painter, bayer


def gradient(height: int = 64, width: int = 256) -> np.ndarray:
    """From a dark blue to a pale one, smooth."""
    share = np.linspace(0, 1, width)[None, :, None]
    return np.broadcast_to(
        np.rint(np.array([20, 40, 90]) * (1 - share) + np.array([190, 210, 240]) * share), (height, width, 3)
    ).astype(np.uint8)


def test_few_colors_are_kept_as_they_are(rng: np.random.Generator):
    colors = np.uint8([[10, 20, 30], [200, 30, 60], [250, 250, 240], [0, 128, 255]])
    counted = ColorCount()
    counted.add(colors[rng.integers(0, 4, 5000)])
    palette = counted.palette(255)
    assert {tuple(row) for row in palette.tolist()} == {tuple(row) for row in colors.tolist()}


def test_a_rare_color_is_not_lost():
    counted = ColorCount()
    counted.add(gradient().reshape(-1, 3))
    counted.add(np.uint8([[230, 60, 20]] * 20))
    palette = counted.palette(32).astype(int)
    assert np.abs(palette - [230, 60, 20]).max(axis=1).min() <= 2


def test_no_color_at_all_has_a_palette():
    assert ColorCount().palette(16).shape == (1, 3)


def test_a_gradient_is_painted_without_bands():
    pixels = gradient()
    counted = ColorCount()
    counted.add(pixels.reshape(-1, 3))
    palette = counted.palette(24)
    painted = palette[Painter(palette).paint(pixels)].astype(float)
    blurred = painted.reshape(8, 8, 32, 8, 3).mean(axis=(1, 3))  # what the eye sees from afar
    wanted = pixels.astype(float).reshape(8, 8, 32, 8, 3).mean(axis=(1, 3))
    assert np.abs(blurred - wanted).max() < 6
    nearest = np.argmin(np.abs(pixels.reshape(-1, 1, 3).astype(int) - palette).sum(-1), axis=1)
    plain = palette[nearest].reshape(64, 256, 3)
    bands = np.abs(plain.reshape(8, 8, 32, 8, 3).mean(axis=(1, 3)) - wanted).mean()
    assert np.abs(blurred - wanted).mean() < bands


def test_what_does_not_move_does_not_flicker():
    pixels = gradient()
    counted = ColorCount()
    counted.add(pixels.reshape(-1, 3))
    painter = Painter(counted.palette(64))
    moved = pixels.copy()
    moved[:20, :20] = (230, 60, 20)
    np.testing.assert_array_equal(painter.paint(pixels)[20:], painter.paint(moved)[20:])


def test_thresholds_are_even():
    assert bayer().shape == (8, 8)
    np.testing.assert_allclose(np.sort(bayer().ravel()), (np.arange(64) + 0.5) / 64)


@pytest.mark.parametrize("size", [1, 2, 255])
def test_palettes_are_never_larger_than_asked(size: int, rng: np.random.Generator):
    counted = ColorCount()
    counted.add(rng.integers(0, 256, (4000, 3)).astype(np.uint8))
    assert len(counted.palette(size)) <= size
