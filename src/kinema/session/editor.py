"""The clip editor: commands and state, shared by both screens.

The edits, their history and their file are in `kinema.mocap.edits`. The editor adds commands, the selected range and
the mirror image. A command that fails logs a warning and changes nothing.

Commands of one drag share a `group`: each starts from the state before the drag, so the last one counts, and undo
reverts the whole drag.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Concatenate, Literal, ParamSpec

from kinema.errors import KinemaError
from kinema.mocap.contacts import Thresholds
from kinema.mocap.edits import EditedClip, EditedFile, EditError, Edits, Label, Piece, change, clip_keys, edits_path
from kinema.mocap.edits.spans import Spans
from kinema.session.library import LibraryClip, LibraryFile
from kinema.session.log import Log

GhostMode = Literal["off", "over", "beside"]
GHOSTS: tuple[GhostMode, ...] = ("off", "over", "beside")
"""Where the mirror image is shown."""

Span = tuple[int, int]
"""First frame, and the frame after the last."""

P = ParamSpec("P")


def command(act: Callable[Concatenate[Editor, P], object]) -> Callable[Concatenate[Editor, P], bool]:
    """Make a method a command: it requires a clip, logs errors, and returns whether it succeeded."""

    @wraps(act)
    def run(editor: Editor, *args: P.args, **how: P.kwargs) -> bool:
        try:
            if editor.clip is None:
                raise EditError(editor.reason or "switch the editor on first")
            act(editor, *args, **how)
        except KinemaError as error:
            editor.log.say(str(error), "warning")
            return False
        finally:
            editor.version += 1
        return True

    return run


class Editor:
    """Edits of the current clip. Unsaved edits of other files are kept.

    Args:
        folder: folder of the edits; by default they are beside the files.

    Attributes:
        on: whether editing is on. clip, file: what is edited; None if it cannot be.
        reason: why the clip cannot be edited; empty when it can.
        selection: the selected frames; None if there are none.
        ghost: where the mirror image is shown.
        version: increases with every change.
    """

    def __init__(self, log: Log, folder: str | os.PathLike[str] | None = None) -> None:
        self.log, self._folder = log, folder
        self.on = False
        self.file: EditedFile | None = None
        self.clip: EditedClip | None = None
        self.reason = "nothing is shown"
        self.selection: Span | None = None
        self.ghost: GhostMode = "off"
        self.version = 0
        self._files: dict[str, EditedFile] = {}
        self._shown: tuple[LibraryFile, Sequence[LibraryClip], LibraryClip] | None = None
        self._whole = Edits.none(1, 1.0)
        self._drag: tuple[str, Edits, Mapping[str, Spans]] | None = None

    # ---- the clip ----------------------------------------------------------------------------------------------------

    def open(self, file: LibraryFile, clips: Sequence[LibraryClip], clip: LibraryClip, frames: int) -> None:
        """Switch to a clip. Its edits are read if there are any, or if editing is on."""
        self._whole = Edits.none(frames, 1.0)
        for path in [path for path, one in self._files.items() if path != file.path and not one.dirty]:
            del self._files[path]  # they hold motions
        self._shown = file, clips, clip
        self.file = self.clip = self.selection = self._drag = None
        self.reason = ""
        if file.source is None:
            self.reason = "a database is built from clips: edit those and build it again"
        elif self.on or file.path in self._files or self._has_edits(file):
            self._read()
        self.version += 1

    def switch(self, on: bool) -> None:
        """Start or stop editing."""
        if on and self.clip is None and not self.reason:
            self._read()
        if on != self.on:
            self.on, self.version = on, self.version + 1
            if on and self.reason:
                self.log.say(self.reason, "warning")
            if not on:
                self.ghost = "off"

    def _has_edits(self, file: LibraryFile) -> bool:
        path = None if file.source is None else edits_path(file.source, self._folder)
        return path is not None and path.is_file()

    def _read(self) -> None:
        assert self._shown is not None  # or there would be a reason not to edit
        file, clips, clip = self._shown
        assert file.source is not None
        motions = [motion for one in clips if (motion := one.load()) is not None and motion.frames]
        if len(motions) < len(clips):
            self.reason = "there is no motion to edit in this file"
            return
        try:
            edited = self._files.get(file.path) or EditedFile.open(file.source, motions, self._folder)
        except KinemaError as error:
            self.reason = str(error)
            return
        if edited.changed and file.path not in self._files:
            self.log.say(f"{file.title}: the file changed since it was edited", "warning")
        self.file = self._files[file.path] = edited
        self.clip = edited.clips[clip_keys(motions)[list(clips).index(clip)]]
        self.version += 1

    @property
    def unsaved(self) -> list[str]:
        """Files with edits that are not saved."""
        return [path for path, file in self._files.items() if file.dirty]

    @property
    def edits(self) -> Edits:
        """The current edits; EditError if there is no clip."""
        if self.clip is None:
            raise EditError(self.reason or "there is no clip to edit")
        return self.clip.edits

    # ---- the range ---------------------------------------------------------------------------------------------------

    def select(self, span: Span | None) -> None:
        """Select frames: commands apply to them, and playback loops them.

        Raises:
            EditError: the clip has none of these frames.
        """
        self.selection = None if span is None else self._whole.clamp(*span)
        self.version += 1

    def mark(self, frame: int, end: bool) -> None:
        """Set the first or the last frame of the selection; the other end moves to that of the clip if they cross.

        Raises:
            EditError: the clip has none of these frames.
        """
        start, stop = self.selection or (0, self._whole.frames)
        if end:
            self.select(((0 if frame < start else start), frame + 1))
        else:
            self.select((frame, (self._whole.frames if stop <= frame else stop)))

    # ---- pieces and labels -------------------------------------------------------------------------------------------

    @command
    def keep(self, span: Span | None = None, name: str = "") -> None:
        """Keep frames as a piece; by default the selection."""
        self._do(change.keep(self.edits, *self._range(span), name), "keep")
        self.selection = None

    @command
    def drop(self, span: Span | None = None) -> None:
        """Remove frames; by default the selection."""
        self._do(change.drop(self.edits, *self._range(span)), "cut")
        self.selection = None

    def _range(self, span: Span | None) -> Span:
        if span is None and self.selection is None:
            raise EditError("set a range first: I at its first frame, O at its last, or drag over the timeline")
        return span or self.selection or (0, 0)

    @command
    def split(self, frame: int) -> None:
        """Split the piece before a frame."""
        if not self._do(change.split(self.edits, frame), "split"):
            raise EditError("there is nothing to split here: a piece is split before the frame that is shown")

    @command
    def keep_all(self) -> None:
        """Make the whole clip one piece again."""
        self._do(change.keep_all(self.edits), "keep all")

    @command
    def reshape(self, old: Piece, new: Piece, group: str | None = None) -> None:
        """Change the ends or the name of a piece."""
        self._do(change.reshape(self._from(group), old, new), "change piece", group)

    @command
    def label(self, span: Span, tag: str, text: str = "") -> None:
        """Label frames."""
        self._do(change.label(self.edits, *span, tag, text), f"label {tag}")
        self.selection = None

    @command
    def relabel(self, old: Label, new: Label, group: str | None = None) -> None:
        """Change frames, tag or text of a label."""
        self._do(change.relabel(self._from(group), old, new), "change label", group)

    @command
    def unlabel(self, old: Label) -> None:
        """Remove a label."""
        self._do(change.unlabel(self.edits, old), "remove label")

    # ---- contacts and mirroring --------------------------------------------------------------------------------------

    @command
    def paint(self, point: str, span: Span, touching: bool, group: str | None = None) -> None:
        """Set or clear the contact of a point in some frames; an empty span reverts the drag."""
        base = self._from(group)
        current = self._drag[2] if self._drag is not None else self._edited.contacts()
        new = base if span[0] == span[1] else change.paint(base, point, *span, touching, current)
        self._do(new, "paint contact" if touching else "erase contact", group)

    @command
    def detect(self, speed: float, height: float, shortest: float, group: str | None = None) -> None:
        """Detect contacts: slower than `speed` m/s, below `height` metres, for at least `shortest` seconds."""
        usual = Thresholds()
        limits = Thresholds(
            speed,
            speed * usual.speed_off / usual.speed_on,
            height,
            height * usual.height_off / usual.height_on,
            shortest,
        )
        self._do(change.set_contacts(self._from(group), self._edited.feet.detect(limits)), "detect contacts", group)

    @command
    def forget_contacts(self) -> None:
        """Restore the contacts of the file."""
        self._do(change.set_contacts(self.edits, None), "contacts as found")

    @command
    def set_mirror(self, allowed: bool) -> None:
        """Set whether the mirror image may enter a database."""
        self._do(change.set_mirror(self.edits, allowed), "mirror" if allowed else "do not mirror")

    @command
    def set_partner(self, joint: str, partner: str) -> None:
        """Override the mirror partner of a joint; an empty partner removes the override."""
        for name in filter(None, (joint, partner)):
            self._edited.motion.skeleton.index(name)
        self._do(change.set_partner(self.edits, joint, partner or None), "mirror partner")

    def show_ghost(self, mode: str) -> None:
        """Show the mirror image `over` or `beside` the character, or not (`off`); EditError for other modes."""
        if mode not in GHOSTS:
            raise EditError(f"the mirror check is {', '.join(GHOSTS)}, not {mode!r:.40}")
        self.ghost, self.version = mode, self.version + 1

    def cycle_ghost(self) -> None:
        """Switch to the next mode of the mirror image."""
        self.show_ghost(GHOSTS[(GHOSTS.index(self.ghost) + 1) % len(GHOSTS)])

    # ---- history -----------------------------------------------------------------------------------------------------

    @command
    def undo(self) -> None:
        """Undo the last step."""
        self._step(self._edited.history.undo(), "undone", "nothing to undo")

    @command
    def redo(self) -> None:
        """Redo the last undone step."""
        self._step(self._edited.history.redo(), "redone", "nothing to redo")

    def _step(self, name: str | None, done: str, nothing: str) -> None:
        self._drag = None
        if name is None:
            raise EditError(nothing)
        self.log.say(f"{name}: {done}")

    @command
    def save(self) -> None:
        """Save the edits of the file."""
        if self.file is not None:
            self.log.say(f"saved in {self.file.save()}")

    # ---- internals ---------------------------------------------------------------------------------------------------

    @property
    def _edited(self) -> EditedClip:
        assert self.clip is not None  # `command` checks this
        return self.clip

    def _from(self, group: str | None) -> Edits:
        """The edits before the drag; the current edits outside of one."""
        if group is None:
            self._drag = None
        elif self._drag is None or self._drag[0] != group:
            self._drag = group, self.edits, dict(self._edited.contacts())
        return self.edits if self._drag is None else self._drag[1]

    def _do(self, edits: Edits, name: str, group: str | None = None) -> bool:
        if group is None:
            self._drag = None
        return self._edited.do(edits, name, group)
