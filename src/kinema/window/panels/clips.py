"""The choice of files and clips."""

from __future__ import annotations

from kinema.session.clips import ClipSession
from kinema.session.library import matching
from kinema.window.panels.panel import Panel, Place
from kinema.window.widgets import Widgets

MOST_ROWS = 13.5
"""Rows visible at once; half a row shows that there are more."""


class ClipsPanel(Panel[ClipSession]):
    """Files and their clips, with a search over both."""

    title = "Clips"
    place: Place = "left"
    kind = ClipSession

    def __init__(self) -> None:
        self.search = ""

    def rows(self, session: ClipSession) -> list[tuple[int, int | None, str]]:
        """Rows of the list: file, clip in it (None: the file itself) and text.

        A file with one clip is one row; the clips of others are listed once they were read. The search keeps files and
        clips that hold all of its words.
        """
        titles = [file.title for file in session.files]
        kept = set(matching(titles, self.search))
        found: list[tuple[int, int | None, str]] = []
        for place, title in enumerate(titles):
            clips = session.clips.get(place, [])
            if len(clips) < 2:
                found += [(place, None, title)] * (title in kept)
                continue
            inside = [clip.title for clip in clips]
            hits = set(inside) if title in kept else set(matching(inside, self.search))
            if hits:
                found.append((place, None, f"{title}  ({len(clips)})"))
                if place == session.file_index or self.search:
                    found += [(place, index, name) for index, name in enumerate(inside) if name in hits]
        return found

    def draw(self, ui: Widgets, session: ClipSession) -> None:
        """The search field and the list."""
        imgui = ui.imgui
        imgui.set_next_item_width(-1.0)
        _, self.search = imgui.input_text_with_hint("##search", "Search files and clips", self.search)
        rows = self.rows(session)
        height = min(len(rows) + 0.6, MOST_ROWS) * imgui.get_text_line_height_with_spacing()
        imgui.begin_child("##list", imgui.ImVec2(0, height))
        clipper = imgui.ListClipper()
        clipper.begin(len(rows))
        while clipper.step():
            for row in rows[clipper.display_start : clipper.display_end]:
                self._row(ui, session, *row)
        imgui.end_child()
        if not rows:
            ui.muted("no file or clip has these words")

    def _row(self, ui: Widgets, session: ClipSession, place: int, index: int | None, text: str) -> None:
        clip = None if index is None else session.clips[place][index]
        shown = None if session.shown is None else session.shown.clip
        here = place == session.file_index and (clip is None or clip is shown)
        label = f"{ui.gui.icon('file')}  {text}" if clip is None else f"    {ui.gui.icon('film')}  {text}"
        ui.imgui.push_id(f"{place}.{index}")
        if ui.imgui.selectable(label, here)[0]:
            session.open(place, clip)
        ui.hint(session.files[place].path)
        ui.imgui.pop_id()
