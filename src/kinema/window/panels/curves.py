"""Curves of the clip over time: a list to choose from, and a graph."""

from __future__ import annotations

import numpy as np

from kinema.session.clips import ClipSession
from kinema.session.curves import FIRST, ClipAnalysis
from kinema.session.library import matching
from kinema.session.session import Session
from kinema.window.panels.panel import Panel, Place
from kinema.window.panels.timeline import GUTTER
from kinema.window.theme import Color
from kinema.window.widgets import Widgets

MOST_POINTS = 4000
"""Maximum number of points drawn per curve."""


def palette(ui: Widgets) -> tuple[Color, ...]:
    """Colours of curves, in order."""
    look = ui.look
    return look.accent, look.right, look.good, look.warn, look.bad, look.left, look.muted


def analysis_of(session: ClipSession) -> ClipAnalysis:
    """The curves of the clip that is shown."""
    return session.analysis.of(None if session.shown is None else session.shown.motion)


class CurvesPanel(Panel[ClipSession]):
    """The list to choose from."""

    title = "Curves"
    kind = ClipSession
    open = False

    def __init__(self) -> None:
        self.search = ""
        self._first = list(FIRST)

    def draw(self, ui: Widgets, session: ClipSession) -> None:
        """A search and a switch for each curve."""
        imgui, analysis = ui.imgui, analysis_of(session)
        session.curves += self._first
        self._first = []
        imgui.set_next_item_width(-1.0)
        _, self.search = imgui.input_text_with_hint("##curves", "Search curves and features", self.search)
        found = matching(list(analysis.curves), self.search)
        group = ""
        height = min(len(found) + 3, 13) * imgui.get_text_line_height_with_spacing()
        imgui.begin_child("##found", imgui.ImVec2(0, height))
        for name in found:
            head, _, tail = name.partition("/")
            if head != group:
                group = head
                ui.muted(head)
            chosen = name in session.curves
            if ui.switch(f"{tail}##{name}", chosen) != chosen:
                (session.curves.remove if chosen else session.curves.append)(name)
        imgui.end_child()
        if analysis.waiting:
            ui.muted("computing")
        elif analysis.problem:
            ui.wrapped(f"no features: {analysis.problem}", ui.look.muted)


class CurveGraph(Panel[ClipSession]):
    """The chosen curves below the timeline, over the same frames."""

    title = "Curve graph"
    place: Place = "bottom"
    kind = ClipSession
    height = 150.0

    def wanted(self, session: Session) -> bool:
        """Whether curves are chosen."""
        return isinstance(session, ClipSession) and bool(session.curves) and session.shown is not None

    def draw(self, ui: Widgets, session: ClipSession) -> None:
        """One plot with the range of the timeline."""
        imgui, implot = ui.imgui, ui.implot
        curves, scale = analysis_of(session).curves, ui.timescale
        chosen = [name for name in session.curves if name in curves]
        room = imgui.get_content_region_avail()
        gutter = GUTTER * ui.scale if room.x > 3 * GUTTER * ui.scale else 0.0
        corner = imgui.get_cursor_pos()
        frame = session.playhead.frame
        for index, name in enumerate(chosen[:7]):
            with ui.tinted(palette(ui)[index % 7]):
                imgui.text_unformatted(_short(name, 9 if gutter else 3))
            ui.hint(name)
            value = number(float(curves[name][min(frame, len(curves[name]) - 1)]))
            if gutter:
                imgui.same_line(gutter - 12 * ui.scale - imgui.calc_text_size(value).x)
                imgui.text_unformatted(value)
        imgui.set_cursor_pos(imgui.ImVec2(corner.x + gutter, corner.y))
        flags = implot.Flags_.canvas_only | implot.Flags_.no_inputs
        implot.push_style_var(implot.StyleVar_.plot_padding, imgui.ImVec2(0, 4))
        if implot.begin_plot("##curves", imgui.ImVec2(max(room.x - gutter, 1), max(room.y, 1)), flags):
            bare = implot.AxisFlags_.no_decorations
            inside = implot.AxisFlags_.no_tick_marks | implot.AxisFlags_.no_tick_labels
            implot.setup_axes("", "", bare, inside)
            first, last = scale.first, scale.last
            implot.setup_axis_limits(implot.ImAxis_.x1, first, last, implot.Cond_.always)
            frames = sampled(first, last, scale.frames)
            values = {name: np.ascontiguousarray(curves[name][frames], np.float64) for name in chosen}
            low, high = limits(list(values.values()))
            implot.setup_axis_limits(implot.ImAxis_.y1, low, high, implot.Cond_.always)
            for index, name in enumerate(chosen):
                pen = ui.pen(palette(ui)[index % 7], 1.7)
                implot.plot_line(f"##{name}", frames.astype(np.float64), values[name], pen)
            head = np.array([session.playhead.time * session.playhead.fps])
            implot.plot_inf_lines("##head", head, ui.pen(ui.look.accent, 1.5))
            implot.end_plot()
        implot.pop_style_var()


def sampled(first: float, last: float, frames: int) -> np.ndarray:
    """Frames between two at which a curve is drawn, at most `MOST_POINTS`."""
    start, stop = max(int(first), 0), min(int(last) + 2, frames)
    return np.arange(start, max(stop, start + 1), max((stop - start) // MOST_POINTS, 1))


def limits(values: list[np.ndarray]) -> tuple[float, float]:
    """Lowest and highest value with a margin; never equal."""
    every = np.concatenate([*values, np.zeros(0)])
    every = every[np.isfinite(every)]
    if not len(every):
        return 0.0, 1.0
    low, high = float(every.min()), float(every.max())
    air = 0.08 * (high - low) or 0.5
    return low - air, high + air


def number(value: float) -> str:
    """A value in few digits."""
    return f"{value:.2f}" if abs(value) < 99.5 else f"{value:.0f}"


def _short(name: str, most: int) -> str:
    tail = name.partition("/")[2]
    return tail if len(tail) <= most else tail[: most - 1] + "\u2026"
