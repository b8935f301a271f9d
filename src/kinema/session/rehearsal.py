"""Shows a model beside the truth during training, on held-out clips."""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing.connection import Connection

import numpy as np

from kinema.engine import Figure, Playing, Tint, Transform
from kinema.errors import ControlError
from kinema.rendering.draw import INK, Draw
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rendering.view import View
from kinema.session.library import extent
from kinema.session.log import Log
from kinema.session.rehearser import Learner, LossCurve, Rehearsal, Rehearser, loss_curve
from kinema.session.session import drawn_positions
from kinema.session.settings import Choice, SessionSetting, Slider
from kinema.session.target import CameraTarget
from kinema.session.timed import TimedSession

MODEL_TINT = (0.62, 0.42, 1.0, 1.0)

READ_SECONDS = 1.0
"""Interval of reading the losses."""


class RehearsalSession(TimedSession):
    """Plays held-out clips: the truth at the left, the model at the right.

    Args:
        connection: closed by the training when it ends.

    Attributes:
        latest: the rehearsal shown. curve: the losses; None before there are two.
        apart: metres between truth and model.
    """

    name = "train"
    keys = (
        ("Space", "play, pause"),
        ("\u2190 \u2192", "one frame"),
        ("Home End", "first and last frame"),
        ("P N", "clip before, clip after"),
    )

    def __init__(self, learner: Learner, log: Log | None = None, connection: Connection | None = None) -> None:
        super().__init__(None, log)
        self._connection = connection
        self.rehearser = Rehearser(learner, lambda: self.watched)
        truth = self.rehearser.latest.truth
        self.size = extent(None, truth[np.linspace(0, truth.frames - 1, 9).astype(np.int64)])
        self.apart = 0.9 * self.size
        self.curve: LossCurve | None = None
        self._hips, body = learner.skeleton.roles.hips, build_mannequin(learner.skeleton)
        self.truth = self.world.spawn(Transform(), Figure(body))
        self.model = self.world.spawn(Transform(), Figure(body), Tint(MODEL_TINT))
        self._read = -READ_SECONDS
        self.latest = self.rehearser.latest
        self._show(self.latest)

    def step_clip(self, offset: int) -> None:
        self.rehearser.choose(self.rehearser.clip + offset)

    @property
    def title(self) -> str:
        error = f"off by {float(self.latest.apart_cm.mean()):.1f} cm"
        return f"{self.rehearser.learner.titles[self.latest.clip]}  \u00b7  step {self.latest.step:,}  \u00b7  {error}"

    @property
    def target(self) -> CameraTarget:
        points = np.concatenate([self.world.poses.of(entity).global_positions for entity in (self.truth, self.model)])
        middle = 0.5 * (points[self._hips] + points[len(points) // 2 + self._hips])
        return CameraTarget(middle * np.array([1, 0, 1], np.float32), 0.0, 1.45 * self.size, points)

    def figures(self) -> list[tuple[str, str]]:
        rows = [("step", f"{self.latest.step:,}")]
        if self.curve is not None:
            rows += [("loss", f"{self.curve[1][-1]:.4f}"), ("held-out", f"{self.curve[2][-1]:.4f}")]
        apart = self.latest.apart_cm
        rows.append(("clip off by", f"{float(apart.mean()):.1f} cm"))
        return [*rows, ("this frame", f"{float(apart[min(self.playhead.frame, len(apart) - 1)]):.1f} cm")]

    def settings(self) -> Sequence[SessionSetting]:
        rehearser, titles, most = self.rehearser, self.rehearser.learner.titles, 2.0 * self.size
        return (
            Choice("Clip", "Held out", "A held-out clip", lambda: rehearser.clip, rehearser.choose, lambda: titles),
            *super().settings(),
            Slider("Clip", "Apart", "", lambda: self.apart, self._set_apart, 0.0, most, 0.01, "%.2f m"),
        )

    def update(self, seconds: float) -> None:
        super().update(seconds)
        self.failure = self.rehearser.problem
        if self._connection is not None and self._connection.poll():  # readable means closed at the other end
            self._connection, self.failure = None, ControlError("the training has ended")
        if self.rehearser.latest is not self.latest:
            self._show(self.rehearser.latest)
        if self.time - self._read >= READ_SECONDS:
            self._read, self.curve = self.time, loss_curve(self.rehearser.learner.losses())
        self.pose(self.truth, self.model)

    def _show(self, rehearsal: Rehearsal) -> None:
        head, truth = self.playhead, rehearsal.truth
        if truth.frames != head.frames or rehearsal.clip != self.latest.clip:
            head.frames, head.fps, head.time = truth.frames, truth.fps, 0.0
        self.latest, self.changed = rehearsal, True
        for entity, motion in ((self.truth, truth), (self.model, rehearsal.model)):
            self.world.add(entity, Playing(motion, speed=0.0, loop=False))
        self._set_apart(self.apart)

    def _set_apart(self, metres: float) -> None:
        self.apart, self.changed = metres, True
        for side, entity in ((-0.5, self.truth), (0.5, self.model)):
            self.world.get(entity, Transform).position = (side * self.apart, 0.0, 0.0)
        self.world.settle()
        self.pose(self.truth, self.model)

    def mark(self, view: View, draw: Draw) -> None:
        for entity, word in ((self.truth, "truth"), (self.model, "model")):
            positions = drawn_positions(view, entity)
            if positions is not None:
                top = np.array([*positions[self._hips]], np.float32)
                top[1] = positions[:, 1].max() + 0.14 * self.size
                draw.text(top, word, 15.0, INK, pixels=True, on_top=True)

    def close(self) -> None:
        self.rehearser.stop()
