"""How fast the clips of a database step, and in how much of them the gait has a phase."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Floats
from kinema.errors import DatabaseError
from kinema.mocap.database import Clip, MotionDatabase
from kinema.mocap.phases import phase_steps
from kinema.naming import swap_sides

SURE = 0.5
"""Confidence from which a phase counts: half of the movement alternates."""


@dataclass(frozen=True)
class Cadence:
    """The gait of a group of clips.

    Attributes:
        name: words of the clips' names; `all clips` for the whole database.
        clips: how many.
        minutes: how long they are together.
        labelled_percent: part of the time in which the gait has a phase.
        cycles_per_min: mean of the labelled time; a person takes two steps in a cycle. None without any, as below.
        slow_cycles_per_min, fast_cycles_per_min: the 5th and the 95th percentile of means over a second.
        backward_percent: part of the labelled time in which the phase goes back.
    """

    name: str
    clips: int
    minutes: float
    labelled_percent: float
    cycles_per_min: float | None
    slow_cycles_per_min: float | None
    fast_cycles_per_min: float | None
    backward_percent: float | None


def cadences(database: MotionDatabase) -> list[Cadence]:
    """The gait of all clips together, and of each group of clips of one name, the longest first.

    Raises:
        DatabaseError: the database has no phases.
    """
    if "phase" not in database.labels or "phase_confidence" not in database.labels:
        raise DatabaseError("the database has no phases; `kinema label` makes them")
    names = group_names(database)
    members: dict[str, list[Clip]] = defaultdict(list)
    for name, clip in zip(names, database.clips, strict=True):
        members[name].append(clip)
    frames = _Frames.of(database)
    rows = [_row(name, clips, frames) for name, clips in members.items()]
    rows.sort(key=lambda row: (-row.minutes, row.name))
    return [_row("all clips", database.clips, frames), *(rows if len(rows) > 1 else [])]


@dataclass(frozen=True, eq=False)
class _Frames:
    """What is known of each frame `[N]`.

    Attributes:
        fps: frames per second.
        sure: whether the gait has a phase.
        rates: cycles per minute to the next frame, NaN where either has no phase and at the end of a clip.
        means: means of the rates over the next second, NaN where one is missing.
    """

    fps: float
    sure: Bools
    rates: Floats
    means: Floats

    @staticmethod
    def of(database: MotionDatabase) -> _Frames:
        fps, sure = database.fps, np.asarray(database.labels["phase_confidence"]) >= SURE
        steps = np.append(phase_steps(np.asarray(database.labels["phase"])), 0.0)
        known = np.append(sure[1:], False) & sure
        known[[clip.stop - 1 for clip in database.clips]] = False  # to another clip
        length = round(fps)
        sums, counts = (np.concatenate([[0.0], np.cumsum(values)]) for values in (np.where(known, steps, 0.0), known))
        later = np.minimum(np.arange(len(sure)) + length, len(sure))
        whole = counts[later] - counts[:-1] == length
        means = np.where(whole, (sums[later] - sums[:-1]) / length, np.nan)
        return _Frames(fps, sure, 60.0 * fps * np.where(known, steps, np.nan), 60.0 * fps * means)


def _row(name: str, clips: Sequence[Clip], every: _Frames) -> Cadence:
    frames = np.concatenate([np.arange(clip.start, clip.stop) for clip in clips])
    rates, means = (values[frames][np.isfinite(values[frames])] for values in (every.rates, every.means))
    slow, fast = np.percentile(means, [5, 95]).tolist() if len(means) else (None, None)
    return Cadence(
        name,
        len(clips),
        len(frames) / every.fps / 60.0,
        100.0 * float(every.sure[frames].mean()),
        float(rates.mean()) if len(rates) else None,
        slow,
        fast,
        100.0 * float((rates < 0).mean()) if len(rates) else None,
    )


def group_names(database: MotionDatabase) -> list[str]:
    """A name for each clip: its tags without those of all clips and without sides; `other clips` if none are left."""
    shared = set.intersection(*(set(clip.tags) for clip in database.clips))
    kept = [[tag for tag in clip.tags if tag not in shared and not _is_side(tag)] for clip in database.clips]
    return [" ".join(tags) or "other clips" for tags in kept]


def _is_side(tag: str) -> bool:
    return swap_sides([tag]) != (tag,)
