"""Edits of the clip: what is kept, what happens in it, when the feet stand, whether it may be mirrored."""

from __future__ import annotations

from kinema.session.session import Session
from kinema.window.desk import Desk
from kinema.window.panels.panel import Panel
from kinema.window.viewing import ViewMode

PAINTS: dict[str, bool | None] = {"Scrub": None, "Stands": True, "Lifted": False}


class EditorPanel(Panel):
    """Commands are for the frames marked on the timeline (Shift and drag), or the whole clip."""

    title = "Edit"
    sessions = frozenset({"view"})
    open = False

    def __init__(self) -> None:
        self.tag, self.text = "", ""
        self._figure: tuple[object, float] = None, 0.0

    def draw(self, desk: Desk, session: Session) -> None:
        """Undo and save, then cut, label, contacts, mirror."""
        assert isinstance(session, ViewMode)
        editing = session.editing
        if editing.clip is None:
            desk.wrapped(editing.why_not, desk.look.muted)
            return
        if session.mirrored:
            desk.wrapped("edits are of the clip as it is: switch the mirror off (M)", desk.look.warn)
            return
        self._history(desk, session)
        span = session.range.span
        whole = "the whole clip (mark with Shift + drag)"
        desk.muted(f"frames {span[0] + 1} to {span[1]}" if session.range.marked else whole)
        self._cut(desk, session, span)
        self._label(desk, session, span)
        self._contacts(desk, session)
        self._mirror(desk, session)

    def _history(self, desk: Desk, session: ViewMode) -> None:
        imgui, icon, editing = desk.imgui, desk.gui.icon, session.editing
        assert editing.clip is not None
        history = editing.clip.history
        back, again = history.undo_name, history.redo_name
        if desk.button(f"{icon('undo')}##undo", f"Undo {back or ''} (Ctrl+Z)", enabled=bool(back)):
            editing.undo()
        imgui.same_line()
        if desk.button(f"{icon('redo')}##redo", f"Redo {again or ''} (Ctrl+Y)", enabled=bool(again)):
            editing.redo()
        imgui.same_line()
        dirty = editing.session is not None and editing.session.dirty
        where = str(editing.session.path) if editing.session is not None else ""
        if desk.button(f"{icon('save')}  Save", f"{where} (Ctrl+S)", on=dirty, enabled=dirty):
            editing.save()

    def _cut(self, desk: Desk, session: ViewMode, span: tuple[int, int]) -> None:
        imgui, editing = desk.imgui, session.editing
        if desk.button("Keep", "Only these frames go into a database"):
            editing.keep(span)
        imgui.same_line()
        if desk.button("Leave out", "These frames do not go into a database"):
            editing.drop(span)
        imgui.same_line()
        if desk.button("Split here", "Two clips from the playhead on"):
            editing.split(session.playhead.frame)

    def _label(self, desk: Desk, session: ViewMode, span: tuple[int, int]) -> None:
        imgui, editing = desk.imgui, session.editing
        room = imgui.get_content_region_avail().x
        imgui.set_next_item_width(0.62 * room)
        entered, self.tag = imgui.input_text_with_hint(
            "##tag", "label, such as walk", self.tag, imgui.InputTextFlags_.enter_returns_true
        )
        imgui.same_line()
        pressed = desk.button(f"{desk.gui.icon('tag')}  Label", "Say what happens in these frames", width=-1.0)
        if (entered or pressed) and self.tag.strip():
            editing.label(span, self.tag, self.text)
        for number, label in enumerate(editing.edits.labels[:20] if editing.edits is not None else ()):
            imgui.push_id(number)
            if desk.button(f"{desk.gui.icon('close')}", "Take this label away"):
                editing.unlabel(label)
            imgui.same_line()
            if imgui.selectable(f"{label.tag}  {label.start + 1} to {label.stop}", False)[0]:
                session.range.marked = label.start, label.stop
                session.seek(label.start)
            imgui.pop_id()

    def _contacts(self, desk: Desk, session: ViewMode) -> None:
        desk.muted("strokes on the rows of the feet")
        names = {value: name for name, value in PAINTS.items()}
        hints = ("The timeline scrubs", "A stroke says that the foot stands", "A stroke says that it does not")
        chosen = desk.segments("paint", list(PAINTS), names[session.painting], hints)
        session.painting = PAINTS[chosen]
        edits = session.editing.edits
        painted = edits is not None and edits.contacts is not None
        desk.imgui.same_line()
        if desk.button("As detected", "Forget what was painted", enabled=painted):
            session.editing.forget_contacts()

    def _mirror(self, desk: Desk, session: ViewMode) -> None:
        editing = session.editing
        assert editing.clip is not None and editing.edits is not None
        allowed = desk.switch("May be mirrored", editing.edits.mirror, "Whether the mirror image enters a database")
        if allowed != editing.edits.mirror:
            editing.set_mirror(allowed)
        if desk.switch("Show the mirror image", session.show["Mirror image"]) != session.show["Mirror image"]:
            session.set_mark("Mirror image", not session.show["Mirror image"])
        if session.show["Mirror image"]:
            if self._figure[0] is not editing.clip:
                self._figure = editing.clip, editing.clip.asymmetry().figure
            desk.fact("asymmetry", f"{100 * self._figure[1]:.1f} cm a joint")
