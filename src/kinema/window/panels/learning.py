"""What a model learns: its loss over the steps, how far it is off, and which clip it is tried on."""

from __future__ import annotations

import time

import numpy as np

from kinema.session.session import Session
from kinema.viewer.takes import curve
from kinema.window.desk import Desk
from kinema.window.panels.panel import Panel
from kinema.window.rehearsing import RehearseMode

READ_SECONDS = 1.0
"""From one look into the log to the next."""


class LearningPanel(Panel):
    """Loss curve, figures, clips, transport."""

    title = "Training"
    sessions: frozenset[str] = frozenset({"train"})

    def __init__(self) -> None:
        self._read = 0.0
        self._curve: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

    def draw(self, desk: Desk, session: Session) -> None:
        """The log is read once a second, the rest is what is shown."""
        assert isinstance(session, RehearseMode)
        imgui, take, head = desk.imgui, session.take, session.playhead
        if time.monotonic() - self._read > READ_SECONDS:
            self._read, self._curve = time.monotonic(), curve(session.takes.shown.losses())
        if self._curve is not None:
            self._plot(desk, *self._curve)
            desk.fact("loss", f"{self._curve[1][-1]:.4f}")
            desk.fact("held-out", f"{self._curve[2][-1]:.4f}")
        desk.fact("step", f"{take.step:,}")
        desk.fact("clip off by", f"{float(take.apart_cm.mean()):.1f} cm")
        desk.fact("this frame", f"{float(take.apart_cm[min(head.frame, len(take.apart_cm) - 1)]):.1f} cm")
        titles = list(session.takes.shown.titles)
        chosen = desk.choice("held out", titles, session.takes.clip, "a clip that is not trained on")
        if chosen != session.takes.clip:
            session.takes.choose(chosen)
        if desk.button("Pause" if head.playing else "Play", width=-1.0):
            head.toggle()
        imgui.set_next_item_width(-1.0)
        moved, frame = imgui.slider_int("##frame", head.frame, 0, max(head.frames - 1, 1), "frame %d")
        if moved:
            session.seek(frame)
        session.apart = desk.slider("apart", session.apart, 0.0, 2.0 * session.size, "%.2f m")

    def _plot(self, desk: Desk, steps: np.ndarray, training: np.ndarray, held: np.ndarray) -> None:
        imgui, implot = desk.imgui, desk.implot
        room = imgui.ImVec2(imgui.get_content_region_avail().x, 150 * desk.scale)
        if implot.begin_plot("##loss", room, implot.Flags_.no_inputs | implot.Flags_.no_title):
            implot.setup_axes("", "", implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
            implot.setup_axis_scale(implot.ImAxis_.y1, implot.Scale_.log10)
            for name, values, color in (("training", training, desk.look.accent), ("held-out", held, desk.look.warn)):
                implot.plot_line(name, steps, np.ascontiguousarray(values), desk.pen(color))
            implot.end_plot()
