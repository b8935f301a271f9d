"""Transparent things: faded instances and blended materials, over the lit picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.rendering.gpu_mesh import GpuMesh
from kinema.rendering.lens import lens_uniforms, view_projection
from kinema.rendering.morphs import Active
from kinema.rendering.passes.lighting import Lights
from kinema.rendering.scene import ActorBatch, GpuScene
from kinema.rendering.shading import Shaders
from kinema.rendering.targets import Targets


def blend_transparent(shaders: Shaders, scene: GpuScene, targets: Targets, lights: Lights) -> None:
    """Blend materials of opaque instances, then faded instances, over `targets.light`; both from far to near.

    A faded character first writes its depth, so that only its outside shows.
    """
    context, eye = shaders.context, lights.view.camera.position
    targets.forward.use()
    context.enable_only(context.DEPTH_TEST | context.BLEND)
    drawing = _Drawing(shaders, scene, lights, targets.size[0] / targets.size[1])
    batches = sorted(scene.batches, key=lambda batch: -float(np.linalg.norm(batch.centers.mean((0, 1)) - eye)))
    context.blend_func = context.ONE, context.ONE_MINUS_SRC_ALPHA
    for batch in batches:
        for mesh, active in batch.meshes:
            if batch.solid and mesh.surface.blended:
                drawing.color(batch, mesh, active, 0, batch.solid)
    for batch in batches:
        for instance in range(batch.solid, batch.solid + batch.faded):
            context.blend_func = context.ZERO, context.ONE
            for mesh, active in batch.meshes:
                drawing.depth(batch, mesh, active, instance)
            context.blend_func = context.ONE, context.ONE_MINUS_SRC_ALPHA
            for mesh, active in batch.meshes:
                drawing.color(batch, mesh, active, instance, 1, faded=True)
    context.disable(context.BLEND | context.CULL_FACE)
    lights.clear()


@dataclass(frozen=True, eq=False)
class _Drawing:
    """Draws meshes of transparent instances."""

    shaders: Shaders
    scene: GpuScene
    lights: Lights
    aspect: float

    def depth(self, batch: ActorBatch, mesh: GpuMesh, active: Active, instance: int) -> None:
        """The depth of a faded character, exactly where its colour will be; the blend keeps the colours."""
        defines = {**mesh.skinning(active), **mesh.surface.cutting()}
        shader = self.shaders.get("depth.vert.glsl", "depth.frag.glsl", **defines)
        mesh.surface.bind_cut(shader)
        self.scene.cull(mesh)
        matrix = view_projection(self.lights.view.camera, self.aspect)
        self.scene.draw(shader, batch, mesh, active, 1, instance, view_projection=matrix)

    def color(
        self, batch: ActorBatch, mesh: GpuMesh, active: Active, first: int, count: int, faded: bool = False
    ) -> None:
        lights, camera = self.lights, self.lights.view.camera
        shader = self.shaders.get("body.vert.glsl", "forward.frag.glsl", **lights.defines(), **mesh.defines(active))
        shader.set(**lens_uniforms(camera, self.aspect), blended=1.0 if mesh.surface.blended else 0.0)
        mesh.surface.bind(shader, solid=False)
        if faded:
            shader.set(alpha_rule=(mesh.surface.least_alpha(solid=False), 2.0))
        lights.set(shader)
        self.scene.cull(mesh)
        matrix = view_projection(camera, self.aspect)
        self.scene.draw(shader, batch, mesh, active, count, first, view_projection=matrix)
