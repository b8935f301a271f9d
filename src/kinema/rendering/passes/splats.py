"""A captured scene in the picture: before and behind the bodies, and in their shadows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinema.rendering.lens import lens_uniforms, metres
from kinema.rendering.passes.lighting import Lights
from kinema.rendering.scene import GpuScene
from kinema.rendering.shading import Shaders
from kinema.rendering.splats.contact import openness
from kinema.rendering.splats.rasterise import SplatPicture, rasterise
from kinema.rendering.targets import Targets
from kinema.worlds.gaussians import GaussianScene

if TYPE_CHECKING:
    import moderngl

_SKY = 0.7  # share of the light of a surface that bodies close to it take from it, at most


def cover(shaders: Shaders, targets: Targets, lights: Lights, bodies: GpuScene, scene: GaussianScene) -> SplatPicture:
    """Blend what a scene has before the bodies over `targets.display`.

    The processor draws the scene: each Gaussian is compared with the depth of the bodies in each pixel, so that edges
    are as soft as the scene's own.

    Returns:
        What was drawn, in the size of the rendered picture.
    """
    view, context = lights.view, shaders.context
    width, height = targets.size
    raw = np.frombuffer(targets.depth.read(alignment=4), np.float32).reshape(height, width)[::-1]
    open_sky, dimmed = openness(scene, bodies.centers, bodies.radii), None
    if open_sky is not None:
        dimmed = np.float32(1.0) - np.float32(_SKY) * (np.float32(1.0) - open_sky)
    picture = rasterise(scene, view.camera, width, height, hidden=metres(raw, view.camera), dimmed=dimmed)
    front = np.concatenate([picture.colour, picture.alpha[..., None]], axis=-1).astype(np.float16)
    depth = np.where(np.isfinite(picture.depth), picture.depth, np.float32(0.0))
    textures = _texture(context, front, 4, "f2"), _texture(context, depth, 1, "f4")
    shader = shaders.get("fill.vert.glsl", "splats.frag.glsl", **lights.defines())
    shader.set(**lens_uniforms(view.camera, width / height))
    shader.bind(front=textures[0], front_depth=textures[1])
    lights.set(shader)
    targets.display_frame.use()
    context.disable(context.DEPTH_TEST)
    context.enable(context.BLEND)
    context.blend_func = context.ONE, context.ONE_MINUS_SRC_ALPHA
    shader.fill()
    context.disable(context.BLEND)
    lights.clear()
    for texture in textures:
        texture.release()
    return picture


def _texture(context: moderngl.Context, array: np.ndarray, parts: int, kind: str) -> moderngl.Texture:
    made = context.texture((array.shape[1], array.shape[0]), parts, np.ascontiguousarray(array).tobytes(), dtype=kind)
    made.filter = (context.NEAREST, context.NEAREST)
    made.repeat_x = made.repeat_y = False
    return made
