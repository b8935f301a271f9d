from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema.errors import KinemaError
from kinema.metrics import COLUMNS, evaluate, ground_truth_row


def test_keys_are_stable(reference, walk):
    stable = (
        "name",
        "skate_contact_cm_s",
        "skate_locked_cm_s",
        "skate_weighted_cm_s",
        "skate_near_cm_s",
        "glides_per_min",
        "low_steps_percent",
        "floating_percent",
        "penetration_percent",
        "sole_inside_percent",
        "tracking_cm",
        "tracking_deg",
        "response_s",
        "jerk_m_s3",
        "joint_turn_max_deg",
        "joint_turn_p999_deg",
        "knee_hyper_percent",
        "switches_per_min",
        "style_switches_per_min",
        "mirror_switches_per_min",
        "cadence_percent",
        "stride_percent",
        "clearance_percent",
        "support_percent",
        "jerk_percent",
        "standing_foot_cm",
        "standing_jumps_per_min",
        "standing_sway_cm",
        "frechet",
        "coverage",
        "diversity",
        "ms_per_frame",
        "megabytes",
        "parameters_m",
        "training_cpu_min",
    )
    assert stable == COLUMNS
    truth, row = ground_truth_row(reference), evaluate(walk(1.1, 9), reference, "walker")
    assert tuple(truth)[: len(stable)] == tuple(row)[: len(stable)] == stable
    assert (truth["name"], row["name"]) == ("ground truth", "walker")


def test_what_does_not_apply_to_ground_truth_is_null(reference):
    truth = ground_truth_row(reference)
    for key in ("skate_locked_cm_s", "tracking_cm", "tracking_deg", "response_s", "ms_per_frame"):
        assert truth[key] is None
    assert truth["knee_hyper_percent"] is None  # a body without legs
    for key in ("skate_contact_cm_s", "jerk_m_s3", "frechet", "coverage", "diversity"):
        assert np.isfinite(truth[key])
    assert truth["frechet"] > 0  # two halves of the same data are not the same


def test_the_same_motion_scores_as_ground_truth(reference):
    row, truth = evaluate(reference.clips, reference), ground_truth_row(reference)
    assert row["frechet"] == pytest.approx(0.0, abs=1e-6)
    assert row["coverage"] == 1.0
    same = ("skate_contact_cm_s", "skate_weighted_cm_s", "skate_near_cm_s", "jerk_m_s3", "penetration_percent")
    for key in (*same, "glides_per_min", "low_steps_percent", "floating_percent", "joint_turn_max_deg"):
        assert row[key] == pytest.approx(truth[key])


def test_worse_motion_scores_worse(reference, walk, at, rng):
    run = walk(1.1, 9)
    shaken = at(run, run.positions + 0.01 * rng.normal(size=run.positions.shape).astype(np.float32))
    good, bad = evaluate(run, reference), evaluate(shaken, reference)
    for key in ("frechet", "jerk_m_s3", "skate_contact_cm_s", "penetration_mean_cm"):
        assert bad[key] > good[key], key
    assert bad["coverage"] <= good["coverage"]


def test_rates_must_agree(reference, walk):
    with pytest.raises(KinemaError, match=r"rates differ \(30, 60 frames per second\)"):
        evaluate(walk(fps=60.0), reference)


def test_nothing_to_measure(reference, walk):
    for runs in ([], walk(frames=3), [walk(), walk(frames=3)]):
        with pytest.raises(KinemaError, match="at least 4 frames"):
            evaluate(runs, reference)


def test_times_are_averaged_over_runs(reference, walk):
    runs = [dataclasses.replace(walk(1.0, i), ms_per_frame=1.0 + i) for i in range(3)]
    assert evaluate(runs, reference)["ms_per_frame"] == pytest.approx(2.0)
