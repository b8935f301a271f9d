"""From where the scene is seen."""

from __future__ import annotations

import math

from kinema.session.session import Session
from kinema.window.desk import Desk
from kinema.window.eye import HINTS, NAMES
from kinema.window.panels.panel import Panel, Place


class CameraPanel(Panel):
    """The cameras, and the lens of the present one."""

    title = "Camera"
    place: Place = "left"

    def draw(self, desk: Desk, session: Session) -> None:
        """Buttons, then sliders."""
        eyes = desk.window.eyes
        eyes.choose(desk.segments("cameras", NAMES, eyes.name, HINTS))
        rigs = {"Orbit": eyes.orbit, "Behind": eyes.third, "Frame": eyes.follow, "Tripod": eyes.tripod}
        rig = rigs.get(eyes.name, eyes.free)
        rig.fov = math.radians(desk.slider("angle of view", math.degrees(rig.fov), 5.0, 100.0, "%.0f\u00b0"))
        if desk.button(f"{desk.gui.icon('reset')}  Back to the character", width=-1.0):
            eyes.meet(session.target)
