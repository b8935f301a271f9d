"""Shows clips: file, clip, time, body, marks and edits."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np

from kinema import rotations
from kinema.character import Character
from kinema.engine import Figure, Playing, Tint, Transform, World
from kinema.errors import FormatError, KinemaError
from kinema.mocap.edits.spans import Spans
from kinema.motion import Motion
from kinema.rendering.draw import Draw
from kinema.rendering.view import View
from kinema.session import clip_marks
from kinema.session.curves import ClipAnalysis
from kinema.session.editor import GHOSTS, Editor
from kinema.session.library import LibraryClip, LibraryFile, find_files
from kinema.session.loading import Loader
from kinema.session.log import Log
from kinema.session.posing import Posing
from kinema.session.prepared import PreparedClip, bodies, prepare
from kinema.session.settings import Choice, Facts, SessionSetting, Switch, text_choice
from kinema.session.target import CameraTarget
from kinema.session.timed import TimedSession

GHOST_TINT = (0.75, 0.85, 1.0, 0.45)
BESIDE_TINT = (0.66, 0.55, 0.95, 1.0)
BESIDE = 0.75
"""Distance of a mirror image beside the character, in heights of the character."""


class ClipSession(TimedSession):
    """Shows one clip at a time. Files are read on a separate thread.

    Args:
        files: the files to show; the first is opened.
        edits_folder: folder of the edits; by default they are beside the files.
        world: the world to show clips in; None makes an empty one.

    Attributes:
        files: all files. file_index: index of the file shown. clips: clips by file index, for files that were read.
        shown: the clip shown; None until one was read. figure: the entity that plays it.
        body: name of the requested body. editor: edits of the clip. posing: handles that pose the character by hand.
        analysis: curves and features of the clip. curves: names of the curves to draw.
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
        ("M", "mirror; while editing: mirror image over, beside, off"),
        ("1 \u2026 9", "what is shown"),
        ("Ctrl+Z Y S", "undo, redo, save edits"),
        ("drop files", "look at them too"),
    )

    def __init__(
        self,
        files: Sequence[LibraryFile],
        log: Log | None = None,
        edits_folder: str | os.PathLike[str] | None = None,
        world: World | None = None,
    ) -> None:
        super().__init__(world, log)
        self.files, self.file_index = list(files), 0
        self.clips: dict[int, list[LibraryClip]] = {}
        self.shown: PreparedClip | None = None
        self.figure: int | None = None
        self.body = ""
        self.mirrored = False
        self.editor = Editor(self.log, edits_folder)
        self.posing = Posing(self.playhead, self.log)
        self.analysis = ClipAnalysis()
        self.curves: list[str] = []
        self.show.update(clip_marks.SHOWN)
        self._characters: dict[str, Character] = {}
        self._ghost: tuple[str, Motion | None, int | None] = "off", None, None
        self._loader: Loader[tuple[int, list[LibraryClip], PreparedClip]] = Loader()
        self._wanted, self._skip, self._keep_time = 0, 0, False
        self._unreadable: set[int] = set()
        self._edited = self._posed = -1
        if self.files:
            self.open(0)

    # ---- commands ----------------------------------------------------------------------------------------------------

    def open(self, file_index: int, clip: LibraryClip | None = None, skip: int = 0) -> None:
        """Show one clip of a file, by default the first.

        Args:
            skip: 1 or -1 while stepping: direction in which unreadable files are skipped; -1 shows the last clip.
        """
        file, known = self.files[file_index], self.clips.get(file_index)
        mirrored, body, others = self.mirrored, self.body, dict(self._characters)
        self._wanted, self._keep_time, self._skip = file_index, False, skip

        def make() -> tuple[int, list[LibraryClip], PreparedClip]:
            clips = known or file.read()
            if not clips:
                raise FormatError("contains no clips", path=file.path)
            return file_index, clips, prepare(clip or clips[-1 if skip < 0 else 0], mirrored, body, others)

        self._loader.ask(file.title, make)

    def reopen(self) -> None:
        """Prepare the current clip again, for another body or mirrored, and keep the time."""
        if self.shown is not None:
            self.open(self.file_index, self.shown.clip)
            self._keep_time = True

    def set_mirrored(self, value: bool) -> None:
        """Mirror clips. A clip is never mirrored while it is edited, because edits apply to the original."""
        if value and self.editor.on:
            self.log.say("while a clip is edited, M compares it with its mirror image", "warning")
        elif value != self.mirrored:
            self.mirrored = value
            self.reopen()

    def set_body(self, name: str) -> None:
        """Show clips on another body, if it fits their skeleton."""
        self.body = name
        self.reopen()

    def set_editing(self, on: bool) -> None:
        """Start or stop editing."""
        if on:
            self.set_mirrored(False)
        self.editor.switch(on)

    def step_clip(self, offset: int) -> None:
        """Show the next or the previous clip, across files."""
        clips = self.clips.get(self.file_index, [])
        if self.shown is None or not clips:
            return
        index = self._index + offset
        if 0 <= index < len(clips):
            self.open(self.file_index, clips[index])
        elif len(self.files) > 1:
            self.open((self.file_index + offset) % len(self.files), skip=offset)
        else:
            self.open(self.file_index, clips[index % len(clips)])

    @property
    def _index(self) -> int:
        """Index of the clip in its file."""
        return 0 if self.shown is None else self.clips[self.file_index].index(self.shown.clip)

    def _open_clip(self, index: int) -> None:
        self.open(self.file_index, self.clips[self.file_index][index])

    def add_files(self, paths: Sequence[str]) -> None:
        """Add files and show the first of them."""
        try:
            found = find_files(paths)
        except (KinemaError, OSError) as error:
            self.log.say(str(error), "error")
            return
        self.files += found
        self.open(len(self.files) - len(found))
        self.log.say(f"{len(found)} file{'s' if len(found) > 1 else ''} added")

    def key(self, code: str, held: frozenset[str] = frozenset(), repeat: bool = False) -> bool:
        editor, shift = self.editor, bool(held & {"ShiftLeft", "ShiftRight"})
        if held & {"ControlLeft", "ControlRight", "MetaLeft", "MetaRight"}:
            keys = {"KeyZ": editor.redo if shift else editor.undo, "KeyY": editor.redo, "KeyS": editor.save}
        elif code == "KeyM" and not repeat:
            keys = {"KeyM": editor.cycle_ghost if editor.on else lambda: self.set_mirrored(not self.mirrored)}
        else:
            return super().key(code, held, repeat)
        if code in keys:
            keys[code]()
        return code in keys

    # ---- state for screens -------------------------------------------------------------------------------------------

    @property
    def contacts(self) -> Mapping[str, Spans]:
        """Spans of each contact point, with edits."""
        if self.shown is None:
            return {}
        edited = None if self.mirrored or self.shown.mirrored else self.editor.clip
        return self.shown.contacts if edited is None else edited.contacts()

    @property
    def title(self) -> str:
        if self.shown is None:
            return ""
        file, clip = self.files[self.file_index].title, self.shown.clip.title
        return file if clip in file else f"{file}  \u00b7  {clip}"

    @property
    def waiting(self) -> str:
        return f"reading {self._loader.what}" if self._loader.what else ""

    @property
    def target(self) -> CameraTarget:
        shown = self.shown
        if shown is None or self.figure is None:
            return CameraTarget.nothing()
        centre, facing = shown.centres[self.playhead.frame], shown.facings[self.playhead.frame]
        points = self.world.poses.of(self.figure).global_positions
        position = centre * np.array([1, 0, 1], np.float32)
        return CameraTarget(position, float(rotations.yaw(facing)), shown.size, points, float(centre[1]))

    def figures(self) -> list[tuple[str, str]]:
        rows = super().figures()
        if self.shown is not None and self.shown.motion is not None:
            rows.append(("speed", f"{self._speed:.2f} m/s"))
        if self.show.get("Features") and self.analysis.waiting:
            rows.append(("features", "computing"))
        if self.posing.waiting:
            rows.append(("handles", "preparing"))
        return rows

    @property
    def _speed(self) -> float:
        """Horizontal speed of the hips, m/s."""
        assert self.shown is not None
        velocity = self.shown.velocities[self.playhead.frame, self.shown.clip.skeleton.roles.hips]
        return float(np.hypot(velocity[0], velocity[2]))

    def settings(self) -> Sequence[SessionSetting]:
        if self.shown is None:
            return super().settings()
        files, clips = [file.title for file in self.files], [clip.title for clip in self.clips[self.file_index]]
        shown, hint = self.shown, "Bodies that fit these joints; open more files to get more"
        names = list(bodies(shown.clip, self._characters))
        compare = "Compare the clip with its mirror image"
        choices = (
            Choice("Clip", "File", "", lambda: self.file_index, self.open, lambda: files),
            Choice("Clip", "Clip", "", lambda: self._index, self._open_clip, lambda: clips),
            text_choice("Character", "Body", hint, lambda: shown.body, self.set_body, names),
        )
        return (
            *(choice for choice in choices if len(choice.options()) > 1),
            Switch("Character", "Mirrored", "Swap left and right (M)", lambda: self.mirrored, self.set_mirrored),
            text_choice(
                "Character", "Mirror image", compare, lambda: self.editor.ghost, self.editor.show_ghost, GHOSTS
            ),
            Facts("Character", "facts", rows=self._facts),
            *super().settings(),
        )

    def _facts(self) -> list[tuple[str, str]]:
        shown = self.shown
        if shown is None:
            return []
        rows = [("joints", f"{shown.clip.skeleton.joint_count}"), ("size", f"{shown.size:.2f} m")]
        if shown.motion is not None:
            rows.append(("length", f"{shown.frames} frames, {shown.motion.seconds:.2f} s"))
            rows.append(("rate", f"{shown.fps:g} /s"))
        if shown.clip.character is not None and shown.clip.character.meshes:
            rows.append(("vertices", f"{shown.clip.character.vertex_count}"))
        if self.editor.clip is not None and self.editor.edits.summary:
            rows.append(("edited", self.editor.edits.summary))
        source = shown.motion or shown.clip.character
        return rows + [("", warning) for warning in (() if source is None else source.warnings[:3])]

    def mark(self, view: View, draw: Draw) -> None:
        shown = self.shown
        if shown is None or self.figure is None:
            return
        time, features = self.playhead.time, None
        if self.show.get("Features") and shown.motion is not None:
            analysis = self.analysis.of(shown.motion)
            features = None if analysis.table is None else analysis.table.at(time * shown.fps)
            self.changed |= analysis.waiting
        positions = self.world.poses.of(self.figure).global_positions
        clip_marks.mark_clip(clip_marks.ClipMoment(shown, time, positions, self.contacts, features), self.show, draw)

    # ---- internals ---------------------------------------------------------------------------------------------------

    def update(self, seconds: float) -> None:
        self._take()
        self.playhead.within = self.editor.selection
        if self.editor.version != self._edited:
            self._edited, self.changed = self.editor.version, True
        super().update(seconds)
        self._update_ghost()
        if self.figure is not None:
            self.pose(*(entity for entity in (self.figure, self._ghost[2]) if entity is not None))
            self._pose_by_hand(self.figure)

    def _pose_by_hand(self, figure: int) -> None:
        """Show the pose that handles ask for in place of that of the clip."""
        found = self.world.poses.of(figure)
        posed = self.posing.follow(found, self.shown)
        if posed is not found:
            self.show_pose(figure, posed)
        if self.posing.version != self._posed:
            self._posed, self.changed = self.posing.version, True

    def _update_ghost(self) -> None:
        """Add, change or remove the mirror image."""
        shown, mode, image = self.shown, self.editor.ghost, self._mirror_image()
        if (mode, image) == self._ghost[:2]:
            return
        if self._ghost[2] is not None:
            self.world.despawn(self._ghost[2])
        entity = None
        if shown is not None and image is not None:
            transform = Transform((BESIDE * shown.size if mode == "beside" else 0.0, 0.0, 0.0))
            tint = Tint(BESIDE_TINT if mode == "beside" else GHOST_TINT)
            entity = self.world.spawn(transform, Figure(shown.character), Playing(image, speed=0.0, loop=False), tint)
        self._ghost, self.changed = (mode, image, entity), True

    def _mirror_image(self) -> Motion | None:
        """The mirror image to show, of the clip with its edits; None if none is."""
        if self.shown is None or self.editor.ghost == "off":
            return None
        edited = None if self.mirrored else self.editor.clip
        return self.shown.mirror_image if edited is None else edited.ghost()

    def _take(self) -> None:
        """Show what the loader has read, or log its error."""
        result = self._loader.take()
        if result is None:
            return
        loaded, error = result
        if loaded is None:
            self._pass_over(error)
        else:
            self._show_clip(*loaded)

    def _pass_over(self, error: KinemaError | None) -> None:
        """Log the error. While stepping, or before anything is shown, try the next file."""
        self.log.say(str(error), "error")
        self._unreadable.add(self._wanted)
        if len(self._unreadable) == len(self.files):
            self.failure = error
        elif self._skip:
            self.open((self._wanted + self._skip) % len(self.files), skip=self._skip)
        elif self.shown is None and self._wanted + 1 < len(self.files):
            self.open(self._wanted + 1)

    def _show_clip(self, file_index: int, clips: list[LibraryClip], shown: PreparedClip) -> None:
        self.file_index, self.clips[file_index], self.shown = file_index, clips, shown
        self.editor.open(self.files[file_index], clips, shown.clip, shown.frames)
        character = shown.clip.character
        if character is not None and character.meshes:
            self._characters.setdefault(self.files[file_index].title, character)
        head = self.playhead
        head.frames, head.fps = shown.frames, shown.fps
        head.time = min(head.time, head.last) if self._keep_time else 0.0
        if self.figure is not None:
            self.world.despawn(self.figure)
        parts: list[object] = [Transform(), Figure(shown.character)]
        if shown.motion is not None:
            parts.append(Playing(shown.motion, speed=0.0, loop=False))
        self.figure, self.changed = self.world.spawn(*parts), True

    def close(self) -> None:
        for path in self.editor.unsaved:
            self.log.say(f"{path}: the last edits were not saved", "warning")
