"""The timeline: transport, frames, contacts and labels."""

from __future__ import annotations

from kinema.session.session import Session
from kinema.window.desk import Desk
from kinema.window.layout import Rect
from kinema.window.panels.panel import Panel, Place
from kinema.window.tracks import Row
from kinema.window.viewing import SPEEDS, ViewMode

GUTTER, RULER, ROW = 112.0, 20.0, 17.0
"""Points at scale 1: width of the names, height of the frame numbers and of a row."""


class TimelinePanel(Panel):
    """Scrub with the left button, mark frames with Shift, move along with the right, zoom with the wheel.

    Attributes:
        track: where frames lie on the window, points, as it was drawn last.
    """

    title = "Timeline"
    place: Place = "bottom"
    sessions = frozenset({"view"})
    height = 148.0

    def __init__(self) -> None:
        self.track = Rect(0, 0, 1, 1)
        self._scroll = 0
        self._from: float | None = None

    def draw(self, desk: Desk, session: Session) -> None:
        """Transport above, tracks below."""
        assert isinstance(session, ViewMode)
        self._transport(desk, session)
        imgui, scale = desk.imgui, desk.scale
        corner, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail()
        width, height = max(room.x, 1.0), max(room.y, 1.0)
        gutter = GUTTER * scale if width > 3 * GUTTER * scale else 0.0
        self.track = Rect(corner.x + gutter, corner.y, width - gutter, height)
        imgui.invisible_button("##track", imgui.ImVec2(width, height), 3)
        self._hand(desk, session)
        painter = imgui.get_window_draw_list()
        painter.push_clip_rect(corner, (corner.x + width, corner.y + height), True)
        every = session.rows()
        fitting = max(int((height - RULER * scale) / (ROW * scale)), 0)
        self._scroll = min(self._scroll, max(len(every) - fitting, 0))
        self._ruler(desk, session)
        for index, row in enumerate(every[self._scroll : self._scroll + fitting]):
            self._row(desk, session, row, corner.x, corner.y + (RULER + index * ROW) * scale)
        self._playhead(desk, session)
        painter.pop_clip_rect()

    def _transport(self, desk: Desk, session: ViewMode) -> None:
        imgui, head, icon = desk.imgui, session.playhead, desk.gui.icon
        width = 32 * desk.scale
        if desk.button(f"{icon('first')}##first", "First frame (Home)", width=width):
            session.seek(0)
        imgui.same_line()
        if desk.button(f"{icon('back')}##back", "One frame back (\u2190)", width=width):
            session.seek(head.frame - 1)
        imgui.same_line()
        if desk.button(
            f"{icon('pause' if head.playing else 'play')}##play", "Play, pause (Space)", head.playing, width=1.5 * width
        ):
            head.toggle()
        imgui.same_line()
        if desk.button(f"{icon('on')}##on", "One frame on (\u2192)", width=width):
            session.seek(head.frame + 1)
        imgui.same_line()
        if desk.button(f"{icon('last')}##last", "Last frame (End)", width=width):
            session.seek(head.frames - 1)
        imgui.same_line()
        if desk.button(f"{icon('loop')}##loop", "Start again at the end (L)", head.loop, width=width):
            head.loop = not head.loop
        imgui.same_line()
        imgui.set_next_item_width(78 * desk.scale)
        labels = [f"{speed:g}\u00d7" for speed in SPEEDS]
        now = min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - head.speed))
        _, chosen = imgui.combo("##speed", now, labels)
        desk.hint("Seconds of clip in a second (- and +)")
        if chosen != now:
            head.speed = SPEEDS[chosen]
        told = f"{head.frame + 1} / {head.frames}"
        after = f"{head.time:.2f} s"
        span = session.range.marked
        if span is not None:
            after = f"marked {span[0] + 1} to {span[1]}   {after}"
        imgui.same_line()
        x = imgui.get_window_width() - imgui.calc_text_size(told + "   " + after).x - 14 * desk.scale
        if x > imgui.get_cursor_pos_x():
            imgui.set_cursor_pos_x(x)
            imgui.text_unformatted(told)
            imgui.same_line()
            desk.muted(after)
        else:
            imgui.new_line()

    def _hand(self, desk: Desk, session: ViewMode) -> None:
        imgui, track, frames = desk.imgui, self.track, session.range
        io = imgui.get_io()
        frame = frames.frame_at(io.mouse_pos.x, track.x, track.width)
        if imgui.is_item_hovered():
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
            if io.mouse_wheel and io.key_shift:
                self._scroll = max(self._scroll - int(io.mouse_wheel), 0)
            elif io.mouse_wheel:
                frames.zoom(io.mouse_wheel, frame)
        if imgui.is_item_activated():
            self._from = frame if io.key_shift or session.painting is not None else None
            session.stroke_begins(frame, self._row_at(desk, session, io.mouse_pos.y))
        if imgui.is_item_active() and imgui.is_mouse_dragging(1):
            frames.pan(-io.mouse_delta.x / max(track.width, 1.0) * frames.length)
        elif imgui.is_item_active() and imgui.is_mouse_down(0):
            if self._from is None:
                session.seek(round(frame))
            elif session.painting is None:
                frames.mark(self._from, frame)
            else:
                session.stroke(self._from, frame)

    def _row_at(self, desk: Desk, session: ViewMode, y: float) -> Row | None:
        index = int((y - self.track.y - RULER * desk.scale) // (ROW * desk.scale)) + self._scroll
        every = session.rows()
        return every[index] if y >= self.track.y + RULER * desk.scale and 0 <= index < len(every) else None

    def _ruler(self, desk: Desk, session: ViewMode) -> None:
        imgui, look, track, scale = desk.imgui, desk.look, self.track, desk.scale
        painter = imgui.get_window_draw_list()
        corner = track.x + track.width, track.y + track.height
        painter.add_rect_filled((track.x, track.y), corner, desk.color(look.raised, 0.45), 4 * scale)
        if session.range.marked is not None:
            start, stop = (session.range.x_of(frame, track.x, track.width) for frame in session.range.marked)
            painter.add_rect_filled((start, track.y), (stop, track.y + track.height), desk.color(look.accent, 0.22))
        for tick in session.range.ticks(track.width, 64 * scale):
            x = session.range.x_of(tick, track.x, track.width)
            painter.add_line((x, track.y), (x, track.y + track.height), desk.color(look.line), 1.0)
            painter.add_text((x + 3 * scale, track.y + 2 * scale), desk.color(look.muted), str(tick + 1))

    def _row(self, desk: Desk, session: ViewMode, row: Row, left: float, top: float) -> None:
        imgui, look, track, scale = desk.imgui, desk.look, self.track, desk.scale
        painter = imgui.get_window_draw_list()
        if track.x > left:
            painter.push_clip_rect((left, top), (track.x - 6 * scale, top + ROW * scale), True)
            painter.add_text((left, top - 1), desk.color(look.muted), row.name)
            painter.pop_clip_rect()
        color = getattr(look, row.tone)
        for bar in row.bars:
            if bar.stop < session.range.first or bar.start > session.range.last:
                continue
            start = max(session.range.x_of(bar.start, track.x, track.width), track.x)
            stop = min(session.range.x_of(bar.stop, track.x, track.width), track.x + track.width)
            stop = max(stop, start + 1.5)
            low, high = (start, top + 2 * scale), (stop, top + (ROW - 2) * scale)
            painter.add_rect_filled(low, high, desk.color(color, 0.85 if not bar.text else 0.35), 3 * scale)
            if bar.text and stop - start > 24 * scale:
                painter.push_clip_rect(low, high, True)
                painter.add_text((start + 4 * scale, top - 1), desk.color(look.ink), bar.text)
                painter.pop_clip_rect()

    def _playhead(self, desk: Desk, session: ViewMode) -> None:
        painter, track, scale = desk.imgui.get_window_draw_list(), self.track, desk.scale
        place = session.playhead.time * session.playhead.fps
        if session.playhead.playing:
            session.range.follow(place)
        x = session.range.x_of(place, track.x, track.width)
        color = desk.color(desk.look.accent)
        if track.x - 1 <= x <= track.x + track.width + 1:
            painter.add_line((x, track.y), (x, track.y + track.height), color, 2 * scale)
            painter.add_triangle_filled(
                (x - 6 * scale, track.y), (x + 6 * scale, track.y), (x, track.y + 8 * scale), color
            )
