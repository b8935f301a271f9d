from __future__ import annotations

import numpy as np
import pytest

from kinema.rendering.camera import Camera
from kinema.rendering.splats.graphics import SplatCard, SplatLayer
from kinema.rendering.splats.rasterise import rasterise

from ...worlds.conftest import drawn

CAMERA = Camera.look_at([1.0, 2.0, 9.0], [0.0, 0.5, 0.0], fov=0.8)
SIZE = 90, 60


@pytest.fixture
def draw(renderer):
    """What the card draws of a scene: light and depth, rows from the top."""
    context = renderer.context
    with context:
        card, layer, empty = (
            SplatCard(context, renderer.shaders),
            SplatLayer(context, SIZE),
            context.depth_texture(SIZE),
        )
        context.framebuffer([], empty).clear(depth=1.0)

        def drawn_by(scene, camera=CAMERA, dimmed=None):
            card.draw(scene, camera, layer, empty, dimmed)
            return [
                np.frombuffer(texture.read(), np.float32).reshape(SIZE[1], SIZE[0], 4)[::-1]
                for texture in (layer.light, layer.depth)
            ]

        yield drawn_by
        card.release()
        layer.release()


@pytest.mark.parametrize("coefficients", [1, 16])
def test_card_and_processor_agree(draw, coefficients: int) -> None:
    scene = drawn(5000, coefficients)
    light, depth = draw(scene)
    picture = rasterise(scene, CAMERA, *SIZE)
    np.testing.assert_allclose(light[..., :3], picture.colour, atol=0.02)
    np.testing.assert_allclose(light[..., 3], picture.alpha, atol=0.01)
    seen = picture.alpha > 0.1
    np.testing.assert_allclose(depth[seen, 0] / depth[seen, 3], picture.depth[seen], rtol=0.02)


def test_orthographic_cameras_and_dimmed_light(draw) -> None:
    scene, flat = drawn(800), Camera.look_at([0, 3, 9], [0, 0, 0], height=8.0)
    dimmed = np.random.default_rng(0).uniform(0, 1, len(scene)).astype(np.float32)
    light, _ = draw(scene, flat, dimmed)
    np.testing.assert_allclose(light[..., :3], rasterise(scene, flat, *SIZE, dimmed=dimmed).colour, atol=0.02)


def test_nothing_ahead_leaves_the_layer_empty(draw) -> None:
    draw(drawn(100))
    light, _ = draw(drawn(100), Camera.look_at([0, 0, 100], [0, 0, 200]))
    assert not light.any()


def test_light_that_was_dimmed_comes_back(draw) -> None:
    scene = drawn(800, 1)
    before, _ = draw(scene)
    dark, _ = draw(scene, dimmed=np.full(len(scene), 0.2, np.float32))
    after, _ = draw(scene)
    assert dark[..., :3].sum() < 0.7 * before[..., :3].sum()
    np.testing.assert_array_equal(after, before)
    turned, _ = draw(scene, Camera.look_at([-9.0, 2.0, 1.0], [0.0, 0.5, 0.0], fov=0.8))
    assert turned[..., 3].max() > 0.9
