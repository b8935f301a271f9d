"""The timeline: transport, frames, contacts and labels."""

from __future__ import annotations

from collections.abc import Callable

from kinema.session.clips import ClipSession
from kinema.session.timed import SPEEDS
from kinema.window.layout import Rect
from kinema.window.panels.panel import Panel, Place
from kinema.window.tracks import TimelineRow, rows
from kinema.window.widgets import Widgets

GUTTER, RULER, ROW = 112.0, 20.0, 17.0
"""Points at scale 1: width of the names, height of the frame numbers and of a row."""


class TimelinePanel(Panel[ClipSession]):
    """Scrub with the left button, set a range with Shift, pan with the right, zoom with the wheel.

    Attributes:
        track: where the frames were last drawn in the window, points.
    """

    title = "Timeline"
    place: Place = "bottom"
    kind = ClipSession
    height = 148.0

    def __init__(self) -> None:
        self.track = Rect(0, 0, 1, 1)
        self._scroll = 0
        self._from: int | None = None
        self._drags = 0
        self._painted: TimelineRow | None = None
        self._rows: tuple[tuple[object, int], list[TimelineRow]] = (None, -1), []

    def draw(self, ui: Widgets, session: ClipSession) -> None:
        """Transport above, tracks below."""
        ui.timescale.show(session.playhead.frames)
        self._transport(ui, session)
        imgui, scale = ui.imgui, ui.scale
        corner, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail()
        width, height = max(room.x, 1.0), max(room.y, 1.0)
        gutter = GUTTER * scale if width > 3 * GUTTER * scale else 0.0
        self.track = Rect(corner.x + gutter, corner.y, width - gutter, height)
        imgui.invisible_button("##track", imgui.ImVec2(width, height), 3)
        self._hand(ui, session)
        painter = imgui.get_window_draw_list()
        painter.push_clip_rect(corner, (corner.x + width, corner.y + height), True)
        every = self.rows(session)
        fitting = max(int((height - RULER * scale) / (ROW * scale)), 0)
        self._scroll = min(self._scroll, max(len(every) - fitting, 0))
        self._ruler(ui, session)
        for index, row in enumerate(every[self._scroll : self._scroll + fitting]):
            self._row(ui, session, row, corner.x, corner.y + (RULER + index * ROW) * scale)
        self._playhead(ui, session)
        painter.pop_clip_rect()

    def _transport(self, ui: Widgets, session: ClipSession) -> None:
        imgui, head, icon = ui.imgui, session.playhead, ui.gui.icon
        buttons: tuple[tuple[str, str, bool, Callable[[], object]], ...] = (
            ("first", "First frame (Home)", False, lambda: session.seek(0)),
            ("back", "One frame back (\u2190)", False, lambda: session.seek(head.frame - 1)),
            ("play", "Play, pause (Space)", head.playing, session.toggle_play),
            ("on", "One frame on (\u2192)", False, lambda: session.seek(head.frame + 1)),
            ("last", "Last frame (End)", False, lambda: session.seek(head.frames - 1)),
            ("loop", "Start again at the end (L)", head.loop, lambda: setattr(head, "loop", not head.loop)),
        )
        for name, hint, on, act in buttons:
            shown = icon("pause" if name == "play" and on else name)
            if ui.button(f"{shown}##{name}", hint, on, width=(48 if name == "play" else 32) * ui.scale):
                act()
            imgui.same_line()
        imgui.set_next_item_width(78 * ui.scale)
        now = min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - head.speed))
        _, chosen = imgui.combo("##speed", now, [f"{speed:g}\u00d7" for speed in SPEEDS])
        ui.hint("Seconds of clip in a second (- and +)")
        if chosen != now:
            head.speed = SPEEDS[chosen]
        self._moment(ui, session)

    def _moment(self, ui: Widgets, session: ClipSession) -> None:
        """Frame, time and range at the right."""
        imgui, head, span = ui.imgui, session.playhead, session.editor.selection
        frame, time = f"{head.frame + 1} / {head.frames}", f"{head.time:.2f} s"
        if span is not None:
            time = f"range {span[0] + 1} to {span[1]}   {time}"
        imgui.same_line()
        x = imgui.get_window_width() - imgui.calc_text_size(f"{frame}   {time}").x - 14 * ui.scale
        if x > imgui.get_cursor_pos_x():
            imgui.set_cursor_pos_x(x)
            imgui.text_unformatted(frame)
            imgui.same_line()
            ui.muted(time)
        else:
            imgui.new_line()

    def _hand(self, ui: Widgets, session: ClipSession) -> None:
        imgui, track, scale, io = ui.imgui, self.track, ui.timescale, ui.imgui.get_io()
        frame = scale.frame_at(io.mouse_pos.x, track.x, track.width)
        if imgui.is_item_hovered():
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
            if io.mouse_wheel and io.key_shift:
                self._scroll = max(self._scroll - int(io.mouse_wheel), 0)
            elif io.mouse_wheel:
                scale.zoom(io.mouse_wheel, frame)
        if imgui.is_item_activated():
            self._begin(ui, session, frame)
        if imgui.is_item_active() and imgui.is_mouse_dragging(1):
            scale.pan(-io.mouse_delta.x / max(track.width, 1.0) * scale.length)
        elif imgui.is_item_active() and imgui.is_mouse_down(0):
            self._drag(ui, session, round(frame))

    def _begin(self, ui: Widgets, session: ClipSession, frame: float) -> None:
        """Begin a drag: it is one step to undo."""
        selects = ui.imgui.get_io().key_shift or ui.timescale.painting is not None
        self._from, self._drags = round(frame) if selects else None, self._drags + 1
        self._painted = self._row_at(ui, session, ui.imgui.get_io().mouse_pos.y)

    def _drag(self, ui: Widgets, session: ClipSession, frame: int) -> None:
        """Scrub, paint contacts, or set the range; a click sets none."""
        editor, painting = session.editor, ui.timescale.painting
        if self._from is None:
            session.seek(frame)
            return
        span = min(self._from, frame), max(self._from, frame) + 1
        if painting is None:
            editor.select(span if span[1] - span[0] > 1 else None)
        elif self._painted is not None and self._painted.kind == "contact":
            editor.paint(self._painted.name, span, painting, f"drag {self._drags}")

    def _row_at(self, ui: Widgets, session: ClipSession, y: float) -> TimelineRow | None:
        index = int((y - self.track.y - RULER * ui.scale) // (ROW * ui.scale)) + self._scroll
        every = self.rows(session)
        return every[index] if y >= self.track.y + RULER * ui.scale and 0 <= index < len(every) else None

    def rows(self, session: ClipSession) -> list[TimelineRow]:
        """The rows of the clip, made again when the clip or its edits change."""
        made_of = session.shown, session.editor.version
        if self._rows[0] != made_of:
            self._rows = made_of, rows(session)
        return self._rows[1]

    def _ruler(self, ui: Widgets, session: ClipSession) -> None:
        imgui, look, track, scale = ui.imgui, ui.look, self.track, ui.scale
        painter = imgui.get_window_draw_list()
        corner = track.x + track.width, track.y + track.height
        painter.add_rect_filled((track.x, track.y), corner, ui.color(look.raised, 0.45), 4 * scale)
        if session.editor.selection is not None:
            start, stop = (ui.timescale.x_of(frame, track.x, track.width) for frame in session.editor.selection)
            painter.add_rect_filled((start, track.y), (stop, track.y + track.height), ui.color(look.accent, 0.22))
        for tick in ui.timescale.ticks(track.width, 64 * scale):
            x = ui.timescale.x_of(tick, track.x, track.width)
            painter.add_line((x, track.y), (x, track.y + track.height), ui.color(look.line), 1.0)
            painter.add_text((x + 3 * scale, track.y + 2 * scale), ui.color(look.muted), str(tick + 1))

    def _row(self, ui: Widgets, session: ClipSession, row: TimelineRow, left: float, top: float) -> None:
        imgui, look, track, scale = ui.imgui, ui.look, self.track, ui.scale
        painter = imgui.get_window_draw_list()
        if track.x > left:
            painter.push_clip_rect((left, top), (track.x - 6 * scale, top + ROW * scale), True)
            painter.add_text((left, top - 1), ui.color(look.muted), row.name)
            painter.pop_clip_rect()
        color = getattr(look, row.tone)
        for bar in row.bars:
            if bar.stop < ui.timescale.first or bar.start > ui.timescale.last:
                continue
            start = max(ui.timescale.x_of(bar.start, track.x, track.width), track.x)
            stop = min(ui.timescale.x_of(bar.stop, track.x, track.width), track.x + track.width)
            stop = max(stop, start + 1.5)
            low, high = (start, top + 2 * scale), (stop, top + (ROW - 2) * scale)
            painter.add_rect_filled(low, high, ui.color(color, 0.85 if not bar.text else 0.35), 3 * scale)
            if bar.text and stop - start > 24 * scale:
                painter.push_clip_rect(low, high, True)
                painter.add_text((start + 4 * scale, top - 1), ui.color(look.ink), bar.text)
                painter.pop_clip_rect()

    def _playhead(self, ui: Widgets, session: ClipSession) -> None:
        painter, track, scale = ui.imgui.get_window_draw_list(), self.track, ui.scale
        place = session.playhead.time * session.playhead.fps
        if session.playhead.playing:
            ui.timescale.follow(place)
        x = ui.timescale.x_of(place, track.x, track.width)
        color = ui.color(ui.look.accent)
        if track.x - 1 <= x <= track.x + track.width + 1:
            painter.add_line((x, track.y), (x, track.y + track.height), color, 2 * scale)
            painter.add_triangle_filled(
                (x - 6 * scale, track.y), (x + 6 * scale, track.y), (x, track.y + 8 * scale), color
            )
