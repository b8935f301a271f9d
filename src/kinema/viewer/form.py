"""The settings of a session as widgets of viser's panel."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import viser

from kinema.errors import one_line
from kinema.session.library import matching
from kinema.session.settings import Action, Choice, Facts, SessionSetting, Slider, Switch

MAX_LISTED = 300
"""Options of a list at a time; a search narrows it down."""

FEW = 8
"""Options above which a list can be searched."""

CLOSED = frozenset({"Controller settings", "Show"})
"""Groups that are folded at first."""

_NOTHING = ("-",)


class Form:
    """Widgets for all settings that a session offers at the moment.

    Args:
        later: carries a task out on the thread of the session; events arrive on others.
    """

    def __init__(self, server: viser.ViserServer, later: Callable[[Callable[[], None]], None]) -> None:
        self._gui, self._later = server.gui, later
        self._folders: dict[str, viser.GuiFolderHandle] = {}
        self._widgets: dict[tuple[str, str], Widget] = {}

    def refresh(self, settings: Sequence[SessionSetting]) -> None:
        """Show these settings with the values they have now, and no others."""
        keys = {(setting.group, setting.label): setting for setting in settings}
        for key in [key for key in self._widgets if key not in keys]:
            self._widgets.pop(key).remove()
        for key, setting in keys.items():
            if key not in self._widgets:
                with self._folder(setting.group):
                    self._widgets[key] = make_widget(self._gui, setting, self._later)
            self._widgets[key].refresh(setting)

    def _folder(self, group: str) -> viser.GuiFolderHandle:
        if group not in self._folders:
            self._folders[group] = self._gui.add_folder(group, expand_by_default=group not in CLOSED)
        return self._folders[group]


class Widget:
    """One setting and its handles in viser's panel."""

    def __init__(self, setting: SessionSetting, later: Callable[[Callable[[], None]], None]) -> None:
        self.setting, self._later = setting, later
        self._handles: list[Any] = []
        self._known: Any = None

    def value(self) -> Any:
        """What the session has, as the handle shows it."""
        return getattr(self.setting, "get", lambda: None)()

    def refresh(self, setting: SessionSetting) -> None:
        """Show the value, if it changed in the session since it was shown last."""
        self.setting = setting
        value = self.value()
        if value != self._known:
            self._known = value
            self.show(value)

    def show(self, value: Any) -> None:
        """Bring a value into the browser."""
        self._handles[0].value = value

    def listen(self, handle: Any) -> None:
        """Put what a person chooses into the session. Changes of our own have no client."""
        self._handles.append(handle)

        def changed(event: Any) -> None:
            if event.client is not None:
                value = event.target.value
                self._later(lambda: self.put(value))

        handle.on_update(changed)

    def put(self, value: Any) -> None:
        """Set a value that came from a browser, and show what became of it."""
        try:
            self.setting.put(value)  # pyright: ignore[reportAttributeAccessIssue]
        finally:
            self._known = self.value()
            self.show(self._known)

    def remove(self) -> None:
        """Take it out of the panel."""
        for handle in self._handles:
            handle.remove()


class _Choice(Widget):
    """A list, with a search above it where it is long."""

    def __init__(self, gui: viser.GuiApi, setting: Choice, later: Callable[[Callable[[], None]], None]) -> None:
        super().__init__(setting, later)
        self._search = gui.add_text(f"Find {setting.label.lower()}", "", visible=False)
        self.listen(gui.add_dropdown(setting.label, _NOTHING, hint=setting.hint or None))
        self._handles.append(self._search)
        self._search.on_update(lambda _: later(lambda: self.show(self._known)))

    def value(self) -> Any:
        assert isinstance(self.setting, Choice)
        options = tuple(self.setting.options())
        place = self.setting.get()
        return options, options[place] if 0 <= place < len(options) else ""

    def show(self, value: Any) -> None:
        options, chosen = value
        found = matching(options, self._search.value)[:MAX_LISTED] or list(options[:MAX_LISTED])
        listed = tuple(found if chosen in found or not chosen else [chosen, *found]) or _NOTHING
        self._search.visible = len(options) > FEW
        box = self._handles[0]
        if tuple(box.options) != listed:
            box.options = listed
        if chosen and box.value != chosen:
            box.value = chosen


class _Slider(Widget):
    """A slider whose limits may change."""

    def value(self) -> Any:
        assert isinstance(self.setting, Slider)
        low, high = float(self.setting.low), float(self.setting.high)
        return low, high, min(max(float(self.setting.get()), low), high)

    def show(self, value: Any) -> None:
        low, high, number = value
        slider = self._handles[0]
        if (slider.min, slider.max) != (low, high):
            slider.min, slider.max = low, high
        if slider.value != number:
            slider.value = number


class _Facts(Widget):
    """Lines of text."""

    def value(self) -> Any:
        assert isinstance(self.setting, Facts)
        return tuple(self.setting.rows())

    def show(self, value: Any) -> None:
        lines = [f"{plain(name)}: {plain(text)}" if name else f"*{plain(text)}*" for name, text in value]
        self._handles[0].content = "<br>".join(lines)


def make_widget(gui: viser.GuiApi, setting: SessionSetting, later: Callable[[Callable[[], None]], None]) -> Widget:
    """The widget for a setting, in the folder that is open."""
    hint = setting.hint or None
    match setting:
        case Choice():
            return _Choice(gui, setting, later)
        case Facts():
            widget = _Facts(setting, later)
            widget._handles.append(gui.add_markdown(""))
        case Action():
            widget = Widget(setting, later)
            button = gui.add_button(setting.label, hint=hint)
            button.on_click(lambda _: later(lambda: widget.setting.act()))  # pyright: ignore[reportAttributeAccessIssue]
            widget._handles.append(button)
        case Switch():
            widget = Widget(setting, later)
            widget.listen(gui.add_checkbox(setting.label, setting.get(), hint=hint))
        case Slider(step=step):
            widget = _Slider(setting, later)
            low, high, value = widget.value()
            widget.listen(gui.add_slider(setting.label, low, high, float(step), value, hint=hint))
        case _:
            raise TypeError(f"no widget for {type(setting).__name__}")
    return widget


def plain(text: str) -> str:
    """Text as Markdown that shows it as it is: a name out of a file must not become markup in the browser."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", one_line(text))
