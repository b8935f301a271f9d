from __future__ import annotations

import math

import numpy as np

from kinema.rendering.reconstruction.similarity import decibels, loss


def test_the_gradient_is_that_of_differences() -> None:
    rng = np.random.default_rng(0)
    target = rng.random((14, 17, 3)).astype(np.float32)
    picture = (target + np.where(rng.random(target.shape) < 0.5, -0.1, 0.1)).astype(np.float32)
    slope = loss(picture, target)[1]
    way = rng.normal(0, 1, picture.shape).astype(np.float32)
    ends = [loss((picture + step * way).astype(np.float32), target)[0] for step in (-3e-3, 3e-3)]
    assert math.isclose((ends[1] - ends[0]) / 6e-3, float((slope * way).sum()), rel_tol=0.02)


def test_the_same_picture_is_not_away() -> None:
    picture = np.random.default_rng(0).random((20, 20, 3)).astype(np.float32)
    assert abs(loss(picture, picture)[0]) < 1e-6 and decibels(picture, picture) == math.inf
    assert math.isclose(decibels(np.zeros((4, 4, 3)), np.full((4, 4, 3), 0.1)), 20.0)
