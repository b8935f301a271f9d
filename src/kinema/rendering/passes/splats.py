"""A captured scene in the picture: before and behind the bodies, and in their shadows.

Each Gaussian is compared with the depth of the bodies in each pixel, so edges are as soft as the scene's own. The
graphics card draws it; where there is none and the processor would have to act as one, `rasterise` is faster.
"""

from __future__ import annotations

import numpy as np

from kinema.rendering import context as contexts
from kinema.rendering.lens import lens_uniforms, metres
from kinema.rendering.passes.lighting import Lights
from kinema.rendering.scene import GpuScene
from kinema.rendering.shading import Shaders
from kinema.rendering.splats.contact import openness
from kinema.rendering.splats.graphics import SplatCard, SplatLayer
from kinema.rendering.splats.rasterise import rasterise
from kinema.rendering.targets import Targets
from kinema.worlds.gaussians import GaussianScene

_SKY = 0.7  # share of the light of a surface that bodies close to it take from it, at most


class SplatPass:
    """Draws scenes for one renderer.

    Attributes:
        layer: what was drawn last.
        by_card: whether the graphics card draws, not the processor.
        threads: of the processor that draw; None is one a core.
    """

    def __init__(self, shaders: Shaders, threads: int | None = None) -> None:
        self._shaders, self.threads = shaders, threads
        self._card = SplatCard(shaders.context, shaders)
        self.layer: SplatLayer | None = None
        self.by_card = not contexts.describe(shaders.context).software

    def cover(self, targets: Targets, lights: Lights, bodies: GpuScene, scene: GaussianScene) -> None:
        """Blend what a scene has before the bodies over `targets.display`."""
        context, camera = self._shaders.context, lights.view.camera
        if self.layer is None or (self.layer.size, self.layer.by_card) != (targets.size, self.by_card):
            self._release_layer()
            self.layer = SplatLayer(context, targets.size, self.by_card)
        open_sky, dimmed = openness(scene, bodies.centers, bodies.radii), None
        if open_sky is not None:
            dimmed = np.float32(1.0) - np.float32(_SKY) * (np.float32(1.0) - open_sky)
        if self.by_card:
            self._card.draw(scene, camera, self.layer, targets.depth, dimmed)
        else:
            width, height = targets.size
            hidden = metres(np.frombuffer(targets.depth.read(alignment=4), np.float32).reshape(height, width), camera)
            given = {"hidden": hidden, "dimmed": dimmed, "threads": self.threads}
            picture = rasterise(scene, camera, width, height, upward=True, **given)
            depth = np.zeros_like(picture.depth)
            np.multiply(picture.depth, picture.alpha, out=depth, where=picture.owner >= 0)
            self.layer.light.write(picture.light)
            self.layer.depth.write(depth)
        self._blend(targets, lights, self.layer)

    def _blend(self, targets: Targets, lights: Lights, layer: SplatLayer) -> None:
        gl = self._shaders.context
        shader = self._shaders.get("fill.vert.glsl", "splats.frag.glsl", **lights.defines())
        shader.set(**lens_uniforms(lights.view.camera, targets.size[0] / targets.size[1]))
        shader.bind(front=layer.light, front_depth=layer.depth)
        lights.set(shader)
        targets.display_frame.use()
        gl.disable(gl.DEPTH_TEST)
        gl.enable(gl.BLEND)
        gl.blend_func = gl.ONE, gl.ONE_MINUS_SRC_ALPHA
        shader.fill()
        gl.disable(gl.BLEND)
        lights.clear()

    def release(self) -> None:
        """Free everything."""
        self._release_layer()
        self._card.release()

    def _release_layer(self) -> None:
        if self.layer is not None:
            self.layer.release()
            self.layer = None
