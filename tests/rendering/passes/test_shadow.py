"""The shadow map against the depth of a box."""

import numpy as np

from kinema.rendering.camera import Camera
from kinema.rendering.passes.shadow import ShadowPass
from kinema.rendering.scene import GpuScene
from kinema.rendering.sunfit import fit
from kinema.rendering.view import View


def test_map_holds_the_depth_of_what_the_sun_sees(renderer, shapes):
    camera = Camera.look_at((0, 1, 5), (0, 0.5, 0))
    view = View(camera, (shapes.rest(shapes.box()),))
    with renderer.context:
        scene, made = GpuScene(renderer.context), ShadowPass(renderer.context, renderer.shaders, 64)
        scene.fill(view, motion=False)
        shape = fit((0, 1, 0), scene.centers, scene.radii, camera, 1.5, 20.0, 64)
        assert shape is not None
        made.render(scene, shape)
        depth = np.frombuffer(made.map.read(alignment=4), np.float32).reshape(64, 64)
        made.release()
        scene.library.release()
    top = (shape.matrix @ [0, 0.5, 0, 1])[2] * 0.5 + 0.5
    # The sun stands straight above the box: a square of one metre, all at the height of its top.
    np.testing.assert_allclose(depth[depth < 1], top, atol=1e-4)
    assert abs((depth < 1).sum() * shape.texel**2 - 1.0) < 0.08
