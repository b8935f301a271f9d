"""Controllers on standard drives."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.control.command import scripted_track
from kinema.control.presets import motion_matching_controller
from kinema.control.tracks import TRACKS
from kinema.evaluation import FPS, evaluate_controller, sliding
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.terrain import Placed, Plane, Union, block


@pytest.fixture(scope="module")
def database() -> MotionDatabase:
    return MotionDatabase.from_motions(locomotion_set(minutes=1))


def test_a_statue_goes_exactly_where_it_is_told(database):
    track = scripted_track([(1.0, 1.0, 0.0), (2.0, 1.0, 90.0)])
    rollout = sliding(database, track)
    assert rollout.frames == 180
    np.testing.assert_array_equal(rollout.root_positions, rollout.target_positions)
    bones = rollout.positions - rollout.positions[:, :1]
    assert np.ptp(np.linalg.norm(bones, axis=-1), axis=0).max() < 1e-5
    assert rollout.root_positions[-1, 0] > 1.0


def test_one_row_a_name_between_ground_truth_and_statue(database):
    seen, said = [], []
    tracks = {"harsh": [TRACKS["harsh"](1.5, seed) for seed in (1, 2)], "slow": [TRACKS["slow"](1.0, 1)]}
    made = evaluate_controller(
        motion_matching_controller(database),
        database,
        tracks,
        said.append,
        lambda done, total: seen.append((done, total)),
    )
    assert [row["name"] for row in made.rows] == ["ground truth", "harsh", "slow", "sliding statue"]
    assert [row["seconds"] for row in made.rows[1:]] == [3.0, 1.0, 4.0]
    assert [len(drives) for drives in made.drives.values()] == [2, 1]
    assert seen[0] == (60, 240) and seen[-1] == (240, 240) and seen == sorted(seen)
    assert all("\n" not in line for line in said)


def test_a_statue_never_turns_a_joint_but_the_root(database):
    """Widened figures of the baseline: it glides, never lifts a foot, and has no jumps to count."""
    rows = evaluate_controller(motion_matching_controller(database), database, {"slow": [TRACKS["slow"](2.0, 3)]}).rows
    truth, driven, statue = rows
    assert statue["glides_per_min"] >= 30 and truth["glides_per_min"] < statue["glides_per_min"]
    assert statue["switches_per_min"] is None and truth["switches_per_min"] == 0.0
    assert driven["switches_per_min"] is not None
    assert statue["joint_turn_max_deg"] < 10 and 0 < truth["joint_turn_p999_deg"] <= truth["joint_turn_max_deg"]
    assert statue["knee_hyper_percent"] == 0.0 == truth["knee_hyper_percent"]
    assert statue["skate_near_cm_s"] > 2 * truth["skate_near_cm_s"]


def test_the_statue_measures_at_the_rate_of_drives(database):
    assert sliding(database, TRACKS["harsh"](1.0, 1)).fps == FPS
    assert np.ptp(sliding(database, TRACKS["harsh"](1.0, 1)).foot_heights(), axis=0).max() < 1e-5


def test_a_path_is_measured_and_so_is_the_ground(database):
    controller = motion_matching_controller(database)
    tracks = {name: [TRACKS[name](3.0, 1)] for name in ("path-1.4", "stairs-20-0.7", "slow")}
    made = evaluate_controller(controller, database, tracks)
    truth, path, _, slow, statue = made.rows
    assert 0 < path["path_cm"] <= path["path_p95_cm"] <= path["path_max_cm"] < 10 and slow["path_cm"] is None
    assert truth["path_cm"] is None and statue["path_max_cm"] < 10
    assert made.drives["stairs-20-0.7"][0].rollout.root_positions[:, 1].max() > 0.1
    assert made.drives["slow"][0].rollout.root_positions[:, 1].max() < 0.01
    assert truth["sole_near_percent"] > 95 > 5 > truth["sole_inside_percent"]
    assert truth["speed_percent"] is None and 50 < path["speed_percent"] < 120


def test_goals_are_measured(database):
    controller = motion_matching_controller(database)
    truth, sent, harsh, statue = evaluate_controller(
        controller, database, {name: [TRACKS[name](12.0, 1)] for name in ("goals", "harsh")}
    ).rows
    assert truth["goal_cm"] is None is harsh["goal_cm"]
    assert sent["goal_cm"] < 30 and sent["goal_deg"] < 30 and sent["response_s"] is None
    slid = sliding(database, TRACKS["goals"](12.0, 1))
    assert np.linalg.norm(slid.root_positions[-1] - slid.goals[-1]) < 0.05 and statue["goal_cm"] < 5


def test_the_statue_slides_over_the_ground(database):
    step = Union((Plane(), Placed(block(1.0, 9.0, 0.3), (0, 0, 1.5))))
    made = sliding(database, scripted_track([(3.0, 1.0, 0.0)]), step)
    assert made.ground is step
    np.testing.assert_allclose(made.root_positions[:, 1], step.height(made.root_positions * [1, 0, 1]), atol=1e-6)
    assert np.ptp(made.root_positions[:, 1]) == pytest.approx(0.3)
