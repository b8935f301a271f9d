"""Views made ready for drawing."""

import numpy as np
import pytest

from kinema.rendering.camera import Camera
from kinema.rendering.scene import GpuScene
from kinema.rendering.view import View

CAMERA = Camera.look_at((0, 0, 4), (0, 0, 0))


@pytest.fixture
def scene(renderer):
    with renderer.context:
        made = GpuScene(renderer.context)
        yield made
        made.release()


def test_faded_instances_come_last_and_from_far_to_near(scene, shapes):
    instances = shapes.rest(shapes.box(), 4, tints=np.float32([[1, 1, 1, a] for a in (0.5, 1, 0.2, 1)]))
    instances.pose.global_positions[:, 0, 2] = [1, 2, -3, 4]
    scene.fill(View(CAMERA, (instances,)), motion=False)
    (batch,) = scene.batches
    assert (batch.solid, batch.faded) == (2, 2)
    np.testing.assert_allclose(batch.centers[2:, 0, 2], [-3, 1])
    assert batch.texel(2) == batch.base + 2 * batch.character.stride and scene.translucent


def test_ids_go_on_over_characters_and_bounds_follow_poses(scene, shapes):
    a, b = shapes.rest(shapes.ball(0.5), 2), shapes.rest(shapes.box())
    b.pose.global_positions[0, 0] = (3, 0, 0)
    scene.fill(View(CAMERA, (a, b)), motion=False)
    texels = np.frombuffer(scene.palette.read(), np.float32).reshape(-1, 4)
    ids = [texels[batch.texel(i) + 1, 0] for batch in scene.batches for i in range(batch.solid)]
    assert ids == [1, 2, 3]
    np.testing.assert_allclose(scene.centers, [[0, 0, 0], [0, 0, 0], [3, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(scene.radii, [0.5, 0.5, np.sqrt(0.75)], rtol=1e-3)


def test_the_palette_grows(scene, shapes):
    for count in (1, 3000, 2):
        instances = shapes.rest(shapes.box(), count)
        instances.pose.global_positions[-1, 0] = (7, 8, 9)
        scene.fill(View(CAMERA, (instances,)), motion=True)
        texels = np.frombuffer(scene.palette.read(), np.float32).reshape(-1, 4)
        last = scene.batches[0].texel(count - 1) + 2
        np.testing.assert_array_equal(texels[last : last + 3, 3], [7, 8, 9])


def test_an_empty_view_is_fine(scene, shapes):
    scene.fill(View(CAMERA, (shapes.rest(shapes.box(), 0),)), motion=False)
    assert not scene.batches and len(scene.centers) == 0 and not scene.glows
