"""A model beside the truth in the browser: two bodies on clips that it never trained on, and the curve of its loss."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

import numpy as np
import viser
from viser import uplot

from kinema.engine.clock import FixedClock
from kinema.errors import ControlError
from kinema.session.library import extent
from kinema.session.playhead import Playhead
from kinema.viewer.page import Viewer, style
from kinema.viewer.scene import WORLD, CharacterView, Stage
from kinema.viewer.takes import Rehearsed, Take, Takes, curve

RATE = 60.0
MODEL_TINT = (124, 77, 190)
_TELL_SECONDS = 0.25


class Rehearsal:
    """Plays clips at the rate of the display; `kinema.viewer.takes.Takes` runs the model beside it."""

    def __init__(self, viewer: Viewer, shown: Rehearsed, clock: Callable[[], float] = time.perf_counter) -> None:
        self.viewer, self._shown, self._clock = viewer, shown, clock
        self._tasks: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self.takes = Takes(shown, lambda: bool(viewer.server.get_clients()))
        self.take = self.takes.take
        self.playhead = Playhead(self.take.truth.frames, self.take.truth.fps)
        self._changed = True
        truth = self.take.truth
        some = np.linspace(0, truth.frames - 1, 9).astype(np.int64)
        self._size = extent(None, truth[some])
        self._apart = 0.9 * self._size
        server = viewer.server
        style(server)
        with server.atomic():
            self._stage = Stage(server, self._size)
            server.initial_camera.position = (0.7 * self._size, 0.95 * self._size, 2.9 * self._size)
            self._bodies = (
                CharacterView(server, "truth", shown.skeleton),
                CharacterView(server, "model", shown.skeleton, tint=MODEL_TINT),
            )
            self._labels = tuple(
                server.scene.add_label(f"{WORLD}/{word}-name", word, anchor="bottom-center")
                for word in ("truth", "model")
            )
            self._add_panel()
        self._draw()

    # ---- commands, carried out by the loop -----------------------------------------------------------------------

    def choose(self, title: str) -> None:
        """Show a clip by its title, as soon as the model has run on it; ControlError when there is none."""
        if title not in self._shown.titles:
            raise ControlError(f"there is no clip {title!r:.80}")
        self.takes.choose(list(self._shown.titles).index(title))

    def step_clip(self, offset: int) -> None:
        """The next or the previous clip."""
        self.takes.choose(self.takes.clip + offset)
        self._clips.value = self._shown.titles[self.takes.clip]

    def seek(self, frame: float) -> None:
        """Pause at a frame."""
        self.playhead.playing = False
        self.playhead.seek(frame)
        self._play.label = "Play"
        self._changed = True

    def toggle_play(self) -> None:
        """Play or pause; the training goes on either way."""
        self.playhead.toggle()
        self._play.label = "Pause" if self.playhead.playing else "Play"

    def stop(self) -> None:
        """End `run`; from any thread."""
        self._stop.set()

    def run(self, ended: Callable[[], bool] = lambda: False) -> None:
        """Play and draw until `ended` says so or `stop` is called.

        Raises:
            KinemaError: the model cannot be run on a clip.
        """
        self.takes.start()
        ticks, last, told = FixedClock(1.0 / RATE), self._clock(), 0.0
        while not (self._stop.is_set() or ended() or self.takes.problem):
            now = self._clock()
            self._obey()
            if self.takes.take is not self.take:
                self._replace(self.takes.take)
            if ticks.due(now):
                self.playhead.advance(now - last)
                last = now
                if (self.playhead.playing or self._changed) and self.viewer.server.get_clients():
                    self._draw()
            if now - told > _TELL_SECONDS:
                told = now
                self._tell()
            self._stop.wait(max(ticks.wait(self._clock()), 1e-3))
        self.takes.stop()
        if self.takes.problem is not None:
            raise self.takes.problem

    # ---- drawing -----------------------------------------------------------------------------------------------------

    def _replace(self, take: Take) -> None:
        if take.clip != self.take.clip:
            self.playhead.frames, self.playhead.fps, self.playhead.time = take.truth.frames, take.truth.fps, 0.0
            self._frame.max = max(take.truth.frames - 1, 1)
        self.take, self._changed = take, True

    def _draw(self) -> None:
        self._changed = False
        with self.viewer.server.atomic():
            for index, (motion, body) in enumerate(zip((self.take.truth, self.take.model), self._bodies, strict=True)):
                pose = motion.sample([self.playhead.time])[0]
                turned, placed = pose.global_rotations, pose.global_positions
                if index == 0:
                    self._stage.follow(placed[self._shown.skeleton.roles.hips])
                aside = np.array([(index - 0.5) * self._apart, 0.0, 0.0], np.float32)
                body.update(turned, placed + aside)
                top = placed[self._shown.skeleton.roles.hips] + aside
                top[1] = placed[:, 1].max() + 0.13 * self._size
                self._labels[index].position = top

    def _add_panel(self) -> None:
        gui = self.viewer.server.gui
        with gui.add_folder("Loss"):
            blank = (np.array([0.0, 1.0]),) * 3
            self._curve = gui.add_uplot(
                blank,
                (
                    uplot.Series(label="step"),
                    uplot.Series(label="training", stroke="#3a7cbe", width=2),
                    uplot.Series(label="held-out", stroke="#d45e34", width=2),
                ),
                scales={"x": uplot.Scale(time=False), "y": uplot.Scale(distr=3)},
                legend=uplot.Legend(live=False),
                padding=(16, 10, 4, 0),
                aspect=1.5,
            )
        with gui.add_folder("Clip"):
            self._clips = gui.add_dropdown("Held out", tuple(self._shown.titles))
            self._play = gui.add_button("Pause")
            self._frame = gui.add_slider("Frame", 0, max(self.take.truth.frames - 1, 1), 1, 0)
            speed = gui.add_slider("Speed", 0.1, 2.0, 0.1, 1.0)
            apart = gui.add_slider("Apart", 0.0, 2.0, 0.05, 0.9)
        self._clips.on_update(lambda event: self._tasks.put(lambda: self.choose(self._clips.value)))
        self._play.on_click(lambda _: self._tasks.put(self.toggle_play))
        self._frame.on_update(self._scrub)
        speed.on_update(lambda _: setattr(self.playhead, "speed", float(speed.value)))
        apart.on_update(lambda _: self._tasks.put(lambda: self._set_apart(float(apart.value))))

    def _scrub(self, event: viser.GuiEvent) -> None:
        if event.client is not None:  # a change that comes from us has none
            self._tasks.put(lambda: self.seek(float(self._frame.value)))

    def _set_apart(self, value: float) -> None:
        self._apart, self._changed = value * self._size, True

    def _obey(self) -> None:
        keys: dict[str, Callable[[], None]] = {
            "Space": self.toggle_play,
            "ArrowRight": lambda: self.seek(self.playhead.frame + 1),
            "ArrowLeft": lambda: self.seek(self.playhead.frame - 1),
            "Home": lambda: self.seek(0),
            "End": lambda: self.seek(self.playhead.frames - 1),
            "KeyN": lambda: self.step_clip(1),
            "KeyP": lambda: self.step_clip(-1),
        }
        for key in self.viewer.channel.take_presses():
            if key in keys:
                self._tasks.put(keys[key])
        while not self._tasks.empty():
            self.viewer.attempt(self._tasks.get())

    def _tell(self) -> None:
        if not self.viewer.server.get_clients():
            return
        losses = self._shown.losses()
        training, held = losses
        rows = [("step", f"{self.take.step:,}")]
        if len(training[0]):
            rows.append(("loss", f"{training[1][-1]:.4f}"))
        if len(held[0]):
            rows.append(("held-out", f"{held[1][-1]:.4f}"))
        rows.append(("clip off by", f"{float(self.take.apart_cm.mean()):.1f} cm"))
        rows.append(("this frame", f"{float(self.take.apart_cm[self.playhead.frame]):.1f} cm"))
        self.viewer.channel.send({"figures": rows})
        if self.playhead.playing:
            self._frame.value = self.playhead.frame
        data = curve(losses)
        if data is not None and not np.array_equal(data[0], self._curve.data[0]):
            self._curve.data = data
