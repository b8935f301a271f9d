"""The shadow map: depth as the sun sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinema.rendering.scene import GpuScene
from kinema.rendering.sunfit import SunFit

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shaders


class ShadowPass:
    """Draws all instances into a square depth texture of `resolution` texels an edge; faded ones fill part of it."""

    def __init__(self, context: moderngl.Context, shaders: Shaders, resolution: int) -> None:
        import moderngl

        self.context, self.shaders, self.resolution = context, shaders, resolution
        self.map = context.depth_texture((resolution, resolution))
        self.map.repeat_x = self.map.repeat_y = False
        self.frame = context.framebuffer(depth_attachment=self.map)
        # The same texels are read in two ways: compared (with a filter of the comparison) and plain.
        self.compared = context.sampler(
            repeat_x=False, repeat_y=False, filter=(moderngl.LINEAR, moderngl.LINEAR), compare_func="<="
        )
        self.plain = context.sampler(
            repeat_x=False, repeat_y=False, filter=(moderngl.NEAREST, moderngl.NEAREST), compare_func=""
        )

    def render(self, scene: GpuScene, fit: SunFit) -> None:
        """Fill the map."""
        self.frame.use()
        self.frame.clear(depth=1.0)
        self.context.enable_only(self.context.DEPTH_TEST)
        self.context.depth_func = "<="
        for batch in scene.batches:
            faded = {"FADED": 1} if batch.faded else {}
            for mesh, targets in batch.meshes:
                defines = {**mesh.skinning(targets), **mesh.surface.cutting(), **faded, "PANCAKE": 1}
                shader = self.shaders.get("depth.vert.glsl", "depth.frag.glsl", **defines)
                mesh.surface.bind_cut(shader)
                scene.draw(shader, batch, mesh, targets, batch.solid + batch.faded, view_projection=fit.matrix)

    def release(self) -> None:
        """Free the map."""
        for made in (self.frame, self.map, self.compared, self.plain):
            made.release()
