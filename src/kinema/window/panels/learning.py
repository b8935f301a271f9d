"""The losses of a training over its steps."""

from __future__ import annotations

import numpy as np

from kinema.session.rehearsal import RehearsalSession
from kinema.session.session import Session
from kinema.window.desk import Desk
from kinema.window.panels.panel import Panel


class LearningPanel(Panel):
    """Loss curve and figures."""

    title = "Training"
    sessions = frozenset({"train"})

    def draw(self, desk: Desk, session: Session) -> None:
        """Curve, then figures."""
        assert isinstance(session, RehearsalSession)
        if session.curve is not None:
            self._plot(desk, *session.curve)
        for name, text in session.figures():
            desk.fact(name, text)

    def _plot(self, desk: Desk, steps: np.ndarray, training: np.ndarray, held: np.ndarray) -> None:
        imgui, implot = desk.imgui, desk.implot
        room = imgui.ImVec2(imgui.get_content_region_avail().x, 150 * desk.scale)
        if implot.begin_plot("##loss", room, implot.Flags_.no_inputs | implot.Flags_.no_title):
            implot.setup_axes("", "", implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
            implot.setup_axis_scale(implot.ImAxis_.y1, implot.Scale_.log10)
            for name, values, color in (("training", training, desk.look.accent), ("held-out", held, desk.look.warn)):
                implot.plot_line(name, steps, np.ascontiguousarray(values), desk.pen(color))
            implot.end_plot()
