"""Numbers of a clip over time."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.features.feature import Feature
from kinema.features.presets import motion_matching
from kinema.session import curves as curves_room
from kinema.session.curves import ClipAnalysis, basic_curves, feature_curves, names
from kinema.session.features import tabulate

from .conftest import walk


def test_root_feet_and_labels(walking: Motion):
    curves = basic_curves(walking)
    assert all(len(values) == walking.frames for values in curves.values())
    np.testing.assert_allclose(curves["root/speed m/s"], 1.0, atol=0.02)
    assert curves["feet/left speed m/s"].max() > 0.5
    assert curves["feet/gait phase"].min() >= 0 and curves["feet/gait phase"].max() < 1
    assert curves["feet/confidence of the phase"].max() > 0.5
    np.testing.assert_array_equal(curves["labels/contact.left"][[0, 59]], [1, 0])
    assert "labels/style" not in curves, "words are rows of the timeline"


def test_every_number_of_a_feature_has_a_name_and_its_values(biped: Skeleton):
    motion = walk(biped, 150)
    table = tabulate(motion)
    curves = feature_curves(table)
    assert len(curves) == table.spec.dim
    column = table.spec["trajectory.position"].start
    np.testing.assert_array_equal(curves["trajectory.position/x +0.33 s"], table.vectors[:, column])
    np.testing.assert_allclose(curves["hips.velocity/Hips z"][20:100], 1.0, atol=0.05)


def test_names_count_like_the_feature(biped: Skeleton):
    for feature in motion_matching(biped).features:
        found = names(feature, biped)
        assert len(found) == len(set(found)) == feature.dim(biped)
    assert names(Feature("p", "phase"), biped)[0]
    axes = names(Feature("a", "axes", ("hips",)), biped)
    assert axes == [f"Hips {number}" for number in range(6)]


def finished(analysis: ClipAnalysis, motion: Motion) -> ClipAnalysis:
    end = time.monotonic() + 30
    while analysis.of(motion).waiting:
        assert time.monotonic() < end
        time.sleep(0.01)
    return analysis


def test_it_works_on_a_thread_and_the_last_motion_asked_for_wins(
    walking: Motion, biped: Skeleton, monkeypatch: pytest.MonkeyPatch
):
    gate, analysed = threading.Event(), curves_room._analysed
    monkeypatch.setattr(curves_room, "_analysed", lambda motion: analysed(motion) if gate.wait() else None)
    analysis = ClipAnalysis()
    assert analysis.of(None).curves == {} and not analysis.waiting
    assert analysis.of(walking).curves == {} and analysis.waiting
    other = walk(biped, 150)
    assert analysis.of(other).curves == {}
    gate.set()
    found = finished(analysis, other)
    assert len(found.curves["root/speed m/s"]) == 150 and found.table is not None and found.problem == ""
    gate.clear()
    assert analysis.of(walking).table is None, "another motion has nothing of the one before"
    gate.set()


def test_why_there_are_no_features_is_said():
    snake = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    motion = Motion.create(snake, np.tile(snake.rest_rotations, (30, 1, 1)), fps=30.0)
    found = finished(ClipAnalysis(), motion)
    assert "legs" in found.problem and found.table is None and found.curves


@pytest.mark.parametrize("frames", [1, 2])
def test_very_short_clips_have_curves(biped: Skeleton, frames: int):
    assert all(len(values) == frames for values in basic_curves(walk(biped, frames)).values())
