"""Creatures with any number of feet obey commands and keep their feet still."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.control.command import harsh_track, scripted_track
from kinema.control.drive import drive
from kinema.control.paces import paces_of
from kinema.control.presets import motion_matching_controller
from kinema.control.tracks import share_of_speeds
from kinema.metrics import feet, steps
from kinema.metrics.joints import joint_turns

FPS = 60.0


@pytest.mark.parametrize(
    ("name", "count"),
    [("horse", 4), pytest.param("spider", 8, marks=pytest.mark.slow), pytest.param("eagle", 2, marks=pytest.mark.slow)],
)
def test_creatures_walk_where_they_are_told_on_feet_that_stand_still(menagerie, name, count):
    database = menagerie(name)
    walk = paces_of(database).walk
    track = scripted_track([(1.0, 0.0, 0.0), (4.0, walk, 0.0), (7.0, walk, 90.0), (4.0, 0.0, 0.0)])
    driven = drive(motion_matching_controller(database), track, FPS, database.clearance).rollout
    assert driven.contacts is not None and driven.contacts.shape[1] == count
    velocity = np.diff(driven.root_positions, axis=0) * FPS
    yaw = rotations.yaw(driven.root_rotations)
    for second, ahead in ((4, 0.0), (11, np.pi / 2)):
        last = slice(int(second * FPS), int((second + 1) * FPS) - 1)
        wanted = walk * np.array([np.sin(ahead), 0, np.cos(ahead)])
        np.testing.assert_allclose(velocity[last].mean(axis=0), wanted, atol=0.1 * walk)
        assert abs(float(rotations.wrap(yaw[last].mean() - ahead))) < np.radians(8)
    assert np.linalg.norm(velocity[-120:].mean(axis=0)) < 0.03 * walk, "it stands, though it sways"
    assert (feet.skate_locked(driven) or 0.0) < 2.0 * walk, "cm/s; feet that are held do not move"
    assert (feet.skate_contact(driven) or 0.0) < 20.0 * walk, "cm/s; nor do those that should stand"
    assert np.asarray(driven.locked)[np.asarray(driven.contacts) > 0.5].mean() > 0.8


@pytest.mark.parametrize(
    "name", ["horse", pytest.param("spider", marks=pytest.mark.slow), pytest.param("eagle", marks=pytest.mark.slow)]
)
def test_creatures_are_steered_harshly_without_gliding_or_flipping_legs(menagerie, name):
    database = menagerie(name)
    track = harsh_track(15.0, 4).scaled(share_of_speeds(database))
    driven = drive(motion_matching_controller(database), track, FPS, database.clearance).rollout
    assert steps.glides_per_minute(driven) <= 8
    assert joint_turns(driven.motion).max() < 130
    behind = np.linalg.norm(driven.target_positions - driven.root_positions, axis=-1)
    assert behind.mean() < 0.15 * driven.scale


def test_crabs_face_across_their_way(menagerie):
    database = menagerie("crab")
    walk = paces_of(database).walk
    track = scripted_track([(4.0, walk, 60.0), (4.0, walk, -120.0)])
    driven = drive(motion_matching_controller(database), track, FPS, database.clearance).rollout
    velocity = np.diff(driven.root_positions, axis=0) * FPS
    way = np.arctan2(velocity[:, 0], velocity[:, 2])
    off = rotations.wrap(rotations.yaw(driven.root_rotations[1:]) - way)
    for second in (3, 7):
        last = slice(int(second * FPS), int((second + 1) * FPS) - 1)
        np.testing.assert_allclose(np.abs(np.degrees(off[last])), 90.0, atol=20.0)
    turned = rotations.wrap(np.diff(rotations.yaw(driven.root_rotations[[239, 470]])))
    assert abs(float(turned[0])) < np.radians(20), "it goes back without turning round"


def test_centipedes_hold_more_feet_than_eight(menagerie):
    database = menagerie("centipede")
    controller = motion_matching_controller(database)
    assert len(database.contact_joints) == len(set(database.contact_joints.tolist())) == 18
    driven = drive(controller, scripted_track([(3.0, paces_of(database).walk, 0.0)]), FPS, database.clearance).rollout
    assert np.asarray(driven.locked).any(axis=0).all(), "every foot is held at some time"
