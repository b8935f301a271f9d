"""What is seen through: faded actors and blended materials, over the lit picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinema.rendering.gpu_mesh import GpuMesh
from kinema.rendering.lens import lens_uniforms, view_projection
from kinema.rendering.passes.lighting import LightingPass
from kinema.rendering.passes.shadow import ShadowPass
from kinema.rendering.scene import PALETTE_WIDTH, ActorBatch, GpuScene
from kinema.rendering.sunfit import SunFit
from kinema.rendering.targets import Targets
from kinema.rendering.view import View

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shaders


class ForwardPass:
    """Blends over `targets.light`. A faded actor first writes its depth, so that one sees its outside only."""

    def __init__(self, context: moderngl.Context, shaders: Shaders, lighting: LightingPass) -> None:
        self.context, self.shaders, self.lighting = context, shaders, lighting

    def render(self, view: View, scene: GpuScene, targets: Targets, shadow: ShadowPass, fit: SunFit | None) -> None:
        """Draw blended materials of solid actors, then faded actors; both from far to near."""
        context = self.context
        targets.forward.use()
        context.enable_only(context.DEPTH_TEST | context.BLEND)
        context.blend_func = context.ONE, context.ONE_MINUS_SRC_ALPHA
        scene.palette.use(7)
        eye = view.camera.position
        batches = sorted(scene.batches, key=lambda batch: -float(np.linalg.norm(batch.centers.mean((0, 1)) - eye)))
        for batch in batches:
            for mesh, morphs in batch.meshes:
                if batch.solid and mesh.surface.blended:
                    self._draw(view, targets, shadow, fit, batch, mesh, morphs, 0, batch.solid, faded=False)
        for batch in batches:
            for instance in range(batch.solid, batch.solid + batch.faded):
                self._depth(view, targets, batch, instance)
                context.enable(context.BLEND)
                for mesh, morphs in batch.meshes:
                    self._draw(view, targets, shadow, fit, batch, mesh, morphs, instance, 1, faded=True)
        context.disable(context.BLEND | context.CULL_FACE)
        self.lighting.clear_lights(shadow)

    def _depth(self, view: View, targets: Targets, batch: ActorBatch, instance: int) -> None:
        """The depth of a faded actor, without colour: a blend that keeps what is there."""
        context = self.context
        context.blend_func = context.ZERO, context.ONE
        matrix = view_projection(view.camera, targets.size[0] / targets.size[1])
        for mesh, morphs in batch.meshes:
            cut = {"TEXTURED": 1} if mesh.surface.cut else {}
            shader = self.shaders.get(
                "ghost.vert.glsl",
                "shadow.frag.glsl",
                PALETTE_WIDTH=PALETTE_WIDTH,
                **mesh.skinning(morphs),
                **cut,
            )
            shader.set(view_projection=matrix, base=batch.texel(instance), stride=batch.character.stride, palette=7)
            if cut:
                mesh.surface.bind(shader)
            self._cull(mesh)
            mesh.draw(shader, 1, morphs)
        context.blend_func = context.ONE, context.ONE_MINUS_SRC_ALPHA

    def _draw(
        self,
        view: View,
        targets: Targets,
        shadow: ShadowPass,
        fit: SunFit | None,
        batch: ActorBatch,
        mesh: GpuMesh,
        morphs: tuple[int, ...],
        instance: int,
        count: int,
        faded: bool,
    ) -> None:
        aspect = targets.size[0] / targets.size[1]
        shader = self.shaders.get(
            "body.vert.glsl",
            "forward.frag.glsl",
            PALETTE_WIDTH=PALETTE_WIDTH,
            **self.lighting.defines(),
            **mesh.defines(morphs),
        )
        shader.set(
            **lens_uniforms(view.camera, aspect),
            view_projection=view_projection(view.camera, aspect),
            base=batch.texel(instance),
            stride=batch.character.stride,
            palette=7,
            blended=1.0 if mesh.surface.blended else 0.0,
        )
        mesh.surface.bind(shader, solid=False)
        if faded:
            shader.set(alpha_rule=(mesh.surface.least_alpha(solid=False), 2.0))
        self.lighting.set_lights(shader, view, shadow, fit)
        self._cull(mesh)
        mesh.draw(shader, count, morphs)

    def _cull(self, mesh: GpuMesh) -> None:
        if mesh.surface.material.double_sided:
            self.context.disable(self.context.CULL_FACE)
        else:
            self.context.enable(self.context.CULL_FACE)
