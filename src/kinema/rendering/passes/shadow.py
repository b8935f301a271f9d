"""The shadow map: depth as the sun sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinema.rendering.scene import PALETTE_WIDTH, GpuScene
from kinema.rendering.sunfit import SunFit

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shaders


class ShadowPass:
    """Draws all actors into a square depth texture of `resolution` texels an edge; faded ones fill part of it."""

    def __init__(self, context: moderngl.Context, shaders: Shaders, resolution: int) -> None:
        import moderngl

        self.context, self.shaders, self.resolution = context, shaders, resolution
        self.map = context.depth_texture((resolution, resolution))
        self.map.repeat_x = self.map.repeat_y = False
        self.frame = context.framebuffer(depth_attachment=self.map)
        # The same texels read in two ways: compared (with a filter of the comparison) and plain.
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
            for mesh, morphs in batch.meshes:
                cut = {"TEXTURED": 1} if mesh.surface.cut else {}
                faded = {"FADED": 1} if batch.faded else {}
                shader = self.shaders.get(
                    "shadow.vert.glsl",
                    "shadow.frag.glsl",
                    PALETTE_WIDTH=PALETTE_WIDTH,
                    **mesh.skinning(morphs),
                    **cut,
                    **faded,
                )
                shader.set(light=fit.matrix, base=batch.base, stride=batch.character.stride, palette=7)
                scene.palette.use(7)
                if cut:
                    mesh.surface.bind(shader)
                mesh.draw(shader, batch.solid + batch.faded, morphs)

    def release(self) -> None:
        """Free the map."""
        for made in (self.frame, self.map, self.compared, self.plain):
            made.release()
