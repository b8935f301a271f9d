"""Reaching a place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import rotations
from kinema.metrics.goals import reached


@pytest.fixture
def sent(make_rollout):
    """A rollout to two goals, 2 s each: it arrives at the first after 1 s, and stops half a metre before the second."""
    frames = 240
    places, facings, goals = (np.zeros((frames, 3), np.float32) for _ in range(3))
    goals[:120, 2], goals[120:, 2] = 3.0, 6.0
    places[:60, 2], places[60:120, 2] = np.linspace(0, 2.79, 60), 2.9
    places[120:, 2] = np.linspace(3, 5.5, 120)
    yaw = np.where(np.arange(frames) < 30, np.pi, 0.1)
    facings[:, 2] = 1.0
    return replace(
        make_rollout(frames),
        root_positions=places,
        root_rotations=rotations.from_yaw(yaw.astype(np.float32)),
        goals=goals,
        goal_facings=facings,
    )


def test_distance_angle_time_and_misses(sent):
    found = reached(sent)
    assert found["cm"] == pytest.approx((10 + 50) / 2, abs=0.01)
    assert found["deg"] == pytest.approx(np.degrees(0.1), abs=0.01)
    assert found["s"] == pytest.approx(2.0) and found["missed_percent"] == 50, "60 frames at 30 frames per second"


def test_who_faces_elsewhere_has_not_arrived(sent):
    away = np.where(np.arange(sent.frames) < 100, np.pi, 0.1)
    late = reached(replace(sent, root_rotations=rotations.from_yaw(away.astype(np.float32))))
    assert late["s"] == pytest.approx(100 / 30)
    assert reached(replace(sent, goal_facings=None)) | {"deg": None} == reached(sent) | {"deg": None}
    assert reached(replace(sent, goal_facings=None))["deg"] is None


def test_who_is_there_from_the_start_takes_no_time(make_rollout):
    there = reached(make_rollout(30, goals=np.zeros((30, 3), np.float32)))
    assert there == {"cm": 0, "deg": None, "s": 0, "missed_percent": 0}


def test_thresholds_are_for_an_adult(sent, make_rollout):
    small = make_rollout(sent.frames, scale=0.2)
    shrunk = replace(sent, motion=small.motion)
    assert reached(shrunk)["missed_percent"] == 100 and reached(shrunk)["s"] is None


def test_without_goals_there_is_nothing(make_rollout, sent):
    nothing = {"cm": None, "deg": None, "s": None, "missed_percent": None}
    none = np.full((sent.frames, 3), np.nan, np.float32)
    assert reached(make_rollout(30)) == reached(replace(sent, goals=none, goal_facings=none)) == nothing
