"""The settings of the controller, to be turned while it runs."""

from __future__ import annotations

from typing import Any

from kinema.window import inspect
from kinema.window.desk import Desk
from kinema.window.mode import Mode
from kinema.window.panels.panel import Panel
from kinema.window.playing import PlayMode


class TuningPanel(Panel):
    """A slider for each setting, by part; stages can be switched off to see what they do."""

    title = "Settings"
    modes = frozenset({"play"})
    open = False

    def __init__(self) -> None:
        self._off: dict[str, Any] = {}

    def draw(self, desk: Desk, mode: Mode) -> None:
        """Stages, then settings."""
        assert isinstance(mode, PlayMode)
        if mode.cast is None:
            desk.muted("nobody is here yet")
            return
        controller = mode.cast.inside
        for label, name in (("Foot lock", "foot_lock"), ("Adjustment", "adjustment")):
            if hasattr(controller, name) and (getattr(controller, name) is not None or name in self._off):
                on = desk.switch(label, getattr(controller, name) is not None, "A stage after the family")
                self.switch(mode, name, on)
        part = ""
        for knob in inspect.knobs(controller):
            if knob.part != part:
                part = knob.part
                desk.imgui.separator_text(part)
            value = desk.slider(f"{knob.name.replace('_', ' ')}##{part}", knob.value, knob.low, knob.high, "%.3f")
            if value != knob.value:
                inspect.turn(controller, knob, value)

    def switch(self, mode: PlayMode, name: str, on: bool) -> None:
        """Leave a stage out, or put it back as it was."""
        assert mode.cast is not None
        controller: Any = mode.cast.inside
        stage = getattr(controller, name)
        if on and stage is None:
            stage = self._off.pop(name)
            stage.reset(len(mode.group.ids) if mode.group is not None else 1)
            setattr(controller, name, stage)
        elif not on and stage is not None:
            self._off[name] = stage
            setattr(controller, name, None)
