"""The settings of a session as widgets."""

from __future__ import annotations

from kinema.session.session import Session
from kinema.session.settings import Action, Choice, Facts, Pad, SessionSetting, Slider, Switch, WordsSetting
from kinema.window.panels.panel import Panel, Place
from kinema.window.widgets import Widgets


class SettingsPanel(Panel[Session]):
    """One group of settings, for any session that has it.

    Args:
        group: group of the settings; the title as well.
        columns: number of columns.
        kinds: types of the sessions that show it, if they have the group.
    """

    def __init__(
        self,
        group: str,
        place: Place = "right",
        unfolded: bool = True,
        columns: int = 1,
        kinds: tuple[type[Session], ...] = (Session,),
    ) -> None:
        self.title, self.place, self.open, self._columns, self._kinds = group, place, unfolded, columns, kinds

    def wanted(self, session: Session) -> bool:
        return isinstance(session, self._kinds) and any(each.group == self.title for each in session.settings())

    def draw(self, ui: Widgets, session: Session) -> None:
        """One widget per setting."""
        imgui = ui.imgui
        if imgui.begin_table("##settings", self._columns, imgui.TableFlags_.sizing_stretch_same):
            for setting in session.settings():
                if setting.group == self.title:
                    imgui.table_next_column()
                    _widget(ui, setting)
            imgui.end_table()


def _widget(ui: Widgets, setting: SessionSetting) -> None:
    match setting:
        case Switch():
            value = ui.switch(setting.label, setting.get(), setting.hint)
        case Slider():
            value = ui.slider(
                setting.label, setting.get(), setting.low, setting.high, setting.form, setting.hint, setting.logarithmic
            )
        case Choice():
            value = ui.choice(setting.label, setting.options(), setting.get(), setting.hint)
        case Pad():
            value = ui.pad(setting.label, setting.get(), setting.places(), setting.hint)
        case WordsSetting():
            typed = ui.text(setting.label, setting.get(), setting.empty, setting.hint)
            if typed is not None:
                setting.put(typed)
            return
        case Facts():
            for name, text in setting.rows():
                ui.fact(name, text) if name else ui.wrapped(text, ui.look.warn)
            return
        case Action():
            if ui.button(setting.label, setting.hint, width=-1.0):
                setting.act()
            return
        case _:
            return
    if value != setting.get():
        setting.put(value)
