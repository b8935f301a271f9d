from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, rotations
from kinema.errors import KinemaError
from kinema.metrics import Reference
from kinema.metrics.rollout import above_half, clip_rollout, mean_or_none, per_minute, pooled, split_takes


def test_arrays_of_other_lengths_are_refused(make_rollout):
    with pytest.raises(KinemaError, match="has 60 frames, but its contacts have 59"):
        make_rollout(contacts=np.zeros((59, 2)))
    with pytest.raises(KinemaError, match="a column for each foot"):
        make_rollout(locked=np.zeros((60, 3)))


def test_a_rollout_of_sixty_frames_at_thirty_a_second_lasts_two_seconds(make_rollout):
    rollout = make_rollout()
    assert (rollout.frames, rollout.minutes) == (60, pytest.approx(60 / rollout.fps / 60))


def test_who_has_goals_has_no_commanded_velocity(make_rollout):
    wanted, nowhere = np.ones((60, 3), np.float32), np.full((60, 3), np.nan, np.float32)
    plain = make_rollout(commanded_velocities=wanted, goals=nowhere, goal_facings=nowhere)
    assert plain.goals is None and plain.goal_facings is None and plain.commanded_velocities is wanted
    sent = make_rollout(commanded_velocities=wanted, goals=wanted, goal_facings=nowhere)
    assert sent.goals is wanted and sent.goal_facings is nowhere and sent.commanded_velocities is None


def test_heights_are_above_the_stance(make_rollout):
    np.testing.assert_allclose(make_rollout().foot_heights(), 0, atol=1e-7)
    np.testing.assert_allclose(make_rollout(clearance=0.0).foot_heights(), 0.04, atol=1e-7)


def test_takes_may_have_names_that_are_no_text():
    assert sorted(split_takes(["a", "b\udcff"], [10, 10])) == [False, True]


def test_takes_are_not_split_and_halves_are_even():
    takes = [f"t{i // 2}" for i in range(20)]
    frames = [100 + 7 * i for i in range(20)]
    sides = split_takes(takes, frames)
    assert sides[::2] == sides[1::2]
    first = sum(f for f, side in zip(frames, sides, strict=True) if side)
    assert abs(first / sum(frames) - 0.5) < 0.1
    assert split_takes(takes[::-1], frames[::-1]) == sides[::-1]


def test_a_single_take_is_cut_in_time(walk):
    reference = Reference.create([walk(), walk(seed=1)], ["same", "same"])
    assert [clip.frames for half in reference.halves for clip in half] == [150] * 4


def test_mixed_rates_are_refused(walk):
    with pytest.raises(KinemaError, match="all of one rate"):
        Reference.create([walk(), walk(fps=60.0)], ["a", "b"])
    with pytest.raises(KinemaError, match="needs clips"):
        Reference.create([], [])


def test_the_halves_of_a_single_take_are_its_first_and_its_last_frames(make_rollout):
    contacts = np.arange(120).reshape(60, 2) % 3 == 0
    whole = make_rollout(contacts=contacts)
    reference = Reference.create([whole, make_rollout(contacts=None)], ["same", "same"])
    for half, span in zip(reference.halves, (slice(0, 30), slice(30, 60)), strict=True):
        np.testing.assert_array_equal(half[0].contacts, contacts[span])
        np.testing.assert_array_equal(half[0].root_positions, whole.root_positions[span])
        np.testing.assert_array_equal(half[0].motion.local_rotations, whole.motion.local_rotations[span])
        assert half[1].contacts is None and half[0].clearance == whole.clearance


def test_events_are_counted_per_minute_of_all_rollouts(make_rollout):
    run = make_rollout()
    assert per_minute(3, run) == pytest.approx(3 / run.minutes)
    assert per_minute(3, [run, run]) == pytest.approx(1.5 / run.minutes)
    assert per_minute(3, []) is None


def test_samples_of_several_rollouts_are_one_after_the_other():
    np.testing.assert_array_equal(pooled(iter([np.array([[1, 2], [3, 4]]), np.array([True])])), [1, 2, 3, 4, 1])
    assert pooled(iter([])).shape == (0,)
    np.testing.assert_array_equal(above_half(np.array([0.4, 0.5, 0.51, 1])), [False, False, True, True])


def test_the_mean_of_nothing_is_not_zero():
    assert mean_or_none(np.zeros(0)) is None
    assert mean_or_none(np.array([1.0, 3.0])) == 2.0


@pytest.fixture(scope="module")
def database(biped):
    from kinema.mocap.database import MotionDatabase

    t = np.arange(120) / 30
    motions = []
    for i in range(4):
        moved = np.tile(biped.rest_translations, (120, 1, 1))
        moved[:, 0, 2] += (1 + 0.2 * i) * t
        swing = np.zeros((120, biped.joint_count, 3))
        for side, sign in (("Left", 1), ("Right", -1)):
            swing[:, biped.index(f"{side}UpLeg"), 0] = 0.4 * sign * np.sin(2 * np.pi * t)
        motions.append(Motion.create(biped, rotations.exp(swing).astype(np.float32), moved, fps=30.0, name=f"walk{i}"))
    return MotionDatabase.from_motions(motions, fps=30.0, mirror=True)


def test_clips_of_a_database_are_in_the_world(database):
    clip = database.clips[2]
    rollout = clip_rollout(database, 2, database.fps)
    frames = np.arange(clip.start, clip.stop)
    np.testing.assert_allclose(rollout.positions, database.pose(frames).global_positions, atol=1e-4)
    np.testing.assert_array_equal(rollout.contacts, database.contacts[frames])
    np.testing.assert_allclose(rollout.root_positions, database.root_positions[frames], atol=1e-6)
    assert rollout.clearance == database.clearance


def test_clips_are_resampled_to_a_stated_rate(database):
    slow, fast = clip_rollout(database, 0, 30.0), clip_rollout(database, 0, 60.0)
    assert fast.frames == 2 * slow.frames - 1
    for name in ("positions", "root_positions", "root_rotations", "contacts"):
        np.testing.assert_allclose(getattr(fast, name)[::2], getattr(slow, name), atol=1e-4)
    between = 0.5 * (slow.root_positions[1:] + slow.root_positions[:-1])
    np.testing.assert_allclose(fast.root_positions[1::2], between, atol=1e-5)


def test_mirrored_clips_are_in_the_half_of_their_take(database):
    reference = Reference.from_database(database)
    assert len(reference.clips) == len(database.clips) == 8
    assert [len(half) % 2 for half in reference.halves] == [0, 0]
    short = Reference.from_database(database, seconds=1.0)
    assert len(short.clips) == 2


def test_roots_of_resampled_clips_are_between_those_of_their_neighbours(biped):
    """On a path that is not straight, at a rate that is no multiple; in the second clip, up to its last frame."""
    from kinema.mocap.database import MotionDatabase

    t = np.arange(90) / 30
    motions = []
    for speed in (1.0, 1.6):
        moved = np.tile(biped.rest_translations, (90, 1, 1))
        moved[:, 0, 2] += speed * t + 0.3 * np.sin(3 * t)
        moved[:, 0, 0] += np.cos(2 * t)
        local = np.tile(biped.rest_rotations, (90, 1, 1))
        motions.append(Motion.create(biped, local, moved, fps=30.0, name=f"walk{speed}"))
    database = MotionDatabase.from_motions(motions, fps=30.0, mirror=False)
    entry = database.clips[1]
    found = clip_rollout(database, 1, 24.0)
    places = entry.start + np.arange(found.frames) * 30.0 / 24.0
    roots = np.asarray(database.root_positions)[entry.start : entry.stop]
    for axis in (0, 2):
        expected = np.interp(places, np.arange(entry.start, entry.stop), roots[:, axis])
        np.testing.assert_allclose(found.root_positions[:, axis], expected, atol=1e-5)
    assert places[-1] > entry.stop - 2.3
