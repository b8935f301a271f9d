"""Looking at clips: choose, play, scrub, slow down, mirror, and see what is behind the motion."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics
from kinema.engine.clock import FixedClock
from kinema.errors import ControlError, KinemaError
from kinema.motion import Motion
from kinema.session.library import Clip, Document
from kinema.session.playhead import Playhead
from kinema.viewer import overlays
from kinema.viewer.clip_features import ClipFeatures
from kinema.viewer.editor import ClipEditor
from kinema.viewer.ghost import Ghost, Mode
from kinema.viewer.page import Viewer
from kinema.viewer.panel import ClipPanel
from kinema.viewer.scene import CharacterView, Stage

RATE = 60.0
TOGGLES = {
    "Body": True,
    "Contacts": True,
    "Path": True,
    "Velocities": False,
    "Features": False,
    "Bones": False,
    "Joint names": False,
}
"""What can be shown, and whether it is at first."""

_PATH_POINTS = 240


class ClipViewer:
    """Shows one clip of some documents at a time.

    GUI events arrive on threads of viser's; they are queued, and the loop that draws carries them out.

    Raises:
        KinemaError: no document can be read; the reason of the first.
    """

    def __init__(
        self,
        viewer: Viewer,
        documents: Sequence[Document],
        clock: Callable[[], float] = time.perf_counter,
        edits_folder: str | os.PathLike[str] | None = None,
    ) -> None:
        self.viewer, self._documents, self._clock = viewer, list(documents), clock
        self._tasks: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self.playhead = Playhead()
        self.positions: NDArray[np.float32] = np.zeros((1, 3), np.float32)
        self._stage: Stage | None = None
        self._body: CharacterView | None = None
        self._motion: Motion | None = None
        self._names: overlays.JointNames | None = None
        self._features = ClipFeatures()
        self._marks: overlays.FeatureMarks | None = None
        self._overlays: dict[str, list[Any]] = {}
        self._changed = True
        self._mirrored = False
        self._toggles = dict(TOGGLES)
        self._clips: list[Clip] = []
        self._gui = ClipPanel(viewer.server, self._toggles, self._later, self)
        self.editor = ClipEditor(viewer.channel, self, edits_folder)
        self._ghost = Ghost(viewer.server)
        self._edited: NDArray[np.float32] | None = None
        first: KinemaError | None = None
        for document in self._documents:
            try:
                self._document, self._clips = document, document.read()
                self._gui.list_documents([d.title for d in self._documents], document.title)
                self.open_clip(self._clips[0])
            except KinemaError as error:
                first = first or error
                continue
            break
        else:
            raise first or KinemaError("there is nothing to look at")

    # ---- commands, carried out by the loop -----------------------------------------------------------------------

    def open_document(self, title: str) -> None:
        """Read a document and show its first clip.

        Raises:
            KinemaError: there is none of this title, or it cannot be read.
        """
        document = next((one for one in self._documents if one.title == title), None)
        if document is None:
            raise ControlError(f"there is no file {title!r:.80}")
        self._clips = document.read()
        self._document = document
        self.open_clip(self._clips[0])

    def open_clip(self, clip: Clip) -> None:
        """Show a clip from its start."""
        motion = clip.load()  # first, so that a clip that cannot be read leaves the one before in place
        self._clip, self._edited = clip, None
        if motion is not None and motion.frames == 0:
            motion = None
        self._motion = motion.mirror() if motion is not None and self._mirrored else motion
        self.playhead.frames = 1 if motion is None else motion.frames
        self.playhead.fps = 30.0 if motion is None else motion.fps
        self.playhead.time = 0.0
        self._size = clip.size(motion)
        server = self.viewer.server
        with server.atomic():
            self._set_stage(self._size)
            if self._body is not None:
                self._body.retire()
            self._body = CharacterView(server, "character", clip.character or clip.skeleton, motion=motion)
            self._add_overlays(clip)
        self.editor.open(self._document, self._clips, clip, motion)
        self._gui.show_clip([c.title for c in self._clips], clip, motion, self._size, self.editor.summary)
        self._draw()

    def choose(self, title: str) -> None:
        """Show a clip of the open document by its title; ControlError when there is none."""
        clip = next((one for one in self._clips if one.title == title), None)
        if clip is None:
            raise ControlError(f"there is no clip {title!r:.80} in {self._document.title}")
        self.open_clip(clip)

    def step_clip(self, offset: int) -> None:
        """The next or the previous clip, over the borders of documents when there are several."""
        index = self._clips.index(self._clip) + offset
        if 0 <= index < len(self._clips):
            self.open_clip(self._clips[index])
        elif len(self._documents) > 1:
            titles = [document.title for document in self._documents]
            self._gui.select_document(titles[(titles.index(self._gui.document) + offset) % len(titles)])
        else:
            self.open_clip(self._clips[index % len(self._clips)])

    def set_mirrored(self, value: bool) -> None:
        """Show the clip in a mirror, at the same moment. Edits are of the clip as it is: it is not shown so then."""
        if value and self.editor.on:
            self._gui.flip_mirror()
            self.editor.say("While a clip is edited, M compares it with its mirror image")
            return
        if value == self._mirrored:
            return
        moment = self.playhead.time
        self._mirrored = value
        self.open_clip(self._clip)
        self.playhead.time = moment
        self._changed = True

    def seek(self, frame: float) -> None:
        """Pause at a frame."""
        self.playhead.playing = False
        self.playhead.seek(frame)
        self._gui.show_playing(False)
        self._changed = True

    def scrub(self, frame: float) -> None:
        """Pause at a frame that was not chosen with the panel's slider, which follows."""
        self.seek(frame)
        self._gui.show_frame(self.playhead.frame)

    def toggle_play(self) -> None:
        """Play or pause."""
        self.playhead.toggle()
        self._gui.show_playing(self.playhead.playing)
        self._gui.show_frame(self.playhead.frame)

    def show(self, label: str, value: bool) -> None:
        """Switch an overlay on or off by its label."""
        self._toggles[label] = value
        for overlay in self._overlays[label]:
            overlay.visible = value
        self._changed = True

    def loop_within(self, span: tuple[int, int] | None) -> None:
        """Loop some frames (the latter not included) while the clip plays there; None for all."""
        self.playhead.within = span

    def show_contacts(self, contacts: NDArray[np.float32] | None) -> None:
        """Contacts `[F, 2]` instead of those of the file; None for those."""
        self._edited = contacts
        self._discs.visible = self._toggles["Contacts"] and self._standing is not None
        self._changed = True

    def show_ghost(self, motion: Motion | None, mode: Mode) -> None:
        """Show the mirror image over or beside the character; None takes it away."""
        with self.viewer.server.atomic():
            if motion is None:
                self._ghost.hide()
            elif self._body is not None:
                self._ghost.show(motion, self._body.character, mode, self._size)
        self._changed = True

    def unmirror(self) -> None:
        """Show the clip as it is in the file."""
        if self._mirrored:
            self._gui.flip_mirror()

    def stop(self) -> None:
        """End `run`; from any thread."""
        self._stop.set()

    def run(self, seconds: float | None = None) -> None:
        """Play and draw until `seconds` are over or `stop` is called."""
        began = told = last = self._clock()
        ticks = FixedClock(1.0 / RATE)
        while not self._stop.is_set():
            now = self._clock()
            if seconds is not None and now - began >= seconds:
                break
            self._obey()
            if ticks.due(now):
                self.playhead.advance(now - last)
                last = now
                if (self.playhead.playing or self._changed) and self.viewer.server.get_clients():
                    self._draw()
            if now - told > 0.1:
                told = now
                self._gui.show_time(self.playhead)
                self._tell()
            self._stop.wait(max(ticks.wait(self._clock()), 1e-3))

    # ---- the rest is drawing ---------------------------------------------------------------------------------------

    def _later(self, task: Callable[[], None]) -> None:
        self._tasks.put(task)

    def _obey(self) -> None:
        keys: dict[str, Callable[[], None]] = {
            "Space": self.toggle_play,
            "ArrowRight": lambda: self.scrub(self.playhead.frame + 1),
            "ArrowLeft": lambda: self.scrub(self.playhead.frame - 1),
            "Home": lambda: self.scrub(0),
            "End": lambda: self.scrub(self.playhead.frames - 1),
            "KeyM": self.editor.cycle_ghost if self.editor.on else self._gui.flip_mirror,
            "KeyN": lambda: self.step_clip(1),
            "KeyP": lambda: self.step_clip(-1),
        }
        for key in self.viewer.channel.take_presses():
            if key in keys:
                self._tasks.put(keys[key])
        for order in self.viewer.channel.take_orders():
            self._tasks.put(lambda order=order: self.editor.obey(order))
        while not self._tasks.empty():
            self.viewer.attempt(self._tasks.get())

    def _set_stage(self, size: float) -> None:
        if self._stage is not None and 0.8 < size / self._stage.size < 1.25:
            return
        server = self.viewer.server
        self._stage = Stage(server, size)
        for client in server.get_clients().values():
            client.camera.position = server.initial_camera.position
            client.camera.look_at = server.initial_camera.look_at

    def _add_overlays(self, clip: Clip) -> None:
        server, size, skeleton = self.viewer.server, self._size, clip.skeleton
        for label, shown in self._overlays.items():
            for overlay in shown if label != "Body" else []:
                overlay.retire()
        self._feet = overlays.foot_joints(skeleton)
        self._discs = overlays.ContactDiscs(server, "contacts", 0.075 * size)
        self._path = overlays.Path(server, "path", overlays.WANTED, 0.007 * size)
        roles = skeleton.roles
        self._movers = [roles.hips, *self._feet]
        self._arrows = overlays.Arrows(server, "velocities", overlays.VELOCITY, size / 1.7)
        self._bones = overlays.Bones(server, "bones", skeleton)
        self._names = overlays.JointNames(server, "names", skeleton.names)
        self._marks = overlays.FeatureMarks(server, "features", size)
        self._overlays = {
            "Body": [self._body],
            "Contacts": [self._discs],
            "Path": [self._path],
            "Velocities": [self._arrows],
            "Features": [self._marks],
            "Bones": [self._bones],
            "Joint names": [self._names],
        }
        self._prepare(self._motion, size)
        for label, shown in self._overlays.items():
            for overlay in shown:
                overlay.visible = self._toggles[label]
        if self._standing is None:
            self._discs.visible = False
        if self._motion is None:
            self._path.visible = self._arrows.visible = False

    def _prepare(self, motion: Motion | None, size: float) -> None:
        """What overlays show of the whole clip: contacts, the path on the ground, velocities."""
        self._contacts: NDArray[np.float32] | None = None
        self._velocities: NDArray[np.float32] | None = None
        self._centres: NDArray[np.float32] | None = None
        if motion is None:
            return
        if {"contact.left", "contact.right"} <= motion.labels.keys() and len(self._feet) == 2:
            columns = [motion.labels["contact.left"], motion.labels["contact.right"]]
            self._contacts = np.stack(columns, axis=-1).astype(np.float32)
        moving = motion[:].global_positions[:, self._movers]
        self._velocities = kinematics.velocities(moving, 1.0 / motion.fps)
        self._centres = overlays.smoothed(moving[:, 0], int(0.5 * motion.fps))
        chosen = np.linspace(0, motion.frames - 1, _PATH_POINTS).round().astype(np.int64)
        on_ground = moving[chosen, 0].copy()
        on_ground[:, 1] = 0.004 * size
        self._path.update(on_ground)

    @property
    def _standing(self) -> NDArray[np.float32] | None:
        """Contacts `[F, feet]` to show: those that were edited, else those of the file."""
        contacts = self._contacts if self._edited is None else self._edited
        return contacts if self._feet and contacts is not None and contacts.shape[1] == len(self._feet) else None

    def _draw(self) -> None:
        self._changed = False
        frame = self.playhead.frame
        pose = self._clip.skeleton.rest_pose if self._motion is None else self._motion.sample([self.playhead.time])[0]
        turned, placed = pose.global_rotations, pose.global_positions
        self.positions = placed
        if self._stage is None or self._body is None:
            return
        with self.viewer.server.atomic():
            if self._gui.follow:
                self._stage.follow(placed[self._movers[0]] if self._centres is None else self._centres[frame])
            self._body.update(turned, placed, self._body.face_at(self._motion, self.playhead.time))
            self._changed |= self._body.unfinished
            self._bones.update(placed)
            if self._names is not None:
                self._names.update(placed)
            if self._standing is not None and self._discs.visible:
                self._discs.update(placed[self._feet], self._standing[frame])
            self._ghost.update(self.playhead.time)
            if self._velocities is not None and self._arrows.visible:
                self._arrows.update(placed[self._movers], 0.2 * self._velocities[frame])
            if self._motion is not None and self._marks is not None and self._marks.visible:
                seen = self._features.at(self._motion, self.playhead.time)
                self._changed |= self._features.waiting
                self._marks.update(seen, placed)

    def _tell(self) -> None:
        head = self.playhead
        rows = [("time", f"{head.time:.2f} s"), ("frame", f"{head.frame} / {head.frames - 1}")]
        if self._velocities is not None:
            speed = float(np.hypot(*self._velocities[head.frame, 0][[0, 2]]))
            rows.append(("speed", f"{speed:.2f} m/s"))
        if self._toggles["Features"] and self._features.waiting:
            rows.append(("features", "computing"))
        elif problem := self._features.take_problem():
            self.viewer.say("No features", problem, "orange")
        moment = {"frame": head.time * head.fps, "playing": head.playing, "speed": head.speed, "fps": head.fps}
        self.viewer.channel.send({"figures": rows, "time": moment})
