"""A clip that is being edited: what every editor (browser page, window, script) holds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kinema.arrays import Indices
from kinema.formats.sources import Source
from kinema.mocap.edits import change
from kinema.mocap.edits.asymmetry import Asymmetry, asymmetry, ghost
from kinema.mocap.edits.cutting import check, mirror_pairs
from kinema.mocap.edits.feet import Feet
from kinema.mocap.edits.files import FileEdits, Stamp, clip_keys, edits_path, read_edits, write_edits
from kinema.mocap.edits.history import History
from kinema.mocap.edits.model import EditError, Edits
from kinema.mocap.edits.spans import Spans
from kinema.motion import Motion


class EditedClip:
    """One clip, its edits with their history, and what helps to make them.

    Attributes:
        key: name of the clip in its file.
        motion: as it is in the file.
        history: undo and redo; `do` adds a step.
    """

    def __init__(self, key: str, motion: Motion, edits: Edits) -> None:
        check(motion, edits)
        self.key, self.motion = key, motion
        self.history = History(edits)
        self._image: tuple[tuple[tuple[str, str], ...], Motion] | None = None

    @property
    def edits(self) -> Edits:
        return self.history.now

    @cached_property
    def feet(self) -> Feet:
        """Contact points with the curves of their height and speed; measured on first use."""
        return Feet.of(self.motion)

    @cached_property
    def _unedited(self) -> dict[str, Spans]:
        return self.feet.current()

    def do(self, edits: Edits, name: str = "change", group: str | None = None) -> bool:
        """Apply new edits, made with `kinema.mocap.edits.change`; see `History.do`."""
        check(self.motion, edits)
        return self.history.do(edits, name, group)

    def contacts(self) -> Mapping[str, Spans]:
        """When each contact point stands now: as edited, else as in the file, else detected."""
        if self.edits.contacts is None:
            return self._unedited
        return {track.point: track.spans for track in self.edits.contacts}

    def paint(self, point: str, start: int, stop: int, touching: bool, group: str | None = None) -> bool:
        """Paint or erase a contact; the first stroke fixes what was detected elsewhere."""
        new = change.paint(self.edits, point, start, stop, touching, self.contacts())
        return self.do(new, "paint contact" if touching else "erase contact", group)

    def mirror_pairs(self) -> Indices | None:
        """The mirror map `[J]` as edited; None for the skeleton's own."""
        return mirror_pairs(self.motion.skeleton, self.edits)

    def asymmetry(self) -> Asymmetry:
        """How the clip differs from its mirror image."""
        return asymmetry(self.motion, self.mirror_pairs())

    def ghost(self) -> Motion:
        """The mirror image laid over the clip; rebuilt only when the mirror map was edited."""
        partners = self.edits.partners
        if self._image is None or self._image[0] != partners:
            self._image = partners, ghost(self.motion, self.mirror_pairs())
        return self._image[1]


@dataclass(eq=False)
class EditedFile:
    """The clips of one file under edit. Use `open`.

    Attributes:
        clips: the clips by key, in file order.
        path: where `save` writes; None where there is no place (bytes in memory).
        stamp: stamp of the current source file.
        changed: whether the file changed since the edits were made; they are shown and saved all the same where they
            still fit.
        lost: edits that no longer fit a clip of the file; they are kept unchanged.
    """

    clips: dict[str, EditedClip]
    path: Path | None
    stamp: Stamp
    changed: bool = False
    lost: dict[str, Edits] = field(default_factory=dict)

    @staticmethod
    def open(source: Source, motions: Sequence[Motion], folder: str | os.PathLike[str] | None = None) -> EditedFile:
        """Begin to edit the motions of a source, with the edits that are beside it.

        Raises:
            EditError: the file of edits cannot be used.
            FormatError: the source cannot be read.
        """
        stamp, found = Stamp.of(source), read_edits(source, folder)
        found = found or FileEdits(stamp)
        clips: dict[str, EditedClip] = {}
        keys = clip_keys(motions)
        own, lost = found.matched(keys)
        for key, motion in zip(keys, motions, strict=True):
            edits = own.get(key) or Edits.none(motion.frames, motion.fps)
            try:
                clips[key] = EditedClip(key, motion, edits)
            except EditError:
                lost[key] = edits
                clips[key] = EditedClip(key, motion, Edits.none(motion.frames, motion.fps))
        changed = found.source.sha256 != stamp.sha256
        return EditedFile(clips, edits_path(source, folder), stamp, changed, lost)

    @property
    def dirty(self) -> bool:
        """Whether anything is not saved."""
        return any(clip.history.dirty for clip in self.clips.values())

    def save(self) -> Path:
        """Write all edits atomically; returns the path.

        Raises:
            WriteError: the place cannot be written to.
            EditError: there is no place.
        """
        if self.path is None:
            raise EditError("edits of a file in memory have no place; name a folder with --edits-folder")
        # Edits of another version of the file are replaced by what is made now, not by nothing.
        edits = {**self.lost, **{key: clip.edits for key, clip in self.clips.items() if not clip.edits.empty}}
        write_edits(FileEdits(self.stamp, edits), self.path)
        for clip in self.clips.values():
            clip.history.mark_saved()
        self.changed = False
        return self.path
