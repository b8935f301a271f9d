"""Runs a model during training, on a thread, when its weights or the clip have changed."""

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
"""Interval of polling for new weights."""

Losses = tuple[tuple[NDArray[np.floating], NDArray[np.floating]], tuple[NDArray[np.floating], NDArray[np.floating]]]
"""Steps and losses `[N]` of training and of held-out clips."""

LossCurve = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""Steps and both losses."""


class Learner(Protocol):
    """A model during training, and held-out clips.

    Attributes:
        titles: titles of the clips, at least one.
    """

    skeleton: Skeleton
    titles: Sequence[str]

    def truth(self, clip: int) -> Motion:
        """A clip as it was recorded."""
        ...

    def fresh(self) -> bool:
        """Whether there are newer weights; requests the next."""
        ...

    def model(self, clip: int) -> tuple[Motion, int]:
        """The output of the newest weights for a clip, with as many frames as the truth, and their training step."""
        ...

    def losses(self) -> Losses:
        """The losses so far."""
        ...


class Rehearsal(NamedTuple):
    """A clip and the output of the model for it.

    Attributes:
        clip: index of the clip. step: training step of the weights.
        apart_cm: `[F]`, mean distance of the joints from the truth.
    """

    clip: int
    truth: Motion
    model: Motion
    step: int
    apart_cm: NDArray[np.float32]


class Rehearser:
    """A thread that keeps the newest rehearsal.

    Args:
        watched: whether a screen is watched; otherwise nothing runs and no weights are requested.

    Attributes:
        latest: the newest rehearsal. clip: the requested one; set it with `choose`.
        problem: the error that ended the thread.
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
        """Stop the thread; the newest rehearsal stays."""
        self._stop.set()
        self._thread.join(5.0)

    def choose(self, clip: int) -> None:
        """Request another clip; the index wraps around."""
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
    """Steps and both losses, at most `most` points; None before there are two."""
    (steps, values), held = losses
    if len(steps) < 2 or not len(held[0]):
        return None
    some = np.unique(np.linspace(0, len(steps) - 1, most).astype(np.int64))
    at = np.asarray(steps[some], np.float64)
    between = np.interp(at, held[0], np.log(np.maximum(held[1], 1e-12)))  # the axis is logarithmic
    return at, np.asarray(values[some], np.float64), np.exp(between)
