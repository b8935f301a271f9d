"""Headless drives."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema import rotations
from kinema.control.command import harsh_track, scripted_track
from kinema.control.drive import drive
from kinema.errors import ControlError
from kinema.terrain import Plane, open_ground


@pytest.fixture(scope="module")
def driven(shared, database):
    return drive(shared, harsh_track(4, 1), 60.0, database.clearance)


def test_the_motion_is_the_rollout(driven, database):
    motion, rollout = driven.motion, driven.rollout
    assert motion.frames == rollout.frames == 240 and motion.fps == rollout.fps == 60.0
    np.testing.assert_allclose(motion[:].global_positions, rollout.positions, atol=1e-5)
    assert motion.skeleton.names == database.skeleton.names
    for column, side in enumerate(("left", "right")):
        np.testing.assert_array_equal(motion.labels[f"contact.{side}"], rollout.contacts[:, column] > 0.5)


def test_fields_belong_together(driven, shared, database):
    rollout, track = driven.rollout, harsh_track(4, 1)
    np.testing.assert_array_equal(rollout.commanded_velocities, track.sampled(60.0))
    hips = rollout.positions[:, rollout.motion.skeleton.roles.hips] - rollout.root_positions
    assert np.abs(hips[:, [0, 2]]).max() < 0.35 and (hips[:, 1] > 0.5).all()
    assert rollout.clearance == database.clearance
    assert list(rollout.feet) == database.contact_joints.tolist()
    # Locked feet stand where they are, and are in contact.
    held = rollout.locked[1:] & rollout.locked[:-1]
    speed = np.linalg.norm(np.diff(rollout.foot_positions(), axis=0), axis=-1) * 60
    assert held.mean() > 0.1 and np.median(speed[held]) < 0.02
    assert (rollout.contacts[rollout.locked] > 0.5).all()
    assert rollout.transitions.sum() == driven.diagnostics["transitions"] > 0
    assert rollout.ms_per_frame > 0
    switched = (np.diff(rollout.takes) != 0) | np.diff(rollout.mirrored)
    assert switched.any() and rollout.transitions[1:][switched].all(), "another take is played after a jump only"
    assert set(rollout.takes) <= set(range(len({clip.name for clip in database.clips})))
    off = rotations.angle(rotations.relative(rollout.root_rotations, rollout.target_rotations))
    assert np.linalg.norm(rollout.root_positions - rollout.target_positions, axis=-1).mean() < 0.3
    assert off.mean() < 0.3


def test_same_track_same_motion(driven, shared, database):
    again = drive(shared, harsh_track(4, 1), 60.0, database.clearance)
    np.testing.assert_array_equal(again.rollout.positions, driven.rollout.positions)


def test_progress_and_other_rates(shared):
    seen: list[tuple[int, int]] = []
    slow = drive(shared, scripted_track([(4, 1.0, 0)]), 30.0, progress=lambda done, total: seen.append((done, total)))
    assert slow.motion.frames == 120
    assert seen == [(60, 120), (120, 120)]


def test_without_a_foot_lock_nothing_is_said_of_locks(fresh):
    controller = fresh()
    controller.stages.clear()
    driven = drive(controller, scripted_track([(0.5, 1.0, 0)]))
    assert driven.rollout.locked is None
    assert driven.motion.fps == 60 and driven.motion.frames == 30


def test_the_time_of_a_frame_is_what_its_step_took(fresh, monkeypatch):
    """With a clock that goes on by two milliseconds whenever it is read."""
    import itertools

    from kinema.control import drive as module

    ticks = itertools.count()
    controller = fresh()
    controller.stages.clear()
    monkeypatch.setattr(module.time, "process_time", lambda: 0.002 * next(ticks))
    assert drive(controller, scripted_track([(0.5, 1.0, 0)])).rollout.ms_per_frame == pytest.approx(2.0)


def test_a_track_brings_its_ground(fresh):
    controller, track = fresh(), scripted_track([(0.5, 1.0, 0)])
    usual = controller.ground
    raised = drive(controller, dataclasses.replace(track, ground=Plane(2.0))).rollout
    assert raised.ground == Plane(2.0) and raised.root_positions[:, 1] == pytest.approx(2.0)
    assert controller.ground is usual and drive(controller, track).rollout.ground is usual
    assert raised.path_distances is None


def test_ground_that_moves_is_refused(fresh):
    controller = fresh()
    track = dataclasses.replace(scripted_track([(0.5, 1.0, 0)]), ground=open_ground("lift"))
    with pytest.raises(ControlError, match="stands still"):
        drive(controller, track)
    assert controller.ground == Plane()


def test_steering_sees_where_the_character_is(fresh):
    """Commands follow the root, from its start at the origin on; each is for the frame after."""
    seen = []

    class Watching(type(harsh_track(1, 1))):
        def steering(self):
            seen.clear()
            return lambda time, positions: (seen.append((time, positions.copy())), self.at(time))[1]

    track = Watching(**vars(scripted_track([(0.5, 1.0, 0)])))
    made = drive(fresh(), track).rollout
    times, places = zip(*seen, strict=True)
    np.testing.assert_allclose(times, np.arange(30) / 60)
    np.testing.assert_array_equal(places[0], np.zeros((1, 3)))
    np.testing.assert_array_equal(np.concatenate(places[1:]), made.root_positions[:-1])
