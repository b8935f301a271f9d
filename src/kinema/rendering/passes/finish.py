"""From light to the final picture: tone mapping and smooth edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinema.rendering.targets import Targets

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shaders

BLOOM = 0.12
WALK = 10  # steps along an edge; the last ones are four pixels long


class FinishPass:
    """Tone mapping into `targets.display`, then smoothed edges (and averaged samples) into a framebuffer."""

    def __init__(self, context: moderngl.Context, shaders: Shaders, smooth: bool) -> None:
        self.context, self.shaders, self.smooth = context, shaders, smooth

    def tone(self, targets: Targets, bloom: bool, exposure: float = 1.0) -> None:
        """Map light to display values."""
        self.context.disable(self.context.DEPTH_TEST)
        shader = self.shaders.get("fill.vert.glsl", "tone.frag.glsl")
        shining = bloom and bool(targets.bloom)
        shader.bind(source=targets.light, bloom_map=targets.bloom[0][0] if shining else targets.light)
        shader.set(bloom=BLOOM if shining else 0.0, exposure=exposure, grain=0.0 if targets.deep else 1.0 / 255.0)
        targets.display_frame.use()
        shader.fill()

    def edges(self, targets: Targets, into: moderngl.Framebuffer) -> None:
        """Smooth the edges of the display values, and average samples, into a framebuffer."""
        self.context.disable(self.context.DEPTH_TEST)
        samples = targets.size[0] // targets.output[0]
        shader = self.shaders.get(
            "fill.vert.glsl", "finish.frag.glsl", SAMPLES=samples, SMOOTH=int(self.smooth), WALK=WALK
        )
        shader.bind(source=targets.display)
        shader.set(texel=(1.0 / targets.size[0], 1.0 / targets.size[1]))
        into.use()
        shader.fill()
