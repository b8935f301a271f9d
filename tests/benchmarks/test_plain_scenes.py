"""The yardsticks of the suite `scenes` do the same sums as what they are compared with."""

from __future__ import annotations

import numpy as np

from kinema.benchmarks import plain_scenes
from kinema.rendering.camera import Camera
from kinema.rendering.splats.rasterise import rasterise

from ..worlds.conftest import drawn


def test_pictures_are_those_of_the_rasteriser() -> None:
    scene, camera = drawn(1500, 1), Camera.look_at([1.0, 2.0, 9.0], [0.0, 0.5, 0.0], fov=0.8)
    found = plain_scenes.picture(scene, camera, 70, 45)
    assert found.max() > 0.6
    np.testing.assert_allclose(found, rasterise(scene, camera, 70, 45).colour, atol=2e-3)


def test_samples_are_spread_like_their_gaussian() -> None:
    axes = np.diag([0.5, 2.0, 0.1])[None]
    of, places = plain_scenes.samples(np.asarray([[1.0, 2.0, 3.0]]), axes, np.asarray([4000]), np.full((1, 3), 0.3))
    assert len(of) == 4000 and not of.any()
    np.testing.assert_allclose(places.mean(axis=0), [1, 2, 3], atol=0.01)
    np.testing.assert_allclose(places.std(axis=0) / [0.5, 2.0, 0.1], 0.934, rtol=0.01)  # without the outer 1 %


def test_voxels_hold_sums() -> None:
    found, sums = plain_scenes.in_voxels(np.asarray([7, 3, 7]), [np.asarray([1.0, 2.0, 3.0]), np.ones(3)])
    assert found.tolist() == [3, 7] and sums.tolist() == [[2.0, 1.0], [4.0, 2.0]]
