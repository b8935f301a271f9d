"""The shadow map against the depth of a box."""

import numpy as np

from kinema.rendering.camera import Camera
from kinema.rendering.passes.shadow import ShadowPass
from kinema.rendering.scene import GpuScene
from kinema.rendering.sunfit import fit
from kinema.rendering.view import Floor, Sky, Sun, View


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


def test_a_faded_actor_casts_a_lighter_shadow(renderer, shapes):
    camera = Camera.look_at((0, 3, 0.01), (0, 0, 0), height=3.0)
    sky = Sky(backdrop=(0, 0, 0, 1))

    def shade(alpha: float | None) -> float:
        """Brightness of the floor where the shadow of a box above the picture falls."""
        box = shapes.rest(shapes.box((1, 0.1, 1), at=(2.5, 2.5, 0)), tints=np.float32([[1, 1, 1, alpha or 1]]))
        instances = () if alpha is None else (box,)
        view = View(camera, instances, Sun((1, 1, 0)), sky=sky, floor=Floor(cell=0, fade=500))
        color = renderer.render(view).color[50:70, 70:90, 0] / 255
        return float((((color + 0.055) / 1.055) ** 2.4).mean())

    full, none = shade(1.0), shade(None)
    shares = [(none - shade(alpha)) / (none - full) for alpha in (0.75, 0.5, 0.25)]
    np.testing.assert_allclose(shares, [0.75, 0.5, 0.25], atol=0.05)
    assert full < 0.6 * none
