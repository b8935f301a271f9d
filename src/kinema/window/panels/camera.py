"""The choice of cameras."""

from __future__ import annotations

import math

from kinema.session.session import Session
from kinema.window.cameras import HINTS, NAMES
from kinema.window.panels.panel import Panel, Place
from kinema.window.widgets import Widgets


class CameraPanel(Panel[Session]):
    """The cameras, and the angle of view."""

    title = "Camera"
    place: Place = "left"

    def draw(self, ui: Widgets, session: Session) -> None:
        """Buttons, then sliders."""
        cameras = ui.window.cameras
        cameras.choose(ui.segments("cameras", NAMES, cameras.name, HINTS))
        rig = cameras.rig
        rig.fov = math.radians(ui.slider("angle of view", math.degrees(rig.fov), 5.0, 100.0, "%.0f\u00b0"))
        if ui.button(f"{ui.gui.icon('reset')}  Back to the character", width=-1.0):
            cameras.meet(session.target)
