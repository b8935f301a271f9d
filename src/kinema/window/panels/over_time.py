"""Graphs of the controller: speed, tracking error, cost, transitions, contacts."""

from __future__ import annotations

import numpy as np

from kinema.mocap.contacts import runs
from kinema.session.history import FigureHistory
from kinema.session.play import PlaySession
from kinema.window.panels.panel import Panel, Place
from kinema.window.theme import Color
from kinema.window.widgets import Widgets

Graph = tuple[str, str, tuple[str, ...]]
"""Title, unit, figures."""

GRAPHS: tuple[Graph, ...] = (
    ("speed", "m/s", ("speed", "commanded speed")),
    ("tracking error", "cm", ("tracking_cm",)),
    ("cost of the match", "", ("cost",)),
)
"""Graphs without any of their figures are left out."""

MOST_JUMPS = 80


class OverTimePanel(Panel[PlaySession]):
    """Graphs of the last twelve seconds; the thin lines are transitions."""

    title = "Over time"
    place: Place = "bottom"
    kind = PlaySession
    height = 168.0

    def draw(self, ui: Widgets, session: PlaySession) -> None:
        """Graphs above, feet below."""
        imgui, history = ui.imgui, session.history
        room = imgui.get_content_region_avail()
        known = history.names
        graphs = [graph for graph in GRAPHS if any(name in known for name in graph[2])]
        if len(history.times) < 2 or not graphs:
            ui.muted("graphs appear after the first steps")
            return
        graphs = graphs[: max(int(room.x // (190 * ui.scale)), 1)]
        feet = [name for name in known if name.startswith("contact ")]
        below = (len(feet) * 13 + 10) * ui.scale
        gap = imgui.get_style().item_spacing.x
        width = (room.x - gap * (len(graphs) - 1)) / len(graphs)
        for index, graph in enumerate(graphs):
            if index:
                imgui.same_line()
            self._graph(ui, history, graph, width, room.y - below)
        self._feet(ui, history, feet, below)

    def _graph(self, ui: Widgets, history: FigureHistory, graph: Graph, width: float, height: float) -> None:
        title, unit, names = graph
        imgui, implot, look = ui.imgui, ui.implot, ui.look
        times = history.times
        imgui.begin_group()
        last = history.last(names[0])
        imgui.push_style_var(imgui.StyleVar_.item_spacing, imgui.ImVec2(8, 0))
        ui.muted(title)
        imgui.same_line()
        imgui.text_unformatted(f"{last:.{1 if unit == 'cm' else 2}f} {unit}" if np.isfinite(last) else "")
        flags = implot.Flags_.no_menus | implot.Flags_.no_legend | implot.Flags_.no_mouse_text | implot.Flags_.no_inputs
        plain = implot.AxisFlags_.no_tick_labels | implot.AxisFlags_.no_tick_marks | implot.AxisFlags_.no_grid_lines
        if implot.begin_plot(f"##{title}", imgui.ImVec2(width, height - imgui.get_text_line_height()), flags):
            implot.setup_axes("", "", plain, implot.AxisFlags_.no_tick_marks)
            implot.setup_axis_limits(implot.ImAxis_.x1, times[-1] - history.seconds, times[-1], implot.Cond_.always)
            every = np.concatenate([history.values(name) for name in names])
            top = float(np.nanmax(every, initial=0.0))
            implot.setup_axis_limits(implot.ImAxis_.y1, 0.0, max(1.15 * top, 0.5), implot.Cond_.always)
            jumps = transitions(history.values("transitions"))
            if 0 < len(jumps) <= MOST_JUMPS:  # those of a crowd would be a curtain
                implot.plot_inf_lines("##jumps", times[jumps], ui.pen(look.muted, 1.0, 0.18))
            colors: tuple[Color, ...] = (look.accent, look.good, look.right)
            for color, name in zip(colors, names, strict=False):
                values = history.values(name)
                implot.plot_line(name, times, values, ui.pen(color, 1.6))
            implot.end_plot()
        imgui.pop_style_var()
        imgui.end_group()

    def _feet(self, ui: Widgets, history: FigureHistory, feet: list[str], height: float) -> None:
        """Bars of contact, darker while the foot is locked."""
        imgui, look = ui.imgui, ui.look
        corner, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        painter = imgui.get_window_draw_list()
        times = history.times
        end, span = times[-1], history.seconds
        gutter = 42 * ui.scale
        for index, name in enumerate(feet):
            side = name.removeprefix("contact ")
            top = corner.y + (2 + 13 * index) * ui.scale
            painter.add_text((corner.x, top - 3 * ui.scale), ui.color(look.muted), side)
            left = corner.x + gutter
            color = getattr(look, side, look.accent)
            touching, held = history.values(name), history.values(f"held {side}")
            for values, opacity, inset in ((touching, 0.4, 0.0), (held, 0.95, 2.0)):
                for start, stop in runs(np.nan_to_num(values) > 0.5):
                    a = left + (1 - (end - times[start]) / span) * (width - gutter)
                    b = left + (1 - (end - times[min(stop, len(times) - 1)]) / span) * (width - gutter)
                    painter.add_rect_filled(
                        (max(a, left), top + inset * ui.scale),
                        (b, top + (9 - inset) * ui.scale),
                        ui.color(color, opacity),
                        2,
                    )
        imgui.dummy(imgui.ImVec2(width, max(height - 4, 1)))


def transitions(counts: np.ndarray) -> np.ndarray:
    """Indices at which a running count `[N]` went up."""
    if len(counts) < 2:
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.diff(counts) > 0) + 1
