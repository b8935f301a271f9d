"""Editing the clip that is looked at: what the hand does on the timeline, and what panels ask for.

The edits themselves, their history and their file are `kinema.mocap.edits`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from kinema.errors import KinemaError
from kinema.mocap.edits import ClipSession, EditSession, clip_keys
from kinema.mocap.edits import change as changes
from kinema.mocap.edits.model import Edits, Label, Piece
from kinema.session.library import Clip, Document
from kinema.session.log import Log
from kinema.window.tracks import Bar, Row


class Editing:
    """The edits of the document that is open; those of others are kept until they are saved.

    Args:
        folder: where edits are kept instead of beside the files.
    """

    def __init__(self, log: Log, folder: str | os.PathLike[str] | None = None) -> None:
        self._log, self._folder = log, folder
        self._sessions: dict[str, EditSession] = {}
        self.session: EditSession | None = None
        self.clip: ClipSession | None = None
        self.why_not = "nothing is shown"
        """Why the clip cannot be edited; empty when it can."""
        self.version = 0
        """Grows with every change, for those who keep what they made of the edits."""
        self._strokes = 0

    def open(self, document: Document, clips: Sequence[Clip], clip: Clip) -> None:
        """Edit a clip of a document; what speaks against it is kept in `why_not`."""
        self.version += 1
        self.session = self.clip = None
        if document.source is None:
            self.why_not = "a database is built from clips; edit those and build it again"
            return
        motions = [motion for motion in (one.load() for one in clips) if motion is not None]
        if len(motions) < len(clips):
            self.why_not = "there is no motion in this file"
            return
        session = self._sessions.get(document.path)
        try:
            if session is None:
                session = self._sessions[document.path] = EditSession.open(document.source, motions, self._folder)
                if session.changed:
                    self._log.say(f"{document.title}: the file changed since it was edited", "warning")
        except KinemaError as error:
            self.why_not = str(error)
            return
        key = clip_keys(motions)[list(clips).index(clip)]
        self.session, self.clip, self.why_not = session, session.clips[key], ""

    @property
    def edits(self) -> Edits | None:
        """The edits of the clip as they are now."""
        return self.clip.edits if self.clip is not None else None

    @property
    def unsaved(self) -> list[str]:
        """Files with edits that are not saved."""
        return [path for path, session in self._sessions.items() if session.dirty]

    def do(self, name: str, change: Callable[[Edits], Edits], group: str | None = None) -> bool:
        """Change the edits; what cannot be is said. Steps of one `group` are undone together."""
        if self.clip is None:
            self._log.say(self.why_not, "warning")
            return False
        try:
            done = self.clip.do(change(self.clip.edits), name, group)
        except KinemaError as error:
            self._log.say(str(error), "warning")
            return False
        self.version += done
        return done

    def keep(self, span: tuple[int, int]) -> None:
        """Only the marked frames go into a database (with those kept before)."""
        self.do("keep", lambda edits: changes.keep(edits, *span))

    def drop(self, span: tuple[int, int]) -> None:
        """The marked frames do not."""
        self.do("leave out", lambda edits: changes.drop(edits, *span))

    def split(self, frame: int) -> None:
        """Two clips from here on."""
        self.do("split", lambda edits: changes.split(edits, frame))

    def label(self, span: tuple[int, int], tag: str, text: str = "") -> None:
        """Say what happens in the marked frames."""
        self.do("label", lambda edits: changes.label(edits, *span, tag, text))

    def unlabel(self, label: Label) -> None:
        """Take a label away."""
        self.do("remove label", lambda edits: changes.unlabel(edits, label))

    def rename(self, piece: Piece, name: str) -> None:
        """Call a piece something."""
        self.do("rename", lambda edits: changes.reshape(edits, piece, replace(piece, name=name)), f"name {piece.start}")

    def set_mirror(self, allowed: bool) -> None:
        """Whether the mirror image may enter a database."""
        self.do("mirroring", lambda edits: changes.set_mirror(edits, allowed))

    def forget_contacts(self) -> None:
        """Contacts as the file has them, or as they are detected."""
        self.do("contacts as detected", lambda edits: changes.set_contacts(edits, None))

    def begin_stroke(self) -> None:
        """The hand comes down: what follows is one step to undo."""
        self._strokes += 1

    def paint(self, point: str, first: int, last: int, touching: bool) -> None:
        """A foot stands, or does not, from one frame to another (both included)."""
        clip = self.clip
        if clip is None:
            self._log.say(self.why_not, "warning")
            return
        start, stop = min(first, last), max(first, last) + 1
        name = "paint contact" if touching else "erase contact"
        self.do(
            name,
            lambda edits: changes.paint(edits, point, start, stop, touching, clip.contacts()),
            f"stroke {self._strokes}",
        )

    def undo(self) -> None:
        """Take the last step back."""
        self._step("undo")

    def redo(self) -> None:
        """Do it again."""
        self._step("redo")

    def _step(self, way: str) -> None:
        name = getattr(self.clip.history, way)() if self.clip is not None else None
        self.version += 1
        self._log.say(f"{way}: {name}" if name else f"there is nothing to {way}")

    def save(self) -> None:
        """Write the edits of the document beside it."""
        if self.session is None:
            self._log.say(self.why_not, "warning")
            return
        try:
            self._log.say(f"{self.session.save()}: written")
        except KinemaError as error:
            self._log.say(str(error), "error")

    def rows(self) -> list[Row]:
        """Rows of the timeline: pieces and labels, where there are any."""
        edits = self.edits
        if edits is None or edits.empty:
            return []
        pieces = tuple(
            Bar(piece.start, piece.stop, piece.name or f"clip {number}") for number, piece in enumerate(edits.pieces, 1)
        )
        found = [] if edits.whole else [Row("kept", pieces, "good", "piece")]
        for tag in edits.tags:
            bars = tuple(Bar(one.start, one.stop, one.text or tag) for one in edits.labels if one.tag == tag)
            found.append(Row(tag, bars, "accent", "label"))
        return found
