"""Timings of frames, render passes and systems."""

from __future__ import annotations

import numpy as np

from kinema.session.session import Session
from kinema.window.canvas import SHARES
from kinema.window.panels.panel import Panel
from kinema.window.widgets import Widgets


class PerformancePanel(Panel[Session]):
    """Milliseconds per frame over time, and their parts."""

    title = "Performance"
    open = False

    def draw(self, ui: Widgets, session: Session) -> None:
        """Graph, resolution, passes, systems."""
        window, imgui = ui.window, ui.imgui
        figures = window.figures
        ui.fact("pictures", f"{window.rate:.0f} /s, {_recent(figures.values('picture')):.1f} ms")
        ui.fact("scene", f"{_recent(figures.values('scene')):.1f} ms")
        ui.fact("panels", f"{_recent(figures.values('panels')):.1f} ms")
        values = np.nan_to_num(figures.values("picture")[-240:]).astype(np.float32)
        if len(values) > 1:
            top = max(float(values.max()) * 1.1, 20.0)
            imgui.plot_lines(
                "##ms",
                np.ascontiguousarray(values),
                scale_min=0.0,
                scale_max=top,
                graph_size=imgui.ImVec2(imgui.get_content_region_avail().x, 44 * ui.scale),
            )
        options = ["automatic", *(f"{100 * share:.0f} %" for share in SHARES)]
        now = 0 if window.canvas.automatic else 1 + window.canvas.level
        width, height = window.canvas.size
        chosen = ui.choice("resolution", options, now, f"{width} by {height} pixels are drawn")
        if chosen != now:
            window.canvas.automatic = chosen == 0
            window.canvas.level = max(chosen - 1, 0)
        window.canvas.profile = ui.switch("Measure passes", window.canvas.profile, "Waits for the driver after each")
        timings = window.canvas.timings
        if timings:
            imgui.separator_text("passes")
            for name, ms in timings.items():
                ui.fact(name, f"{ms:.2f} ms")
        rows = session.world.profiler.rows()
        if rows:
            imgui.separator_text("systems")
            for row in rows:
                ui.fact(row.name.replace("_", " "), f"{row.mean_ms:.2f} ms  (p99 {row.p99_ms:.2f})")


def _recent(values: np.ndarray) -> float:
    """Mean of the last second or so."""
    recent = values[-30:]
    return float(recent.mean()) if len(recent) else 0.0
