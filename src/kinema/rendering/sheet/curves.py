"""The curve of a training: its loss on training and on held-out clips, on logarithmic paper."""

from __future__ import annotations

import io
import math
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from kinema.formats.atomic import atomic_write
from kinema.learn import journal
from kinema.rendering.sheet.charts import INK, MUTED, RULE, legend
from kinema.rendering.sheet.page import Color, Page

FILE = "loss.png"
TRAINING: Color = (58, 124, 190)
HELD_OUT: Color = (212, 94, 52)

Curve = tuple[NDArray[np.floating], NDArray[np.floating]]
"""Steps `[N]` and losses `[N]`."""


def read_losses(folder: str | os.PathLike[str]) -> tuple[Curve, Curve]:
    """The curves of a run so far, from its log: training and held-out clips; each may be empty."""
    entries = journal.read(Path(folder))
    return tuple(  # type: ignore[return-value]
        (
            np.array([entry["step"] for entry in entries if key in entry], np.float64),
            np.array([entry[key] for entry in entries if key in entry], np.float64),
        )
        for key in ("loss", "validation")
    )


def save_losses(folder: str | os.PathLike[str]) -> Path:
    """Draw the log of a run as `loss.png` beside it.

    Raises:
        WriteError: the disk is full.
    """
    data = io.BytesIO()
    draw_losses(*read_losses(folder), title=Path(folder).name).save(data, "PNG")
    path = Path(folder) / FILE
    atomic_write(path, data.getvalue())
    return path


def draw_losses(training: Curve, held_out: Curve, title: str = "", size: tuple[int, int] = (1000, 560)) -> Image.Image:
    """Both curves; the lowest held-out loss, whose weights are kept, is marked."""
    page = Page(*size, (249, 249, 247), size[0] / 1000)
    u = page.unit
    left, top, right, bottom = 84 * u, 74 * u, size[0] - 36 * u, size[1] - 62 * u
    page.text(left, 24 * u, title or "loss", 20, INK)
    shown = [values for _, values in (training, held_out) if len(values)]
    if not shown:
        page.text((left + right) / 2, (top + bottom) / 2, "nothing yet", 16, MUTED, "mm")
        return page.image()
    last = max(float(steps[-1]) for steps, _ in (training, held_out) if len(steps))
    low = math.log10(max(min(float(values.min()) for values in shown), 1e-12))
    high = math.log10(max(max(float(values.max()) for values in shown), 1e-12))
    low, high = low - 0.04, max(high + 0.04, low + 0.1)

    def x_of(step: float) -> float:
        return left + step / max(last, 1.0) * (right - left)

    def y_of(loss: float) -> float:
        return bottom - (math.log10(max(loss, 1e-12)) - low) / (high - low) * (bottom - top)

    for mark in _decades(low, high):
        page.line([(left, y_of(mark)), (right, y_of(mark))], RULE, 1)
        page.text(left - 10 * u, y_of(mark), f"{mark:g}", 13, MUTED, "rm")
    for share in np.linspace(0, 1, 6).tolist():
        page.text(x_of(share * last), bottom + 12 * u, f"{share * last:,.0f}", 13, MUTED, "ma")
    page.text(right, bottom + 36 * u, "steps", 13, MUTED, "ra")
    for (steps, values), color in ((training, TRAINING), (held_out, HELD_OUT)):
        if len(steps):
            points = [(x_of(s), y_of(v)) for s, v in zip(steps.tolist(), values.tolist(), strict=True)]
            page.line(points if len(points) > 1 else points * 2, color, 2.5)
    steps, values = held_out
    if len(values):
        best = int(np.argmin(values))
        x, y = x_of(float(steps[best])), y_of(float(values[best]))
        page.dot(x, y, 5, HELD_OUT)
        page.text(x, y - 12 * u, f"kept: {values[best]:.3g}", 13, HELD_OUT, "rs")
    legend(page, right, 36 * u, [("training", TRAINING, False), ("held-out clips", HELD_OUT, False)], right=True)
    return page.image()


def _decades(low: float, high: float) -> list[float]:
    """Round values between two powers of ten: 1, 2 and 5 of every decade, or powers alone where there are many."""
    digits = (1, 2, 5) if high - low < 3 else (1,)
    marks = [digit * 10.0**power for power in range(math.floor(low), math.ceil(high) + 1) for digit in digits]
    return [mark for mark in marks if low <= math.log10(mark) <= high]
