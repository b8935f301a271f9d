"""Where a character was told to go, and where it went, drawn on the floor around a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.rendering.draw import Draw
from kinema.rendering.film.performance import Marks

TOLD, WENT = (0.0, 0.62, 0.45), (0.15, 0.17, 0.20)
_AHEAD, _BEHIND = 3.0, 2.0  # seconds shown
_LIFT = 0.003  # of the size, above the floor


def path_marks(went: NDArray[np.floating], told: NDArray[np.floating], fps: float) -> Marks:
    """Marks of two paths `[F, 3]`: dashes where it is told to go, a line where it went."""

    def mark(draw: Draw, time: float, size: float, floor: float) -> None:
        now = int(np.clip(round(time * fps), 0, len(went) - 1))
        behind, ahead = max(now - round(_BEHIND * fps), 0), min(now + round(_AHEAD * fps), len(told) - 1)
        for points, color, width, dashes, height in (
            (told[behind : ahead + 1], TOLD, 0.024, (0.10 * size, 0.06 * size), _LIFT),
            (went[behind : now + 1], WENT, 0.018, None, 2 * _LIFT),
        ):
            places = np.array(points, np.float32)
            places[:, 1] = floor + height * size
            if len(places) > 1:
                draw.ribbon(places, width * size, color, dashes)

    return mark
