"""The curves of a training: its loss on training and on held-out clips, with a logarithmic axis."""

from __future__ import annotations

import io
import math
import os
from pathlib import Path

import numpy as np
from PIL import Image

from kinema.arrays import Reals
from kinema.formats.atomic import atomic_write
from kinema.learn import journal
from kinema.rendering.sheet.charts import INK, MUTED, RULE, legend
from kinema.rendering.sheet.page import Color, Page

FILE = "loss.png"
TRAINING: Color = (58, 124, 190)
HELD_OUT: Color = (212, 94, 52)
_LEAST = 1e-12  # the smallest loss on the axis

LossCurve = tuple[Reals, Reals]
"""Steps `[N]` and losses `[N]`."""


def read_losses(folder: str | os.PathLike[str]) -> tuple[LossCurve, LossCurve]:
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


def draw_losses(
    training: LossCurve, held_out: LossCurve, title: str = "", size: tuple[int, int] = (1000, 560)
) -> Image.Image:
    """Both curves; the lowest held-out loss, whose weights are kept, is marked."""
    page = Page(*size, (249, 249, 247), size[0] / 1000)
    u = page.unit
    page.text(84 * u, 24 * u, title or "loss", 20, INK)
    curves = [(curve, color) for curve, color in ((training, TRAINING), (held_out, HELD_OUT)) if len(curve[0])]
    if not curves:
        page.text(size[0] / 2, size[1] / 2, "nothing yet", 16, MUTED, "mm")
        return page.image()
    axes = _Axes(page, [curve for curve, _ in curves])
    axes.draw()
    for (steps, losses), color in curves:
        points = [axes.place(step, loss) for step, loss in zip(steps.tolist(), losses.tolist(), strict=True)]
        page.line(points if len(points) > 1 else points * 2, color, 2.5)
    if len(held_out[0]):
        best = int(np.argmin(held_out[1]))
        x, y = axes.place(float(held_out[0][best]), float(held_out[1][best]))
        page.dot(x, y, 5, HELD_OUT)
        page.text(x, y - 12 * u, f"kept: {held_out[1][best]:.3g}", 13, HELD_OUT, "rs")
    names = [("training", TRAINING, False), ("held-out clips", HELD_OUT, False)]
    legend(page, size[0] - 36 * u, 36 * u, names, right=True)
    return page.image()


class _Axes:
    """Steps to the right and the logarithm of the loss upward, around curves."""

    def __init__(self, page: Page, curves: list[LossCurve]) -> None:
        self.page, u = page, page.unit
        self.left, self.top, self.right, self.bottom = 84 * u, 74 * u, page.width - 36 * u, page.height - 62 * u
        self.last = max(float(steps[-1]) for steps, _ in curves)
        low, high = min(float(losses.min()) for _, losses in curves), max(float(losses.max()) for _, losses in curves)
        self.low = math.log10(max(low, _LEAST)) - 0.04
        self.high = max(math.log10(max(high, _LEAST)) + 0.04, self.low + 0.1)

    def place(self, step: float, loss: float) -> tuple[float, float]:
        """Pixels on the page."""
        share = (math.log10(max(loss, _LEAST)) - self.low) / (self.high - self.low)
        x = self.left + step / max(self.last, 1.0) * (self.right - self.left)
        return x, self.bottom - share * (self.bottom - self.top)

    def draw(self) -> None:
        """Rules with their losses, and numbers of steps."""
        page, u = self.page, self.page.unit
        for mark in _decades(self.low, self.high):
            y = self.place(0, mark)[1]
            page.line([(self.left, y), (self.right, y)], RULE, 1)
            page.text(self.left - 10 * u, y, f"{mark:g}", 13, MUTED, "rm")
        for step in np.linspace(0, self.last, 6).tolist():
            page.text(self.place(step, 1.0)[0], self.bottom + 12 * u, f"{step:,.0f}", 13, MUTED, "ma")
        page.text(self.right, self.bottom + 36 * u, "steps", 13, MUTED, "ra")


def _decades(low: float, high: float) -> list[float]:
    """Round values between two powers of ten: 1, 2 and 5 of every decade, or only powers where there are many."""
    digits = (1, 2, 5) if high - low < 3 else (1,)
    marks = [digit * 10.0**power for power in range(math.floor(low), math.ceil(high) + 1) for digit in digits]
    return [mark for mark in marks if low <= math.log10(mark) <= high]
