from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema.rendering.camera import Camera
from kinema.rendering.reconstruction.numbers import NAMES, Numbers
from kinema.rendering.reconstruction.photos import Lens
from kinema.rendering.reconstruction.picture import draw, pull
from kinema.rendering.splats.rasterise import rasterise

from .conftest import few, place

CAMERA = Camera.look_at((1, 1.5, 3), (0, 0, 0), 1.2)


@pytest.mark.parametrize("smooth", [False, True])
def test_pictures_are_those_of_the_rasteriser(smooth: bool) -> None:
    shown = rasterise(place(), CAMERA, 70, 50, smooth=smooth)
    drawn = draw(Numbers.of(place()), Lens.of(CAMERA, 70, 50), CAMERA.near, smooth)
    assert np.abs(drawn.over(np.zeros(3, np.float32)) - shown.colour).max() < 1e-4
    assert np.abs(1.0 - drawn.clear - shown.alpha).max() < 1e-4


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("coefficients", [1, 16])
def test_gradients_are_those_of_differences(coefficients: int, smooth: bool) -> None:
    numbers, lens = few(5, coefficients), Lens.of(CAMERA, 4, 3)
    lens = replace(lens, focal=lens.focal * [1.0, 1.2], middle=lens.middle + np.asarray([0.3, -0.2]))
    rng = np.random.default_rng(1)
    wanted = rng.normal(0, 1, (3, 4, 5)).astype(np.float32)
    of_clear = rng.normal(0, 1, (3, 4)).astype(np.float32)

    def loss() -> float:
        drawn = draw(numbers, lens, 0.05, smooth)
        return float((drawn.sums.astype(np.float64) * wanted).sum() + (drawn.clear.astype(np.float64) * of_clear).sum())

    found, pulled = pull(numbers, draw(numbers, lens, 0.05, smooth), wanted, of_clear)
    step = 4e-3
    for name in NAMES:
        values, slopes = getattr(numbers, name), getattr(found, name)
        expected = np.zeros(values.shape)
        for index in np.ndindex(values.shape):
            before = values[index]
            ends = []
            for value in (before - step, before + step):
                values[index] = value
                ends.append(loss())
            values[index] = before
            expected[index] = (ends[1] - ends[0]) / (2 * step)
        assert np.abs(slopes - expected).max() < 2e-3 * np.abs(expected).max() + 1e-4, name
    assert (pulled > 0).all()
