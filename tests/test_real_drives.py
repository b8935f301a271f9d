"""Characters made of captured motion obey, and the figures we publish hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema.control.command import harsh_track, scripted_track
from kinema.control.drive import drive
from kinema.control.presets import motion_matching_controller
from kinema.metrics import Reference, evaluate, ground_truth_row
from kinema.mocap import build
from kinema.mocap.database import MotionDatabase

FPS = 60.0
COMMANDS = [(2.0, 0.0, 0.0), (4.0, 1.3, 0.0), (4.0, 1.3, 90.0), (4.0, 1.3, -90.0), (4.0, 3.0, 0.0), (3.0, 0.0, 0.0)]
"""Seconds, m/s, heading in degrees: stand, walk, turn left, turn about, turn and run, stop."""


def database(sources: list[Path], folder: Path) -> MotionDatabase:
    build([str(source) for source in sources], folder / "real.db")
    return MotionDatabase.open(folder / "real.db")


@pytest.mark.parametrize("name", ["cmu_iclone_bvh", "cmu21"])
def test_captured_characters_walk_turn_and_run(data_dir, tmp_path, name):
    made = database([data_dir / "human_mocap" / name], tmp_path)
    driven = drive(motion_matching_controller(made), scripted_track(COMMANDS), FPS, made.clearance).rollout
    velocity = np.diff(driven.root_positions, axis=0) * FPS
    facing = 2 * np.arctan2(driven.root_rotations[:, 2], driven.root_rotations[:, 0])
    end = 0.0
    for seconds, speed, heading in COMMANDS:
        end += seconds
        last = slice(int((end - 1.0) * FPS), int(end * FPS) - 1)
        wanted = speed * np.array([np.sin(np.deg2rad(heading)), 0, np.cos(np.deg2rad(heading))])
        assert np.linalg.norm(velocity[last].mean(axis=0) - wanted) < 0.3
        if speed > 0:
            off = np.rad2deg(np.angle(np.exp(1j * (facing[last] - np.deg2rad(heading))).mean()))
            assert abs(off) < 10
    assert (driven.foot_heights() > -0.01).mean() > 0.999


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_published_figures_on_an_hour_of_locomotion(data_dir, tmp_path, capsys):
    made = database([data_dir / "locomotion_bandai_nc.zip"], tmp_path)
    controller = motion_matching_controller(made)
    runs = [drive(controller, harsh_track(60.0, seed), FPS, made.clearance).rollout for seed in (4, 5, 6)]
    reference = Reference.from_database(made, FPS)
    truth, ours = ground_truth_row(reference), evaluate(runs, reference, "motion matching")
    with capsys.disabled():
        for key, value in ours.items():
            print(f"{key}: {value} (ground truth {truth[key]})")
    assert ours["tracking_cm"] <= 5
    assert ours["tracking_deg"] <= 5
    assert ours["response_s"] <= 0.7
    assert ours["skate_locked_cm_s"] <= 4
    assert ours["penetration_percent"] < 0.1
    assert ours["jerk_m_s3"] <= 1.5 * truth["jerk_m_s3"]
