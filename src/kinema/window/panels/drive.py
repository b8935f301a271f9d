"""Steering: how fast, and how many."""

from __future__ import annotations

import math
from typing import ClassVar

from kinema.window.desk import Desk
from kinema.window.mode import Mode
from kinema.window.panels.panel import Panel, Place
from kinema.window.playing import MOST, PlayMode


class DrivePanel(Panel):
    """Speeds of the keys, the crowd, and what steers now."""

    title = "Drive"
    place: ClassVar[Place] = "left"
    modes = frozenset({"play"})

    def draw(self, desk: Desk, mode: Mode) -> None:
        """Sliders and what the hand does."""
        assert isinstance(mode, PlayMode)
        if mode.cast is None:
            desk.wrapped(mode.waiting, desk.look.muted)
            return
        steering = mode.hand.steering
        steering.walk = desk.slider("walk", steering.walk, 0.3, 2.5, "%.1f m/s")
        steering.run = desk.slider("run (Shift)", steering.run, 1.0, 6.0, "%.1f m/s")
        steering.slow = desk.slider("slow (Alt)", steering.slow, 0.2, 1.5, "%.1f m/s")
        # Even steps of the hand are even shares of the number.
        said = "The others wander about; all are stepped as one batch"
        place = desk.slider("characters", math.log2(mode.crowd + 1), 0.0, math.log2(MOST), f"{mode.crowd + 1}", said)
        count = round(2**place)
        if count != mode.crowd + 1:
            mode.set_crowd(count - 1)
        if desk.button(f"{desk.gui.icon('reset')}  Start over", "Everybody back to where they began (R)", width=-1.0):
            mode.restart()
        pad = mode.hand.pad
        desk.muted(f"{desk.gui.icon('pad')}  {pad.name}" if pad else f"{desk.gui.icon('pad')}  no gamepad")
