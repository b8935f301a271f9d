"""`kinema.build`, `kinema.controller` and `kinema.evaluate`."""

from __future__ import annotations

from pathlib import Path

import pytest

import kinema
from kinema.errors import KinemaError, UsageError


def test_a_controller_is_measured(take):
    rows = kinema.evaluate(kinema.build(take), tracks=["slow"], seconds=2.0, seeds=[1])
    assert [row["name"] for row in rows] == ["ground truth", "slow", "sliding statue"]
    with pytest.raises(UsageError, match="no track is named 'fast'"):
        kinema.evaluate(kinema.build(take), tracks=["fast"])


def test_several_families_in_one_table_with_and_without_stages(take):
    data = kinema.build(take)
    other = f"{Path(__file__).parents[2] / 'src/kinema/control/presets.py'}:motion_matching_controller"
    seen: list[tuple[int, int]] = []
    both = kinema.evaluate(
        data,
        ["motion-matching", other],
        tracks=["slow"],
        seconds=2.0,
        seeds=[1],
        progress=lambda done, total: seen.append((done, total)),
    )
    names = ["ground truth", "motion-matching slow", f"{other} slow", "sliding statue"]
    assert [row["name"] for row in both] == names
    assert both[1]["tracking_cm"] == both[2]["tracking_cm"]
    assert seen[-1] == (240, 240) and seen == sorted(seen), "one progress for all families"
    bare = kinema.evaluate(data, bare=True, tracks=["slow"], seconds=2.0, seeds=[1])
    assert bare[1]["skate_locked_cm_s"] is None and both[1]["skate_locked_cm_s"] is not None
    assert bare[1]["megabytes"] == both[1]["megabytes"] > 0.05 and bare[0]["megabytes"] is None


@pytest.mark.slow
def test_takes_that_are_held_out_are_the_truth_and_are_not_played():
    script = [kinema.Segment("walk", 4.0), kinema.Segment("idle", 2.0), kinema.Segment("jog", 3.0)]
    takes = [kinema.perform(script=script, fps=30, seed=seed, name=f"take {seed}") for seed in range(4)]
    data = kinema.build(takes)
    whole, held = (
        kinema.evaluate(data, tracks=["takes"], seconds=3.0, seeds=[1], held_out=share) for share in (0.0, 0.3)
    )
    assert held[1]["name"] == "takes" and held[1]["megabytes"] < 0.9 * whole[1]["megabytes"]
    assert held[0]["seconds"] < 0.6 * whole[0]["seconds"]
    assert held[1]["tracking_cm"] is not None
    driven = kinema.augment(data, minutes=1, held_out=0.3)
    assert driven.options["held_out"] == 0.3


def test_a_controller_obeys(take):
    controller = kinema.controller(kinema.build(take))
    for _ in range(60):
        pose = controller.step(kinema.Command((0, 0, 1.0)), 1 / 60)
    assert pose.root_positions[0, 2] > 0.3


def test_an_unknown_task_is_named_before_the_data_are_read():
    pytest.importorskip("torch")
    with pytest.raises(KinemaError, match="no 'dance' among the tasks"):
        kinema.train("dance", "gone.db", "run")
    with pytest.raises(UsageError, match="--resume keeps the run"):
        kinema.train("autoencoder", "gone.db", "run", resume=True, force=True)
