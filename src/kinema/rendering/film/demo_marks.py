"""The path of the commands and the path of the character, drawn on the floor around a time."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Reals
from kinema.rendering.draw import Draw
from kinema.rendering.film.performance import Marks
from kinema.terrain import Ground

COMMANDED, TRAVELLED = (0.0, 0.62, 0.45), (0.15, 0.17, 0.20)
_AHEAD, _BEHIND = 3.0, 2.0  # seconds shown
_LIFT = 0.003  # of the size, above the floor


def path_marks(travelled: Reals, commanded: Reals, fps: float, ground: Ground | None = None) -> Marks:
    """Marks of two paths `[F, 3]`: a line where the character travelled, dashes where the commands lead.

    They lie on the ground, or on the floor where there is none.
    """

    def mark(draw: Draw, time: float, size: float, floor: float) -> None:
        now = int(np.clip(round(time * fps), 0, len(travelled) - 1))
        behind, ahead = max(now - round(_BEHIND * fps), 0), min(now + round(_AHEAD * fps), len(commanded) - 1)
        for points, color, width, dashes, height in (
            (commanded[behind : ahead + 1], COMMANDED, 0.024, (0.10 * size, 0.06 * size), _LIFT),
            (travelled[behind : now + 1], TRAVELLED, 0.018, None, 2 * _LIFT),
        ):
            places = np.array(points, np.float32)
            places[:, 1] = (floor if ground is None else ground.height(places)) + height * size
            if len(places) > 1:
                draw.ribbon(places, width * size, color, dashes)

    return mark
