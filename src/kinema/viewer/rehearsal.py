"""A model beside the truth in the browser: two bodies on clips that it never trained on, and the curve of its loss."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import viser
from numpy.typing import NDArray
from viser import uplot

from kinema.errors import KinemaError
from kinema.motion import Motion
from kinema.skeleton import Skeleton
from kinema.viewer.clock import FixedClock
from kinema.viewer.library import extent
from kinema.viewer.page import Viewer, style
from kinema.viewer.playhead import Playhead
from kinema.viewer.scene import WORLD, CharacterView, Stage

RATE = 60.0
MODEL_TINT = (124, 77, 190)
_LOOK_SECONDS = 0.1
_TELL_SECONDS = 0.25
_POINTS = 300

Losses = tuple[tuple[NDArray[np.floating], NDArray[np.floating]], tuple[NDArray[np.floating], NDArray[np.floating]]]
"""Steps and losses ``[N]`` on training and on held-out clips."""


class Rehearsed(Protocol):
    """What is watched.

    Attributes:
        titles: of the clips, in order; at least one.
    """

    skeleton: Skeleton
    titles: Sequence[str]

    def truth(self, clip: int) -> Motion:
        """A clip as it was recorded."""
        ...

    def fresh(self) -> bool:
        """Whether newer weights are there; asks for the next."""
        ...

    def model(self, clip: int) -> tuple[Motion, int]:
        """The clip as the newest weights have it, frame by frame that of the truth, and the step they are from."""
        ...

    def losses(self) -> Losses:
        """The curves so far."""
        ...


class Take(NamedTuple):
    """A clip and what the model makes of it.

    Attributes:
        apart_cm: ``[F]``, mean distance of joints from the truth.
    """

    clip: int
    truth: Motion
    model: Motion
    step: int
    apart_cm: NDArray[np.float32]


class Rehearsal:
    """Plays clips at the rate of the display; a thread of its own runs the model when there are new weights."""

    def __init__(self, viewer: Viewer, shown: Rehearsed, clock: Callable[[], float] = time.perf_counter) -> None:
        self.viewer, self._shown, self._clock = viewer, shown, clock
        self._tasks: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._problem: KinemaError | None = None
        self.playhead = Playhead()
        self._clip, self._changed = 0, True
        self.take = self._run_model(0)
        self._start_clip(self.take)
        truth = self.take.truth
        some = np.linspace(0, truth.frames - 1, 9).astype(np.int64)
        self._size = extent(None, *truth.globals(some))
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
        """Show a clip by its title, as soon as the model has run on it."""
        self._clip = list(self._shown.titles).index(title)

    def step_clip(self, offset: int) -> None:
        """The next or the previous clip."""
        self._clip = (self._clip + offset) % len(self._shown.titles)
        self._clips.value = self._shown.titles[self._clip]

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
        """End :meth:`run`; from any thread."""
        self._stop.set()

    def run(self, ended: Callable[[], bool] = lambda: False) -> None:
        """Play and draw until ``ended`` says so or :meth:`stop` is called.

        Raises:
            KinemaError: the model cannot be run on a clip.
        """
        watcher = threading.Thread(target=self._watch, daemon=True)
        watcher.start()
        ticks, last, told = FixedClock(1.0 / RATE), self._clock(), 0.0
        while not (self._stop.is_set() or ended()):
            now = self._clock()
            self._obey()
            if ticks.due(now):
                self.playhead.advance(now - last)
                last = now
                if (self.playhead.playing or self._changed) and self.viewer.server.get_clients():
                    self._draw()
            if now - told > _TELL_SECONDS:
                told = now
                self._tell()
            self._stop.wait(max(ticks.wait(self._clock()), 1e-3))
        self._stop.set()
        watcher.join(5.0)
        if self._problem is not None:
            raise self._problem

    # ---- the model ---------------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Run the model when its weights or the clip have changed, and only while somebody looks."""
        while not self._stop.wait(_LOOK_SECONDS):
            if not self.viewer.server.get_clients():
                continue
            clip = self._clip
            if not self._shown.fresh() and clip == self.take.clip:
                continue
            try:
                take = self._run_model(clip)
            except KinemaError as error:
                self._problem = error
                self._stop.set()
                return
            self._tasks.put(lambda take=take: self._replace(take))

    def _run_model(self, clip: int) -> Take:
        model, step = self._shown.model(clip)
        known = getattr(self, "take", None)
        truth = known.truth if known is not None and known.clip == clip else self._shown.truth(clip)
        apart = np.linalg.norm(truth.global_positions() - model.global_positions(), axis=-1).mean(axis=-1)
        return Take(clip, truth, model, step, 100.0 * apart)

    def _replace(self, take: Take) -> None:
        if take.clip != self.take.clip:
            self._start_clip(take)
            self._frame.max = max(take.truth.frames - 1, 1)
        self.take, self._changed = take, True

    def _start_clip(self, take: Take) -> None:
        self.playhead.frames, self.playhead.fps = take.truth.frames, take.truth.fps
        self.playhead.time = 0.0

    # ---- drawing -----------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self._changed = False
        with self.viewer.server.atomic():
            for index, (motion, body) in enumerate(zip((self.take.truth, self.take.model), self._bodies, strict=True)):
                turned, placed = (array[0] for array in motion.sample([self.playhead.time]).globals())
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
                keys[key]()
        while not self._tasks.empty():
            self._tasks.get()()

    def _tell(self) -> None:
        if not self.viewer.server.get_clients():
            return
        training, held = self._shown.losses()
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
        data = curve(training, held)
        if data is not None and not np.array_equal(data[0], self._curve.data[0]):
            self._curve.data = data


def curve(
    training: tuple[NDArray[np.floating], NDArray[np.floating]], held: tuple[NDArray[np.floating], NDArray[np.floating]]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]] | None:
    """Both losses at the same steps, at most :data:`_POINTS` of them; None before there are two."""
    steps, values = training
    if len(steps) < 2 or not len(held[0]):
        return None
    some = np.unique(np.linspace(0, len(steps) - 1, _POINTS).astype(np.int64))
    at = np.asarray(steps[some], np.float64)
    return at, np.asarray(values[some], np.float64), np.interp(at, *held)
