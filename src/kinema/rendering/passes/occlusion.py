"""Ambient occlusion: how much of the sky each point sees, at half size."""

from __future__ import annotations

from kinema.rendering.extent import Extent, within
from kinema.rendering.lens import lens_uniforms
from kinema.rendering.shading import Shaders
from kinema.rendering.targets import Targets
from kinema.rendering.view import View

STRENGTH = "5.0"
REACH = 3  # texels of the blur to each side


def occlude(shaders: Shaders, view: View, targets: Targets, radius: float, taps: int, where: Extent) -> None:
    """Fill `targets.open` by screen-space ambient occlusion, blurred along surfaces.

    Args:
        radius: metres up to which surfaces hide the sky.
        taps: samples for each point.
        where: the part of the picture that is filled.
    """
    width, height = targets.size
    shaders.context.disable(shaders.context.DEPTH_TEST)
    shader = shaders.get("fill.vert.glsl", "occlusion.frag.glsl", TAPS=taps, STRENGTH=STRENGTH)
    shader.set(
        **lens_uniforms(view.camera, width / height), radius=radius, scale=0.5 * height / view.camera.half_height
    )
    shader.bind(depth_map=targets.depth, normal_map=targets.normal)
    with within(targets.open_frames[0], where, 2):
        shader.fill()
    blur = shaders.get("fill.vert.glsl", "blur.frag.glsl", REACH=REACH)
    for source, frame, along in (
        (targets.open, targets.open_frames[1], (1, 0)),
        (targets.open_again, targets.open_frames[0], (0, 1)),
    ):
        blur.bind(open_map=source)
        blur.set(along=along)
        with within(frame, where, 2):
            blur.fill()
