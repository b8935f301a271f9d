"""A page for lines, shapes and text in pixels of the final picture, with smooth edges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from PIL import Image, ImageDraw, ImageFont

from kinema.arrays import Bytes
from kinema.rendering.outlines import dashes as dashed

Color = tuple[int, int, int]
"""sRGB bytes."""

_SCALE = 3  # samples per pixel and axis, for shapes; text is smooth already


class Page:
    """Pictures at the bottom, shapes above them, text on top; `image` combines them."""

    def __init__(self, width: int, height: int, color: Color, unit: float = 1.0) -> None:
        """`unit` scales line widths and text sizes, so that a larger page looks the same."""
        self.width, self.height, self.unit = width, height, unit
        self._page = Image.new("RGB", (width, height), color)
        self._inks: dict[Color, Image.Image] = {}
        self._texts: list[tuple[tuple[float, float], str, float, Color, str]] = []

    def share(self, of_height: float) -> float:
        """Pixels from the top at a share of the page's height."""
        return of_height * self.height

    def paste(self, pixels: Bytes, left: int, top: int) -> None:
        """Put down a picture `[h, w, 3]`, or one with alpha `[h, w, 4]`."""
        image = Image.fromarray(pixels)
        self._page.paste(image, (left, top), image if pixels.shape[2] == 4 else None)

    def line(
        self, points: ArrayLike, color: Color, width: float = 1.5, dashes: tuple[float, float] | None = None
    ) -> None:
        """A polyline `[N, 2]`; `dashes` are (length, gap)."""
        draw = self._ink(color)
        wide = max(round(width * self.unit * _SCALE), 1)
        path = np.asarray(points, np.float32) * _SCALE
        pieces = [path] if dashes is None else dashed(path, dashes[0] * _SCALE, dashes[1] * _SCALE)
        for piece in pieces:
            draw.line([(x, y) for x, y in piece.tolist()], fill=255, width=wide, joint="curve")

    def polygon(self, points: ArrayLike, color: Color) -> None:
        """A filled polygon `[N, 2]`."""
        corners = [(x * _SCALE, y * _SCALE) for x, y in np.asarray(points, np.float64).tolist()]
        self._ink(color).polygon(corners, fill=255)

    def box(self, left: float, top: float, right: float, bottom: float, color: Color, radius: float = 0.0) -> None:
        """A filled rectangle with round corners."""
        edges = [left * _SCALE, top * _SCALE, max(right, left) * _SCALE, max(bottom, top) * _SCALE]
        self._ink(color).rounded_rectangle(edges, radius * _SCALE * self.unit, fill=255)

    def dot(self, x: float, y: float, radius: float, color: Color) -> None:
        """A filled disc."""
        r = radius * self.unit
        self._ink(color).ellipse([(x - r) * _SCALE, (y - r) * _SCALE, (x + r) * _SCALE, (y + r) * _SCALE], fill=255)

    def arrow(self, x: float, y: float, direction: Sequence[float], color: Color, length: float = 10.0) -> None:
        """An arrow head with its middle at a point."""
        way = np.asarray(direction, np.float64)
        way = way / max(float(np.hypot(*way)), 1e-9) * length * self.unit / 2
        aside = np.array([-way[1], way[0]]) * 0.85
        middle = np.array([x, y])
        self.polygon([middle + way, middle - way + aside, middle - 0.45 * way, middle - way - aside], color)

    def text(self, x: float, y: float, text: str, size: float, color: Color, anchor: str = "la") -> None:
        """A line of text; `anchor` as Pillow has it: l/m/r, then a (ascender), m (middle), s (baseline)."""
        self._texts.append(((x, y), text, size * self.unit, color, anchor))

    def text_width(self, text: str, size: float) -> float:
        """Width of a line of text, pixels."""
        return _font(size * self.unit).getlength(text)

    def image(self) -> Image.Image:
        """The page as it is now."""
        page = self._page.copy()
        for color, ink in self._inks.items():
            page.paste(color, (0, 0), ink.reduce(_SCALE))
        draw = ImageDraw.Draw(page)
        for place, text, size, color, anchor in self._texts:
            draw.text(place, text, fill=color, font=_font(size), anchor=anchor)
        return page

    def _ink(self, color: Color) -> ImageDraw.ImageDraw:
        """The layer of a colour: one mask each, drawn in the order of their first use."""
        if color not in self._inks:
            self._inks[color] = Image.new("L", (self.width * _SCALE, self.height * _SCALE))
        return ImageDraw.Draw(self._inks[color])


@lru_cache(maxsize=32)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
