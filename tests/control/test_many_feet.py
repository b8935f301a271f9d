"""Controllers of bodies on four, six and eight legs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import Motion
from kinema.control.command import scripted_track
from kinema.control.drive import drive
from kinema.control.leg_limits import Limits
from kinema.control.leg_reach import knee_hinges, reach_toes
from kinema.control.presets import motion_matching_controller
from kinema.control.retargeted import fits, read_character
from kinema.control.tracks import share_of_speeds
from kinema.metrics import feet, steps
from kinema.mocap import MotionDatabase
from kinema.mocap.contacts import contact_joints, contact_points
from kinema.mocap.legs import find_legs
from kinema.terrain import hills

Crawler = Callable[..., Motion]


@pytest.mark.parametrize("pairs", [2, pytest.param(3, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow)])
def test_feet_step_instead_of_gliding(crawler: Crawler, pairs: int) -> None:
    database = MotionDatabase.from_motions([crawler(pairs, speed=1.2), crawler(pairs, speed=0.0, cycles=4)])
    track = scripted_track([(1.0, 0.0, 0.0), (2.0, 1.2, 0.0), (2.0, 1.0, 60.0), (1.0, 0.0, 0.0)])
    driven = drive(motion_matching_controller(database), track, 60.0, database.clearance)
    labels = {f"contact.{point}" for point in contact_points(database.skeleton)}
    assert len(labels) == 2 * pairs and labels <= set(driven.motion.labels)
    assert steps.glides_per_minute(driven.rollout) == 0
    assert (feet.skate_locked(driven.rollout) or 0.0) < 3.0
    assert driven.rollout.root_positions[-1, 2] > 1.5


@pytest.mark.parametrize("pairs", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_feet_stand_on_hills(crawler: Crawler, pairs: int) -> None:
    database = MotionDatabase.from_motions([crawler(pairs, speed=1.2), crawler(pairs, speed=0.0, cycles=4)])
    controller = motion_matching_controller(database)
    controller.ground = hills()
    driven = drive(controller, scripted_track([(5.0, 1.2, 30.0)]), 60.0, database.clearance)
    held = np.asarray(driven.rollout.locked)
    assert held.mean() > 0.1
    assert np.abs(driven.rollout.foot_heights()[held]).max() < 0.06


def test_knees_follow_legs_that_swing_to_the_side(crawler: Crawler) -> None:
    motion = crawler(4)
    legs = find_legs(motion.skeleton, contact_joints(motion.skeleton))
    pose = motion[:1]
    toes = pose.global_positions[:, legs[:, 3]]
    hips = pose.global_positions[:, legs[:, 0]]
    angle = np.radians(75.0)
    line = toes - hips
    turned = np.stack(
        [
            np.cos(angle) * line[..., 0] + np.sin(angle) * line[..., 2],
            line[..., 1],
            np.cos(angle) * line[..., 2] - np.sin(angle) * line[..., 0],
        ],
        axis=-1,
    )
    reached, _ = reach_toes(pose, (hips + turned).astype(np.float32), legs, knee_hinges(pose, legs), Limits())
    knees = reached.global_positions[:, legs[:, 1]]
    middle = 0.5 * (hips + reached.global_positions[:, legs[:, 3]])
    assert (knees[..., 1] > middle[..., 1] + 0.1).all()


def test_bodies_with_more_legs_are_commanded_at_the_speed_of_their_clips(crawler: Crawler) -> None:
    database = MotionDatabase.from_motions([crawler(3, speed=1.5)], mirror=False)
    assert share_of_speeds(database) == pytest.approx(0.5, rel=0.1)


def test_the_mesh_of_a_horse_fits_its_own_motion(data_dir: Path) -> None:
    path = data_dir / "any_topology/quaternius/Horse.glb"
    motion = kinema.load(path).motions[-1]
    database = MotionDatabase.from_motions([motion])
    character = read_character(path).character
    assert character is not None and fits(character.skeleton, database.skeleton)
