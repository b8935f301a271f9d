"""What is drawn besides the body."""

from __future__ import annotations

from typing import ClassVar

from kinema.window.desk import Desk
from kinema.window.mode import Mode
from kinema.window.panels.panel import Panel, Place


class ShowPanel(Panel):
    """Switches for the marks of a mode."""

    title = "Show"
    modes = frozenset({"view", "play"})
    place: ClassVar[Place] = "left"

    def draw(self, desk: Desk, mode: Mode) -> None:
        """Two columns of switches; their numbers are keys."""
        imgui = desk.imgui
        if imgui.begin_table("##marks", 2, imgui.TableFlags_.sizing_stretch_same):
            for number, name in enumerate(list(mode.show), start=1):
                imgui.table_next_column()
                if desk.switch(name, mode.show[name], f"key {number}" if number < 10 else "") != mode.show[name]:
                    mode.toggle_mark(name)
            imgui.end_table()
