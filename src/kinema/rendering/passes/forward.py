"""Transparent things: faded actors and blended materials, over the lit picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kinema.rendering.gpu_mesh import GpuMesh
from kinema.rendering.lens import lens_uniforms, view_projection
from kinema.rendering.passes.lighting import LightingPass
from kinema.rendering.passes.shadow import ShadowPass
from kinema.rendering.scene import ActorBatch, GpuScene
from kinema.rendering.sunfit import SunFit
from kinema.rendering.targets import Targets
from kinema.rendering.view import View

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shaders


class ForwardPass:
    """Blends over `targets.light`. A faded actor first writes its depth, so that only its outside shows."""

    def __init__(self, context: moderngl.Context, shaders: Shaders, lighting: LightingPass) -> None:
        self.context, self.shaders, self.lighting = context, shaders, lighting

    def render(self, view: View, scene: GpuScene, targets: Targets, shadow: ShadowPass, fit: SunFit | None) -> None:
        """Draw blended materials of opaque actors, then faded actors; both from far to near."""
        context, eye = self.context, view.camera.position
        targets.forward.use()
        context.enable_only(context.DEPTH_TEST | context.BLEND)
        drawing = _Drawing(self, view, scene, shadow, fit, targets.size[0] / targets.size[1])
        batches = sorted(scene.batches, key=lambda batch: -float(np.linalg.norm(batch.centers.mean((0, 1)) - eye)))
        context.blend_func = context.ONE, context.ONE_MINUS_SRC_ALPHA
        for batch in batches:
            for mesh, showing in batch.meshes:
                if batch.solid and mesh.surface.blended:
                    drawing.color(batch, mesh, showing, 0, batch.solid)
        for batch in batches:
            for instance in range(batch.solid, batch.solid + batch.faded):
                context.blend_func = context.ZERO, context.ONE
                for mesh, showing in batch.meshes:
                    drawing.depth(batch, mesh, showing, instance)
                context.blend_func = context.ONE, context.ONE_MINUS_SRC_ALPHA
                for mesh, showing in batch.meshes:
                    drawing.color(batch, mesh, showing, instance, 1, faded=True)
        context.disable(context.BLEND | context.CULL_FACE)
        self.lighting.clear_lights(shadow)


@dataclass(frozen=True, eq=False)
class _Drawing:
    """One run of the pass."""

    passes: ForwardPass
    view: View
    scene: GpuScene
    shadow: ShadowPass
    fit: SunFit | None
    aspect: float

    def depth(self, batch: ActorBatch, mesh: GpuMesh, showing: tuple[int, ...], instance: int) -> None:
        """The depth of a faded actor, exactly where its colour will be; the blend keeps the colours."""
        defines = {**mesh.skinning(showing), **mesh.surface.cutting()}
        shader = self.passes.shaders.get("depth.vert.glsl", "depth.frag.glsl", **defines)
        mesh.surface.bind_cut(shader)
        self.scene.cull(mesh)
        matrix = view_projection(self.view.camera, self.aspect)
        self.scene.draw(shader, batch, mesh, showing, 1, instance, view_projection=matrix)

    def color(
        self, batch: ActorBatch, mesh: GpuMesh, showing: tuple[int, ...], first: int, count: int, faded: bool = False
    ) -> None:
        lighting, camera = self.passes.lighting, self.view.camera
        defines = {**lighting.defines(), **mesh.defines(showing)}
        shader = self.passes.shaders.get("body.vert.glsl", "forward.frag.glsl", **defines)
        shader.set(**lens_uniforms(camera, self.aspect), blended=1.0 if mesh.surface.blended else 0.0)
        mesh.surface.bind(shader, solid=False)
        if faded:
            shader.set(alpha_rule=(mesh.surface.least_alpha(solid=False), 2.0))
        lighting.set_lights(shader, self.view, self.shadow, self.fit)
        self.scene.cull(mesh)
        matrix = view_projection(camera, self.aspect)
        self.scene.draw(shader, batch, mesh, showing, count, first, view_projection=matrix)
