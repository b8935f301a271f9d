"""Clips as a model makes them while it learns: run on a thread, when its weights or the clip have changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kinema.errors import KinemaError
from kinema.motion import Motion
from kinema.skeleton import Skeleton

LOOK_SECONDS = 0.1
"""Time between two looks for new weights."""

Losses = tuple[tuple[NDArray[np.floating], NDArray[np.floating]], tuple[NDArray[np.floating], NDArray[np.floating]]]
"""Steps and losses `[N]` on training and on held-out clips."""

LossCurve = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""Steps, and both losses at them."""


class Learner(Protocol):
    """A model while it learns, and clips to try it on.

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
        """The clip as the newest weights make it, frame by frame that of the truth, and the step they are from."""
        ...

    def losses(self) -> Losses:
        """The curves so far."""
        ...


class Rehearsal(NamedTuple):
    """A clip and what the model makes of it.

    Attributes:
        clip: its place among the titles. step: of the weights.
        apart_cm: `[F]`, mean distance of joints from the truth.
    """

    clip: int
    truth: Motion
    model: Motion
    step: int
    apart_cm: NDArray[np.float32]


class Rehearser:
    """A thread that keeps the newest rehearsal ready.

    Args:
        watched: whether anybody looks; while nobody does, nothing is run and no weights are asked for.

    Attributes:
        latest: the newest. clip: the one that is wanted; set it with `choose`.
        problem: why the model cannot be run any more.
    """

    def __init__(self, learner: Learner, watched: Callable[[], bool]) -> None:
        self.learner, self._watched = learner, watched
        self.clip = 0
        self.problem: KinemaError | None = None
        self.latest = self._run(None, 0)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it; the newest rehearsal stays."""
        self._stop.set()
        self._thread.join(5.0)

    def choose(self, clip: int) -> None:
        """Want another clip; beyond the last comes the first."""
        self.clip = clip % len(self.learner.titles)

    def _work(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            if not self._watched():
                continue
            clip = self.clip
            if not self.learner.fresh() and clip == self.latest.clip:
                continue
            try:
                self.latest = self._run(self.latest, clip)
            except KinemaError as error:
                self.problem = error
                return

    def _run(self, before: Rehearsal | None, clip: int) -> Rehearsal:
        model, step = self.learner.model(clip)
        truth = before.truth if before is not None and before.clip == clip else self.learner.truth(clip)
        apart = np.linalg.norm(truth[:].global_positions - model[:].global_positions, axis=-1).mean(axis=-1)
        return Rehearsal(clip, truth, model, step, 100.0 * apart)


def loss_curve(losses: Losses, most: int = 300) -> LossCurve | None:
    """Steps and both losses at them, at most so many points; None before there are two."""
    (steps, values), held = losses
    if len(steps) < 2 or not len(held[0]):
        return None
    some = np.unique(np.linspace(0, len(steps) - 1, most).astype(np.int64))
    at = np.asarray(steps[some], np.float64)
    between = np.interp(at, held[0], np.log(np.maximum(held[1], 1e-12)))  # the axis is logarithmic
    return at, np.asarray(values[some], np.float64), np.exp(between)
