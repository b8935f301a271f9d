"""Characters made of captured motion obey, and the figures we publish hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinema.control.command import CommandTrack, harsh_track, scripted_track
from kinema.control.drive import drive
from kinema.control.presets import motion_matching_controller
from kinema.metrics import Reference, evaluate, ground_truth_row
from kinema.metrics.joints import joint_turns
from kinema.mocap import build
from kinema.mocap.database import MotionDatabase

FPS = 60.0
COMMANDS = [(2.0, 0.0, 0.0), (4.0, 1.3, 0.0), (4.0, 1.3, 90.0), (4.0, 1.3, -90.0), (4.0, 3.0, 0.0), (3.0, 0.0, 0.0)]
"""Seconds, m/s, heading in degrees: stand, walk, turn left, turn about, turn and run, stop."""


def database(sources: list[Path], folder: Path) -> MotionDatabase:
    build([str(source) for source in sources], folder / "real.db")
    return MotionDatabase.open(folder / "real.db")


@pytest.mark.slow
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


def facing_ahead(track: CommandTrack) -> CommandTrack:
    """The same velocities, always facing +Z."""
    return replace(track, facings=np.tile(np.float32([0, 0, 1]), (len(track.times), 1)))


DRIVES = {
    "harsh": harsh_track(60.0, 4),
    "figure eights": scripted_track([(0.2, 1.4, 8.0 * (step if step // 45 % 2 else -step)) for step in range(300)]),
    "reversals": scripted_track(
        [(2.0, (1.4, 2.0, 0.9)[step % 3], 180.0 * (step % 2) + 15 * step) for step in range(30)]
    ),
    "strafing": facing_ahead(
        scripted_track([(2.5, (0.8, 1.2, 1.0)[step % 3], (90, -90, 180, 0, 45, -135)[step % 6]) for step in range(24)])
    ),
    "stops": scripted_track([(2.0, (1.4, 0.0, 3.0, 0.0, 0.9, 0.0)[step % 6], 37.0 * step) for step in range(30)]),
}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_no_joint_turns_much_faster_than_in_the_data(data_dir, tmp_path):
    made = database([data_dir / "locomotion_bandai_nc.zip"], tmp_path)
    clips = [made.clip_motion(clip) for clip in range(len(made.clips))]
    captured = np.max([joint_turns(clip).max(axis=0) for clip in clips if clip.frames > 1], axis=0)
    allowed = np.maximum(20.0, 1.5 * captured)
    controller = motion_matching_controller(made)
    for name, track in DRIVES.items():
        turns = joint_turns(drive(controller, track, FPS, made.clearance).motion).max(axis=0)
        over = {made.skeleton.names[j]: (turns[j], allowed[j]) for j in np.flatnonzero(turns > allowed)}
        assert not over, f"{name}: degrees in 1/30 s and what is allowed"


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
    assert ours["penetration_percent"] < 3  # of heels: toes are kept above the ground, ankles are not
    assert ours["knee_hyper_percent"] == 0 == truth["knee_hyper_percent"]
    assert ours["joint_turn_max_deg"] <= 1.5 * truth["joint_turn_max_deg"]
    assert truth["glides_per_min"] < 3 and truth["low_steps_percent"] < 1
    assert ours["jerk_m_s3"] <= 1.5 * truth["jerk_m_s3"]
