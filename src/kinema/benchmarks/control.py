"""The suite `control`: search, whole steps and their parts, for one character and for crowds along the harsh track.

The motion is generated, or a database of your own.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.benchmarks import data
from kinema.benchmarks.measure import Row, median_seconds
from kinema.benchmarks.plain_search import PlainBoxes
from kinema.control import foot_lock, leg_reach
from kinema.control.command import Commands, harsh_track
from kinema.control.controller import Controller
from kinema.control.motion_matching import MotionMatching
from kinema.control.presets import with_stages
from kinema.features.index import BoxIndex
from kinema.mocap.database import MotionDatabase

FRAMES = 100_000
RATE = 60.0  # steps per second
SECONDS = 20.0
WARM_UP = 30  # steps that compile code and fill caches
CROWD, LARGE_CROWD = 64, 256


class _Timed(MotionMatching):
    """Motion matching that records its searches (queries and cost bounds) and the time of its plans."""

    def query(
        self, frames: NDArray[np.int64], positions: NDArray[np.float32], directions: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        made = super().query(frames, positions, directions)
        going_on = ((self.features[frames] - made) ** 2).sum(-1) * (1.0 - self.settings.stay)
        self.asked += zip(made.copy(), going_on.tolist(), strict=True)
        return made

    def replan(self, query):
        began = time.process_time_ns()
        switched = super().replan(query)
        self.planning += (time.process_time_ns() - began) * 1e-9
        return switched

    def reset(self, count: int) -> None:
        self.asked: list[tuple[NDArray[np.float32], float]] = []
        self.planning = 0.0
        super().reset(count)


@dataclass(frozen=True, eq=False)
class TimedDrive:
    """A drive along harsh tracks.

    Attributes:
        family: with its searches.
        steps, plans: processor seconds of whole steps and of the plans in them, `[S]`.
    """

    family: _Timed
    steps: NDArray[np.float64]
    plans: NDArray[np.float64]


@functools.cache
def _database(source: str | None) -> MotionDatabase:
    if source is not None:
        return MotionDatabase.open(source)
    return MotionDatabase.from_motions(data.locomotion(FRAMES // 2), mirror=True)


@functools.cache
def _controller(source: str | None) -> Controller:
    database = _database(source)
    return with_stages(_Timed(database), database)


@functools.cache
def _drive(source: str | None, count: int, seconds: float) -> TimedDrive:
    controller = _controller(source)
    family = controller.family
    assert isinstance(family, _Timed)
    tracks = [harsh_track(seconds, seed) for seed in range(1, count + 1)]
    times = np.arange(round(seconds * RATE)) / RATE
    velocities = np.stack([track.sampled(RATE)[: len(times)] for track in tracks], axis=1)
    controller.reset(count)
    steps, plans = np.zeros(len(times)), np.zeros(len(times))
    for k in range(len(times)):
        commands = Commands.create(velocities[k])
        family.planning, began = 0.0, time.process_time_ns()
        controller.step(commands, 1 / RATE)
        steps[k], plans[k] = (time.process_time_ns() - began) * 1e-9, family.planning
    return TimedDrive(family, steps[WARM_UP:], plans[WARM_UP:])


def search(source: str | None = None) -> Row:
    """The nearest rows, as in a drive: only frames better than continuing count."""
    family = _drive(source, 1, SECONDS).family
    rows = family.features[family.usable][:FRAMES]
    index, plain = BoxIndex.build(rows), PlainBoxes.build(rows)
    for query, bound in family.asked[:3]:
        index.search(query, bound=bound)
        plain.search(query, bound)
    return Row(
        f"search, {len(rows):,} frames x {rows.shape[1]}",
        1e6 * median_seconds(lambda asked: index.search(asked[0], bound=asked[1]), family.asked),
        "microseconds, median",
        100,
        1e6 * median_seconds(lambda asked: plain.search(*asked), family.asked),
        "boxes around runs of 16 and 64 frames, compiled",
        better="lower",
    )


def motion_matching_step(source: str | None = None) -> Row:
    """Command to pose with all stages, 60 steps per second, a search every 0.1 s and after each jump of the command."""
    drive = _drive(source, 1, SECONDS)
    features = drive.family.features
    return Row(
        "motion-matching step, all stages",
        1e3 * float(drive.steps.mean()),
        "ms, mean",
        1.0,
        1e3 * median_seconds(lambda asked: ((features - asked[0]) ** 2).sum(1).argmin(), drive.family.asked),
        "one plain NumPy scan of the same database",
        better="lower",
    )


def after_the_search(source: str | None = None) -> Row:
    """A step without the plan: blend, root, adjustment and foot lock; the 99th of 100 steps by duration."""
    drive, plain = _drive(source, 1, SECONDS), _plain_legs(source)
    return Row(
        "blend and stages after the search",
        1e3 * float((drive.steps - drive.plans).mean()),
        "ms, mean",
        0.5,
        1e3 * float((plain.steps - plain.plans).mean()),
        "the same with the leg pass in NumPy",
        better="lower",
    )


def slowest_after_the_search(source: str | None = None) -> Row:
    """The 99th of 100 steps without the plan."""
    drive, plain = _drive(source, 1, SECONDS), _plain_legs(source)
    return Row(
        "blend and stages after the search, slow steps",
        1e3 * float(np.percentile(drive.steps - drive.plans, 99)),
        "ms, 99th percentile",
        1.0,
        1e3 * float(np.percentile(plain.steps - plain.plans, 99)),
        "the same with the leg pass in NumPy",
        better="lower",
    )


def crowd_step(source: str | None = None) -> Row:
    """A step of a crowd, by character."""
    return Row(
        f"step of a crowd of {CROWD}, by character",
        1e3 * float(_drive(source, CROWD, SECONDS / 2).steps.mean()) / CROWD,
        "ms, mean",
        0.1,
        1e3 * float(_drive(source, 1, SECONDS).steps.mean()),
        "a step of one character",
        better="lower",
    )


def large_crowd_step(source: str | None = None) -> Row:
    """The 99th of 100 steps of a large crowd. 60 pictures per second leave 16.7 ms."""
    return Row(
        f"step of a crowd of {LARGE_CROWD}, slow steps",
        1e3 * float(np.percentile(_drive(source, LARGE_CROWD, SECONDS / 2).steps, 99)),
        "ms, 99th percentile",
        16.7,
        1e3 * LARGE_CROWD * float(_drive(source, 1, SECONDS).steps.mean()),
        "one controller per character, mean",
        better="lower",
    )


ROWS: tuple[Callable[[str | None], Row], ...] = (
    search,
    motion_matching_step,
    after_the_search,
    slowest_after_the_search,
    crowd_step,
    large_crowd_step,
)


def run(source: str | os.PathLike[str] | None = None) -> Iterator[Row]:
    """Measure all rows, one by one, on a database; default: generated motion."""
    for row in ROWS:
        yield row(None if source is None else os.fspath(source))


@functools.cache
def _plain_legs(source: str | None) -> TimedDrive:
    """A drive with the reference version of the leg pass."""
    compiled = foot_lock.reach_toes
    foot_lock.reach_toes = leg_reach.reach_toes_reference
    try:
        return _drive.__wrapped__(source, 1, SECONDS)
    finally:
        foot_lock.reach_toes = compiled
