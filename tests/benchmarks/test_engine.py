"""The suite `engine`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kinema.benchmarks import engine, measure
from kinema.engine import Transform


@pytest.mark.slow
@pytest.mark.parametrize("make_row", engine.ROWS, ids=lambda make_row: make_row.__name__)
def test_every_row_measures_ours_and_the_baseline(make_row, monkeypatch) -> None:
    monkeypatch.setattr(engine, "ENTITIES", 30)
    monkeypatch.setattr(engine, "CHARACTERS", 3)
    monkeypatch.setattr(engine, "CLIP_FRAMES", 1000)
    monkeypatch.setattr(
        engine, "best_seconds", lambda run, **_: measure.best_seconds(run, seconds=0, repeats=1) or 1e-6
    )
    row = make_row()
    assert math.isfinite(row.value) and row.value > 0
    assert math.isfinite(row.baseline) and row.baseline > 0
    assert row.goal > 0 and row.baseline_is


def test_the_baseline_of_poses_makes_the_same_poses() -> None:
    world = engine._players(4)
    world.step()
    batch = world.poses.batches[0]
    from kinema.rendering.present import present

    (instances,) = present(world, engine._CAMERA, alpha=0.4).instances
    for row, (turned, placed) in enumerate(engine._one_by_one(world.columns(Transform), batch)):
        np.testing.assert_allclose(placed, instances.pose.global_positions[row], atol=1e-5)
        dots = np.abs((turned * instances.pose.global_rotations[row]).sum(-1))
        np.testing.assert_allclose(dots, 1, atol=1e-5)


def test_the_tree_is_as_deep_as_it_says() -> None:
    world = engine._tree(1000)
    world.step()
    assert world.columns(Transform).global_positions[-1, 2] == 6.0


@pytest.mark.bench
def test_goals_are_met() -> None:
    missed = [f"{row.name}: {row.value:.4g} {row.unit}, goal {row.goal:g}" for row in engine.run() if not row.met]
    assert missed == []
