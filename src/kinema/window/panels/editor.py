"""Edits of the clip: what is kept, what happens in it, when the feet stand, whether it may be mirrored."""

from __future__ import annotations

from kinema.session.clips import ClipSession
from kinema.session.editor import Span
from kinema.session.session import Session
from kinema.window.desk import Desk
from kinema.window.panels.panel import Panel

PAINTS: dict[str, bool | None] = {"Scrub": None, "Stands": True, "Lifted": False}

MOST_LABELS = 20
"""Labels that are listed."""


class EditorPanel(Panel):
    """Commands are for the range set on the timeline (Shift and drag), or the whole clip."""

    title = "Edit"
    sessions = frozenset({"view"})
    open = False

    def __init__(self) -> None:
        self.tag = ""
        self._figure: tuple[object, float] = None, 0.0

    def draw(self, desk: Desk, session: Session) -> None:
        """Undo and save, then cut, label, contacts, mirror."""
        assert isinstance(session, ClipSession)
        on = desk.switch("Edit this clip", session.editor.on, "Edits are kept beside the file and undone at will")
        if on != session.editor.on:
            session.set_editing(on)
        if session.editor.clip is None:
            desk.wrapped(session.editor.reason, desk.look.muted)
            return
        self._history(desk, session)
        span = session.editor.selection
        whole = "the whole clip (set a range with Shift + drag)"
        desk.muted(f"frames {span[0] + 1} to {span[1]}" if span is not None else whole)
        span = span or (0, session.playhead.frames)
        self._cut(desk, session, span)
        self._label(desk, session, span)
        self._contacts(desk, session)
        self._mirror(desk, session)

    def _history(self, desk: Desk, session: ClipSession) -> None:
        imgui, icon, editor = desk.imgui, desk.gui.icon, session.editor
        assert editor.clip is not None and editor.file is not None
        back, again = editor.clip.history.undo_name, editor.clip.history.redo_name
        if desk.button(f"{icon('undo')}##undo", f"Undo {back or ''} (Ctrl+Z)", enabled=bool(back)):
            editor.undo()
        imgui.same_line()
        if desk.button(f"{icon('redo')}##redo", f"Redo {again or ''} (Ctrl+Y)", enabled=bool(again)):
            editor.redo()
        imgui.same_line()
        dirty = editor.file.dirty
        if desk.button(f"{icon('save')}  Save", f"{editor.file.path} (Ctrl+S)", on=dirty, enabled=dirty):
            editor.save()

    def _cut(self, desk: Desk, session: ClipSession, span: Span) -> None:
        imgui, editor = desk.imgui, session.editor
        if desk.button("Keep", "Only these frames go into a database"):
            editor.keep(span)
        imgui.same_line()
        if desk.button("Leave out", "These frames do not go into a database"):
            editor.drop(span)
        imgui.same_line()
        if desk.button("Split here", "Two clips from the playhead on"):
            editor.split(session.playhead.frame)

    def _label(self, desk: Desk, session: ClipSession, span: Span) -> None:
        imgui, editor = desk.imgui, session.editor
        imgui.set_next_item_width(0.62 * imgui.get_content_region_avail().x)
        entered, self.tag = imgui.input_text_with_hint(
            "##tag", "label, such as walk", self.tag, imgui.InputTextFlags_.enter_returns_true
        )
        imgui.same_line()
        pressed = desk.button(f"{desk.gui.icon('tag')}  Label", "Say what happens in these frames", width=-1.0)
        if (entered or pressed) and self.tag.strip():
            editor.label(span, self.tag)
        for number, label in enumerate(editor.edits.labels[:MOST_LABELS]):
            imgui.push_id(number)
            if desk.button(f"{desk.gui.icon('close')}", "Remove this label"):
                editor.unlabel(label)
            imgui.same_line()
            if imgui.selectable(f"{label.tag}  {label.start + 1} to {label.stop}", False)[0]:
                editor.select((label.start, label.stop))
                session.seek(label.start)
            imgui.pop_id()

    def _contacts(self, desk: Desk, session: ClipSession) -> None:
        desk.muted("drags over the rows of the feet")
        names = {value: name for name, value in PAINTS.items()}
        hints = ("The timeline scrubs", "A drag says that the foot stands", "A drag says that it does not")
        chosen = desk.segments("paint", list(PAINTS), names[desk.timescale.painting], hints)
        desk.timescale.painting = PAINTS[chosen]
        painted = session.editor.edits.contacts is not None
        desk.imgui.same_line()
        if desk.button("As found", "Forget what was painted", enabled=painted):
            session.editor.forget_contacts()

    def _mirror(self, desk: Desk, session: ClipSession) -> None:
        editor = session.editor
        assert editor.clip is not None
        allowed = desk.switch("May be mirrored", editor.edits.mirror, "Whether the mirror image enters a database")
        if allowed != editor.edits.mirror:
            editor.set_mirror(allowed)
        if editor.ghost != "off":
            if self._figure[0] is not editor.clip:
                self._figure = editor.clip, editor.clip.asymmetry().figure
            desk.fact("asymmetry", f"{100 * self._figure[1]:.1f} cm a joint")
