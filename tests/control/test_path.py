"""Paths that are followed."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike

from kinema.control.drive import drive
from kinema.control.path import SPACING, Path, PathFollower, PathTrack
from kinema.control.trajectory import Trajectory
from kinema.errors import ControlError
from kinema.terrain import Plane, Scaled

STRAIGHT = Path.through([[0, 0, 0], [0, 0, 10]])
CORNER = Path.through([[0, 0, 0], [0, 0, 6], [6, 0, 6]])


def circle(radius: float, turns: float = 1.0) -> Path:
    """To the left from the origin, which it leaves towards +Z."""
    angles = np.linspace(0, 2 * np.pi * turns, round(400 * turns))
    return Path.through(np.stack([radius * (1 - np.cos(angles)), 0 * angles, radius * np.sin(angles)], axis=-1))


def followed(
    path: Path, seconds: float, count: int = 1, start: ArrayLike = 0.0, **options
) -> tuple[np.ndarray, PathFollower]:
    """Places `[F, n, 3]` of simulated objects that follow a path, and their follower."""
    follower, objects, dt = PathFollower(path, **options), Trajectory.start(count), 1 / 60
    follower.reset(count)
    objects.position = objects.position + np.asarray(start, np.float32)
    places = []
    for _ in range(round(seconds / dt)):
        objects.step(follower.step(objects.position), dt)
        places.append(objects.position.copy())
    return np.array(places), follower


def test_a_path_is_sampled_evenly_through_its_points():
    assert pytest.approx(12.0) == CORNER.length
    np.testing.assert_allclose(np.diff(CORNER.distances), SPACING, atol=1e-9)
    np.testing.assert_allclose(CORNER.at(np.array([0.0, 3.0, 6.0, 7.5, 12.0]))[:, 0], [0, 0, 0, 1.5, 6], atol=1e-9)
    odd = Path.through([[0, 5, 0], [0, -5, 0], [0, 0, 0.12]])
    np.testing.assert_allclose(odd.points[:, 1], [0, 0.05, 0.1, 0.12])
    assert odd.length == pytest.approx(0.12), "heights and repeated points do not make it longer"


def test_a_path_goes_straight_on_beyond_its_ends():
    np.testing.assert_allclose(CORNER.at(np.array([-1.0, 13.0])), [[0, -1], [7, 6]], atol=1e-9)
    np.testing.assert_allclose(CORNER.directions(np.array([-1.0, 3.0, 9.0, 13.0])), [[0, 1], [0, 1], [1, 0], [1, 0]])


@pytest.mark.parametrize("radius", [0.8, 2.0])
def test_the_curvature_of_a_circle_is_one_over_its_radius(radius):
    assert circle(radius).curvatures()[10:-10] == pytest.approx(1 / radius, rel=0.01)
    assert STRAIGHT.curvatures() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    "points", [[[0, 0, 0]], [[1, 0, 1], [1, 3, 1]], [[0, 0, 0], [0, 0, np.nan]], [[0, 0], [1, 1]], np.zeros((0, 3))]
)
def test_points_that_make_no_path(points):
    with pytest.raises(ControlError, match="path"):
        Path.through(points)


@pytest.mark.parametrize("speed", [0.0, -1.0, np.nan, np.inf, np.array([1.0, 0.0])])
def test_a_speed_is_above_zero(speed):
    with pytest.raises(ControlError, match="speed above 0"):
        PathFollower(STRAIGHT, speed)


def test_the_nearest_point_is_looked_for_ahead():
    """A figure of eight goes through its middle twice."""
    angles = np.linspace(0, 2 * np.pi, 800)
    eight = Path.through(np.stack([2 * np.sin(2 * angles), 0 * angles, 4 * np.sin(angles)], axis=-1))
    middle, half = np.array([[0.1, 0.1], [0.1, 0.1]]), 0.5 * eight.length
    found, away = eight.nearest(middle, np.array([0.0, half - 0.5]))
    assert found[0] < 0.5 and found[1] == pytest.approx(half, abs=0.3)
    assert away.max() < 0.15
    back, _ = STRAIGHT.nearest(np.array([[0.0, 2.0]]), np.array([3.03]))
    assert back == pytest.approx(3.03), "nobody goes back along the path"


def test_distances_beside_a_path_are_measured_on_the_level():
    along = np.linspace(0, 9, 300)
    places = np.stack([0.07 * np.sin(along), 0.5 * along, along], axis=-1).astype(np.float32)
    np.testing.assert_allclose(STRAIGHT.beside(places), np.abs(places[:, 0]), atol=1e-6)


@pytest.mark.parametrize("speed", [0.9, 1.4, 2.0])
def test_objects_stay_on_smooth_paths(speed):
    angles = np.linspace(0, 4 * np.pi, 4000)
    waves = Path.through(np.stack([1.5 * (1 - np.cos(angles)), 0 * angles, 2.5 * angles], axis=-1))
    places, _ = followed(waves, 8.0, speed=speed)
    assert waves.beside(places[:, 0]).max() < 0.10
    late, _ = followed(waves, 8.0, speed=speed, lead=0.0)
    assert waves.beside(late[:, 0]).max() > 2 * waves.beside(places[:, 0]).max(), "the lead is what does it"


def test_who_is_beside_a_path_comes_back_to_it():
    places, _ = followed(STRAIGHT, 6.0, speed=1.0, start=[0.5, 0, 0])
    aside = places[:, 0, 0]
    assert aside[0] == pytest.approx(0.5, abs=0.01) and abs(aside[-1]) < 0.02 and aside.min() > -0.1
    away = PathFollower(STRAIGHT, 1.0).step(np.array([[50.0, 0, 0]])).velocity[0]
    np.testing.assert_allclose(away, [-1, 0, 1], atol=1e-5)


def test_bends_slow_in_time():
    """Across the path, nobody is asked for more than the limit, and braking begins before the bend."""
    way = circle(0.8, 2.0)
    places, _ = followed(way, 6.0, speed=2.0, sideways=1.5)
    speeds = np.linalg.norm(np.diff(places[:, 0], axis=0), axis=-1) * 60
    assert 0.9 < np.median(speeds) / np.sqrt(1.5 * 0.8) < 1.0
    follower = PathFollower(CORNER, 2.0, braking=1.0)
    commanded = [
        np.linalg.norm(PathFollower(CORNER, 2.0, progress=np.array([at])).step(np.array([[0, 0, at]])).velocity)
        for at in (3.0, 4.5, 5.2)
    ]
    assert commanded[0] == pytest.approx(2.0) and commanded[0] > commanded[1] > commanded[2] > 0.5
    squares = follower._limits**2
    assert -np.diff(squares).min() <= 2 * 1.0 * SPACING + 1e-6


@pytest.mark.parametrize("speed", [0.5, 1.4, 3.0])
def test_everybody_stops_at_the_end(speed):
    places, follower = followed(STRAIGHT, 10 / speed + 4, speed=speed)
    assert places[-1, 0] == pytest.approx([0, 0, 10], abs=0.1) and follower.progress[0] > 9.9
    assert np.abs(places[-1] - places[-30]).max() < 0.01
    assert places[:, 0, 2].max() < 10.1


def test_followers_are_independent():
    speeds = np.array([0.7, 1.4])
    both, follower = followed(CORNER, 5.0, count=2, speed=speeds)
    for row, speed in enumerate(speeds):
        np.testing.assert_allclose(both[:, row], followed(CORNER, 5.0, speed=speed)[0][:, 0], atol=1e-5)
    assert follower.progress[1] > 1.4 * follower.progress[0]
    follower.reset(3)
    np.testing.assert_array_equal(follower.progress, [0, 0, 0])


def test_a_character_follows(shared, database):
    """A walk along a wave: the root stays within 10 cm of it."""
    angles = np.linspace(0, 2 * np.pi, 2000)
    waves = Path.through(np.stack([1.5 * (1 - np.cos(angles)), 0 * angles, 2.0 * angles], axis=-1))
    made = drive(shared, PathTrack(waves, 1.4, 8.0), clearance=database.clearance).rollout
    assert made.path_distances is not None
    assert made.path_distances.max() < 0.10
    np.testing.assert_array_equal(made.path_distances, waves.beside(made.root_positions))
    travelled = np.linalg.norm(np.diff(made.root_positions, axis=0), axis=-1).sum()
    assert travelled == pytest.approx(1.4 * 8.0, rel=0.1)


def test_each_drive_starts_anew():
    track = PathTrack(STRAIGHT, 1.0, 5.0)
    first, here = track.steering(), np.array([[0.0, 0, 9.9]], np.float32)
    for _ in range(20):
        first(0.0, np.array([[0.0, 0, 0.5 * _]], np.float32))
    assert np.linalg.norm(first(0.0, here).velocity) < 0.1
    assert np.linalg.norm(track.steering()(0.0, np.zeros((1, 3), np.float32)).velocity) == pytest.approx(1.0)


def test_a_track_for_a_smaller_body_takes_as_long():
    ground = Plane(1.0)
    track = PathTrack(circle(1.0), 1.0, 5.0, ground)
    small = track.scaled(0.5)
    assert small.seconds == 5.0 and small.speed == 0.5 and small.path.length == pytest.approx(0.5 * track.path.length)
    assert isinstance(small.ground, Scaled) and small.ground.height(np.zeros(3)) == pytest.approx(0.5)
    here = np.zeros((1, 3), np.float32)
    np.testing.assert_allclose(
        small.steering()(0.0, here).velocity, 0.5 * track.steering()(0.0, here).velocity, atol=1e-6
    )
    assert track.scaled(1.0).ground is ground
