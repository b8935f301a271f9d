"""Commands and tracks of them."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.control.command import HARSH_SPEEDS, Command, Commands, harsh_track, scripted_track
from kinema.errors import ControlError


def test_a_command_stays_on_the_ground_and_faces_nowhere_unless_told():
    one = Commands.create([1.0, 5.0, 2.0])
    assert one.count == 1
    np.testing.assert_array_equal(one.velocity, [[1, 0, 2]])
    assert np.isnan(one.facing).all()
    many = Commands.create(np.ones((3, 3)), np.array([0, 0, 1]))
    assert many.facing.shape == (3, 3)
    np.testing.assert_array_equal(many.facing, np.tile([0, 0, 1], (3, 1)))


def test_idle_stands():
    assert Commands.idle(4).count == 4
    assert not Commands.idle(4).velocity.any()


def test_a_command_that_says_nothing_stands():
    said = Commands.of([Command()])
    assert not said.velocity.any() and np.isnan(said.facing).all() and np.isnan(said.goals).all()
    assert said.styles == ("",) and said.actions == ("",)


def test_harsh_track_is_its_seed():
    one, same, other = harsh_track(60, 1), harsh_track(60, 1), harsh_track(60, 2)
    np.testing.assert_array_equal(one.times, same.times)
    np.testing.assert_array_equal(one.velocities, same.velocities)
    assert not np.array_equal(one.times[:10], other.times[:10])


def test_harsh_track_is_as_harsh_as_it_says():
    track = harsh_track(2000, 3)
    steps = np.diff(track.times)
    assert track.times[0] == 0 and track.times[-1] < 2000
    assert steps.min() >= 1.2 and steps.max() <= 3.0
    speed = np.linalg.norm(track.velocities, axis=-1)
    nearest = np.abs(speed[:, None] - HARSH_SPEEDS).argmin(1)
    np.testing.assert_allclose(speed, np.asarray(HARSH_SPEEDS)[nearest], atol=1e-5)
    assert np.bincount(nearest, minlength=5).min() > 0.1 * len(speed)
    moving = track.velocities[speed > 0]
    quarters = np.histogram(np.arctan2(moving[:, 0], moving[:, 2]), bins=4, range=(-np.pi, np.pi))[0]
    assert quarters.min() > 0.2 * len(moving)
    assert not track.velocities[:, 1].any()


def test_tracks_step_at_their_times():
    track = scripted_track([(1.0, 2.0, 0.0), (0.5, 1.0, 90.0), (1.0, 0.0, 0.0)])
    assert track.seconds == 2.5
    for time, expected in ((0, [0, 0, 2]), (0.99, [0, 0, 2]), (1.0, [1, 0, 0]), (1.49, [1, 0, 0]), (9.0, [0, 0, 0])):
        np.testing.assert_allclose(track.at(time).velocity, [expected], atol=1e-6)
    sampled = track.sampled(10)
    assert sampled.shape == (25, 3)
    np.testing.assert_allclose(sampled, [track.at(frame / 10).velocity[0] for frame in range(25)])


@pytest.mark.parametrize("time", [-1.0, 0.0])
def test_before_its_start_a_track_has_its_first_command(time):
    np.testing.assert_allclose(scripted_track([(1, 1, 180)]).at(time).velocity, [[0, 0, -1]], atol=1e-6)


def test_a_negative_seed_is_refused():
    with pytest.raises(ControlError, match="seed"):
        harsh_track(1.0, -1)


def test_commands_of_single_characters_become_one_batch():
    together = Commands.of(
        [Command((0, 5, 1), style="proud"), Command((1, 0, 0), (0, 0, -1), action="jump", goal=(1, 2, 3))]
    )
    np.testing.assert_array_equal(together.velocity, [[0, 0, 1], [1, 0, 0]])
    assert np.isnan(together.facing[0]).all() and together.facing[1].tolist() == [0, 0, -1]
    assert together.styles == ("proud", "") and together.actions == ("", "jump")
    assert np.isnan(together.goals[0]).all() and together.goals[1].tolist() == [1, 2, 3]


@pytest.mark.parametrize("wrong", [[0, 1], "north", [[0, 0, 0, 0]], [np.nan, 0, 0], None])
def test_commands_of_other_shapes_are_refused_in_one_line(wrong):
    with pytest.raises(ControlError) as caught:
        Commands.create(wrong if wrong is not None else [])
    assert "\n" not in str(caught.value)


def test_words_are_for_all_or_for_each():
    velocity = np.zeros((2, 3))
    assert Commands.create(velocity, style="old").styles == ("old", "old")
    with pytest.raises(ControlError, match="3 style words were given for 2 characters"):
        Commands.create(velocity, style=["a", "b", "c"])


def test_slowed_keeps_the_direction():
    slow = Commands.create([[0, 0, 1e30], [0.5, 0, 0]]).slowed(2.0)
    np.testing.assert_allclose(slow.velocity, [[0, 0, 2], [0.5, 0, 0]], rtol=1e-6)


def test_each_character_has_a_limit():
    slow = Commands.create([[0, 0, 3], [4, 0, 0], [1, 0, 0]]).slowed([2.0, np.inf, 2.0])
    np.testing.assert_allclose(slow.velocity, [[0, 0, 2], [4, 0, 0], [1, 0, 0]], rtol=1e-6)
