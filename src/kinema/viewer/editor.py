"""The motion editor of the page: carries out what it asks for, and tells all pages how things stand.

The state lives here, so every browser sees the same; a page only draws it and sends *orders*, one small JSON object
each. Orders of one drag carry a `group`: each is carried out from where the drag began, so the last one counts, and
the whole drag is one step of undo.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kinema.errors import KinemaError
from kinema.mocap.contacts import Thresholds
from kinema.mocap.edits import ClipSession, EditError, Edits, EditSession, Label, Piece, change, edits_path
from kinema.mocap.edits.spans import Spans, to_mask
from kinema.motion import Motion
from kinema.session.library import Clip, Document
from kinema.viewer.channel import Channel
from kinema.viewer.editor_wire import clip_state, curves, frame_of, mirror_report, number_of, old_of, span_of, text_of
from kinema.viewer.ghost import MODES, Mode


class Owner(Protocol):
    """What the editor needs of the viewer; see `kinema.viewer.timeline.ClipViewer`."""

    def scrub(self, frame: float) -> None: ...

    def toggle_play(self) -> None: ...

    def loop_within(self, span: tuple[int, int] | None) -> None: ...

    def unmirror(self) -> None: ...

    def show_contacts(self, contacts: NDArray[np.float32] | None) -> None: ...

    def show_ghost(self, motion: Motion | None, mode: Mode) -> None: ...


class ClipEditor:
    """Edits of the clip that is looked at.

    Attributes:
        on: whether the pages show the editor.
    """

    def __init__(self, channel: Channel, owner: Owner, folder: str | os.PathLike[str] | None = None) -> None:
        self._channel, self._owner, self._folder = channel, owner, folder
        self.on = False
        self._sessions: dict[str, EditSession] = {}
        self._document: Document | None = None
        self._motions: Callable[[], list[Motion]] = list
        self._clip: ClipSession | None = None
        self._title = self._reason = ""
        self._selection: tuple[int, int] | None = None
        self._ghost: Mode = "off"
        self._base: tuple[str, Edits, Mapping[str, Spans]] | None = None
        self._orders: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "edit": self._edit,
            "seek": self._seek,
            "play": lambda _: owner.toggle_play(),
            "select": self._select,
            "mark": self._mark,
            "keep": self._keep,
            "drop": self._drop,
            "split": self._split,
            "keep_all": self._keep_all,
            "reshape": self._reshape,
            "label": self._label,
            "relabel": self._relabel,
            "unlabel": self._unlabel,
            "paint": self._paint,
            "detect": self._detect,
            "auto": self._auto,
            "mirror": self._mirror,
            "partner": self._partner,
            "ghost": self._show_ghost,
            "undo": self._undo,
            "redo": self._redo,
            "save": self._save,
        }

    # ---- the clip ------------------------------------------------------------------------------------------------

    def open(self, document: Document, clips: list[Clip], clip: Clip, motion: Motion | None) -> None:
        """Another clip is looked at; its edits are read if there are some or the editor is on."""
        self._forget_clean(document.title)
        self._document, self._title = document, clip.title
        self._motions = lambda: [loaded for one in clips if (loaded := one.load()) is not None]
        self._clip, self._base, self._selection = None, None, None
        self._owner.loop_within(None)
        self._reason = ""
        if document.source is None:
            self._reason = "Clips of a database are edited in the files that it was built of."
        elif motion is None:
            self._reason = "There is no motion to edit."
        elif self.on or document.title in self._sessions or self._has_edits(document):
            self._open_session()
        self._show_clip()

    @property
    def unsaved(self) -> list[str]:
        """Files with edits that are not saved."""
        return [title for title, session in self._sessions.items() if session.dirty]

    @property
    def summary(self) -> str:
        """What is edited of the clip, in words; empty for nothing."""
        return "" if self._clip is None else self._clip.edits.summary

    def _has_edits(self, document: Document) -> bool:
        path = None if document.source is None else edits_path(document.source, self._folder)
        return path is not None and path.is_file()

    def _open_session(self) -> None:
        document = self._document
        if document is None or document.source is None:
            return
        if document.title not in self._sessions:
            try:
                self._sessions[document.title] = EditSession.open(document.source, self._motions(), self._folder)
            except KinemaError as error:
                self._reason = str(error)
                return
        self._clip = self._sessions[document.title].clips.get(self._title)

    def _forget_clean(self, title: str) -> None:
        """Sessions hold motions; of files left behind only those with something to lose are kept."""
        for other in [one for one, session in self._sessions.items() if one != title and not session.dirty]:
            del self._sessions[other]

    # ---- orders --------------------------------------------------------------------------------------------------

    def obey(self, order: Mapping[str, Any]) -> None:
        """Carry out what a page asks for; what cannot be done is said there."""
        act = self._orders.get(order["do"])
        try:
            if act is None:
                raise EditError(f"there is no order {order['do']!r:.40}")
            if self._clip is None and order["do"] not in ("edit", "seek", "play"):
                raise EditError(self._reason or "switch the editor on first")
            act(order)
        except KinemaError as error:
            self.say(str(error), "bad")
        self.tell()

    def say(self, text: str, kind: str = "good") -> None:
        """A line that the pages show for a while."""
        self._channel.send({"say": {"text": text, "kind": kind}})

    def cycle_ghost(self) -> None:
        """Off, over, beside, and off again."""
        self.obey({"do": "ghost", "mode": MODES[(MODES.index(self._ghost) + 1) % len(MODES)]})

    def _edit(self, order: Mapping[str, Any]) -> None:
        self.on = bool(order.get("on", not self.on))
        if self.on and self._clip is None:
            if not self._reason:
                self._open_session()
            if self._reason:
                self.say(self._reason, "bad")
        if self.on:
            self._owner.unmirror()
        else:
            self._ghost = "off"
        self._show_clip()

    def _seek(self, order: Mapping[str, Any]) -> None:
        self._owner.scrub(float(frame_of(order, "frame")))

    def _select(self, order: Mapping[str, Any]) -> None:
        empty = order.get("start") is None
        self._selection = None if empty else self._now.clamp(frame_of(order, "start"), frame_of(order, "stop"))
        self._owner.loop_within(self._selection)

    def _mark(self, order: Mapping[str, Any]) -> None:
        """The range begins (`end` 0) or ends (1) with a frame; an end that this leaves behind goes to the clip's."""
        frame, frames = frame_of(order, "frame"), self._now.frames
        start, stop = self._selection or (0, frames)
        if order.get("end"):
            start, stop = (0 if frame < start else start), frame + 1
        else:
            start, stop = frame, (frames if stop <= frame else stop)
        self._select({"start": start, "stop": stop})

    def _keep(self, order: Mapping[str, Any]) -> None:
        self._do(change.keep(self._now, *self._range(order), text_of(order, "name")), "keep")
        self._unselect()

    def _drop(self, order: Mapping[str, Any]) -> None:
        self._do(change.drop(self._now, *self._range(order)), "cut")
        self._unselect()

    def _range(self, order: Mapping[str, Any]) -> tuple[int, int]:
        """The frames of an order, or the range that is set."""
        if "start" in order:
            return span_of(order)
        if self._selection is None:
            raise EditError("set a range first: I at its first frame, O at its last, or drag over the pieces")
        return self._selection

    def _split(self, order: Mapping[str, Any]) -> None:
        if not self._do(change.split(self._now, frame_of(order, "frame")), "split"):
            raise EditError("there is nothing to split here; a piece is parted in front of the frame that is shown")

    def _keep_all(self, order: Mapping[str, Any]) -> None:
        self._do(change.keep_all(self._now), "keep all")

    def _reshape(self, order: Mapping[str, Any]) -> None:
        base, group = self._from(order)
        new = Piece(*span_of(order), text_of(order, "name"))
        self._do(change.reshape(base, Piece(*old_of(order, 1)), new), "change piece", group)

    def _label(self, order: Mapping[str, Any]) -> None:
        tag, text = text_of(order, "tag"), text_of(order, "text")
        self._do(change.label(self._now, *span_of(order), tag, text), f"label {tag}")
        self._unselect()

    def _relabel(self, order: Mapping[str, Any]) -> None:
        base, group = self._from(order)
        new = Label(*span_of(order), text_of(order, "tag"), text_of(order, "text"))
        self._do(change.relabel(base, Label(*old_of(order, 2)), new), "change label", group)

    def _unlabel(self, order: Mapping[str, Any]) -> None:
        self._do(change.unlabel(self._now, Label(*old_of(order, 2))), "remove label")

    def _paint(self, order: Mapping[str, Any]) -> None:
        base, group = self._from(order)
        current = self._base[2] if self._base is not None and group is not None else self._session.contacts()
        on = bool(order.get("on", True))
        if frame_of(order, "start") == frame_of(order, "stop"):  # dragged back to where it began
            new = base
        else:
            new = change.paint(base, text_of(order, "point"), *span_of(order), on, current)
        self._do(new, "paint contact" if on else "erase contact", group)

    def _detect(self, order: Mapping[str, Any]) -> None:
        speed, height = number_of(order, "speed", 0.01, 5.0), number_of(order, "height", 0.001, 1.0)
        shortest = number_of(order, "shortest", 0.0, 2.0)
        usual = Thresholds()
        limits = Thresholds(
            speed,
            speed * usual.speed_off / usual.speed_on,
            height,
            height * usual.height_off / usual.height_on,
            shortest,
        )
        base, group = self._from(order)
        self._do(change.set_contacts(base, self._session.feet.detect(limits)), "detect contacts", group)

    def _auto(self, order: Mapping[str, Any]) -> None:
        self._do(change.set_contacts(self._now, None), "contacts as found")

    def _mirror(self, order: Mapping[str, Any]) -> None:
        allowed = bool(order.get("on"))
        self._do(change.set_mirror(self._now, allowed), "mirror" if allowed else "do not mirror")

    def _partner(self, order: Mapping[str, Any]) -> None:
        names = self._session.motion.skeleton
        joint, partner = text_of(order, "joint"), text_of(order, "partner")
        for name in filter(None, (joint, partner)):
            names.index(name)
        if self._do(change.set_partner(self._now, joint, partner or None), "mirror partner"):
            self._show_mirror()

    def _show_ghost(self, order: Mapping[str, Any]) -> None:
        mode = order.get("mode")
        if mode not in MODES:
            raise EditError(f"the mirror check is {', '.join(MODES)}, not {mode!r:.40}")
        self._ghost = mode
        self._show_mirror()

    def _undo(self, order: Mapping[str, Any]) -> None:
        self._step(self._session.history.undo(), "undone", "nothing to undo")

    def _redo(self, order: Mapping[str, Any]) -> None:
        self._step(self._session.history.redo(), "done again", "nothing to do again")

    def _save(self, order: Mapping[str, Any]) -> None:
        if self._document is not None:
            session = self._sessions[self._document.title]
            self.say(f"Saved in {session.save()}")

    # ---- how ---------------------------------------------------------------------------------------------------------

    @property
    def _session(self) -> ClipSession:
        if self._clip is None:
            raise EditError("there is no clip to edit")
        return self._clip

    @property
    def _now(self) -> Edits:
        return self._session.edits

    def _from(self, order: Mapping[str, Any]) -> tuple[Edits, str | None]:
        """Where the drag of an order began, and its name; the edits of now for an order on its own."""
        group = text_of(order, "group") or None
        if group is None:
            self._base = None
        elif self._base is None or self._base[0] != group:
            self._base = (group, self._now, dict(self._session.contacts()))
        return (self._now if self._base is None else self._base[1]), group

    def _do(self, edits: Edits, name: str, group: str | None = None) -> bool:
        if group is None:
            self._base = None
        changed = self._session.do(edits, name, group)
        if changed:
            self._show_contacts()
        return changed

    def _step(self, name: str | None, said: str, nothing: str) -> None:
        self._base = None
        self.say(f"{name}: {said}" if name else nothing, "good" if name else "bad")
        self._show_contacts()
        self._show_mirror()

    def _unselect(self) -> None:
        self._selection = None
        self._owner.loop_within(None)

    def _show_clip(self) -> None:
        """Everything about another clip, or the same one when the editor is switched."""
        self._show_contacts()
        self._show_mirror()
        if self.on and self._clip is not None:
            self._channel.tell("curves", {"curves": curves(self._clip)})
        self.tell()

    def _show_contacts(self) -> None:
        if self._clip is None or not self._clip.motion.skeleton.roles.is_biped:
            self._owner.show_contacts(None)
            return
        if not self.on and self._clip.edits.contacts is None:
            self._owner.show_contacts(None)
            return
        spans = self._clip.contacts()
        masks = [to_mask(spans[point], self._clip.motion.frames) for point in ("left", "right")]
        self._owner.show_contacts(np.stack(masks, axis=-1).astype(np.float32))

    def _show_mirror(self) -> None:
        if self._clip is None or not self.on or self._ghost == "off":
            self._owner.show_ghost(None, "off")
            self._channel.tell("mirror", {"mirror": None})
            return
        self._owner.show_ghost(self._clip.ghost(), self._ghost)
        self._channel.tell("mirror", {"mirror": mirror_report(self._clip)})

    def tell(self) -> None:
        """Tell all pages how things stand, and those that open later."""
        state: dict[str, Any] = {"on": self.on, "title": self._title, "reason": self._reason, "clip": False}
        if self._clip is not None and self._document is not None:
            session = self._sessions[self._document.title]
            state |= clip_state(self._clip) | {
                "clip": True,
                "selection": self._selection,
                "ghost": self._ghost,
                "dirty": session.dirty,
                "path": str(session.path or ""),
                "changed": session.changed,
                "lost": list(session.lost),
            }
        self._channel.tell("state", {"state": state})
