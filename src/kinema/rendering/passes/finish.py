"""From light to the final picture: tone mapping and smooth edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinema.rendering.extent import Extent, parts, within
from kinema.rendering.shading import Shaders
from kinema.rendering.targets import Targets

if TYPE_CHECKING:
    import moderngl

BLOOM = 0.12
WALK = 10  # steps along an edge; the last ones are four pixels long


def map_tones(shaders: Shaders, targets: Targets, bloom: bool) -> None:
    """Map light to display values in `targets.display`."""
    shaders.context.disable(shaders.context.DEPTH_TEST)
    shader = shaders.get("fill.vert.glsl", "tone.frag.glsl")
    shining = bloom and bool(targets.bloom)
    shader.bind(source=targets.light, bloom_map=targets.bloom[0][0] if shining else targets.light)
    shader.set(bloom=BLOOM if shining else 0.0, exposure=1.0, grain=0.0 if targets.deep else 1.0 / 255.0)
    targets.display_frame.use()
    shader.fill()


def smooth_edges(shaders: Shaders, targets: Targets, where: Extent, into: moderngl.Framebuffer) -> None:
    """Smooth the edges of the display values, and average samples, into a framebuffer.

    Args:
        where: the part of the picture with edges; a captured scene has none that are not soft already.
    """
    shaders.context.disable(shaders.context.DEPTH_TEST)
    samples = targets.size[0] // targets.output[0]
    for part, edges in parts(where, targets.size):
        shader = shaders.get("fill.vert.glsl", "finish.frag.glsl", SAMPLES=samples, SMOOTH=int(edges), WALK=WALK)
        shader.bind(source=targets.display)
        shader.set(texel=(1.0 / targets.size[0], 1.0 / targets.size[1]))
        with within(into, part, samples):
            shader.fill()
