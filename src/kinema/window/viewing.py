"""Looking at clips: which one, at what moment, and what of it is shown."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from kinema import rotations
from kinema.character import Character
from kinema.errors import KinemaError
from kinema.rendering.view import Actors, Floor, View
from kinema.session.library import Clip, Document, documents
from kinema.session.loading import Loader
from kinema.session.log import Log
from kinema.session.playhead import Playhead
from kinema.session.session import Session
from kinema.session.target import CameraTarget
from kinema.window import marks
from kinema.window.curves import CurveBook
from kinema.window.editing import Editing
from kinema.window.events import Key
from kinema.window.footage import Footage, Spans, prepare
from kinema.window.keys import held as is_held
from kinema.window.timerange import TimeRange
from kinema.window.tracks import Row, rows
from kinema.window.transport import transport

if TYPE_CHECKING:
    from kinema.rendering.camera import Camera

SPEEDS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0)
"""Seconds of clip in a second, as the keys - and + step through them."""


class ViewMode(Session):
    """Shows one clip of some documents at a time. Reading happens beside the window.

    Attributes:
        documents: what there is. place: index of the one shown. clips: those in it.
        footage: what is shown, None until something was read.
    """

    name = "view"
    hint = "Space plays   \u2190 \u2192 step   drag turns the camera   F1: all keys"
    keys = (
        ("Space", "play, pause"),
        ("\u2190 \u2192", "one frame (Shift: ten)"),
        ("Home End", "first and last frame"),
        ("- +", "slower, faster"),
        ("L", "loop"),
        ("P N", "clip before, clip after"),
        ("M", "mirror"),
        ("1 \u2026 9", "what is shown"),
        ("Ctrl+Z Y S", "undo, redo, save edits"),
        ("drop files", "look at them too"),
    )

    def __init__(self, found: Sequence[Document], log: Log, edits_folder: str | os.PathLike[str] | None = None) -> None:
        super().__init__(None, log)
        self.editing = Editing(log, edits_folder)
        self.documents, self.place = list(found), 0
        self.clips: dict[int, list[Clip]] = {}
        self.footage: Footage | None = None
        self.playhead = Playhead()
        self.show.update(marks.CLIP_MARKS)
        self.dress = ""
        self.characters: dict[str, Character] = {}
        """Characters of the files read so far, by file: any of them may wear any clip on its joints."""
        self._loader: Loader[tuple[int, list[Clip], Footage]] = Loader()
        self.range = TimeRange()
        self.curves = CurveBook()
        self.chose_curves = False
        """Whether the first curves were chosen already."""
        self.painting: bool | None = None
        """Whether strokes on the rows of contacts say that the foot touches, or does not; None: they scrub."""
        self._rows: tuple[tuple[Footage | None, int], list[Row]] = (None, -1), []
        self._stroked: Row | None = None
        self._keep_time = False
        self._fresh = True
        self._skip = 0
        self._bad: set[int] = set()
        if self.documents:
            self.open(0)

    # ---- what panels and keys do -----------------------------------------------------------------------------------

    def open(self, place: int, clip: Clip | None = None, skip: int = 0) -> None:
        """Show a document from the start, or one clip of it.

        Args:
            skip: 1 or -1 when stepping: what cannot be read is passed over this way; -1 shows the last clip.
        """
        document, known = self.documents[place], self.clips.get(place)
        mirrored, dress, others = self.mirrored, self.dress, dict(self.characters)
        self._keep_time, self._skip = False, skip

        def make() -> tuple[int, list[Clip], Footage]:
            clips = known or document.read()
            return place, clips, prepare(clip or clips[-1 if skip < 0 else 0], mirrored, dress, others)

        self._wanted = place
        self._loader.ask(document.title, make)

    def reopen(self, mirrored: bool | None = None, dress: str | None = None) -> None:
        """Show the same clip at the same moment in a mirror, or on another body."""
        if self.footage is None:
            return
        self.dress = self.dress if dress is None else dress
        self._mirrored = self.mirrored if mirrored is None else mirrored
        self.open(self.place, self.footage.clip)
        self._keep_time = True

    @property
    def mirrored(self) -> bool:
        """Whether clips are shown in a mirror."""
        return self._mirrored

    _mirrored = False

    def step_clip(self, offset: int) -> None:
        """The next or the previous clip, over the borders of documents."""
        clips = self.clips.get(self.place, [])
        if self.footage is None or not clips:
            return
        index = clips.index(self.footage.clip) + offset
        if 0 <= index < len(clips):
            self.open(self.place, clips[index])
        elif len(self.documents) > 1:
            self.open((self.place + offset) % len(self.documents), skip=offset)
        else:
            self.open(self.place, clips[index % len(clips)])

    def seek(self, frame: float) -> None:
        """Pause at a frame."""
        self.playhead.playing = False
        self.playhead.seek(frame)
        self._fresh = True

    def rows(self) -> list[Row]:
        """The rows of the timeline."""
        made_of = self.footage, self.editing.version
        if self._rows[0] != made_of:
            own = [] if self.footage is None else rows(self.footage, self.contacts)
            self._rows = made_of, own + self.editing.rows()
        return self._rows[1]

    @property
    def contacts(self) -> Mapping[str, Spans]:
        """When each foot touches, as edited."""
        if self.footage is None:
            return {}
        unmirrored = self.editing.clip is not None and not self.mirrored
        return self.editing.clip.contacts() if unmirrored and self.editing.clip is not None else self.footage.contacts

    def stroke_begins(self, frame: float, row: Row | None) -> None:
        """The hand comes down on the timeline."""
        self._stroked = row if row is not None and row.kind == "contact" else None
        self.editing.begin_stroke()

    def stroke(self, first: float, last: float) -> None:
        """The hand has drawn over some frames, in either order: what it paints, if it is on the row of a foot."""
        if self._stroked is not None and self.painting is not None and not self.mirrored:
            self.editing.paint(self._stroked.name, round(first), round(last), self.painting)
            self._fresh = True

    def set_mark(self, name: str, value: bool) -> None:
        super().set_mark(name, value)
        self._fresh = True

    def change_speed(self, steps: int) -> None:
        """Slower or faster, by steps of `SPEEDS`."""
        place = int(np.argmin([abs(math.log(speed / self.playhead.speed)) for speed in SPEEDS]))
        self.playhead.speed = SPEEDS[min(max(place + steps, 0), len(SPEEDS) - 1)]

    def add(self, paths: Sequence[str]) -> None:
        """Look at more files; the first of them is shown."""
        try:
            found = documents(paths)
        except (KinemaError, OSError) as error:
            self.log.say(str(error), "error")
            return
        first = len(self.documents)
        self.documents += found
        self.open(first)
        self.log.say(f"{len(found)} file{'s' if len(found) > 1 else ''} added")

    # ---- what the window asks for --------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        if self.footage is None:
            return ""
        document, clip = self.documents[self.place].title, self.footage.clip.title
        return document if clip in document else f"{document}  \u00b7  {clip}"

    @property
    def waiting(self) -> str:
        return f"reading {self._loader.what}" if self._loader.what else ""

    @property
    def still(self) -> bool:
        return not self.playhead.playing and not self._fresh and not self.waiting

    @property
    def target(self) -> CameraTarget:
        footage = self.footage
        if footage is None:
            return CameraTarget.nothing()
        frame = self.playhead.frame
        place = footage.centres[frame] * np.array([1, 0, 1], np.float32)
        points = footage.pose(self.playhead.time)[1]
        return CameraTarget(
            place, float(rotations.yaw(footage.headings[frame])), footage.size, points, float(footage.centres[frame, 1])
        )

    def key(self, code: str, held: frozenset[str] = frozenset(), repeat: bool = False) -> bool:
        if is_held(held, "Control") or is_held(held, "Meta"):
            return self._shortcut(code, is_held(held, "Shift"))
        if transport(Key(code, True, repeat), self.playhead, self.seek, 10 if is_held(held, "Shift") else 1):
            return True
        match code:
            case _ if repeat:
                return False
            case "Minus" | "NumpadSubtract":
                self.change_speed(-1)
            case "Equal" | "NumpadAdd":
                self.change_speed(1)
            case "KeyL":
                self.playhead.loop = not self.playhead.loop
            case "KeyN":
                self.step_clip(1)
            case "KeyP":
                self.step_clip(-1)
            case "KeyM":
                self.reopen(mirrored=not self.mirrored)
            case _:
                return super().key(code, held, repeat)
        return True

    def _shortcut(self, code: str, shift: bool) -> bool:
        match code:
            case "KeyZ" if not shift:
                self.editing.undo()
            case "KeyY" | "KeyZ":
                self.editing.redo()
            case "KeyS":
                self.editing.save()
            case _:
                return False
        self._fresh = True
        return True

    def add_files(self, paths: Sequence[str]) -> None:
        self.add(paths)

    def update(self, seconds: float) -> None:
        self._take()
        self.playhead.advance(seconds)
        self.time += seconds

    def view(self, camera: Camera) -> View:
        self._fresh = False
        footage = self.footage
        if footage is None:
            return View(camera)
        turned, placed = footage.pose(self.playhead.time)
        actors = []
        if self.show["Body"]:
            face = footage.face(self.playhead.time)
            actors.append(Actors(footage.character, turned[None], placed[None], morphs=face))
        image = footage.ghost_pose(self.playhead.time) if self.show["Mirror image"] else None
        if image is not None:
            faded = np.array([[0.75, 0.85, 1.0, 0.45]], np.float32)
            actors.append(Actors(footage.character, image[0][None], image[1][None], np.array([2], np.int32), faded))
        draw = marks.clip_marks(footage, self.show, self.playhead.time, placed, self.contacts)
        return View(camera, tuple(actors), draw=draw, floor=Floor(cell=marks.cell(footage.size)))

    def _take(self) -> None:
        """What the loader has made, or why it could not."""
        result = self._loader.take()
        if result is None:
            return
        made, error = result
        if made is None:
            self.log.say(str(error), "error")
            self._bad.add(self._wanted)
            if len(self._bad) == len(self.documents):
                self.failure = error
                return
            if self._skip:  # stepping passes over what cannot be read
                self.open((self._wanted + self._skip) % len(self.documents), skip=self._skip)
            elif self.footage is None and self._wanted + 1 < len(self.documents):
                self.open(self._wanted + 1)
            return
        self.place, clips, footage = made
        self.clips[self.place] = clips
        self.footage = footage
        self.editing.open(self.documents[self.place], clips, footage.clip)
        character = footage.clip.character
        if character is not None and character.meshes:
            self.characters.setdefault(self.documents[self.place].title, character)
        head = self.playhead
        head.frames, head.fps = footage.frames, footage.fps
        head.time = min(head.time, head.last) if self._keep_time else 0.0
        if not self._keep_time:
            self.range.reset(footage.frames)
        self._fresh = True

    def close(self) -> None:
        for path in self.editing.unsaved:
            self.log.say(f"{path}: the last edits were not saved", "warning")
