"""Which numbers of the clip are drawn over time, and the graph of them."""

from __future__ import annotations

import numpy as np

from kinema.session.clips import ClipSession
from kinema.session.curves import FIRST, ClipAnalysis
from kinema.session.library import matching
from kinema.session.session import Session
from kinema.window.desk import Desk
from kinema.window.panels.panel import Panel, Place
from kinema.window.panels.timeline import GUTTER
from kinema.window.theme import Color

MOST_POINTS = 4000
"""Points of a curve that are drawn; longer stretches are thinned."""


def palette(desk: Desk) -> tuple[Color, ...]:
    """Colours of curves, in order."""
    look = desk.look
    return look.accent, look.right, look.good, look.warn, look.bad, look.left, look.muted


def analysis_of(session: ClipSession) -> ClipAnalysis:
    """The curves of the clip that is shown."""
    return session.analysis.of(None if session.shown is None else session.shown.motion)


class CurvesPanel(Panel):
    """The list to choose from."""

    title = "Curves"
    sessions = frozenset({"view"})
    open = False

    def __init__(self) -> None:
        self.search = ""
        self._first = list(FIRST)

    def draw(self, desk: Desk, session: Session) -> None:
        """A search, and a switch for each curve."""
        assert isinstance(session, ClipSession)
        imgui, analysis = desk.imgui, analysis_of(session)
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
                desk.muted(head)
            chosen = name in session.curves
            if desk.switch(f"{tail}##{name}", chosen) != chosen:
                (session.curves.remove if chosen else session.curves.append)(name)
        imgui.end_child()
        if analysis.waiting:
            desk.muted("working them out")
        elif analysis.problem:
            desk.wrapped(f"no features: {analysis.problem}", desk.look.muted)


class CurveGraph(Panel):
    """The chosen curves under the timeline, on the same frames."""

    title = "Curve graph"
    place: Place = "bottom"
    sessions = frozenset({"view"})
    height = 150.0

    def wanted(self, session: Session) -> bool:
        """Only where curves were chosen."""
        return isinstance(session, ClipSession) and bool(session.curves) and session.shown is not None

    def draw(self, desk: Desk, session: Session) -> None:
        """One plot; the frames shown are those of the timeline."""
        assert isinstance(session, ClipSession)
        imgui, implot = desk.imgui, desk.implot
        curves, scale = analysis_of(session).curves, desk.timescale
        chosen = [name for name in session.curves if name in curves]
        room = imgui.get_content_region_avail()
        gutter = GUTTER * desk.scale if room.x > 3 * GUTTER * desk.scale else 0.0
        corner = imgui.get_cursor_pos()
        frame = session.playhead.frame
        for index, name in enumerate(chosen[:7]):
            with desk.tinted(palette(desk)[index % 7]):
                imgui.text_unformatted(_short(name, 9 if gutter else 3))
            desk.hint(name)
            value = number(float(curves[name][min(frame, len(curves[name]) - 1)]))
            if gutter:
                imgui.same_line(gutter - 12 * desk.scale - imgui.calc_text_size(value).x)
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
                pen = desk.pen(palette(desk)[index % 7], 1.7)
                implot.plot_line(f"##{name}", frames.astype(np.float64), values[name], pen)
            head = np.array([session.playhead.time * session.playhead.fps])
            implot.plot_inf_lines("##head", head, desk.pen(desk.look.accent, 1.5))
            implot.end_plot()
        implot.pop_style_var()


def sampled(first: float, last: float, frames: int) -> np.ndarray:
    """Frames to draw a curve through between two, thinned to `MOST_POINTS`."""
    start, stop = max(int(first), 0), min(int(last) + 2, frames)
    return np.arange(start, max(stop, start + 1), max((stop - start) // MOST_POINTS, 1))


def limits(values: list[np.ndarray]) -> tuple[float, float]:
    """Lowest and highest value with some air; never the same, whatever is missing."""
    every = np.concatenate([*values, np.zeros(0)])
    every = every[np.isfinite(every)]
    if not len(every):
        return 0.0, 1.0
    low, high = float(every.min()), float(every.max())
    air = 0.08 * (high - low) or 0.5
    return low - air, high + air


def number(value: float) -> str:
    """A value as short as it can be read."""
    return f"{value:.2f}" if abs(value) < 99.5 else f"{value:.0f}"


def _short(name: str, most: int) -> str:
    tail = name.partition("/")[2]
    return tail if len(tail) <= most else tail[: most - 1] + "\u2026"
