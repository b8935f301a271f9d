"""Text as images of letters: a font, an atlas of its glyphs, and the layout of a text.

The font is Pillow's own. Each letter is drawn once for each size, with a second, bolder image that becomes the halo:
it keeps text readable on any background.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from kinema.arrays import Singles
from kinema.errors import MissingError

LINE = 1.2
"""Line height over font size."""

_SIZES = (*range(8, 25), 28, 32, 40, 48, 64, 96)
_WIDTH, _HEIGHT, _HIGHEST = 1024, 256, 8192
_CACHED = 4096


@dataclass(frozen=True, eq=False)
class TextLayout:
    """Letters of a text at one font size.

    Attributes:
        boxes: `[G, 4]` left, top, right, bottom of each letter, pixels from the text's upper left corner, y down.
        glyphs: `[G, 4]` the same of its image in the atlas.
        width, height: width and height of the text, pixels.
    """

    boxes: Singles
    glyphs: Singles
    width: float
    height: float


@dataclass(frozen=True)
class _Glyph:
    box: tuple[float, float, float, float]
    place: tuple[float, float, float, float]
    advance: float


class GlyphAtlas:
    """Images of letters in one array, made on demand.

    Attributes:
        picture: uint8 `[H, 1024, 2]`: coverage of a pixel by a letter, and by the letter with its halo.
        version: increases with every change of the picture.

    Raises:
        MissingError: Pillow was built without FreeType.
    """

    def __init__(self) -> None:
        self.picture = np.zeros((_HEIGHT, _WIDTH, 2), np.uint8)
        self.version = 0
        self._fonts: dict[int, ImageFont.FreeTypeFont] = {}
        self._glyphs: dict[tuple[str, int], _Glyph | None] = {}
        self._layouts: dict[tuple[str, int], TextLayout] = {}
        self._x = self._y = self._row = 0

    def layout(self, text: str, size: float) -> tuple[TextLayout, float]:
        """The layout of a text, and the scale that makes its font `size` pixels high."""
        drawn = next((each for each in _SIZES if each >= size - 0.25), _SIZES[-1])
        key = text, drawn
        if key not in self._layouts:
            if len(self._layouts) >= _CACHED:  # numbers that change with every frame make more and more texts
                self._layouts.clear()
            self._layouts[key] = self._arrange(text, drawn)
        return self._layouts[key], 1.0 if abs(size - drawn) <= 0.25 else size / drawn

    def _arrange(self, text: str, size: int) -> TextLayout:
        boxes, glyphs, width = [], [], 0.0
        lines = text.split("\n")
        ascent = round(0.95 * size)
        for number, line in enumerate(lines):
            x, baseline = 0.0, round(number * LINE * size) + ascent
            for letter in line:
                glyph = self._glyph(letter, size)
                if glyph is None:
                    continue
                left, top, right, bottom = glyph.box
                if right > left:
                    boxes.append((round(x) + left, baseline + top, round(x) + right, baseline + bottom))
                    glyphs.append(glyph.place)
                x += glyph.advance
            width = max(width, x)
        shape = np.asarray(boxes, np.float32).reshape(-1, 4), np.asarray(glyphs, np.float32).reshape(-1, 4)
        return TextLayout(*shape, width, LINE * size * len(lines))

    def _glyph(self, letter: str, size: int) -> _Glyph | None:
        """A letter; None if it does not fit into the rest of the atlas."""
        key = letter, size
        if key not in self._glyphs:
            self._glyphs[key] = self._draw(letter, self._font(size), max(1, round(size / 9)))
        return self._glyphs[key]

    def _font(self, size: int) -> ImageFont.FreeTypeFont:
        if size not in self._fonts:
            font = ImageFont.load_default(size)
            if not isinstance(font, ImageFont.FreeTypeFont):
                raise MissingError("text needs a Pillow with FreeType: pip install --force-reinstall pillow")
            self._fonts[size] = font
        return self._fonts[size]

    def _draw(self, letter: str, font: ImageFont.FreeTypeFont, stroke: int) -> _Glyph | None:
        advance = font.getlength(letter)
        if letter == " ":  # the font's own space is so narrow that halos close it
            advance = max(advance, 0.3 * font.size)
        left, top, right, bottom = (int(side) for side in font.getbbox(letter, anchor="ls"))
        if right <= left or bottom <= top:
            return _Glyph((0, 0, 0, 0), (0, 0, 0, 0), advance)
        border = stroke + 1
        left, top, right, bottom = left - border, top - border, right + border, bottom + border
        width, height = right - left, bottom - top
        place = self._place(width, height)
        if place is None:
            return None
        x, y = place
        for channel, fat in enumerate((0, stroke)):
            image = Image.new("L", (width, height))
            ImageDraw.Draw(image).text((-left, -top), letter, 255, font, "ls", stroke_width=fat)
            self.picture[y : y + height, x : x + width, channel] = np.asarray(image)
        self.version += 1
        return _Glyph((left, top, right, bottom), (x, y, x + width, y + height), advance)

    def _place(self, width: int, height: int) -> tuple[int, int] | None:
        """The upper left corner of a free place, one pixel from its neighbours; rows fill up from the left."""
        if width + 1 > _WIDTH:
            return None
        if self._x + width + 1 > _WIDTH:
            self._x, self._y, self._row = 0, self._y + self._row, 0
        while self._y + height + 1 > len(self.picture):
            if 2 * len(self.picture) > _HIGHEST:
                return None
            self.picture = np.concatenate([self.picture, np.zeros_like(self.picture)])
        place = self._x, self._y
        self._x, self._row = self._x + width + 1, max(self._row, height + 1)
        return place
