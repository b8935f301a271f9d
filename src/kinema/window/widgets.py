"""What panels draw with: imgui, the window, and small widgets that all panels share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kinema.session.log import Level, Log
from kinema.window.gui import Gui
from kinema.window.theme import Color, Theme
from kinema.window.timescale import Timescale

if TYPE_CHECKING:
    from kinema.window.shell import Window


@dataclass
class Widgets:
    """Passed to every panel; one per window.

    Attributes:
        gui: the imgui context. log: messages. window: the window, with cameras, canvas and session.
        timescale: the range of frames that panels with a time axis show.
    """

    gui: Gui
    log: Log
    window: Window
    timescale: Timescale = field(default_factory=Timescale)

    @property
    def imgui(self) -> Any:
        return self.gui.imgui

    @property
    def implot(self) -> Any:
        return self.gui.implot

    @property
    def look(self) -> Theme:
        return self.gui.look

    @property
    def scale(self) -> float:
        return self.gui.scale

    def color(self, color: Color, opacity: float = 1.0) -> int:
        """A colour as an integer for draw lists."""
        vector = self.imgui.ImVec4(*color[:3], color[3] * opacity)
        return int(self.imgui.color_convert_float4_to_u32(vector))

    def level_color(self, level: Level) -> Color:
        """The colour of messages of a level."""
        return {"note": self.look.ink, "warning": self.look.warn, "error": self.look.bad}[level]

    def pen(self, color: Color, weight: float = 1.6, opacity: float = 1.0) -> Any:
        """Line style of a curve."""
        spec = self.implot.Spec()
        spec.line_color = self.imgui.ImVec4(*color[:3], opacity)
        spec.line_weight = weight * self.scale
        return spec

    def muted(self, text: str) -> None:
        """Draw less important text."""
        with self.tinted(self.look.muted):
            self.imgui.text_unformatted(text)

    def wrapped(self, text: str, color: Color | None = None) -> None:
        """Draw text that wraps."""
        self.imgui.push_text_wrap_pos(0.0)
        with self.tinted(color or self.look.ink):
            self.imgui.text_unformatted(text)
        self.imgui.pop_text_wrap_pos()

    @contextmanager
    def tinted(self, color: Color) -> Iterator[None]:
        """Give all text inside a colour."""
        self.imgui.push_style_color(self.imgui.Col_.text, self.imgui.ImVec4(*color))
        try:
            yield
        finally:
            self.imgui.pop_style_color()

    def heading(self, text: str) -> None:
        """Draw a small title in bold."""
        self.imgui.push_font(self.gui.fonts.strong, 0.0)
        self.imgui.text_unformatted(text)
        self.imgui.pop_font()

    def fact(self, name: str, value: str, color: Color | None = None) -> None:
        """Draw a name at the left and a value at the right of the line."""
        imgui = self.imgui
        self.muted(name)
        imgui.same_line()
        room = imgui.get_content_region_avail().x - imgui.calc_text_size(value).x
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0.0))
        with self.tinted(color or self.look.ink):
            imgui.text_unformatted(value)

    def button(self, label: str, hint: str = "", on: bool = False, enabled: bool = True, width: float = 0.0) -> bool:
        """Draw a button, highlighted when `on`; returns whether it was pressed."""
        imgui = self.imgui
        imgui.begin_disabled(not enabled)
        if on:
            imgui.push_style_color(imgui.Col_.button, imgui.ImVec4(*self.look.accent))
            imgui.push_style_color(imgui.Col_.button_hovered, imgui.ImVec4(*self.look.accent))
            imgui.push_style_color(imgui.Col_.text, imgui.ImVec4(*self.look.on_accent))
        pressed = bool(imgui.button(label, imgui.ImVec2(width, 0)))
        if on:
            imgui.pop_style_color(3)
        imgui.end_disabled()
        self.hint(hint)
        return pressed

    def hint(self, text: str) -> None:
        """Set the tooltip of the last widget."""
        if text and self.imgui.is_item_hovered(self.imgui.HoveredFlags_.for_tooltip):
            self.imgui.set_tooltip(text)

    def switch(self, label: str, value: bool, hint: str = "") -> bool:
        """Draw a check box; returns its value."""
        _, value = self.imgui.checkbox(label, value)
        self.hint(hint)
        return bool(value)

    def slider(
        self,
        label: str,
        value: float,
        low: float,
        high: float,
        form: str = "%.2f",
        hint: str = "",
        logarithmic: bool = False,
    ) -> float:
        """Draw a slider under its name and value; returns its value. Ctrl+click lets a person type a number."""
        imgui = self.imgui
        self.fact(label.partition("##")[0], form % value)
        imgui.push_style_var(imgui.StyleVar_.frame_padding, imgui.ImVec2(0, 0))
        imgui.push_style_var(imgui.StyleVar_.grab_min_size, 10 * self.scale)
        imgui.push_font(None, 10.0)  # a slider is as high as its text would be
        imgui.set_next_item_width(-1.0)
        flags = imgui.SliderFlags_.always_clamp | (imgui.SliderFlags_.logarithmic if logarithmic else 0)
        _, value = imgui.slider_float(f"##{label}", value, low, high, "", flags)
        imgui.pop_font()
        imgui.pop_style_var(2)
        self.hint(hint)
        return float(value)

    def choice(self, label: str, options: Sequence[str], chosen: int, hint: str = "") -> int:
        """Draw a drop-down list under its name; returns the chosen index."""
        if label and not label.startswith("##"):
            self.muted(label)
        self.imgui.set_next_item_width(-1.0)
        _, index = self.imgui.combo(f"##{label}", min(max(chosen, 0), len(options) - 1), list(options))
        self.hint(hint)
        return int(index)

    def text(self, label: str, value: str, empty: str = "", hint: str = "") -> str | None:
        """Draw a field to type in under its name; returns what was typed when Enter is pressed, else None.

        Args:
            value: the text when typing begins. empty: shown while there is none.
        """
        imgui = self.imgui
        self.muted(label)
        imgui.set_next_item_width(-1.0)
        flags = imgui.InputTextFlags_.enter_returns_true
        entered, typed = imgui.input_text_with_hint(f"##{label}", empty, value, flags)
        self.hint(hint)
        return str(typed) if entered else None

    def pad(
        self, label: str, point: tuple[float, float], places: Mapping[str, tuple[float, float]], hint: str = ""
    ) -> tuple[float, float]:
        """Draw a square with named places and a knob under its name; returns the point to which the knob is dragged."""
        imgui, look = self.imgui, self.look
        self.muted(label)
        size = min(imgui.get_content_region_avail().x, 220 * self.scale)
        corner = imgui.get_cursor_screen_pos()
        imgui.invisible_button(f"##{label}", imgui.ImVec2(size, size))
        if imgui.is_item_active():
            mouse = imgui.get_mouse_pos()
            x, y = (mouse.x - corner.x) / size, 1.0 - (mouse.y - corner.y) / size
            point = min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)
        else:
            self.hint(hint)
        paint = imgui.get_window_draw_list()

        def at(place: tuple[float, float]) -> Any:
            return imgui.ImVec2(corner.x + place[0] * size, corner.y + (1.0 - place[1]) * size)

        paint.add_rect_filled(corner, at((1.0, 0.0)), self.color(look.muted, 0.12), 6 * self.scale)
        for name, place in places.items():
            paint.add_circle_filled(at(place), 3 * self.scale, self.color(look.muted))
            width = imgui.calc_text_size(name).x
            left = min(max(at(place).x - 0.5 * width, corner.x + 2), corner.x + size - width - 2)
            paint.add_text(imgui.ImVec2(left, at(place).y + 4 * self.scale), self.color(look.ink), name)
        paint.add_circle_filled(at(point), 7 * self.scale, self.color(look.accent))
        return point

    def segments(self, label: str, options: Sequence[str], chosen: str, hints: Sequence[str] = ()) -> str:
        """Draw a row of buttons, one of them highlighted; returns the chosen one."""
        imgui = self.imgui
        gap = imgui.get_style().item_inner_spacing.x * 0.5
        imgui.push_id(label)
        for index, option in enumerate(options):
            if index:
                imgui.same_line(0.0, gap)
            if self.button(option, hints[index] if index < len(hints) else "", on=option == chosen):
                chosen = option
        imgui.pop_id()
        return chosen
