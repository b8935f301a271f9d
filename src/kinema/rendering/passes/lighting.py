"""Lighting of the G-buffer, over the sky."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kinema.arrays import Floats
from kinema.errors import KinemaError
from kinema.rendering.extent import Extent, parts, within
from kinema.rendering.lens import lens_uniforms
from kinema.rendering.passes.geometry import layout
from kinema.rendering.passes.shadow import ShadowPass
from kinema.rendering.shading import Shader, Shaders
from kinema.rendering.sunfit import SunFit, light_axes
from kinema.rendering.targets import Targets
from kinema.rendering.view import View

MOST_POINTS = 16


@dataclass(frozen=True, eq=False)
class Lights:
    """The lights of a picture, as shaders with `light.glsl` take them.

    Attributes:
        fit: the view of the shadow map; None without shadows in the picture.
        taps, search: samples of the shadow map, and of its depths.
    """

    view: View
    shadow: ShadowPass
    fit: SunFit | None
    taps: int
    search: int

    def defines(self) -> dict[str, int | str]:
        """Defines of `light.glsl`."""
        return {"SEARCH_TAPS": self.search}

    def set(self, shader: Shader) -> None:
        """Set uniforms and textures of `light.glsl`, on the units 5 and 6."""
        uniforms = light_uniforms(self.view, self.fit, self.shadow.resolution, self.taps)
        shader.set(**uniforms, shadow_map=5, shadow_depths=6)
        for unit, sampler in ((5, self.shadow.compared), (6, self.shadow.plain)):
            self.shadow.map.use(unit)
            sampler.use(unit)

    def clear(self) -> None:
        """Release the texture units."""
        for unit, sampler in ((5, self.shadow.compared), (6, self.shadow.plain)):
            sampler.clear(unit)


def light_surfaces(
    shaders: Shaders, targets: Targets, lights: Lights, focus: Floats, occlusion: bool, where: Extent
) -> None:
    """Light everything opaque in the G-buffer, which is in a part of the picture, and the sky into `targets.light`."""
    shaders.context.disable(shaders.context.DEPTH_TEST)
    for part, surfaces in parts(where, targets.size):
        shader = _lighting(shaders, targets, lights, focus, occlusion, surfaces)
        with within(targets.light_frame, part):
            shader.fill()
    lights.clear()


def _lighting(
    shaders: Shaders, targets: Targets, lights: Lights, focus: Floats, occlusion: bool, surfaces: bool
) -> Shader:
    """The shader of the sky, and of surfaces before it."""
    view = lights.view
    defines = {**layout(targets), **lights.defines(), "SURFACES": int(surfaces)}
    shader = shaders.get("fill.vert.glsl", "lighting.frag.glsl", **defines)
    floor, width, height = view.floor, *targets.size
    shader.set(**lens_uniforms(view.camera, width / height))
    shader.bind(
        albedo_map=targets.albedo,
        normal_map=targets.normal,
        depth_map=targets.depth,
        open_map=targets.open,
        glow_map=targets.glow,
    )
    shader.set(
        level=0.0 if floor is None else floor.y,
        fade=1.0 if floor is None else max(floor.fade, 1e-3),
        catcher=1.0 if floor is not None and floor.catcher else 0.0,
        focus=tuple(focus.tolist()),
        backdrop=(0.0, 0.0, 0.0, -1.0) if view.sky.backdrop is None else view.sky.backdrop,
        ambient=1.0 if occlusion else 0.0,
    )
    lights.set(shader)
    return shader


def light_uniforms(view: View, fit: SunFit | None, resolution: int, taps: int) -> dict[str, Any]:
    """The lights of a view as uniforms of `light.glsl`.

    Raises:
        KinemaError: there are more point lights than the shader supports.
    """
    sun, sky = view.sun, view.sky
    if len(view.points) > MOST_POINTS:
        raise KinemaError(f"a view has at most {MOST_POINTS} point lights, not {len(view.points)}")
    places, colors = np.zeros((MOST_POINTS, 4), np.float32), np.zeros((MOST_POINTS, 4), np.float32)
    for row, point in enumerate(view.points):
        places[row] = (*point.position, max(point.reach, 1e-3))
        colors[row, :3] = np.asarray(point.color) * point.intensity
    texel, depth = (1.0, 1.0) if fit is None else (fit.texel, fit.depth)

    def scaled(color: tuple[float, float, float], by: float) -> tuple[float, float, float]:
        return (color[0] * by, color[1] * by, color[2] * by)

    return {
        "sun_toward": tuple(light_axes(sun.toward)[2].tolist()),
        "sun_color": scaled(sun.color, sun.intensity),
        "sky_zenith": scaled(sky.zenith, sky.intensity),
        "sky_horizon": scaled(sky.horizon, sky.intensity),
        "sky_ground": scaled(sky.ground, sky.intensity),
        "point_count": len(view.points),
        "point_places": places.ravel(),
        "point_colors": colors.ravel(),
        "light": np.eye(4) if fit is None else fit.matrix,
        "shadow_shape": (1.0 / resolution, texel, depth, float(np.tan(max(sun.softness, 0.0)))),
        "shadow_taps": 0 if fit is None or not sun.shadows else taps,
    }
