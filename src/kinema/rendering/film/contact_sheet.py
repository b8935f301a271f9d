"""Pictures in a grid, each with its time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from kinema.arrays import Bytes
from kinema.errors import KinemaError

_GAP, _EDGE = 0.02, 0.04  # shares of a picture's height
_LABEL = 0.07
_SHAPE = 1.6  # width over height of a well proportioned sheet
_PAPER, _INK = (249, 249, 247), (60, 66, 75)


def columns_for(count: int, aspect: float) -> int:
    """Columns that make a grid of `count` pictures (`aspect` wide over high) about `_SHAPE` wide over high.

    Holes at the end weigh more than proportions.
    """

    def cost(columns: int) -> tuple[float, int]:
        rows = -(-count // columns)
        return abs(np.log(columns * aspect / rows / _SHAPE)) + 5 * (1 - count / (rows * columns)), columns

    return min(range(1, count + 1), key=cost)


def contact_sheet(
    pictures: Sequence[Bytes], labels: Sequence[str], columns: int | None = None, transparent: bool = False
) -> Bytes:
    """Put pictures `[H, W, 3 or 4]` of one size in rows on one sheet, with a label below each.

    Args:
        columns: pictures in a row; None finds the number for a well proportioned sheet.
        transparent: keep the alpha of the pictures and leave out the paper; labels stay.

    Raises:
        KinemaError: there is no picture, or their sizes or the number of labels differ.
    """
    if not pictures or len({picture.shape[:2] for picture in pictures}) != 1 or len(labels) != len(pictures):
        raise KinemaError("a contact sheet needs one or more pictures of one size, and a label for each")
    height, width = pictures[0].shape[:2]
    across = min(columns or columns_for(len(pictures), width / height), len(pictures))
    gap, edge, line = max(round(_GAP * height), 2), round(_EDGE * height), max(round(_LABEL * height), 14)
    cell = (width + gap, height + line + gap)
    size = (2 * edge + across * cell[0] - gap, 2 * edge + -(-len(pictures) // across) * cell[1] - gap)
    sheet = Image.new("RGBA", size, (*_PAPER, 0 if transparent else 255))
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(0.62 * line)
    for number, (picture, label) in enumerate(zip(pictures, labels, strict=True)):
        left, top = edge + number % across * cell[0], edge + number // across * cell[1]
        image = Image.fromarray(picture).convert("RGBA")
        if transparent:
            sheet.paste(image, (left, top))
        else:
            sheet.alpha_composite(image, (left, top))
        draw.text((left + width / 2, top + height + line / 2), label, (*_INK, 255), font, anchor="mm")
    return np.asarray(sheet if transparent else sheet.convert("RGB"))
