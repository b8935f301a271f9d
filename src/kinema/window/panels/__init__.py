"""The panels of the window. To add one, copy the smallest file here and name its class in `PANELS`."""

from __future__ import annotations

from collections.abc import Callable

from kinema.session.rehearsal import RehearsalSession
from kinema.session.samples import SamplesSession
from kinema.window.panels.camera import CameraPanel
from kinema.window.panels.clips import ClipsPanel
from kinema.window.panels.curves import CurveGraph, CurvesPanel
from kinema.window.panels.editor import EditorPanel
from kinema.window.panels.inspector import InspectorPanel
from kinema.window.panels.learning import LearningPanel
from kinema.window.panels.messages import MessagesPanel
from kinema.window.panels.over_time import OverTimePanel
from kinema.window.panels.panel import Panel
from kinema.window.panels.performance import PerformancePanel
from kinema.window.panels.settings import SettingsPanel
from kinema.window.panels.timeline import TimelinePanel

PANELS: tuple[Callable[[], Panel], ...] = (
    LearningPanel,
    # Other sessions have widgets of their own for these.
    lambda: SettingsPanel("Clip", kinds=(RehearsalSession,)),
    lambda: SettingsPanel("Time", kinds=(RehearsalSession, SamplesSession)),
    lambda: SettingsPanel("Samples", "left"),
    ClipsPanel,
    lambda: SettingsPanel("Drive", "left"),
    InspectorPanel,
    lambda: SettingsPanel("Show", "left", columns=2),
    CameraPanel,
    lambda: SettingsPanel("Character"),
    CurvesPanel,
    EditorPanel,
    lambda: SettingsPanel("Controller settings", unfolded=False),
    TimelinePanel,
    CurveGraph,
    OverTimePanel,
    PerformancePanel,
    MessagesPanel,
)
"""In the order of their columns, from the top."""

__all__ = ["PANELS", "Panel"]
