"""A GLFW window with an OpenGL context and its events."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from kinema.errors import MissingError
from kinema.rendering.context import adopt_context, step_aside
from kinema.window.events import OUTSIDE, Button, Drop, Event, Focus, Key, Pointer, Scroll, Text
from kinema.window.keys import CODES

CURSORS = {
    "text_input": "IBEAM_CURSOR",
    "hand": "HAND_CURSOR",
    "resize_ew": "HRESIZE_CURSOR",
    "resize_ns": "VRESIZE_CURSOR",
}
"""GLFW's pointer of each shape of imgui's."""

LEAST = (160, 120)
"""The smallest size in pixels that is drawn; smaller windows only handle events."""


_open: set[int] = set()  # GLFW itself is one a process: it ends with the last of its windows


class GlfwSurface:
    """A window. Its OpenGL context is current on the thread that made it, which must be the main thread.

    Args:
        title: title of the window.
        size: size in points, without the frame.
        visible: False keeps it off the screen (pictures can be read back all the same).

    Raises:
        MissingError: glfw or moderngl is not installed, or there is no display or no OpenGL 3.3.
    """

    def __init__(self, title: str, size: tuple[int, int] = (1280, 800), visible: bool = True) -> None:
        self.glfw = _library()
        self.title, self.visible = title, visible
        self.keys: set[str] = set()
        """Codes of the keys held."""
        self._events: list[Event] = []
        self._cursors: dict[str, Any] = {}
        self._error = ""
        self.glfw.set_error_callback(self._on_error)
        # On macOS, GLFW would change the current folder.
        self.glfw.init_hint(self.glfw.COCOA_CHDIR_RESOURCES, self.glfw.FALSE)
        if not self.glfw.init():
            raise MissingError(
                f"there is no display to open a window on ({self._error or 'GLFW cannot start'}): use the browser "
                "(leave --window out), or a virtual screen: xvfb-run -a kinema … (Debian: apt-get install xvfb)"
            )
        self._make(size, None)

    def _make(self, size: tuple[int, int], place: tuple[int, int] | None) -> None:
        glfw = self.glfw
        glfw.default_window_hints()
        for hint, value in (
            (glfw.CONTEXT_VERSION_MAJOR, 3),
            (glfw.CONTEXT_VERSION_MINOR, 3),
            (glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE),
            (glfw.OPENGL_FORWARD_COMPAT, glfw.TRUE),
            (glfw.VISIBLE, glfw.TRUE if self.visible else glfw.FALSE),
            (glfw.SCALE_TO_MONITOR, glfw.TRUE),
            (glfw.DEPTH_BITS, 0),
            (glfw.STENCIL_BITS, 0),
        ):
            glfw.window_hint(hint, value)
        self._error = ""
        step_aside()
        handle = None
        # So that a driver reset can be noticed. Some drivers know no robustness.
        for robustness in (glfw.LOSE_CONTEXT_ON_RESET, glfw.NO_ROBUSTNESS):
            glfw.window_hint(glfw.CONTEXT_ROBUSTNESS, robustness)
            handle = handle or glfw.create_window(max(size[0], 1), max(size[1], 1), self.title, None, None)
        if not handle:
            said = self._error or "no reason given"
            self._terminate()
            raise MissingError(
                f"no window with OpenGL 3.3 can be opened ({said}): update the graphics driver, or install the one in "
                "software (Debian: apt-get install libgl1-mesa-dri)"
            )
        self._handle = handle
        _open.add(id(self))
        if place is not None:
            glfw.set_window_pos(handle, *place)
        glfw.make_context_current(handle)
        glfw.swap_interval(1)
        self.context = adopt_context()
        self._reset_status = self._find_reset_status()
        self._hook()

    def _hook(self) -> None:
        glfw, handle = self.glfw, self._handle
        glfw.set_key_callback(handle, self._on_key)
        glfw.set_char_callback(handle, lambda _, code: self._events.append(Text(chr(code))))
        glfw.set_mouse_button_callback(
            handle, lambda _, button, action, __: self._events.append(Button(button, action == glfw.PRESS))
        )
        glfw.set_cursor_pos_callback(handle, lambda _, x, y: self._events.append(Pointer(x, y)))
        glfw.set_cursor_enter_callback(handle, lambda _, inside: None if inside else self._events.append(OUTSIDE))
        glfw.set_scroll_callback(handle, lambda _, x, y: self._events.append(Scroll(x, y)))
        glfw.set_window_focus_callback(handle, self._on_focus)
        glfw.set_drop_callback(handle, lambda _, paths: self._events.append(Drop(tuple(paths))))

    # ---- every frame ------------------------------------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        """Whether the window was closed."""
        return self._handle is None or bool(self.glfw.window_should_close(self._handle))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels; `(0, 0)` while it is minimised."""
        return (0, 0) if self._handle is None else tuple(self.glfw.get_framebuffer_size(self._handle))

    @property
    def points(self) -> tuple[int, int]:
        """Width and height in points, the unit of mouse positions."""
        return (0, 0) if self._handle is None else tuple(self.glfw.get_window_size(self._handle))

    @property
    def scale(self) -> float:
        """Scale of text in points, 1 on an ordinary display; on some systems points are scaled already."""
        if self._handle is None:
            return 1.0
        content = self.glfw.get_window_content_scale(self._handle)[0] or 1.0
        dense = self.size[0] / self.points[0] if self.points[0] else 1.0
        return min(max(content / max(dense, 1e-3), 0.5), 4.0)

    @property
    def drawable(self) -> bool:
        """Whether the window is large enough to draw in."""
        width, height = self.size
        return width >= LEAST[0] and height >= LEAST[1]

    @property
    def refresh_rate(self) -> float:
        """Frames per second of the display."""
        monitor = self.glfw.get_primary_monitor()
        mode = self.glfw.get_video_mode(monitor) if monitor else None
        return float(mode.refresh_rate) if mode is not None and mode.refresh_rate > 0 else 60.0

    def poll(self, wait: float = 0.0) -> list[Event]:
        """Events since the last call, in order; waits up to `wait` seconds for one."""
        if wait > 0:
            self.glfw.wait_events_timeout(wait)
        else:
            self.glfw.poll_events()
        events, self._events = self._events, []
        return events

    def swap(self) -> None:
        """Show the frame."""
        if self._handle is not None:
            self.glfw.swap_buffers(self._handle)

    @property
    def lost(self) -> bool:
        """Whether a driver reset has lost the context; see `recreate`."""
        return self._reset_status is not None and self._reset_status() != 0

    def recreate(self) -> None:
        """Make a new window and context after the old one was lost, with everything in it.

        Raises:
            MissingError: the driver makes no new one.
        """
        size, place = self.points, self.glfw.get_window_pos(self._handle)
        self.glfw.destroy_window(self._handle)
        self._handle = None
        _open.discard(id(self))
        self.keys.clear()
        self._cursors.clear()
        self._shape = "arrow"
        self._make(size, (int(place[0]), int(place[1])))

    # ---- the rest --------------------------------------------------------------------------------------------------

    def toggle_fullscreen(self) -> None:
        """Enter or leave full screen."""
        glfw, handle = self.glfw, self._handle
        if glfw.get_window_monitor(handle):
            place, size = self._before
            glfw.set_window_monitor(handle, None, *place, *size, 0)
            return
        monitor = glfw.get_primary_monitor()
        if monitor:
            self._before = glfw.get_window_pos(handle), glfw.get_window_size(handle)
            mode = glfw.get_video_mode(monitor)
            glfw.set_window_monitor(handle, monitor, 0, 0, mode.size.width, mode.size.height, mode.refresh_rate)

    def set_cursor(self, shape: str) -> None:
        """Set the pointer to a shape of imgui's, by its name; those without one of GLFW's are an arrow."""
        if shape == self._shape:
            return
        self._shape, glfw = shape, self.glfw
        if shape not in self._cursors:
            self._cursors[shape] = glfw.create_standard_cursor(getattr(glfw, CURSORS.get(shape, "ARROW_CURSOR")))
        glfw.set_cursor(self._handle, self._cursors[shape])

    @property
    def clipboard(self) -> str:
        text = self.glfw.get_clipboard_string(None)
        return text.decode("utf-8", "replace") if text else ""

    @clipboard.setter
    def clipboard(self, text: str) -> None:
        self.glfw.set_clipboard_string(None, text)

    @property
    def alive(self) -> bool:
        """Whether there is a window."""
        return self._handle is not None

    def close(self) -> None:
        """Destroy the window; a second call does nothing."""
        if self._handle is not None:
            self.glfw.destroy_window(self._handle)
            self._handle = None
            _open.discard(id(self))
            self._terminate()

    _handle: Any = None
    _shape: str = "arrow"
    _before: tuple[tuple[int, int], tuple[int, int]] = ((60, 60), (1280, 800))

    def _terminate(self) -> None:
        if not _open:
            self.glfw.terminate()

    def _on_error(self, _code: int, said: bytes) -> None:
        self._error = said.decode("utf-8", "replace").strip() if isinstance(said, bytes) else str(said)

    def _on_key(self, _window: Any, number: int, _scancode: int, action: int, _mods: int) -> None:
        code = CODES.get(number)
        if code is None:
            return
        down = action != self.glfw.RELEASE
        (self.keys.add if down else self.keys.discard)(code)
        self._events.append(Key(code, down, action == self.glfw.REPEAT))

    def _on_focus(self, _window: Any, focused: int) -> None:
        if not focused:  # the release of a key will go to another window
            self._events += [Key(code, False) for code in sorted(self.keys)]
            self.keys.clear()
        self._events.append(Focus(bool(focused)))

    def _find_reset_status(self) -> Callable[[], int] | None:
        address = ctypes.cast(self.glfw.get_proc_address("glGetGraphicsResetStatus"), ctypes.c_void_p).value
        if not address or self.glfw.get_window_attrib(self._handle, self.glfw.CONTEXT_ROBUSTNESS) == 0:
            return None
        return ctypes.CFUNCTYPE(ctypes.c_uint)(address)


def _library() -> Any:
    """GLFW."""
    try:
        import glfw
    except ImportError:
        raise MissingError(
            "a window needs glfw, which is not installed: pip install 'kinema[window]' (or leave --window out to use "
            "the browser)"
        ) from None
    return glfw
