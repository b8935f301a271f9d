"""The textures that passes write and read, for one picture size; optional ones exist only on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinema.errors import KinemaError

if TYPE_CHECKING:
    import moderngl

BLOOM_LEVELS = 5

Size = tuple[int, int]
"""Width and height, pixels."""


class Targets:
    """All render targets of one picture.

    Args:
        size: size of the rendered picture, pixels (twice the output when samples are averaged).
        output: size of the final picture.
        extras: those of "glow", "masks" and "motion" that are needed.
        deep: keep the display picture in half floats, so that averaging and transparency lose nothing.

    Raises:
        KinemaError: the driver has no room for pictures of that size.
    """

    def __init__(self, context: moderngl.Context, size: Size, output: Size, extras: frozenset[str], deep: bool) -> None:
        import moderngl

        self.size, self.output, self.extras, self.deep = size, output, extras, deep
        self._made: list[moderngl.Texture | moderngl.Framebuffer] = []
        try:
            self._make(context)
        except moderngl.Error:
            self.release()
            inside = "" if size == output else f" ({size[0]} x {size[1]} inside)"
            raise KinemaError(
                f"the driver cannot draw {output[0]} x {output[1]} pixels{inside}: make the picture smaller"
            ) from None

    def _make(self, context: moderngl.Context) -> None:
        import moderngl

        size, extras = self.size, self.extras
        width, height = size
        half = (max(1, (width + 1) // 2), max(1, (height + 1) // 2))
        sharp = (moderngl.NEAREST, moderngl.NEAREST)

        def texture(where: Size, parts: int, kind: str, smooth: bool = False) -> moderngl.Texture:
            made = context.texture(where, parts, dtype=kind)
            made.repeat_x = made.repeat_y = False
            made.filter = (moderngl.LINEAR, moderngl.LINEAR) if smooth else sharp
            self._made.append(made)
            return made

        def frame(*attachments: moderngl.Texture, depth: moderngl.Texture | None = None) -> moderngl.Framebuffer:
            made = context.framebuffer(attachments, depth)
            self._made.append(made)
            return made

        self.albedo, self.normal = texture(size, 4, "f1"), texture(size, 4, "f2")
        self.glow = texture(size, 4, "f2") if "glow" in extras else None
        self.ids = texture(size, 2, "i4") if "masks" in extras else None
        self.motion = texture(size, 2, "f4") if "motion" in extras else None
        self.depth = context.depth_texture(size)
        self.depth.compare_func = ""
        self.depth.filter = sharp
        self.depth.repeat_x = self.depth.repeat_y = False
        self._made.append(self.depth)
        wanted = [t for t in (self.albedo, self.normal, self.glow, self.ids, self.motion) if t is not None]
        self.geometry = frame(*wanted, depth=self.depth)
        self.open, self.open_again = texture(half, 2, "f2"), texture(half, 2, "f2")
        self.open_frames = (frame(self.open), frame(self.open_again))
        self.light = texture(size, 4, "f2", smooth=True)
        self.light_frame = frame(self.light)
        self.forward = frame(self.light, depth=self.depth)
        self.bloom: list[tuple[moderngl.Texture, moderngl.Framebuffer]] = []
        while len(self.bloom) < BLOOM_LEVELS and min(half) >= 4:
            level = texture(half, 4, "f2", smooth=True)
            self.bloom.append((level, frame(level)))
            half = (half[0] // 2, half[1] // 2)
        self.display = texture(size, 4, "f2" if self.deep else "f1", smooth=True)
        self.display_frame = frame(self.display)
        self.color = texture(self.output, 4, "f1")
        self.color_frame = frame(self.color)

    def release(self) -> None:
        """Free everything."""
        for made in reversed(self._made):
            made.release()
        self._made.clear()
