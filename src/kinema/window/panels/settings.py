"""The settings that a session offers, as widgets."""

from __future__ import annotations

from kinema.session.session import Session
from kinema.session.settings import Action, Choice, Facts, Setting, Slider, Switch
from kinema.window.desk import Desk
from kinema.window.panels.panel import Panel, Place


class SettingsPanel(Panel):
    """One group of settings, in any session that has it.

    Args:
        group: whose settings; the title as well.
        columns: side by side.
        sessions: names of those that show it; empty: all that have it.
    """

    def __init__(
        self,
        group: str,
        place: Place = "right",
        unfolded: bool = True,
        columns: int = 1,
        sessions: frozenset[str] = frozenset(),
    ) -> None:
        self.title, self.place, self.open, self._columns = group, place, unfolded, columns
        self.sessions = sessions

    def wanted(self, session: Session) -> bool:
        return super().wanted(session) and any(setting.group == self.title for setting in session.settings())

    def draw(self, desk: Desk, session: Session) -> None:
        """A widget for each."""
        imgui = desk.imgui
        if imgui.begin_table("##settings", self._columns, imgui.TableFlags_.sizing_stretch_same):
            for setting in session.settings():
                if setting.group == self.title:
                    imgui.table_next_column()
                    _widget(desk, setting)
            imgui.end_table()


def _widget(desk: Desk, setting: Setting) -> None:
    match setting:
        case Switch():
            value = desk.switch(setting.label, setting.get(), setting.hint)
        case Slider():
            value = desk.slider(
                setting.label, setting.get(), setting.low, setting.high, setting.form, setting.hint, setting.logarithmic
            )
        case Choice():
            value = desk.choice(setting.label, setting.options(), setting.get(), setting.hint)
        case Facts():
            for name, text in setting.rows():
                desk.fact(name, text) if name else desk.wrapped(text, desk.look.warn)
            return
        case Action():
            if desk.button(setting.label, setting.hint, width=-1.0):
                setting.act()
            return
        case _:
            return
    if value != setting.get():
        setting.put(value)
