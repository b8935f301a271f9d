"""The glow around highlights, by a chain of smaller and smaller pictures and back."""

from __future__ import annotations

from kinema.rendering.shading import Shaders
from kinema.rendering.targets import Targets

SHARE = 0.85


def add_bloom(shaders: Shaders, targets: Targets) -> None:
    """Leave the glow in the largest level of `targets.bloom`: down the chain, and up again."""
    if not targets.bloom:
        return
    context = shaders.context
    context.disable(context.DEPTH_TEST)
    down = shaders.get("fill.vert.glsl", "down.frag.glsl")
    source = targets.light
    for level, (texture, frame) in enumerate(targets.bloom):
        down.bind(source=source)
        down.set(texel=(0.5 / source.width, 0.5 / source.height), first=1.0 if level == 0 else 0.0)
        frame.use()
        down.fill()
        source = texture
    up = shaders.get("fill.vert.glsl", "up.frag.glsl")
    context.enable(context.BLEND)
    context.blend_func = context.ONE, context.ONE
    for (texture, _), (_, frame) in zip(targets.bloom[:0:-1], targets.bloom[-2::-1], strict=True):
        up.bind(source=texture)
        up.set(texel=(1.0 / texture.width, 1.0 / texture.height), share=SHARE)
        frame.use()
        up.fill()
    context.disable(context.BLEND)
