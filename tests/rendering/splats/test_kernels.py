from __future__ import annotations

import numpy as np

from kinema.rendering.splats import kernels
from kinema.rendering.splats.kernels import TILE

from ...worlds.conftest import drawn


def test_the_tiles_of_a_gaussian_are_those_that_it_reaches() -> None:
    rng = np.random.default_rng(0)
    for x, y, rx, ry in np.concatenate([rng.uniform(-15, 55, (60, 2)), rng.uniform(0.5, 18, (60, 2))], axis=1):
        found = kernels.tiles_of(np.float32(x), np.float32(y), np.float32(rx), np.float32(ry), 5, 4)
        columns = [n for n in range(5) if x + rx >= n * TILE and x - rx < (n + 1) * TILE]
        rows = [n for n in range(4) if y + ry >= n * TILE and y - ry < (n + 1) * TILE]
        assert [*range(found[0], found[1])] == columns and [*range(found[2], found[3])] == rows


def test_order_is_that_of_a_stable_sort() -> None:
    rng = np.random.default_rng(1)
    for count in (0, 1, 7, 5000):
        depths = rng.choice(np.exp(rng.normal(0, 3, 1000)), count).astype(np.float32)
        np.testing.assert_array_equal(kernels.nearest_first(depths), np.argsort(depths, kind="stable"))
    np.testing.assert_array_equal(kernels.nearest_first(np.full(9, 2.5, np.float32)), np.arange(9))


def test_shapes_are_covariances_and_where_gaussians_fade() -> None:
    scene = drawn(50)
    scene.logits[:5] = -9.0
    places, forms = np.empty((50, 4), np.float32), np.empty((50, 8), np.float32)
    kernels.shapes(scene.means, scene.quaternions, scene.log_scales, scene.logits, 0, 50, places, forms)
    covariances, opacities, widths = forms[:, :6], forms[:, 6], forms[:, 7]
    rows, columns = np.triu_indices(3)
    np.testing.assert_allclose(covariances, scene.covariances()[:, rows, columns], rtol=2e-4, atol=1e-9)
    np.testing.assert_allclose(opacities, scene.opacities, rtol=1e-5)
    seen = opacities >= kernels.LEAST
    np.testing.assert_allclose((opacities * np.exp(-0.5 * widths**2))[seen], kernels.LEAST, rtol=1e-4)
    assert not widths[~seen].any()
    assert not seen[:5].any()
    np.testing.assert_array_equal(places[:, :3], scene.means)
    np.testing.assert_allclose(places[:, 3], widths * np.linalg.norm(scene.scales, axis=-1), rtol=1e-4)
