"""Benchmarks of control: search in a database of about an hour, and a whole step of motion matching."""

from __future__ import annotations

import functools
import time

import numpy as np
from numpy.typing import NDArray

from kinema.benchmarks import data
from kinema.benchmarks.measure import Row, median_seconds
from kinema.control.command import harsh_track
from kinema.control.index import BoxIndex
from kinema.control.motion_matching import MotionMatching
from kinema.control.presets import with_stages
from kinema.mocap.database import MotionDatabase

FRAMES = 100_000
RATE = 60.0  # steps per second
SECONDS = 20.0
WARM_UP = 30  # steps that compile code and fill caches


class _Recording(MotionMatching):
    """Motion matching of one character that records its searches: queries and cost bounds."""

    def query(
        self, frames: NDArray[np.int64], positions: NDArray[np.float32], directions: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        made = super().query(frames, positions, directions)
        going_on = float(((self.features[self.frames] - made) ** 2).sum()) * (1.0 - self.settings.stay)
        self.asked.append((made[0].copy(), going_on))
        return made

    def reset(self, count: int) -> None:
        self.asked: list[tuple[NDArray[np.float32], float]] = []
        super().reset(count)


@functools.cache
def _drive(frames: int, seconds: float) -> tuple[_Recording, list[float]]:
    """Drive a character through the harsh test track. Returns the recording and processor seconds per step."""
    takes = data.locomotion(frames // 2)
    database = MotionDatabase.from_motions(takes, mirror=True)
    family = _Recording(database)
    controller = with_stages(family, database)
    track = harsh_track(seconds, seed=1)
    times: list[float] = []
    for step in range(round(seconds * RATE)):
        control = track.at(step / RATE)
        began = time.process_time_ns()
        controller.step(control, 1 / RATE)
        times.append((time.process_time_ns() - began) * 1e-9)
    return family, times


def search() -> Row:
    """The nearest of 100 000 rows of 27 numbers, as in a drive: only frames better than continuing count."""
    family, _ = _drive(FRAMES, SECONDS)
    index = BoxIndex.build(family.features)
    scan = _scan(family.features)
    for query, bound in family.asked[:3]:
        index.search(query, bound=bound)
    return Row(
        f"search, {len(family.features):,} frames x {family.features.shape[1]}",
        1e6 * median_seconds(lambda asked: index.search(asked[0], bound=asked[1]), family.asked),
        "microseconds, median",
        100,
        1e6 * median_seconds(lambda asked: scan(asked[0]), family.asked),
        "NumPy matrix product over all frames",
        better="lower",
    )


def motion_matching_step() -> Row:
    """Command to pose with all stages, 60 steps per second, a search every 0.1 s and after each jump of the command."""
    family, times = _drive(FRAMES, SECONDS)
    return Row(
        "motion-matching step, all stages",
        1e3 * float(np.mean(times[WARM_UP:])),
        "ms, mean",
        1.0,
        1e3 * median_seconds(lambda asked: ((family.features - asked[0]) ** 2).sum(1).argmin(), family.asked),
        "one plain NumPy scan of the same database",
        better="lower",
    )


def _scan(features: NDArray[np.float32]):
    half = 0.5 * (features**2).sum(1)
    return lambda query: np.argmin(half - features @ query)
