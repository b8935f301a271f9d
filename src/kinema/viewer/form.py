"""The settings of a session as viser widgets."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import viser

from kinema.errors import ControlError, one_line
from kinema.session.library import matching
from kinema.session.settings import Action, Choice, Facts, Pad, SessionSetting, Slider, Switch, WordsSetting

MAX_LISTED = 300
"""Maximum number of options that are listed; the search finds the others."""

FEW = 8
"""Longer lists have a search field."""

CLOSED = frozenset({"Controller settings", "Show"})
"""Groups that are collapsed at first."""

_NOTHING = ("-",)

Point = tuple[float, float]


class Form:
    """Widgets for all current settings of a session.

    Args:
        later: runs a task on the session's thread; events arrive on other threads.
    """

    def __init__(self, server: viser.ViserServer, later: Callable[[Callable[[], None]], None]) -> None:
        self._gui, self._later = server.gui, later
        self._folders: dict[str, viser.GuiFolderHandle] = {}
        self._widgets: dict[tuple[str, str], Widget] = {}

    def refresh(self, settings: Sequence[SessionSetting]) -> None:
        """Show these settings and their values, and no others."""
        keys = {(setting.group, setting.label): setting for setting in settings}
        for key in [key for key in self._widgets if key not in keys]:
            self._widgets.pop(key).remove()
        for key, setting in keys.items():
            if key not in self._widgets:
                with self._folder(setting.group):
                    self._widgets[key] = WIDGETS[type(setting)](self._gui, setting, self._later)
            self._widgets[key].refresh(setting)

    def put(self, group: str, label: str, value: Any) -> None:
        """Set a value that the page's own script sent; ControlError if there is no such setting, or it is refused."""
        widget = self._widgets.get((group, label))
        if widget is None:
            raise ControlError(f"there is no setting {label!r:.40} in {group!r:.40}")
        widget.put(value)

    def _folder(self, group: str) -> viser.GuiFolderHandle:
        if group not in self._folders:
            self._folders[group] = self._gui.add_folder(group, expand_by_default=group not in CLOSED)
        return self._folders[group]


class Widget:
    """A setting and its viser handles. The first handle has the value.

    Args:
        later: runs a task on the session's thread.
    """

    def __init__(self, gui: viser.GuiApi, setting: Any, later: Callable[[Callable[[], None]], None]) -> None:
        self.setting: Any = setting
        self._later = later
        self._handles: list[Any] = []
        self._known: Any = None
        self.add(gui, setting.label, setting.hint or None)

    def add(self, gui: viser.GuiApi, label: str, hint: str | None) -> None:
        """Add the handles."""
        raise NotImplementedError

    def value(self) -> Any:
        """The value of the setting, as the handle shows it."""
        return self.setting.get()

    def refresh(self, setting: SessionSetting) -> None:
        """Show the value if it changed in the session."""
        self.setting = setting
        value = self.value()
        if value != self._known:
            self._known = value
            self.show(value)

    def show(self, value: Any) -> None:
        """Set the value of the handle."""
        self._handles[0].value = value

    def listen(self, handle: Any) -> None:
        """Pass changes by users to the session. Changes by the program have no client."""
        self._handles.append(handle)

        def changed(event: Any) -> None:
            if event.client is not None:
                value = event.target.value
                self._later(lambda: self.put(value))

        handle.on_update(changed)

    def put(self, value: Any) -> None:
        """Set a value that came from a browser, and show the result."""
        try:
            self.setting.put(value)
        finally:
            self._known = self.value()
            self.show(self._known)

    def remove(self) -> None:
        """Remove it from the panel."""
        for handle in self._handles:
            handle.remove()


class _Switch(Widget):
    """A check box."""

    def add(self, gui: viser.GuiApi, label: str, hint: str | None) -> None:
        self.listen(gui.add_checkbox(label, self.value(), hint=hint))


class _Choice(Widget):
    """A drop-down list; long lists have a search field."""

    def add(self, gui: viser.GuiApi, label: str, hint: str | None) -> None:
        self._search = gui.add_text(f"Find {label.lower()}", "", visible=False)
        self.listen(gui.add_dropdown(label, _NOTHING, hint=hint))
        self._handles.append(self._search)
        self._search.on_update(lambda _: self._later(lambda: self.show(self._known)))

    def value(self) -> Any:
        options, place = tuple(self.setting.options()), self.setting.get()
        return options, options[place] if 0 <= place < len(options) else ""

    def show(self, value: Any) -> None:
        options, chosen = value
        found = matching(options, self._search.value)[:MAX_LISTED] or list(options[:MAX_LISTED])
        listed = tuple(found if chosen in found or not chosen else [chosen, *found]) or _NOTHING
        self._search.visible = len(options) > FEW
        box = self._handles[0]
        if tuple(box.options) != listed:
            box.options = listed
        if chosen:
            box.value = chosen


class _Slider(Widget):
    """A slider with variable limits."""

    def add(self, gui: viser.GuiApi, label: str, hint: str | None) -> None:
        low, high, value = self.value()
        self.listen(gui.add_slider(label, low, high, float(self.setting.step), value, hint=hint))

    def value(self) -> Any:
        low, high = float(self.setting.low), float(self.setting.high)
        return low, high, min(max(float(self.setting.get()), low), high)

    def show(self, value: Any) -> None:
        slider = self._handles[0]
        slider.min, slider.max, slider.value = value


class _Text(Widget):
    """A field to type in. What is typed is put when a person pauses."""

    _CALM = 0.7  # seconds

    def add(self, gui: viser.GuiApi, label: str, hint: str | None) -> None:
        self._typed: tuple[str, float] | None = None
        field = gui.add_text(label, self.value(), hint=hint or self.setting.empty or None)
        self._handles = [field]

        def typed(event: Any) -> None:
            if event.client is not None:
                self._typed = event.target.value, time.monotonic()

        field.on_update(typed)

    def refresh(self, setting: SessionSetting) -> None:
        self.setting = setting
        if self._typed is None:
            super().refresh(setting)
        elif time.monotonic() - self._typed[1] >= self._CALM:
            text, self._typed = self._typed[0], None
            self._later(lambda: self.put(text))

    def put(self, value: Any) -> None:
        """Set a value. A text that is refused stays in the field, to be mended."""
        self._known = value
        self.setting.put(value)


class _Button(Widget):
    """A button."""

    def add(self, gui: viser.GuiApi, label: str, hint: str | None) -> None:
        self._handles = [gui.add_button(label, hint=hint)]
        self._handles[0].on_click(lambda _: self._later(lambda: self.setting.act()))

    def value(self) -> None:
        return None


class _Facts(Widget):
    """Lines of text."""

    def add(self, gui: viser.GuiApi, label: str, hint: str | None) -> None:
        self._handles = [gui.add_markdown("")]

    def value(self) -> Any:
        return tuple(self.setting.rows())

    def show(self, value: Any) -> None:
        lines = [f"{plain(name)}: {plain(text)}" if name else f"*{plain(text)}*" for name, text in value]
        self._handles[0].content = "<br>".join(lines)


class _Pad(Widget):
    """A square with a knob; the page's script says where it is dragged."""

    def add(self, gui: viser.GuiApi, label: str, hint: str | None) -> None:
        self._handles = [gui.add_html("")]

    def value(self) -> Any:
        return self.setting.get(), tuple(self.setting.places().items())

    def show(self, value: Any) -> None:
        self._handles[0].content = pad_markup(self.setting, *value)


def pad_markup(setting: Pad, point: Point, places: Sequence[tuple[str, Point]]) -> str:
    """A pad as a picture in the page. Its attributes say to the page's script which setting it is."""

    def at(place: Point) -> tuple[float, float]:
        return 100.0 * place[0], 100.0 * (1.0 - place[1])

    dots = ""
    for name, place in places:
        x, y = at(place)
        side = "start" if x < 25 else "end" if x > 75 else "middle"
        dots += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.5"/>'
        dots += f'<text x="{x:.1f}" y="{y + 6:.1f}" text-anchor="{side}">{html.escape(one_line(name))}</text>'
    x, y = at(point)
    return (
        f'<div class="kinema-pad" data-group="{html.escape(setting.group)}" data-label="{html.escape(setting.label)}" '
        f'title="{html.escape(setting.hint)}"><span>{html.escape(setting.label)}</span>'
        f'<svg viewBox="0 0 100 100">{dots}<circle class="knob" cx="{x:.1f}" cy="{y:.1f}" r="4"/></svg></div>'
    )


WIDGETS: dict[type[SessionSetting], type[Widget]] = {
    Switch: _Switch,
    Choice: _Choice,
    Slider: _Slider,
    WordsSetting: _Text,
    Action: _Button,
    Facts: _Facts,
    Pad: _Pad,
}
"""The widget of each kind of setting."""


def plain(text: str) -> str:
    """Escape text for Markdown: names from files must not become markup in the browser."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", one_line(text))
