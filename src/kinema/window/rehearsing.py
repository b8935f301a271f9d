"""A model beside the truth while it learns, in a window: `kinema train --watch --window`."""

from __future__ import annotations

from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.errors import ControlError
from kinema.rendering.draw import Draw
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rendering.view import Actors, Floor, View
from kinema.session.library import extent
from kinema.session.log import Log
from kinema.session.playhead import Playhead
from kinema.session.session import Session
from kinema.session.target import CameraTarget
from kinema.viewer.takes import Rehearsed, Take, Takes
from kinema.window.events import Key
from kinema.window.marks import BONE, cell
from kinema.window.transport import transport

if TYPE_CHECKING:
    from kinema.rendering.camera import Camera

MODEL_TINT = (0.62, 0.42, 1.0, 1.0)


class RehearseMode(Session):
    """Plays clips that a model never trained on: the truth at the left, what the model makes of it at the right.

    Attributes:
        takes: keeps the newest take ready. take: the one that is shown.
        apart: metres between the two.
    """

    name = "train"
    keys = (
        ("Space", "play, pause"),
        ("\u2190 \u2192", "one frame"),
        ("Home End", "first and last frame"),
        ("P N", "clip before, clip after"),
    )

    def __init__(self, shown: Rehearsed, log: Log, connection: Connection | None = None) -> None:
        super().__init__(None, log)
        self._connection = connection
        self.takes = Takes(shown, lambda: True)
        self.take: Take = self.takes.take
        truth = self.take.truth
        self.playhead = Playhead(truth.frames, truth.fps)
        self.size = extent(None, truth[np.linspace(0, truth.frames - 1, 9).astype(np.int64)])
        self.apart = 0.9 * self.size
        self._body = build_mannequin(shown.skeleton)
        self._hips = shown.skeleton.roles.hips
        self._fresh = True
        self.takes.start()

    @property
    def title(self) -> str:
        error = f"off by {float(self.take.apart_cm.mean()):.1f} cm"
        return f"{self.takes.shown.titles[self.take.clip]}  \u00b7  step {self.take.step:,}  \u00b7  {error}"

    @property
    def still(self) -> bool:
        return not self.playhead.playing and not self._fresh

    def key(self, code: str, held: frozenset[str] = frozenset(), repeat: bool = False) -> bool:
        if transport(Key(code, True, repeat), self.playhead, self.seek):
            return True
        match code:
            case _ if repeat:
                return False
            case "KeyN":
                self.takes.choose(self.takes.clip + 1)
            case "KeyP":
                self.takes.choose(self.takes.clip - 1)
            case _:
                return False
        return True

    def seek(self, frame: float) -> None:
        """Pause at a frame."""
        self.playhead.playing = False
        self.playhead.seek(frame)
        self._fresh = True

    def update(self, seconds: float) -> None:
        self.playhead.advance(seconds)
        self.failure = self.takes.problem
        if self._connection is not None and self._connection.poll():  # readable means closed at the other end
            self._connection, self.failure = None, ControlError("the training has ended")
        if self.takes.take is not self.take:
            if self.takes.take.clip != self.take.clip:
                truth = self.takes.take.truth
                self.playhead.frames, self.playhead.fps, self.playhead.time = truth.frames, truth.fps, 0.0
            self.take, self._fresh = self.takes.take, True

    @property
    def target(self) -> CameraTarget:
        placed = [points for _, points in self._poses()]
        middle = 0.5 * (placed[0][0, self._hips] + placed[1][0, self._hips])
        return CameraTarget(middle * np.array([1, 0, 1]), 0.0, 1.45 * self.size, np.concatenate(placed).reshape(-1, 3))

    def _poses(self) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """Rotations `[1, J, 4]` and positions `[1, J, 3]` of truth and model, set apart."""
        poses = []
        for side, motion in ((-0.5, self.take.truth), (0.5, self.take.model)):
            pose = motion.sample([self.playhead.time])[:]
            turned, placed = pose.global_rotations, pose.global_positions
            poses.append((turned, placed + np.array([side * self.apart, 0.0, 0.0], np.float32)))
        return poses

    def view(self, camera: Camera) -> View:
        self._fresh = False
        actors, draw = [], Draw()
        for index, ((turned, placed), word) in enumerate(zip(self._poses(), ("truth", "model"), strict=True)):
            tint = None if index == 0 else np.array([MODEL_TINT], np.float32)
            actors.append(Actors(self._body, turned, placed, np.array([index + 1], np.int32), tint))
            top = placed[0, self._hips].copy()
            top[1] = placed[0, :, 1].max() + 0.14 * self.size
            draw.text(top, word, 15.0, BONE, pixels=True, on_top=True)
        return View(camera, tuple(actors), draw=draw, floor=Floor(cell=cell(self.size)))

    def close(self) -> None:
        self.takes.stop()


def serve_window(pupil: Rehearsed, connection: Connection) -> None:
    """Show it in a window until that is closed or the training goes away; for `kinema.viewer.training.open_watch`."""
    from kinema.rendering.renderer import Renderer
    from kinema.window.shell import Window

    session = RehearseMode(pupil, Log(), connection)
    window = Window(session, lambda context, width, height: Renderer(width, height, context=context), "Kinema train")
    connection.send((True, ""))
    window.run()
