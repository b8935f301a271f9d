"""The G-buffer: what is where, and made of what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinema.rendering.lens import lens_uniforms, view_projection
from kinema.rendering.scene import PALETTE_WIDTH, GpuScene
from kinema.rendering.targets import Targets
from kinema.rendering.view import View

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shaders


class GeometryPass:
    """Draws the opaque parts of all actors and the ground into the G-buffer."""

    def __init__(self, context: moderngl.Context, shaders: Shaders) -> None:
        self.context, self.shaders = context, shaders

    def render(self, view: View, scene: GpuScene, targets: Targets, focus: NDArray[np.float64]) -> None:
        """Fill the G-buffer. `focus` `[3]` is the place the picture is about, around which the ground is laid."""
        context, (width, height) = self.context, targets.size
        aspect = width / height
        now = view_projection(view.camera, aspect)
        before = now if view.previous_camera is None else view_projection(view.previous_camera, aspect)
        common: dict[str, Any] = {
            **lens_uniforms(view.camera, aspect),
            "view_projection": now,
            "previous_view_projection": before,
            "half_size": (0.5 * targets.output[0], 0.5 * targets.output[1]),
            "picture": (float(width), float(height)),
        }
        extras = layout(targets)
        targets.geometry.use()
        targets.geometry.clear(depth=1.0)
        context.enable_only(context.NOTHING)
        context.cull_face, context.front_face = "back", "ccw"
        if targets.ids is not None or targets.motion is not None:
            back = self.shaders.get("fill.vert.glsl", "back.frag.glsl", **extras)
            back.set(**common)
            back.fill()
        context.enable_only(context.DEPTH_TEST)
        context.depth_func = "<="
        for batch in scene.batches:
            for mesh, morphs in batch.meshes if batch.solid else ():
                shader = self.shaders.get(
                    "body.vert.glsl",
                    "body.frag.glsl",
                    PALETTE_WIDTH=PALETTE_WIDTH,
                    **extras,
                    **mesh.defines(morphs),
                )
                shader.set(
                    **common,
                    base=batch.base,
                    previous_base=batch.previous_base,
                    stride=batch.character.stride,
                    palette=7,
                )
                scene.palette.use(7)
                mesh.surface.bind(shader)
                if mesh.surface.material.double_sided:
                    context.disable(context.CULL_FACE)
                else:
                    context.enable(context.CULL_FACE)
                mesh.draw(shader, batch.solid, morphs)
        context.disable(context.CULL_FACE)
        floor = view.floor
        if floor is not None:
            shader = self.shaders.get("floor.vert.glsl", "floor.frag.glsl", **extras)
            shader.set(
                **common,
                level=floor.y,
                color=(1.0, 1.0, 1.0) if floor.catcher else floor.color,
                line=floor.line,
                cell=floor.cell,
                centre=(float(focus[0]), floor.y, float(focus[2])),
                reach=1.05 * floor.fade,
            )
            shader.fill(corners=4)


def layout(targets: Targets) -> dict[str, int]:
    """Defines that tell shaders which extra targets there are, and where."""
    found: dict[str, int] = {}
    place = 2
    if targets.glow is not None:
        found["GLOW_AT"] = place
        place += 1
    if targets.ids is not None:
        found |= {"MASKS": 1, "MASKS_AT": place}
        place += 1
    if targets.motion is not None:
        found |= {"MOTION": 1, "MOTION_AT": place}
    return found
