"""The imgui context: window events go in, draw commands come out."""

from __future__ import annotations

from typing import Any

from kinema.errors import MissingError
from kinema.window import theme
from kinema.window.events import Button, Event, Focus, Key, Pointer, Scroll, Text
from kinema.window.keys import IMGUI, MODIFIERS, held
from kinema.window.surface import GlfwSurface


def libraries() -> tuple[Any, Any]:
    """The modules `imgui` and `implot`.

    Raises:
        MissingError: imgui-bundle is not installed.
    """
    try:
        from imgui_bundle import imgui, implot
    except ImportError:
        raise MissingError(
            "a window needs imgui-bundle, which is not installed: pip install 'kinema[window]' (or leave --window out "
            "to use the browser)"
        ) from None
    return imgui, implot


class Gui:
    """An imgui context that is drawn into one surface.

    Args:
        surface: where it is drawn; None draws nowhere (for tests of panels).
    """

    def __init__(self, surface: GlfwSurface | None, look: theme.Theme = theme.DARK) -> None:
        self.imgui, self.implot = libraries()
        self.surface, self.look = surface, look
        self._context = self.imgui.create_context()
        self.imgui.set_current_context(self._context)
        self._plots = self.implot.create_context()
        self.implot.set_current_context(self._plots)
        io = self.imgui.get_io()
        io.set_ini_filename("")  # no file is written where the program happens to run
        io.set_log_filename("")
        io.config_flags |= self.imgui.ConfigFlags_.no_mouse_cursor_change
        # A panel that fails leaves imgui scopes open; they are closed for it, and its error is logged instead.
        io.config_error_recovery_enable_assert = False
        io.config_error_recovery_enable_tooltip = False
        self.fonts = theme.load_fonts(self.imgui)
        self.zoom = 1.0
        """The user's factor on top of the display scale."""
        self._applied: tuple[str, float] | None = None
        if surface is None:
            io.backend_flags |= self.imgui.BackendFlags_.renderer_has_textures
        else:
            self._attach(surface)

    def _attach(self, surface: GlfwSurface) -> None:
        self.imgui.backends.opengl3_init("#version 330 core")
        platform = self.imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _context: surface.clipboard
        platform.platform_set_clipboard_text_fn = lambda _context, text: setattr(surface, "clipboard", text)

    @property
    def scale(self) -> float:
        """Scale of text and spacing; 1 on an ordinary display."""
        return self.zoom * (self.surface.scale if self.surface is not None else 1.0)

    def icon(self, name: str) -> str:
        """The text of an icon of `kinema.window.theme.ICONS`."""
        symbol, word = theme.ICONS[name]
        return symbol if self.fonts.icons else word

    def feed(self, events: list[Event], keys: set[str]) -> None:
        """Pass events to imgui; `keys` are those held now."""
        io, imgui = self.imgui.get_io(), self.imgui
        for event in events:
            match event:
                case Pointer(x, y):
                    io.add_mouse_pos_event(x, y)
                case Button(button, down) if button < 5:
                    io.add_mouse_button_event(button, down)
                case Scroll(x, y):
                    io.add_mouse_wheel_event(x, y)
                case Text(character):
                    io.add_input_character(ord(character))
                case Focus(focused):
                    io.add_focus_event(focused)
                case Key(code, down, repeat) if not repeat and code in IMGUI:
                    for modifier, name in MODIFIERS:
                        io.add_key_event(getattr(imgui.Key, name), held(keys, modifier))
                    io.add_key_event(getattr(imgui.Key, IMGUI[code]), down)

    def begin(self, size: tuple[int, int], density: float, dt: float) -> None:
        """Start a frame of `size` points, `density` pixels per point, `dt` seconds after the last one."""
        if self._applied != (self.look.name, self.scale):
            self._applied = (self.look.name, self.scale)
            theme.apply(self.imgui, self.implot, self.look, self.scale)
        io = self.imgui.get_io()
        io.display_size = self.imgui.ImVec2(*size)
        io.display_framebuffer_scale = self.imgui.ImVec2(density, density)
        io.delta_time = max(dt, 1e-4)
        if self.surface is not None:
            self.imgui.backends.opengl3_new_frame()
        self.imgui.new_frame()

    def end(self) -> None:
        """Finish the frame and draw it into the bound framebuffer."""
        self.imgui.render()
        if self.surface is not None:
            self.imgui.backends.opengl3_render_draw_data(self.imgui.get_draw_data())
            self.surface.set_cursor(self.imgui.MouseCursor_(self.imgui.get_mouse_cursor()).name)

    @property
    def wants_mouse(self) -> bool:
        """Whether the GUI uses the mouse."""
        return bool(self.imgui.get_io().want_capture_mouse)

    @property
    def wants_text(self) -> bool:
        """Whether a text field has the keyboard."""
        return bool(self.imgui.get_io().want_text_input)

    def close(self) -> None:
        """Release everything; the OpenGL context of the surface must be current (lost or not)."""
        if self._context is None:
            return
        if self.surface is not None:
            self.imgui.backends.opengl3_shutdown()
        self.implot.destroy_context(self._plots)
        self.imgui.destroy_context(self._context)
        self._context = None
