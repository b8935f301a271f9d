"""Charts of a motion sheet: the paths from above, and graphs over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kinema.arrays import Bools, Reals
from kinema.mocap.contacts import runs
from kinema.rendering.sheet.page import Color, Page

INK: Color = (38, 43, 51)
MUTED: Color = (118, 124, 133)
RULE: Color = (222, 223, 222)
TRAVELLED: Color = (38, 43, 51)
COMMANDED: Color = (0, 158, 115)
LEFT: Color = (58, 124, 190)
RIGHT: Color = (212, 94, 52)

Curve = tuple[Reals, Color, bool]
"""Values `[F]`, their colour, and whether the line is dashed."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom on the page."""

XAxis = Callable[[float], float]
"""Maps a time to its x coordinate on the page, in pixels."""

_STEPS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)


def even_step(length: float, most: int) -> float:
    """The smallest round step that cuts `length` into fewer than `most` pieces."""
    if length <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(length / most))
    return next(step * power for step in (*_STEPS, 10.0, 15.0) if length / (step * power) <= most - 1 + 1e-9)


def shade(color: Color) -> tuple[float, float, float]:
    """A colour with channels from 0 to 1, for debug drawing."""
    red, green, blue = color
    return red / 255, green / 255, blue / 255


def short_number(value: float) -> str:
    """A number with up to three decimals, without trailing zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def legend(page: Page, x: float, y: float, entries: Sequence[tuple[str, Color, bool]], right: bool = False) -> None:
    """A row of line samples with names that starts at `x`, or ends there with `right`; (name, colour, dashed) each."""
    u = page.unit
    widths = [page.text_width(name, 14) + 50 * u for name, _, _ in entries]
    x = x - sum(widths) + 18 * u if right else x
    for (name, color, gaps), width in zip(entries, widths, strict=True):
        page.line([(x, y), (x + 24 * u, y)], color, 3, (6.5 * u, 4 * u) if gaps else None)
        page.text(x + 31 * u, y, name, 14, INK, "lm")
        x += width


def top_view(page: Page, box: Box, travelled: Reals, commanded: Reals | None, cell: float) -> None:
    """Paths `[F, 2]` (metres to the right and up on the page) from above, to scale, with arrows, start and end."""
    u = page.unit
    left, top, right, bottom = box
    every = travelled if commanded is None else np.concatenate([travelled, commanded])
    low, high = every.min(axis=0), every.max(axis=0)
    room = np.array([right - left - 100 * u, bottom - top - 70 * u])
    scale = float((room / np.maximum(high - low, 0.5 * cell)).min())
    middle, centre = (low + high) / 2, np.array([(left + right) / 2, (top + bottom) / 2 - 12 * u])

    def place(points: Reals) -> Reals:
        return centre + (points - middle) * scale * np.array([1.0, -1.0])

    if float((high - low).max()) < 0.1 * cell:
        page.dot(float(centre[0]), float(centre[1]), 5, TRAVELLED)
        page.text(float(centre[0]), float(centre[1]) + 22 * u, "stays in place", 13, MUTED, "mm")
        return
    bar = even_step((right - left) / scale, 6)
    page.line([(right - bar * scale, bottom), (right, bottom)], MUTED, 1.5)
    for end in (right - bar * scale, right):
        page.line([(end, bottom - 4 * u), (end, bottom + 4 * u)], MUTED, 1.5)
    page.text(right - bar * scale / 2, bottom - 6 * u, f"{short_number(bar)} m", 13, MUTED, "ms")
    page.line(place(travelled), TRAVELLED, 3)
    _arrows(page, place(travelled), TRAVELLED, 0.0)
    if commanded is not None:
        page.line(place(commanded), COMMANDED, 2, (9 * u, 6 * u))
        _arrows(page, place(commanded), COMMANDED, 0.5)
    start, end = place(travelled[:1])[0], place(travelled[-1:])[0]
    page.dot(float(start[0]), float(start[1]), 5, TRAVELLED)
    if float(np.hypot(*(end - start))) > 24 * u:
        drawn = place(every)
        for point, word in ((start, "start"), (end, "end")):
            x, y = _clear(point, drawn, u)
            page.text(x, y, word, 13, MUTED, "mm")
        page.dot(float(end[0]), float(end[1]), 5, TRAVELLED)


def _clear(point: Reals, drawn: Reals, u: float) -> tuple[float, float]:
    """Where to put a word beside a point so that it is as far from the paths as possible."""
    angles = np.arange(16) * (np.pi / 8)
    places = point + np.stack([26 * np.cos(angles), 16 * np.sin(angles)], axis=1) * u
    away = (places[:, None] - drawn) / np.array([1.6, 1.0])
    x, y = places[int(np.argmax(np.linalg.norm(away, axis=-1).min(axis=1)))].tolist()
    return x, y


def _arrows(page: Page, points: Reals, color: Color, phase: float) -> None:
    """Arrow heads along a path, about 80 pixels apart; none on a short path."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    count = int(along[-1] / (80 * page.unit))
    for at in (np.arange(count) + 0.35 + 0.45 * phase) * (along[-1] / max(count, 1)):
        ends = [np.array([np.interp(at + side, along, column) for column in points.T]) for side in (-3, 3)]
        middle = (ends[0] + ends[1]) / 2
        page.arrow(float(middle[0]), float(middle[1]), (ends[1] - ends[0]).tolist(), color, 12)


def graph(page: Page, box: Box, title: str, times: Reals, lines: Sequence[Curve], x_of: XAxis, at_least: float) -> None:
    """Curves `[F]` over time with a vertical axis from 0 (or their lowest value) to a round number.

    Args:
        lines: the first is drawn below the others.
        at_least: a value that the axis always includes.
    """
    u = page.unit
    left, top, right, bottom = box
    most = max(at_least, *(float(values.max()) for values, _, _ in lines))
    least = min(0.0, *(float(values.min()) for values, _, _ in lines))
    step = even_step(most - least, 4)
    marks = np.arange(np.floor(least / step + 0.02), np.ceil(most / step - 0.02) + 1) * step

    def y_of(value: float) -> float:
        return bottom - (value - marks[0]) / (marks[-1] - marks[0]) * (bottom - top)

    for mark in marks.tolist():
        page.line([(left, y_of(mark)), (right, y_of(mark))], RULE, 1)
        page.text(left - 10 * u, y_of(mark), short_number(mark), 13, MUTED, "rm")
    page.text(left - 10 * u, top - 13 * u, title, 14, INK, "ls")
    for values, color, gaps in lines:
        points = [(x_of(float(t)), y_of(float(v))) for t, v in zip(times, values, strict=True)]
        page.line(points, color, 2, (7 * u, 4.5 * u) if gaps else None)


def bars(page: Page, top: float, height: float, state: Bools, fps: float, color: Color, x_of: XAxis) -> None:
    """A bar for each stretch of time in which `state` `[F]` holds."""
    last = (len(state) - 1) / fps
    for start, stop in runs(state):
        page.box(x_of(start / fps), top, x_of(min(stop / fps, last)), top + height, color, 2)
