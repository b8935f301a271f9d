"""Clips as a model has them while it learns: run beside the display, when its weights or the clip have changed."""

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

Losses = tuple[tuple[NDArray[np.floating], NDArray[np.floating]], tuple[NDArray[np.floating], NDArray[np.floating]]]
"""Steps and losses `[N]` on training and on held-out clips."""


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
        clip: its place among the titles. step: of the weights.
        apart_cm: `[F]`, mean distance of joints from the truth.
    """

    clip: int
    truth: Motion
    model: Motion
    step: int
    apart_cm: NDArray[np.float32]


class Takes:
    """A thread that keeps the newest take ready.

    Args:
        looked_at: whether anybody looks; while nobody does, nothing is run and no weights are asked for.

    Attributes:
        take: the newest. clip: the one that is wanted; set it to choose.
        problem: why the model cannot be run any more.
    """

    def __init__(self, shown: Rehearsed, looked_at: Callable[[], bool]) -> None:
        self.shown, self._looked_at = shown, looked_at
        self.clip = 0
        self.problem: KinemaError | None = None
        self.take = self._run(None, 0)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Begin to look for new weights."""
        self._thread.start()

    def stop(self) -> None:
        """End it; the newest take stays."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def choose(self, clip: int) -> None:
        """Want another clip; beyond the last comes the first."""
        self.clip = clip % len(self.shown.titles)

    def _watch(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            if not self._looked_at():
                continue
            clip = self.clip
            if not self.shown.fresh() and clip == self.take.clip:
                continue
            try:
                self.take = self._run(self.take, clip)
            except KinemaError as error:
                self.problem = error
                return

    def _run(self, before: Take | None, clip: int) -> Take:
        model, step = self.shown.model(clip)
        truth = before.truth if before is not None and before.clip == clip else self.shown.truth(clip)
        apart = np.linalg.norm(truth[:].global_positions - model[:].global_positions, axis=-1).mean(axis=-1)
        return Take(clip, truth, model, step, 100.0 * apart)


def curve(
    losses: Losses, most: int = 300
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]] | None:
    """Steps and both losses at them, at most so many points; None before there are two."""
    (steps, values), held = losses
    if len(steps) < 2 or not len(held[0]):
        return None
    some = np.unique(np.linspace(0, len(steps) - 1, most).astype(np.int64))
    at = np.asarray(steps[some], np.float64)
    between = np.interp(at, held[0], np.log(np.maximum(held[1], 1e-12)))  # the paper is logarithmic
    return at, np.asarray(values[some], np.float64), np.exp(between)
