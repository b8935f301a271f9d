"""The panes around the scene: columns of panels, the bar at the top, the status line at the bottom."""

from __future__ import annotations

from typing import Any

from kinema.errors import KinemaError
from kinema.session.session import Session
from kinema.window.layout import Layout, Rect
from kinema.window.panels import Panel
from kinema.window.widgets import Widgets


def draw_parts(ui: Widgets, session: Session, layout: Layout, panels: list[Panel]) -> None:
    """Draw the panels that a session wants."""
    for place in ("left", "right", "bottom"):
        rect, chosen = getattr(layout, place), [panel for panel in panels if panel.place == place]
        if rect is not None and chosen:
            _column(ui, session, place, rect, chosen)
    for panel in panels:
        if panel.place == "over" and panel.open:
            guarded(ui, session, panel)


def _column(ui: Widgets, session: Session, name: str, rect: Rect, panels: list[Panel]) -> None:
    imgui = ui.imgui
    _place(imgui, rect)
    still = imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse
    imgui.begin(f"##{name}", None, _fixed(imgui) | (still if name == "bottom" else 0))
    _edge(ui, name, rect)
    for panel in panels:
        imgui.push_id(panel.title)
        if name == "bottom":
            height = panel.height * ui.scale - 24 * ui.scale / len(panels) - 4 * ui.scale * (len(panels) - 1)
            imgui.begin_child("##part", imgui.ImVec2(0, height), 0, still)
            guarded(ui, session, panel)
            imgui.end_child()
        else:
            imgui.push_font(ui.gui.fonts.strong, 0.0)
            imgui.set_next_item_open(panel.open, imgui.Cond_.once)
            imgui.push_style_color(imgui.Col_.header, imgui.ImVec4(0, 0, 0, 0))
            panel.open = bool(imgui.collapsing_header(panel.title))
            imgui.pop_style_color()
            imgui.pop_font()
            if panel.open:
                guarded(ui, session, panel)
                imgui.dummy(imgui.ImVec2(0, 4 * ui.scale))
        imgui.pop_id()
    imgui.end()


def guarded(ui: Widgets, session: Session, panel: Panel) -> None:
    """Draw a panel. If it raises, it is cut off there and the error is logged."""
    internal = ui.imgui.internal
    state = internal.ErrorRecoveryState()
    internal.error_recovery_store_state(state)
    try:
        panel.draw(ui, session)
    except Exception as error:
        internal.error_recovery_try_to_recover_state(state)
        reason = str(error) if isinstance(error, KinemaError) else f"{type(error).__name__}: {error}"
        ui.log.say(f"panel {panel.title}: {reason}", "error")


def bar(ui: Widgets, rect: Rect, name: str) -> bool:
    """Begin a bar of one line; the caller ends it."""
    imgui = ui.imgui
    _place(imgui, rect)
    height = imgui.get_frame_height() if name == "top" else imgui.get_text_line_height()
    imgui.push_style_var(
        imgui.StyleVar_.window_padding, imgui.ImVec2(12 * ui.scale, max((rect.height - height) / 2, 0))
    )
    shown = imgui.begin(f"##{name}", None, _fixed(imgui) | imgui.WindowFlags_.no_scrollbar)[0]
    imgui.pop_style_var()
    _edge(ui, name, rect)
    return bool(shown)


def draw_bars(ui: Widgets, session: Session, layout: Layout) -> None:
    """Draw the bar at the top and the status line."""
    imgui = ui.imgui
    if layout.top is not None:
        bar(ui, layout.top, "top")
        _top(ui, session)
        imgui.end()
    if layout.status is not None:
        bar(ui, layout.status, "status")
        _status(ui, session)
        imgui.end()


def _top(ui: Widgets, session: Session) -> None:
    imgui, window, icon = ui.imgui, ui.window, ui.gui.icon
    imgui.align_text_to_frame_padding()
    with ui.tinted(ui.look.accent):
        ui.heading("Kinema")
    recording = window.recording
    seconds = recording.recorder.seconds if recording.recorder is not None else 0.0
    buttons = (
        (
            icon("stop" if recording.on else "record"),
            f"Stop recording, {seconds:.1f} s (F9)" if recording.on else "Record the scene (F9)",
            lambda: recording.toggle(window.canvas),
        ),
        (icon("camera"), "Picture of the window (F12)", window.take_picture),
        (icon("light" if ui.look.name == "dark" else "dark"), "Light or dark", window.toggle_look),
        (icon("help"), "Keys (F1)", window.toggle_help),
    )
    gap = imgui.get_style().item_spacing.x
    width = 30 * ui.scale
    x = imgui.get_window_width() - 12 * ui.scale - len(buttons) * width - (len(buttons) - 1) * gap
    imgui.same_line(0, 14 * ui.scale)
    corner = imgui.get_cursor_screen_pos()
    imgui.push_clip_rect(corner, (x - gap, corner.y + 2 * width), True)
    imgui.text_unformatted(session.title)
    imgui.pop_clip_rect()
    imgui.same_line(x)
    for index, (label, hint, act) in enumerate(buttons):
        if index:
            imgui.same_line()
        with ui.tinted(ui.look.bad if index == 0 else ui.look.ink):
            pressed = ui.button(f"{label}##{index}", hint, width=width)
        if pressed:
            act()


def _status(ui: Widgets, session: Session) -> None:
    imgui, window = ui.imgui, ui.window
    line = ui.log.latest()
    if line is None:
        ui.muted(session.waiting or session.hint)
    else:
        with ui.tinted(ui.level_color(line.level)):
            imgui.text_unformatted(str(line))
    rate = f"{window.rate:.0f} pictures/s"
    if window.canvas.level:
        rate += f"  at {100 * window.canvas.share:.0f} % resolution"
    imgui.same_line()
    x = imgui.get_window_width() - 12 * ui.scale - imgui.calc_text_size(rate).x
    if x > imgui.get_cursor_pos_x():
        imgui.set_cursor_pos_x(x)
        ui.muted(rate)


def _fixed(imgui: Any) -> int:
    flags = imgui.WindowFlags_
    return int(
        flags.no_decoration & ~flags.no_scrollbar
        | flags.no_move
        | flags.no_saved_settings
        | flags.no_bring_to_front_on_focus
        | flags.no_nav_focus
    )


def _place(imgui: Any, rect: Rect) -> None:
    imgui.set_next_window_pos(imgui.ImVec2(rect.x, rect.y))
    imgui.set_next_window_size(imgui.ImVec2(rect.width, rect.height))


def _edge(ui: Widgets, name: str, rect: Rect) -> None:
    """Draw a thin line towards the scene."""
    right, bottom = rect.x + rect.width, rect.y + rect.height
    start, end = {
        "left": ((right - 1, rect.y), (right - 1, bottom)),
        "right": ((rect.x, rect.y), (rect.x, bottom)),
        "top": ((rect.x, bottom - 1), (right, bottom - 1)),
    }.get(name, ((rect.x, rect.y), (right, rect.y)))
    ui.imgui.get_window_draw_list().add_line(start, end, ui.color(ui.look.line), 1.0)
