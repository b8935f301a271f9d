"""Draws a `kinema.rendering.draw.Draw` over a finished picture.

Everything is drawn into a separate layer with its own depth buffer and then composited over the picture. So the pass
needs only the colours of the framebuffer, and edges are smooth without multisampling. Fully covered pixels are drawn
first and write depth; pixels at edges follow and are tested and blended only. Lines, balls and arrow heads are quads in
which the fragment shader finds the shape. Corners of polylines are split between the two segments, so that a
transparent line does not show its joints.
"""

from __future__ import annotations

from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from kinema.rendering.batches import Batches, TextLabel
from kinema.rendering.camera import Camera
from kinema.rendering.glyphs import GlyphAtlas
from kinema.rendering.shading import Shaders
from kinema.rendering.targets import Size

_LAYOUTS = {
    "stroke": ("3f 3f 3f 3f 4f1 4f1 1f 1f/i", "start end before after color end_color width pixels"),
    "sphere": ("3f 1f 4f1 1f/i", "center radius color pixels"),
    "cone": ("3f 3f 1f 4f1/i", "base tip radius color"),
    "disc": ("3f 3f 1f 1f 4f1/i", "center normal radius hole color"),
    "band": ("3f 3f 3f 3f 4f1 4f1/i", "left_a right_a left_b right_b color end_color"),
    "text": ("4f 4f 4f1 1f/i", "box glyph color depth"),
}
_GLYPH = np.dtype([("box", "f4", 4), ("glyph", "f4", 4), ("color", "u1", 4), ("depth", "f4")])
_SOLID, _FLAT = ("stroke", "sphere", "cone"), ("band", "disc")
_CORE, _EDGE, _BOTH = 0, 1, 2


class _Batch:
    """The program of one kind, and a buffer for its rows that grows."""

    def __init__(self, ctx: moderngl.Context, shaders: Shaders, kind: str) -> None:
        self.shader = shaders.get(f"debug_{kind}.vert.glsl", f"debug_{kind}.frag.glsl")
        layout, names = _LAYOUTS[kind]
        self._ctx, self._layout, self._names = ctx, layout, [f"in_{name}" for name in names.split()]
        self._room = 0
        self._buffer: moderngl.Buffer | None = None
        self._array: moderngl.VertexArray | None = None
        self.count = 0

    def upload(self, rows: NDArray[np.void]) -> None:
        self.count = len(rows)
        if not len(rows):
            return
        if self._buffer is None or self._array is None or rows.nbytes > self._room:
            self.release()
            self._room = max(rows.nbytes, 2 * self._room, 4096)
            self._buffer = self._ctx.buffer(reserve=self._room, dynamic=True)
            self._array = self._ctx.vertex_array(self.shader.program, [(self._buffer, self._layout, *self._names)])
        self._buffer.orphan(self._room)
        self._buffer.write(np.ascontiguousarray(rows))

    def draw(self) -> None:
        if self.count and self._array is not None:
            self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self.count)

    def release(self) -> None:
        for part in (self._array, self._buffer):
            if part is not None:
                part.release()
        self._array = self._buffer = None


@dataclass
class _Layer:
    """The layer that is composited over the picture; colours are premultiplied."""

    size: Size
    color: moderngl.Texture
    depth: moderngl.Renderbuffer
    framebuffer: moderngl.Framebuffer
    depths: moderngl.Framebuffer

    @staticmethod
    def make(ctx: moderngl.Context, size: Size) -> _Layer:
        color, depth = ctx.texture(size, 4), ctx.depth_renderbuffer(size)
        color.repeat_x = color.repeat_y = False
        return _Layer(size, color, depth, ctx.framebuffer([color], depth), ctx.framebuffer([], depth))

    def release(self) -> None:
        for part in (self.framebuffer, self.depths, self.color, self.depth):
            part.release()


class DebugPass:
    """The backend of `kinema.rendering.draw.Draw` for renderer and window; needs OpenGL 3.3.

    Programs and buffers are made on demand.

    Raises:
        ShaderError: a shader does not compile; the message has the place and the driver's error.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx, self._shaders = ctx, Shaders(ctx)
        self._batches: dict[str, _Batch] = {}
        self._layer: _Layer | None = None
        self._glyphs: GlyphAtlas | None = None
        self._atlas: moderngl.Texture | None = None
        self._atlas_version = -1

    def render(
        self,
        draw: Batches,
        camera: Camera,
        size: Size,
        depth_texture: moderngl.Texture | None,
        framebuffer: moderngl.Framebuffer,
    ) -> None:
        """Draw over the colours of `framebuffer`, sRGB and either opaque or premultiplied.

        Args:
            size: width and height of the picture, pixels; it fills the framebuffer's viewport.
            depth_texture: the surfaces that hide: a depth buffer of the same camera, or a float channel of metres ahead
                (0: nothing); its resolution may be a multiple of the picture's. None: nothing hides.
        """
        if draw.empty or min(size) < 1:
            return
        ctx = self._ctx
        if self._layer is None or self._layer.size != size:
            if self._layer is not None:
                self._layer.release()
            self._layer = _Layer.make(ctx, size)
        layer = self._layer
        hiding = 0 if depth_texture is None else 1 if depth_texture.depth else 2
        if depth_texture is not None:
            if depth_texture.depth and depth_texture.compare_func:
                depth_texture.compare_func = ""
            depth_texture.use(0)
        ctx.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        ctx.depth_func = "<="
        layer.framebuffer.use()
        layer.framebuffer.viewport, layer.framebuffer.depth_mask = (0, 0, *size), True
        ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        layer.framebuffer.clear()
        for on_top in (False, True):
            if on_top:  # nothing drawn so far hides what is on top
                layer.depths.clear()
                layer.framebuffer.use()
                layer.framebuffer.depth_mask = True
            self._draw(draw, camera, size, 0 if on_top else hiding, on_top, layer.framebuffer)
        self._lay_over(layer, framebuffer)

    def _draw(
        self, draw: Batches, camera: Camera, size: Size, hiding: int, on_top: bool, target: moderngl.Framebuffer
    ) -> None:
        rows = {kind: draw.rows(kind, on_top) for kind in (*_SOLID, *_FLAT)}
        rows["text"] = self._letters([text for text in draw.texts if text.on_top == on_top], camera, size)
        used = {kind: self._batch(kind) for kind, each in rows.items() if len(each)}
        height = size[1]
        shared = {
            "view": camera.view_matrix(),
            "projection": camera.projection_matrix(size[0] / height),
            "viewport": size,
            "magnification": height / 2 / camera.half_height,
            "orthographic": camera.height is not None,
            "near_plane": camera.near,
            "far_plane": camera.far,
            "scene": 0,
            "scene_kind": hiding,
            "share": _BOTH,
        }
        for kind, batch in used.items():
            batch.upload(rows[kind])
            batch.shader.set(**shared)

        def each(kinds: tuple[str, ...], share: int) -> None:
            for kind in kinds:
                if kind in used:
                    used[kind].shader.set(share=share)
                    used[kind].draw()

        each(_SOLID, _CORE)
        target.depth_mask = False
        each(_FLAT, _BOTH)
        each(_SOLID, _EDGE)
        if "text" in used and self._atlas is not None:
            self._atlas.use(1)
            for halo in (True, False):
                used["text"].shader.set(atlas=1, atlas_size=self._atlas.size, halo=halo)
                used["text"].draw()

    def _batch(self, kind: str) -> _Batch:
        if kind not in self._batches:
            self._batches[kind] = _Batch(self._ctx, self._shaders, kind)
        return self._batches[kind]

    def _letters(self, texts: list[TextLabel], camera: Camera, size: Size) -> NDArray[np.void]:
        """Boxes of all letters in the picture, the farthest first."""
        if not texts:
            return np.zeros(0, _GLYPH)
        if self._glyphs is None:
            self._glyphs = GlyphAtlas()
        seen = camera.project(np.array([text.position for text in texts]), *size)
        pieces = []
        for index in np.argsort(-seen[:, 2], kind="stable").tolist():
            text, (x, y, depth) = texts[index], seen[index].tolist()
            if text.screen:
                x, y = (place % end if place < 0 else place for place, end in zip(text.position, size, strict=False))
                depth = 1.01 * camera.near
            elif depth < camera.near:
                continue
            spread = size[1] / 2 / camera.half_height / (1.0 if camera.height else depth)
            pixels = text.size if text.pixels else text.size * spread
            if not 2.0 < pixels < 2000.0:
                continue
            layout, scale = self._glyphs.layout(text.text, pixels)
            left, top = x - scale * layout.width * text.anchor[0], y - scale * layout.height * text.anchor[1]
            if text.screen:
                left, top = round(left), round(top)
            rows = np.zeros(len(layout.boxes), _GLYPH)
            rows["box"] = layout.boxes * scale + np.array([left, top, left, top], np.float32)
            rows["glyph"], rows["color"], rows["depth"] = layout.glyphs, text.color, depth
            pieces.append(rows)
        self._upload_atlas(self._glyphs)
        return np.concatenate(pieces) if pieces else np.zeros(0, _GLYPH)

    def _upload_atlas(self, glyphs: GlyphAtlas) -> None:
        height, width, channels = glyphs.picture.shape
        if self._atlas is None or self._atlas.size != (width, height):
            if self._atlas is not None:
                self._atlas.release()
            self._atlas = self._ctx.texture((width, height), channels)
            self._atlas_version = -1
        if self._atlas_version != glyphs.version:
            self._atlas.write(np.ascontiguousarray(glyphs.picture))
            self._atlas_version = glyphs.version

    def _lay_over(self, layer: _Layer, framebuffer: moderngl.Framebuffer) -> None:
        shader = self._shaders.get("fill.vert.glsl", "debug_layer.frag.glsl")
        framebuffer.use()
        self._ctx.enable_only(moderngl.BLEND)
        shader.bind(layer=layer.color)
        shader.fill()
        self._ctx.enable_only(moderngl.NOTHING)
        self._ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self._ctx.depth_func = "<"

    def release(self) -> None:
        """Free everything."""
        for batch in self._batches.values():
            batch.release()
        for part in (self._layer, self._atlas, self._shaders):
            if part is not None:
                part.release()
        self._batches, self._layer, self._atlas = {}, None, None
