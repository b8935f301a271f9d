"""Commands and grounds at which a character cannot look good, and must not fall apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kinema import rotations
from kinema.arrays import Reals
from kinema.control.command import Commands, harsh_track
from kinema.control.controller import Controller
from kinema.control.presets import motion_matching_controller
from kinema.pose import Pose
from kinema.terrain import VOID, Ground, Moving, Placed, Plane, Shuttle, Union, block, hills, slope, stairs

DT = 1 / 60
SLIP = 0.04  # metres that a foot may be away from where it came down
HOVER = 0.005  # metres above its place at which a foot already counts as planted

Steer = Callable[[float], Commands]


@pytest.fixture(scope="module")
def walker(database) -> Controller:
    return motion_matching_controller(database)


class Watch:
    """Fails at the first step at which a body is not whole, not upright, or stands on a foot that it cannot reach."""

    def __init__(self, controller: Controller) -> None:
        lock, roles = controller.foot_lock, controller.skeleton.roles
        assert lock is not None
        self.controller, self.legs, self.hinges, self.heights = controller, lock.legs, lock.hinges, lock.heights
        self.soles = lock.soles
        self.head, self.hips = roles.head, roles.hips
        bones = np.diff(controller.skeleton.rest_pose.global_positions[self.legs], axis=1)
        self.reach = np.linalg.norm(bones, axis=-1).sum(axis=-1)
        self.prints = np.zeros((1, len(lock.legs), 3))
        self.planted = np.zeros((1, len(lock.legs)), np.bool_)
        self.stood = 0

    def step(self, pose: Pose, ground: Ground, time: float) -> None:
        positions = pose.global_positions
        assert np.isfinite(positions).all(), f"not finite at {time:.2f} s"
        hip, knee, ankle, toe = np.moveaxis(positions[:, self.legs], 2, 0)
        head, hips = positions[:, self.head, 1], positions[:, self.hips, 1]
        assert (head > hips).all(), f"head below the hips at {time:.2f} s"
        assert (hips[:, None] > np.maximum(ankle[..., 1], toe[..., 1])).all(), f"hips below a foot at {time:.2f} s"
        thigh, shin = knee - hip, ankle - knee
        axes = rotations.rotate(pose.global_rotations[:, self.legs[:, 0]], self.hinges)
        sine = np.sum(np.cross(thigh, shin) * axes, axis=-1) / np.prod(np.linalg.norm([thigh, shin], axis=-1), axis=0)
        assert (sine > -0.1).all(), f"a knee bends backward by {np.degrees(-sine.min()):.0f} degrees at {time:.2f} s"
        self._feet_stand(pose, hip, toe, ground, time)

    def _feet_stand(self, pose: Pose, hip: Reals, toe: Reals, ground: Ground, time: float) -> None:
        """Planted feet stay where they came down, carried along by the ground, and the legs reach the ground there."""
        planted = self.controller.locked
        carried = self.prints + DT * ground.velocity(self.prints)
        self.prints = np.where((planted & self.planted)[..., None], carried, toe)
        self.planted, self.stood = planted.copy(), self.stood + int(planted.any())
        away = np.linalg.norm(toe - self.prints, axis=-1).max()
        assert away < SLIP, f"a planted foot is {100 * away:.1f} cm from where it came down at {time:.2f} s"
        under = self.soles.samples(toe, self.soles.directions(pose))  # a sole may stand on an edge
        height = ground.height(under).max(axis=-1) + self.heights
        there = planted & (height > VOID / 2)
        place = np.where(there[..., None], toe, hip)
        place[..., 1] = np.where(there, height, hip[..., 1])
        over = (np.linalg.norm(place - hip, axis=-1) - self.reach).max()
        assert over < HOVER, f"a foot is planted {100 * over:.1f} cm out of reach at {time:.2f} s"


def watched(controller: Controller, ground: Ground, steer: Steer, seconds: float) -> tuple[Pose, Watch]:
    """The last pose of a drive that a `Watch` has watched."""
    controller.ground = ground.at(0.0)
    pose, watch = controller.reset(1), Watch(controller)
    for frame in range(round(seconds / DT)):
        controller.ground = ground.at(frame * DT)
        pose = controller.step(steer(frame * DT), DT)
        watch.step(pose, controller.ground, frame * DT)
    return pose, watch


def ahead(speed: float) -> Steer:
    return lambda time: Commands.create([0, 0, speed])


@pytest.mark.parametrize("speed", [*(pytest.param(each, marks=pytest.mark.slow) for each in (0.7, 1.4)), 3.0])
@pytest.mark.parametrize("across", [False, True], ids=["along", "across"])
def test_commands_that_reverse_every_three_tenths_of_a_second(walker, speed, across):
    def steer(time: float) -> Commands:
        signed = speed * (-1) ** int(time / 0.3 + 1e-6)
        return Commands.create([signed, 0, 0] if across else [0, 0, signed], [0, 0, 1])

    pose, _ = watched(walker, Plane(), steer, 4.0)
    assert np.linalg.norm(pose.root_positions[0]) < 1.0 + speed  # it goes nowhere in particular


def test_facings_that_turn_round_every_three_tenths_of_a_second(walker):
    def steer(time: float) -> Commands:
        return Commands.create([0, 0, 0], [0, 0, (-1) ** int(time / 0.3 + 1e-6)])

    pose, _ = watched(walker, Plane(), steer, 4.0)
    assert np.linalg.norm(pose.root_positions[0]) < 1.0


def lift(travel: float, height: float) -> Ground:
    return Moving(block(3.0, 3.0, 0.0), Shuttle(((0, 0, 0), (0, height, 0)), travel, wait=0.3))


def turntable(rate: float) -> Ground:
    return Moving(block(6.0, 6.0, 0.0), lambda time: ((0, 0, 0), rate * time))


def ferry(travel: float) -> Ground:
    return Moving(block(4.0, 4.0, 0.0), Shuttle(((0, 0, 0), (3, 0, 0)), travel, wait=0.3))


CARRIED = {
    "lift": lift(2.0, 1.0),
    "fast lift": lift(0.8, 1.0),
    "turntable": turntable(2.0),
    "ferry": ferry(1.2),
}


@pytest.mark.parametrize(
    "name", [*list(CARRIED)[:1], *(pytest.param(each, marks=pytest.mark.slow) for each in list(CARRIED)[1:])]
)
def test_whoever_stands_on_ground_that_moves_is_carried(walker, name):
    ground = CARRIED[name]
    pose, watch = watched(walker, ground, lambda time: Commands.idle(), 4.0)
    at = ground.at(4.0 - DT)
    expected = at.height(pose.root_positions)
    np.testing.assert_allclose(pose.root_positions[:, 1], expected, atol=0.15)
    assert watch.stood > 0.5 * 4.0 / DT


@pytest.mark.parametrize(
    "moved",
    [
        (1.0, 0.25, 0.0),
        pytest.param((1.0, -0.5, 0.0), marks=pytest.mark.slow),
        pytest.param((1.8, 0.0, 0.0), marks=pytest.mark.slow),
        pytest.param((1.0, 0.0, -1.5), marks=pytest.mark.slow),
    ],
    ids=["up", "down", "sideways", "back"],
)
def test_ground_that_moves_away_under_one_standing_foot(walker, moved):
    """Only the half of the ground at the left foot moves, back and forth, and the foot goes with it or lets go."""
    stops = ((1.0, 0.0, 0.0), moved)
    moving = Moving(block(8.0, 2.0, 0.0), Shuttle(stops, 1.0, wait=0.5))
    ground = Union((Placed(block(8.0, 4.0, 0.0), (-2.0, 0.0, 0.0)), moving, Plane(-0.8)))
    watched(walker, ground, lambda time: Commands.idle(), 4.0)


@pytest.mark.parametrize(("gap", "speed"), [(1.2, 0.9), pytest.param(6.0, 2.0, marks=pytest.mark.slow)])
def test_a_gap_wider_than_a_step(walker, gap, speed):
    near, far = Placed(block(6, 4, 1), (0, 0, -1.0)), Placed(block(6, 4, 1), (0, 0, 5.0 + gap))
    pose, _ = watched(walker, Union((near, far)), ahead(speed), (4.0 + gap) / speed)
    assert abs(pose.root_positions[0, 1] - 1.0) < 0.05
    assert pose.root_positions[0, 2] > 2.0 + gap


@pytest.mark.parametrize(
    ("rise", "speed"),
    [
        (0.2, 0.7),
        pytest.param(0.2, 0.9, marks=pytest.mark.slow),
        pytest.param(0.15, 1.4, marks=pytest.mark.slow),
        pytest.param(0.2, 1.1, marks=pytest.mark.slow),
    ],
)
def test_feet_that_go_downstairs_stand_on_steps_that_they_reach(walker, rise, speed):
    flight = Placed(stairs(6, rise, 0.28, landing=1.6, width=3.0), (0.0, 0.0, -2.0))
    watched(walker, Union((Plane(), flight)), ahead(speed), 3.0)


def course() -> Ground:
    """Hills with stairs and a ramp."""
    flight = Placed(stairs(6, 0.2, 0.28, width=4.0), (0.0, 0.0, 3.0))
    return Union((hills(seed=1, height=0.4), flight, Placed(slope(3.0, 1.2, width=4.0), (5.0, 0.0, -4.0), 1.0)))


@pytest.mark.parametrize(
    ("ground", "seconds"),
    [
        pytest.param(Plane(), 8.0, marks=pytest.mark.slow, id="level"),
        pytest.param(course(), 8.0, id="course"),
        pytest.param(Plane(), 600.0, marks=pytest.mark.slow, id="level for ten minutes"),
        pytest.param(course(), 600.0, marks=pytest.mark.slow, id="course for ten minutes"),
    ],
)
def test_long_harsh_drives(walker, ground, seconds):
    track = harsh_track(seconds, seed=5)

    def steer(time: float) -> Commands:
        """The track, and every six seconds back to the middle for two."""
        if time % 6.0 < 4.0:
            return track.at(time)
        home = -walker.trajectory.position * [1, 0, 1]
        return Commands.create(2.0 * home / np.maximum(np.linalg.norm(home), 1.0))

    _, watch = watched(walker, ground, steer, seconds)
    assert watch.stood > 0.3 * seconds / DT


def test_a_lift_that_comes_up_in_front_of_somebody_who_walks(walker):
    """The lift is 1.2 m above the floor when the character gets there."""
    rising = Moving(block(3.0, 3.0, 0.0), Shuttle(((0, -0.2, 3), (0, 1.2, 3)), travel=1.0, wait=0.2))
    watched(walker, Union((Plane(), rising)), ahead(1.4), 3.0)
