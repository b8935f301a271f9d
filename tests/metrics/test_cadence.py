"""Cadence of clips with phases that are known."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.errors import DatabaseError
from kinema.metrics.cadence import cadences, group_names
from kinema.mocap import MotionDatabase


@pytest.fixture
def database(biped: Skeleton) -> MotionDatabase:
    rest = np.tile(biped.rest_rotations, (61, 1, 1))
    names = ("take_walk_left", "take_run", "take_walk_right")
    database = MotionDatabase.from_motions([Motion.create(biped, rest, fps=30.0, name=name) for name in names], 30.0)
    phase, sure = database.labels["phase"], database.labels["phase_confidence"]
    for number, clip in enumerate(database.clips):
        rate = (1.0, 2.0, 0.5)[number // 2]
        phase[clip.start : clip.stop] = (rate * np.arange(clip.frames) / 30.0 + 0.3) % 1.0
        sure[clip.start : clip.stop] = 0.9
    sure[database.clips[2].start : database.clips[3].start + 30] = 0.1  # the first run and half of its image
    phase[10:20] = phase[20:10:-1]  # runs back for ten frames
    return database


def test_groups_are_words_without_sides(database: MotionDatabase) -> None:
    assert group_names(database) == ["walk", "walk", "run", "run", "walk", "walk"]


def test_rows_are_of_the_labelled_frames(database: MotionDatabase) -> None:
    whole, walk, run = cadences(database)
    assert (whole.name, whole.clips, walk.name, walk.clips, run.name, run.clips) == (
        *("all clips", 6),
        *("walk", 4),
        *("run", 2),
    )
    assert walk.minutes == pytest.approx(4 * 61 / 30 / 60) and walk.labelled_percent == 100.0
    assert run.cycles_per_min == pytest.approx(120.0, rel=1e-4) and run.backward_percent == 0.0
    assert run.labelled_percent == pytest.approx(100 * 31 / 122)
    assert walk.slow_cycles_per_min == pytest.approx(30.0, rel=1e-3)
    assert walk.fast_cycles_per_min == pytest.approx(60.0, rel=1e-3)
    assert walk.backward_percent == pytest.approx(100 * 9 / 240)
    assert whole.labelled_percent == pytest.approx(100 * (6 * 61 - 91) / (6 * 61))


def test_a_group_without_a_gait_has_no_cadence(database: MotionDatabase) -> None:
    database.labels["phase_confidence"][:] = 0
    assert all(row.cycles_per_min is None and row.labelled_percent == 0 for row in cadences(database))


def test_phases_are_needed(database: MotionDatabase) -> None:
    del database.labels["phase"]
    with pytest.raises(DatabaseError, match="`kinema label` makes them"):
        cadences(database)
