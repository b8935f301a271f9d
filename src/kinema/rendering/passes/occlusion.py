"""Ambient occlusion: how much of the sky each point sees, at half size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinema.rendering.lens import lens_uniforms
from kinema.rendering.targets import Targets
from kinema.rendering.view import View

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shaders

STRENGTH = "5.0"


class OcclusionPass:
    """Screen-space ambient occlusion with `taps` samples, then a blur along surfaces."""

    def __init__(self, context: moderngl.Context, shaders: Shaders, taps: int, reach: int = 3) -> None:
        self.context, self.shaders, self.taps, self.reach = context, shaders, taps, reach

    def render(self, view: View, targets: Targets, radius: float) -> None:
        """Fill `targets.open`; up to `radius` metres away surfaces hide the sky."""
        width, height = targets.size
        self.context.disable(self.context.DEPTH_TEST)
        half = np.tan(view.camera.fov / 2) if view.camera.height is None else view.camera.height / 2
        shader = self.shaders.get("fill.vert.glsl", "occlusion.frag.glsl", TAPS=self.taps, STRENGTH=STRENGTH)
        shader.set(**lens_uniforms(view.camera, width / height), radius=radius, scale=float(0.5 * height / half))
        shader.bind(depth_map=targets.depth, normal_map=targets.normal)
        targets.open_frames[0].use()
        shader.fill()
        blur = self.shaders.get("fill.vert.glsl", "blur.frag.glsl", REACH=self.reach)
        for source, frame, along in (
            (targets.open, targets.open_frames[1], (1, 0)),
            (targets.open_again, targets.open_frames[0], (0, 1)),
        ):
            blur.bind(open_map=source)
            blur.set(along=along)
            frame.use()
            blur.fill()
