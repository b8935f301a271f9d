"""Standard tracks of commands."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Segment, perform, rotations
from kinema.control.command import HARSH_SPEEDS
from kinema.control.paces import FASTEST_TRACK
from kinema.control.tracks import (
    CLIMBS,
    COMMANDED,
    PATHS,
    TRACKS,
    StyleChanges,
    make_track,
    retraced,
    track_names,
)
from kinema.errors import UsageError
from kinema.mocap import MotionDatabase


def angles_of(track):
    return np.degrees(np.arctan2(track.velocities[:, 0], track.velocities[:, 2]))


def apart(a, b):
    return np.abs((a - b + 180) % 360 - 180)


def speeds_of(track):
    return np.linalg.norm(track.velocities, axis=-1)


@pytest.mark.parametrize("name", COMMANDED)
def test_a_track_is_its_seed_and_as_long_as_asked(name):
    one, same, other = TRACKS[name](40, 1), TRACKS[name](40, 1), TRACKS[name](40, 2)
    np.testing.assert_array_equal(one.velocities, same.velocities)
    assert not np.array_equal(one.velocities[:9], other.velocities[:9])
    assert one.seconds == 40 and one.times[0] == 0 and 20 < one.times[-1] < 40
    assert one.velocities.shape == one.facings.shape == (len(one.times), 3)
    longer = TRACKS[name](50, 1).times
    np.testing.assert_array_equal(one.times, longer[longer < 40])
    assert len(one.sampled(60.0)) == 2400 and (one.velocities[:, 1] == 0).all()


def test_figure_eights_turn_evenly_to_alternating_sides():
    track = TRACKS["figure-eights"](60, 1)
    assert speeds_of(track) == pytest.approx(1.4)
    turn = (np.diff(angles_of(track)) + 180) % 360 - 180  # degrees in 0.1 s
    sides = np.sign(turn)
    changes = np.flatnonzero(np.diff(sides))
    assert 8 <= len(changes) + 1 <= 12
    assert np.median(np.abs(turn)) == pytest.approx(6.0, rel=0.2)
    circle = np.abs(turn[changes[0] + 1 : changes[1] + 1].sum())
    assert circle == pytest.approx(360, abs=12)


def test_stops_alternate_with_going():
    speeds = speeds_of(TRACKS["stops"](60, 1))
    assert (speeds[::2] == 0).all() and speeds[1::2].min() > 0.8


def test_standing_is_long():
    track = TRACKS["standing"](60, 1)
    speeds = speeds_of(track)
    assert track.times.tolist() == [0, 2, 22, 24, 44, 46]
    assert (speeds[1::2] == 0).all() and speeds[::2].min() > 0.8
    assert len(TRACKS["standing"](23, 1).times) == 3


def test_reversals_turn_about():
    track = TRACKS["reversals"](60, 1)
    assert apart(angles_of(track)[1:], angles_of(track)[:-1]).min() > 149


def test_strafes_face_one_way():
    track = TRACKS["strafes"](60, 1)
    np.testing.assert_array_equal(track.facings, np.tile([0, 0, 1], (len(track.times), 1)))
    assert np.isfinite(track.at(3.0).facing).all()
    assert np.histogram(angles_of(track), bins=3, range=(-180, 180))[0].min() > 0


def test_slow_walks_are_slow_and_turn_little():
    track = TRACKS["slow"](60, 1)
    assert speeds_of(track).min() > 0.29 and speeds_of(track).max() < 0.61
    assert apart(angles_of(track)[1:], angles_of(track)[:-1]).max() < 61


@pytest.mark.parametrize(
    ("name", "least", "most"), [("stops", 1.5, 3.0), ("reversals", 1.5, 3.0), ("strafes", 1.5, 3.0), ("slow", 2.0, 4.0)]
)
def test_commands_last_as_long_as_their_track_says(name, least, most):
    gaps = np.diff(TRACKS[name](2000, 1).times)
    assert least <= gaps.min() < least + 0.1 and most - 0.1 < gaps.max() <= most
    assert gaps.mean() == pytest.approx((least + most) / 2, rel=0.05)


def test_speeds_and_turns_are_spread_over_what_their_track_says():
    assert set(speeds_of(TRACKS["stops"](500, 1)).round(3)) == set(np.float32([0, 0.9, 1.4, 2.0, 3.0]).round(3))
    assert set(speeds_of(TRACKS["reversals"](500, 1)).round(3)) == set(np.float32([0.9, 1.4, 2.0, 3.0]).round(3))
    assert set(speeds_of(TRACKS["strafes"](500, 1)).round(3)) == set(np.float32([0.9, 1.4]).round(3))
    turns = np.diff(angles_of(TRACKS["reversals"](2000, 1))) % 360
    assert 150 <= turns.min() < 153 and 207 < turns.max() <= 210.1
    slow = TRACKS["slow"](2000, 1)
    assert 0.3 <= speeds_of(slow).min() < 0.31 and 0.59 < speeds_of(slow).max() <= 0.6001
    turns = (np.diff(angles_of(slow)) + 180) % 360 - 180
    assert -60.1 < turns.min() < -58 and 58 < turns.max() < 60.1


def test_the_fastest_track_is_that_of_the_shares_of_bodies():
    assert max(HARSH_SPEEDS) == FASTEST_TRACK


@pytest.mark.parametrize("name", (*PATHS, *CLIMBS))
def test_a_path_is_its_seed_and_longer_than_its_drive(name):
    one, same, other = TRACKS[name](20, 1), TRACKS[name](20, 1), TRACKS[name](20, 2)
    np.testing.assert_array_equal(one.path.points, same.path.points)
    assert len(one.path.points) != len(other.path.points) or not np.array_equal(one.path.points, other.path.points)
    assert one.seconds == 20 and one.speed == float(name.rpartition("-")[2])
    assert one.path.length > 20 * one.speed
    np.testing.assert_allclose(one.path.points[0], [0, 0])
    np.testing.assert_allclose(one.path.directions(np.array([0.2])), [[0, 1]], atol=1e-6)


def test_paths_wind_smoothly_to_both_sides():
    path = TRACKS["path-1.4"](200, 1).path
    bends = path.curvatures()[10:-10]
    assert 0.7 < bends.max() < 0.82 and np.abs(np.diff(bends)).max() < 0.1
    along = path.directions(path.distances)
    turns = along[:-1, 0] * along[1:, 1] - along[:-1, 1] * along[1:, 0]
    assert 0.3 < (turns > 0).mean() < 0.7


@pytest.mark.parametrize(("name", "top"), [("stairs-15-0.7", 0.9), ("stairs-20-1.2", 1.2), ("slope-25-0.7", 1.4)])
def test_climbs_go_up_down_and_across(name, top):
    track = TRACKS[name](60, 3)
    points = np.insert(track.path.points, 1, 0.0, axis=1)
    heights = track.ground.height(points.astype(np.float32))
    assert heights.max() == pytest.approx(top, abs=0.01) and heights.min() == 0 and heights[0] == 0
    assert np.abs(points[:, 0]).max() < 6, "nobody leaves the sides"
    inside = (heights > 0.05) & (heights < top - 0.05)
    slant = np.degrees(np.arccos(np.abs(track.path.directions(track.path.distances)[inside, 1])))
    assert (slant < 1).mean() > 0.3 and ((slant > 20) & (slant < 35)).mean() > 0.3
    if name.startswith("slope"):
        slopes = np.degrees(np.arccos(track.ground.normal(points.astype(np.float32))[:, 1]))
        assert slopes.max() == pytest.approx(25, abs=0.1)


def test_goals_are_places_to_go_to_one_after_the_other():
    one, same, other = TRACKS["goals"](120, 1), TRACKS["goals"](120, 1), TRACKS["goals"](120, 2)
    np.testing.assert_array_equal(one.goals, same.goals)
    assert not np.array_equal(one.goals[:5], other.goals[:5])
    ways = np.linalg.norm(np.diff(one.goals, axis=0, prepend=0), axis=-1)
    assert len(ways) > 8 and (ways >= 2).all() and (ways <= 8).all()
    lengths = np.diff(one.times, append=one.seconds)
    np.testing.assert_allclose(lengths[:-1], 5 + ways[:-1], atol=1e-4)
    assert lengths[-1] >= 5 + ways[-1]
    np.testing.assert_allclose(np.linalg.norm(one.goal_facings, axis=-1), 1, atol=1e-6)
    command = one.at(float(one.times[1]) + 0.1)
    np.testing.assert_array_equal(command.goals[0], one.goals[1])
    np.testing.assert_array_equal(command.goal_facings[0], one.goal_facings[1])
    np.testing.assert_allclose(one.scaled(0.5).goals, 0.5 * one.goals)
    assert len(TRACKS["goals"](2.0, 1).goals) == 1


def test_groups_stand_for_their_tracks():
    assert track_names(["all"]) == list(COMMANDED) and track_names(["harsh", "paths"]) == ["harsh", *PATHS]
    assert track_names(["stops", "all", "climbs"])[0] == "stops" and len(track_names(["all", "stops"])) == len(
        COMMANDED
    )
    with pytest.raises(UsageError, match=r"zigzag.*harsh.*climbs"):
        track_names(["harsh", "zigzag"])


def test_styles_change_every_three_seconds():
    inner, zero = COMMANDED["harsh"](20.0, 4), np.zeros((1, 3), np.float32)
    track = StyleChanges(inner, ("normal", "old", "proud"), seed=1)
    steer, plain = track.steering(), inner.steering()
    words = [steer(time, zero).styles[0] for time in np.arange(0.5, 20, 1.0)]
    for start in range(0, 18, 3):
        assert len(set(words[start : start + 3])) == 1 and words[start] != words[start + 3]
    assert set(words) == {"normal", "old", "proud"} and track.seconds == 20.0
    np.testing.assert_array_equal(steer(7.0, zero).velocity, plain(7.0, zero).velocity)
    np.testing.assert_allclose(track.scaled(0.5).steering()(7.0, zero).velocity, 0.5 * plain(7.0, zero).velocity)
    again = StyleChanges(inner, ("normal", "old", "proud"), seed=1).steering()
    assert [again(time, zero).styles[0] for time in np.arange(0.5, 20, 1.0)] == words
    for styles in ((), ("old",)):
        with pytest.raises(UsageError, match="at least two styles"):
            StyleChanges(inner, styles)


def test_the_ways_of_takes_lead_where_the_takes_went():
    script = [Segment("walk", 3.0, turn=60.0), Segment("jog", 2.0)]
    motions = [perform(script=script, fps=30, seed=seed, name=f"take {seed}") for seed in range(2)]
    database = MotionDatabase.from_motions(motions, mirror=False)
    track = retraced(4.5, 3, database)
    frames = round(4.4 * 30)
    rate = 60.0
    commanded = np.array(
        [track.steering()(time, np.zeros((1, 3), np.float32)).velocity[0] for time in np.arange(0, 4.4, 1 / rate)]
    )
    end = commanded.sum(axis=0) / rate
    ways = []
    for clip in database.clips:
        places = database.root_positions[clip.start : clip.stop]
        first = rotations.inverse(database.root_rotations[clip.start])
        ways.append(rotations.rotate(first, places[frames] - places[0]))
    errors = [np.linalg.norm(end - way) for way in ways]
    assert min(errors) < 0.1 and np.linalg.norm(end) > 3.0, errors
    long = make_track("takes", 60.0, 3, database)
    assert long.times[-1] == pytest.approx(60.0, abs=0.2) and (np.diff(long.times) > 0.02).all()
    assert speeds_of(long).max() < 4.0, "no jump from take to take"
    turned = apart(
        np.degrees(np.arctan2(long.facings[1:, 0], long.facings[1:, 2])),
        np.degrees(np.arctan2(long.facings[:-1, 0], long.facings[:-1, 2])),
    )
    assert turned.max() < 25, "nobody faces elsewhere from one take to the next"
    assert not np.array_equal(long.velocities[:200], make_track("takes", 60.0, 4, database).velocities[:200])
