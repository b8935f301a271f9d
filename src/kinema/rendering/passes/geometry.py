"""The G-buffer: what is where, and made of what."""

from __future__ import annotations

import math
from typing import Any

from kinema.arrays import Floats
from kinema.rendering.lens import lens_uniforms, view_projection
from kinema.rendering.scene import GpuScene
from kinema.rendering.shading import Shaders
from kinema.rendering.targets import Targets
from kinema.rendering.view import Floor, View


def fill_geometry(shaders: Shaders, view: View, scene: GpuScene, targets: Targets, focus: Floats) -> None:
    """Draw the opaque parts of all instances and the floor into the G-buffer.

    Args:
        focus: `[3]`: the subject's place, around which the floor is laid.
    """
    context, (width, height) = shaders.context, targets.size
    aspect, extras = width / height, layout(targets)
    now = view_projection(view.camera, aspect)
    common: dict[str, Any] = {
        **lens_uniforms(view.camera, aspect),
        "view_projection": now,
        "previous_view_projection": now,
        "half_size": (0.5 * targets.output[0], 0.5 * targets.output[1]),
        "picture": (float(width), float(height)),
    }
    if view.previous_camera is not None:
        common["previous_view_projection"] = view_projection(view.previous_camera, aspect)
    targets.geometry.use()
    targets.geometry.clear(depth=1.0)
    context.enable_only(context.NOTHING)
    context.cull_face, context.front_face = "back", "ccw"
    if targets.ids is not None or targets.motion is not None:
        back = shaders.get("fill.vert.glsl", "back.frag.glsl", **extras)
        back.set(**common)
        back.fill()
    context.enable_only(context.DEPTH_TEST)
    context.depth_func = "<="
    for batch in scene.batches:
        for mesh, active in batch.meshes if batch.solid else ():
            shader = shaders.get("body.vert.glsl", "body.frag.glsl", **extras, **mesh.defines(active))
            mesh.surface.bind(shader)
            scene.cull(mesh)
            base = batch.previous_base
            scene.draw(shader, batch, mesh, active, batch.solid, previous_base=base, **common)
    context.disable(context.CULL_FACE)
    if view.floor is not None:
        look: dict[str, Any] = {
            **common,
            "color": (1.0, 1.0, 1.0) if view.floor.catcher else view.floor.color,
            "line": view.floor.line,
            "cell": view.floor.cell,
        }
        if view.floor.plane:
            _draw_plane(shaders, view.floor, focus, extras, look)
        _draw_surfaces(shaders, view.floor, scene, extras, look)


def _draw_plane(shaders: Shaders, floor: Floor, focus: Floats, extras: dict[str, int], look: dict[str, Any]) -> None:
    shader = shaders.get("floor.vert.glsl", "floor.frag.glsl", **extras)
    centre = (float(focus[0]), floor.y, float(focus[2]))
    shader.set(**look, level=floor.y, centre=centre, reach=1.05 * floor.fade)
    shader.fill(corners=4)


def _draw_surfaces(
    shaders: Shaders, floor: Floor, scene: GpuScene, extras: dict[str, int], look: dict[str, Any]
) -> None:
    if not floor.surfaces:
        return
    shader = shaders.get("floor.vert.glsl", "floor.frag.glsl", RAISED=1, **extras)
    shader.set(**look)
    for one in floor.surfaces:
        shader.set(placed=(*one.position, 1.0), turn=(math.cos(one.heading), math.sin(one.heading)))
        scene.surfaces.get(one.surface).draw(shader)


def layout(targets: Targets) -> dict[str, int]:
    """Defines for the extra targets of the G-buffer and their locations."""
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
