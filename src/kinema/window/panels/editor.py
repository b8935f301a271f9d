"""The editor: pieces to keep, labels, contacts, mirroring."""

from __future__ import annotations

from kinema.session.clips import ClipSession
from kinema.session.editor import Span
from kinema.window.panels.panel import Panel
from kinema.window.widgets import Widgets

PAINTS: dict[str, bool | None] = {"Scrub": None, "Stands": True, "Lifted": False}

MOST_LABELS = 20
"""Maximum number of labels that are listed."""


class EditorPanel(Panel[ClipSession]):
    """Commands apply to the range set on the timeline (Shift+drag), or the whole clip."""

    title = "Edit"
    kind = ClipSession
    open = False

    def __init__(self) -> None:
        self.tag = ""
        self._figure: tuple[object, float] = None, 0.0

    def draw(self, ui: Widgets, session: ClipSession) -> None:
        """Undo and save, then cut, label, contacts, mirror."""
        on = ui.switch("Edit this clip", session.editor.on, "Edits are kept beside the file and undone at will")
        if on != session.editor.on:
            session.set_editing(on)
        if session.editor.clip is None:
            ui.wrapped(session.editor.reason, ui.look.muted)
            return
        self._history(ui, session)
        span = session.editor.selection
        whole = "the whole clip (set a range with Shift + drag)"
        ui.muted(f"frames {span[0] + 1} to {span[1]}" if span is not None else whole)
        span = span or (0, session.playhead.frames)
        self._cut(ui, session, span)
        self._label(ui, session, span)
        self._contacts(ui, session)
        self._mirror(ui, session)

    def _history(self, ui: Widgets, session: ClipSession) -> None:
        imgui, icon, editor = ui.imgui, ui.gui.icon, session.editor
        assert editor.clip is not None and editor.file is not None
        back, again = editor.clip.history.undo_name, editor.clip.history.redo_name
        if ui.button(f"{icon('undo')}##undo", f"Undo {back or ''} (Ctrl+Z)", enabled=bool(back)):
            editor.undo()
        imgui.same_line()
        if ui.button(f"{icon('redo')}##redo", f"Redo {again or ''} (Ctrl+Y)", enabled=bool(again)):
            editor.redo()
        imgui.same_line()
        dirty = editor.file.dirty
        if ui.button(f"{icon('save')}  Save", f"{editor.file.path} (Ctrl+S)", on=dirty, enabled=dirty):
            editor.save()

    def _cut(self, ui: Widgets, session: ClipSession, span: Span) -> None:
        imgui, editor = ui.imgui, session.editor
        if ui.button("Keep", "Only these frames go into a database"):
            editor.keep(span)
        imgui.same_line()
        if ui.button("Leave out", "These frames do not go into a database"):
            editor.drop(span)
        imgui.same_line()
        if ui.button("Split here", "Two clips from the playhead on"):
            editor.split(session.playhead.frame)

    def _label(self, ui: Widgets, session: ClipSession, span: Span) -> None:
        imgui, editor = ui.imgui, session.editor
        imgui.set_next_item_width(0.62 * imgui.get_content_region_avail().x)
        entered, self.tag = imgui.input_text_with_hint(
            "##tag", "label, such as walk", self.tag, imgui.InputTextFlags_.enter_returns_true
        )
        imgui.same_line()
        pressed = ui.button(f"{ui.gui.icon('tag')}  Label", "Say what happens in these frames", width=-1.0)
        if (entered or pressed) and self.tag.strip():
            editor.label(span, self.tag)
        for number, label in enumerate(editor.edits.labels[:MOST_LABELS]):
            imgui.push_id(number)
            if ui.button(f"{ui.gui.icon('close')}", "Remove this label"):
                editor.unlabel(label)
            imgui.same_line()
            if imgui.selectable(f"{label.tag}  {label.start + 1} to {label.stop}", False)[0]:
                editor.select((label.start, label.stop))
                session.seek(label.start)
            imgui.pop_id()

    def _contacts(self, ui: Widgets, session: ClipSession) -> None:
        ui.muted("drags over the rows of the feet")
        names = {value: name for name, value in PAINTS.items()}
        hints = ("The timeline scrubs", "A drag says that the foot stands", "A drag says that it does not")
        chosen = ui.segments("paint", list(PAINTS), names[ui.timescale.painting], hints)
        ui.timescale.painting = PAINTS[chosen]
        painted = session.editor.edits.contacts is not None
        ui.imgui.same_line()
        if ui.button("As found", "Forget what was painted", enabled=painted):
            session.editor.forget_contacts()

    def _mirror(self, ui: Widgets, session: ClipSession) -> None:
        editor = session.editor
        assert editor.clip is not None
        allowed = ui.switch("May be mirrored", editor.edits.mirror, "Whether the mirror image enters a database")
        if allowed != editor.edits.mirror:
            editor.set_mirror(allowed)
        if editor.ghost != "off":
            if self._figure[0] is not editor.clip:
                self._figure = editor.clip, editor.clip.asymmetry().figure
            ui.fact("asymmetry", f"{100 * self._figure[1]:.1f} cm a joint")
