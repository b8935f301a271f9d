"""The losses of a training over its steps."""

from __future__ import annotations

import numpy as np

from kinema.session.rehearsal import RehearsalSession
from kinema.window.panels.panel import Panel
from kinema.window.widgets import Widgets


class LearningPanel(Panel[RehearsalSession]):
    """Loss curve and figures."""

    title = "Training"
    kind = RehearsalSession

    def draw(self, ui: Widgets, session: RehearsalSession) -> None:
        """Curve, then figures."""
        if session.curve is not None:
            self._plot(ui, *session.curve)
        for name, text in session.figures():
            ui.fact(name, text)

    def _plot(self, ui: Widgets, steps: np.ndarray, training: np.ndarray, held: np.ndarray) -> None:
        imgui, implot = ui.imgui, ui.implot
        room = imgui.ImVec2(imgui.get_content_region_avail().x, 150 * ui.scale)
        if implot.begin_plot("##loss", room, implot.Flags_.no_inputs | implot.Flags_.no_title):
            implot.setup_axes("", "", implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
            implot.setup_axis_scale(implot.ImAxis_.y1, implot.Scale_.log10)
            for name, values, color in (("training", training, ui.look.accent), ("held-out", held, ui.look.warn)):
                implot.plot_line(name, steps, np.ascontiguousarray(values), ui.pen(color))
            implot.end_plot()
