"""Arrays out of textures."""

import numpy as np

from kinema.rendering.camera import Camera
from kinema.rendering.readback import straight, unfold
from kinema.rendering.renderer import Renderer
from kinema.rendering.view import View


def fold(normal):
    flat = normal / np.abs(normal).sum(-1, keepdims=True)
    over = (1 - np.abs(flat[..., 1::-1])) * np.where(flat[..., :2] >= 0, 1, -1)
    return np.where(normal[..., 2:] >= 0, flat[..., :2], over)


def test_folded_normals_come_back(rng):
    normal = rng.normal(size=(500, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    np.testing.assert_allclose(unfold(fold(normal).astype(np.float32)), normal, atol=1e-5)


def test_alpha_is_divided_out():
    pixels = np.uint8([[100, 50, 0, 128], [10, 20, 30, 0], [7, 8, 9, 255]])
    np.testing.assert_array_equal(straight(pixels), [[199, 100, 0, 128], [0, 0, 0, 0], [7, 8, 9, 255]])


def test_several_samples_give_one_pixel(driver, shapes):
    view = View(Camera.look_at((0, 0, 3), (0, 0, 0), height=2.0), (shapes.rest(shapes.box()),), floor=None)
    with Renderer(40, 40, "high") as fine, Renderer(40, 40) as plain:
        a, b = (r.render(view, ("depth", "entities", "normals", "motion")) for r in (fine, plain))
    np.testing.assert_array_equal(a.entities, b.entities)
    assert a.depth.shape == a.motion.shape[:2] == (40, 40) and a.entities.sum() == 400
