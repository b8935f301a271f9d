"""The list of keys, over everything else."""

from __future__ import annotations

from kinema.session.session import Session
from kinema.window.panels.panel import Panel
from kinema.window.widgets import Widgets


class HelpPanel(Panel[Session]):
    """Opened with F1 or ?, closed with the same, Escape or a click."""

    title = "Keys"
    place = "over"
    open = False

    def draw(self, ui: Widgets, session: Session) -> None:
        """The keys of the session and of the window."""
        imgui, scale = ui.imgui, ui.scale
        centre = imgui.get_main_viewport().get_center()
        imgui.set_next_window_pos(centre, imgui.Cond_.always, imgui.ImVec2(0.5, 0.5))
        flags = imgui.WindowFlags_
        options = flags.no_decoration | flags.always_auto_resize | flags.no_saved_settings | flags.no_move
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 10 * scale)
        imgui.push_style_var(imgui.StyleVar_.window_padding, imgui.ImVec2(28 * scale, 22 * scale))
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 1.0)
        imgui.set_next_window_focus()
        imgui.begin("##help", None, options)
        imgui.pop_style_var(3)
        ui.heading("Keys and mouse")
        imgui.dummy(imgui.ImVec2(0, 4 * scale))
        if imgui.begin_table("##keys", 2, imgui.TableFlags_.sizing_fixed_fit):
            for keys, meaning in (*session.keys, *ui.window.keys):
                imgui.table_next_row()
                imgui.table_next_column()
                with ui.tinted(ui.look.accent):
                    imgui.text_unformatted(keys)
                imgui.table_next_column()
                imgui.text_unformatted(meaning)
            imgui.end_table()
        hovered = imgui.is_window_hovered()
        imgui.end()
        if imgui.is_mouse_clicked(0) and not hovered:
            self.open = False
