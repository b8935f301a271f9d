"""Command in, pose out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import rotations
from kinema.control.command import Command, Commands, CommandTrack, harsh_track, scripted_track
from kinema.control.controller import Controller, Settings
from kinema.errors import ControlError
from kinema.terrain import Placed, Plane, slope

DT = 1 / 60


def roots(controller: Controller, track: CommandTrack) -> tuple[np.ndarray, np.ndarray]:
    """Root positions `[F, 3]` and headings `[F]`."""
    poses = [controller.step(track.at(frame * DT), DT) for frame in range(round(track.seconds / DT))]
    return (
        np.array([pose.root_positions[0] for pose in poses]),
        np.array([rotations.yaw(pose.root_rotations)[0] for pose in poses]),
    )


def test_forward_left_and_stop_are_obeyed(controller):
    positions, headings = roots(controller, scripted_track([(3, 1.4, 0), (3, 1.4, 90), (3, 0, 0)]))
    second = round(1 / DT)
    # From 1.5 s after each command to its end.
    for begin, velocity, heading in ((0, [0, 0, 1.4], 0), (3, [1.4, 0, 0], 0.5 * np.pi), (6, [0, 0, 0], 0.5 * np.pi)):
        part = slice(begin * second + 3 * second // 2, (begin + 3) * second)
        mean = (positions[part][-1] - positions[part][0]) / ((1.5 * second - 1) * DT)
        np.testing.assert_allclose(mean, velocity, atol=0.15)
        np.testing.assert_allclose(headings[part], heading, atol=0.15)
    assert np.ptp(positions[-30:], axis=0).max() < 0.01
    assert not positions[:, 1].any()


def test_a_told_facing_is_kept_while_going_elsewhere(controller):
    sideways = Commands.create([0.8, 0, 0], np.array([0, 0, 1.0]))
    for _ in range(240):
        pose = controller.step(sideways, DT)
    assert pose.root_positions[0, 0] > 2.5
    assert abs(rotations.yaw(pose.root_rotations)[0]) < 0.2


def test_a_crowd_does_what_its_members_would_alone(fresh):
    controller, tracks = fresh(), [harsh_track(4, seed) for seed in (1, 2, 3)]
    controller.reset(3)
    together = []
    for frame in range(240):
        now = [track.at(frame * DT) for track in tracks]
        control = Commands.create(np.concatenate([c.velocity for c in now]), np.concatenate([c.facing for c in now]))
        together.append(controller.step(control, DT))
    for member, track in enumerate(tracks):
        controller.reset(1)
        for frame, crowd in enumerate(together):
            alone = controller.step(track.at(frame * DT), DT)
            np.testing.assert_allclose(crowd.root_positions[member], alone.root_positions[0], atol=1e-4)
            np.testing.assert_allclose(crowd.local_rotations[member], alone.local_rotations[0], atol=1e-4)
            np.testing.assert_array_equal(crowd.contacts[member] > 0.5, alone.contacts[0] > 0.5)


def test_one_command_several_and_their_arrays_are_the_same(controller):
    walk, run = Command(velocity=(0, 0, 1.0)), Command(velocity=(1.0, 0, 0))
    ends = []
    for given in (walk, [walk], Commands.of([walk])):
        controller.reset(1)
        ends.append([controller.step(given, DT).root_positions for _ in range(60)][-1])
    np.testing.assert_array_equal(ends[0], ends[1])
    np.testing.assert_array_equal(ends[0], ends[2])
    controller.reset(2)
    both = [controller.step([walk, run], DT).root_positions for _ in range(60)][-1]
    np.testing.assert_allclose(both[0], ends[0][0], atol=1e-4)
    assert both[1, 0] > both[1, 2]


def test_reset_makes_runs_reproducible(controller):
    track = harsh_track(3, 5)
    first = roots(controller, track)
    transitions = controller.transitions
    pose = controller.reset(1)
    assert not pose.root_positions.any() and controller.transitions == 0
    np.testing.assert_array_equal(pose.root_rotations, [[1, 0, 0, 0]])
    second = roots(controller, track)
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])
    assert controller.transitions == transitions > 0


def test_motion_is_smooth_across_transitions(controller):
    """At a switch joints move on: no joint's velocity changes by what a cut between clips would."""
    track = harsh_track(6, 4)
    positions = np.array([controller.step(track.at(f * DT), DT).global_positions[0] for f in range(360)])
    assert controller.transitions > 5
    change = (np.linalg.norm(np.diff(positions, 2, axis=0), axis=-1) / DT).max(axis=0)
    legs = [joint for leg in controller.skeleton.roles.legs for joint in (leg.lower, leg.foot, leg.toe)]
    assert np.delete(change, legs).max() < 1.0
    assert change.max() < 5.0  # feet strike and knees straighten faster than anything else moves
    assert np.linalg.norm(np.diff(positions, axis=0), axis=-1).max() / DT < 12


def test_poses_are_poses_at_any_rate(fresh):
    controller, rng = fresh(), np.random.default_rng(0)
    controller.reset(2)
    for dt in (1 / 30, 1 / 144, 0.1, 1e-4, np.float64(1 / 60), 0.5):
        for _ in range(5):
            pose = controller.step(Commands.create(2 * rng.normal(size=(2, 3))), dt)
            for array in (pose.root_positions, pose.root_rotations, pose.local_rotations, pose.local_translations):
                assert array.dtype == np.float32 and np.isfinite(array).all()
            np.testing.assert_allclose(np.linalg.norm(pose.local_rotations, axis=-1), 1, atol=1e-3)
            assert ((pose.contacts >= 0) & (pose.contacts <= 1)).all()


def test_a_new_command_is_heard_at_once(fresh):
    """Between plans the controller waits, but not for a command that jumps."""
    controller = fresh(settings=Settings(replan_every=10.0))
    asked: list[int] = []
    replan = controller.family.replan

    def counted(*question):
        asked.append(frame)
        return replan(*question)

    controller.family.replan = counted
    for frame in range(60):
        controller.step(Commands.create([0, 0, 1.4 if frame >= 40 else 0.0]), DT)
    assert asked == [0, 40]


def test_a_new_plan_is_followed_for_a_while(fresh):
    """After a switch the next plan is asked for later, unless the command jumps."""
    controller = fresh(settings=Settings(replan_every=0.1, dwell=0.25))
    asked: list[int] = []
    answers = iter([False, True, False, False, True, False, False, False])
    controller.family.replan = lambda query: (asked.append(frame), query.due & next(answers))[1]
    for frame in range(65):
        controller.step(Commands.create([0, 0, 1.4 if frame >= 48 else 0.0]), DT)
    assert asked == [0, 6, 21, 27, 33, 48, 54, 60]


def test_stages_may_be_left_out(fresh):
    controller = fresh()
    controller.stages.clear()
    controller.reset(2)
    for _ in range(60):
        controller.step(Commands.create(np.tile([0, 0, 1.4], (2, 1))), DT)
    assert controller.locked.shape == (2, 2) and not controller.locked.any()


def test_diagnostics_say_how_far_it_is_from_its_command(controller):
    for _ in range(120):
        pose = controller.step(Commands.create([0, 0, 1.4]), DT)
    figures = controller.diagnostics
    behind = 100 * np.linalg.norm(controller.trajectory.position[0] - pose.root_positions[0])
    assert figures["tracking_cm"] == pytest.approx(behind, abs=0.01)
    assert {"tracking_deg", "transitions", "search_us", "cost"} <= set(figures)
    assert all(np.isfinite(value) for value in figures.values())


@pytest.mark.parametrize("dt", [0, -0.1, float("nan"), float("inf"), 61.0])
def test_time_must_pass(controller, dt):
    with pytest.raises(ControlError, match="a step needs a time between 0 and 60 s"):
        controller.step(Commands.idle(), dt)


def test_a_command_that_is_no_number_is_refused_and_forgotten(controller):
    with pytest.raises(ControlError, match="not finite"):
        controller.step(Commands.create([np.nan, 0, 1]), DT)
    pose = controller.step(Commands.create([0, 0, 1]), DT)
    assert np.isfinite(pose.root_positions).all()


def test_a_caller_may_reuse_its_arrays(fresh):
    controller = fresh(settings=Settings(replan_every=10.0))
    control = Commands.create([0.0, 0, 0])
    controller.step(control, DT)
    control.velocity[:] = [0, 0, 2]
    asked = []
    controller.family.replan = lambda query: (asked.append(1), query.due & False)[1]
    controller.step(control, DT)
    assert asked


def test_a_plan_that_cannot_stand_is_held_still(fresh, database):
    """Walking clips only: told to stop, the character stands instead of treading on the spot."""
    speed = np.linalg.norm(np.gradient(np.asarray(database.root_positions), axis=0), axis=-1) * database.fps
    controller = fresh(allowed=(speed > 0.3) & (speed < 2.5))
    positions, _ = roots(controller, scripted_track([(3, 1.2, 0), (4, 0, 0)]))
    moved = np.linalg.norm(np.diff(positions[-60:], axis=0), axis=-1).sum()
    assert positions[179, 2] > 2.0
    assert moved < 0.25


def test_wrong_numbers_of_characters_are_refused(controller):
    with pytest.raises(ControlError, match="the commands are for 2 characters, but the controller has 1"):
        controller.step(Commands.idle(2), DT)
    with pytest.raises(ControlError, match="at least one character"):
        controller.reset(0)


@pytest.mark.parametrize(
    "speed", [1e6, pytest.param(1e30, marks=pytest.mark.slow), pytest.param(3e38, marks=pytest.mark.slow)]
)
def test_absurd_speeds_are_bounded_and_forgotten(fresh, speed):
    controller = fresh()
    for _ in range(10):
        pose = controller.step(Commands.create([0, 0, speed]), DT)
        assert np.isfinite(pose.global_positions).all()
    assert np.linalg.norm(controller.trajectory.velocity) <= controller.settings.fastest
    for _ in range(600):
        pose = controller.step(Commands.create([0, 0, 1.0]), DT)
    assert np.linalg.norm(controller.trajectory.velocity - [0, 0, 1]) < 0.01 and np.isfinite(pose.local_rotations).all()


def test_speeds_are_bounded_in_any_direction_for_each_character(gliding):
    gliding.reset(3)
    fastest = gliding.settings.fastest
    wanted = np.float32([[0.9, 0, 0.9], [0.5, 0, 0.5], [0, 0, -0.9]]) * fastest
    for _ in range(600):
        gliding.step(Commands.create(wanted), DT)
    bounded = wanted * np.float32([[0.5**0.5 / 0.9], [1], [1]])
    np.testing.assert_allclose(gliding.trajectory.velocity, bounded, atol=0.01 * fastest)


def test_a_controller_names_its_family_and_stages(biped, gliding, fresh):
    assert repr(gliding) == f"<Controller Gliding, no stages: 1 characters, {biped.joint_count} joints>"
    assert "<Controller MotionMatching, Adjustment, FootLock: 1 characters" in repr(fresh())


@pytest.mark.parametrize(
    "dt", [0.6, pytest.param(2.0, marks=pytest.mark.slow), pytest.param(10.0, marks=pytest.mark.slow)]
)
def test_long_steps_go_where_short_ones_go(fresh, dt):
    """A hitch of seconds moves the character along its command, as many short steps would."""
    long, short = fresh(), fresh()
    ahead = Commands.create([0, 0, 1.4])
    for _ in range(120):
        long.step(ahead, DT), short.step(ahead, DT)
    pose = long.step(ahead, dt)
    for _ in range(round(dt / DT)):
        other = short.step(ahead, DT)
    assert np.abs(pose.root_positions - other.root_positions).max() < 0.3


def test_roots_follow_the_rates_of_the_plan(gliding):
    """1 m/s and 2 rad/s: a circle of half a metre about (0.5, 0)."""
    for frame in range(1, 250):
        pose = gliding.step(Commands.create([0, 0, 1]), DT)
        assert np.linalg.norm(pose.root_positions[0] - [0.5, 0, 0]) == pytest.approx(0.5, abs=1e-3)
        expected = rotations.wrap(2.0 * frame * DT)
        assert np.sin(rotations.yaw(pose.root_rotations)[0]) == pytest.approx(np.sin(expected), abs=1e-3)
    np.testing.assert_allclose(pose.local_translations[0], gliding.skeleton.rest_translations, atol=1e-6)


def test_a_jump_of_the_plan_is_blended(gliding):
    gliding.reset(2)
    family, angles = gliding.family, []
    for frame in range(90):
        family.jumps = frame == 30
        control = Commands.create([[0, 0, 1], [0, 0, 1 + (frame >= 30)]])
        pose = gliding.step(control, DT)
        angles.append(rotations.yaw(pose.local_rotations[:, 5]))
    angles = np.array(angles)
    assert gliding.transitions == np.sum(angles[-1] < 0) > 0
    assert np.abs(np.diff(angles, axis=0)).max() < 0.15
    np.testing.assert_allclose(np.abs(angles[[0, -1]]), 0.5, atol=0.01)


def test_a_crowd_does_not_plan_all_in_one_step(gliding):
    """120 characters that start together: 20 of them plan in each step, and each every 0.1 s."""
    gliding.reset(120)
    for _ in range(30):
        gliding.step(Commands.create(np.tile([0, 0, 0.4], (120, 1))), DT)
    planned = np.array([due for *_, due in gliding.family.asked])
    assert planned.sum(axis=1).max() == 20
    waits = [np.diff(np.flatnonzero(column)) for column in planned[6:].T]
    assert all((steps == 6).all() for steps in waits)
    gliding.step(Commands.create(np.tile([0, 0, 3.0], (120, 1))), DT)
    assert gliding.family.asked[-1][2].all()  # a new command is answered at once


def test_it_is_asked_for_the_trajectory_in_the_root_frame(gliding):
    """However the character has turned, a command straight ahead of it is straight ahead in the question."""
    for _ in range(200):
        heading = gliding._heading[0]
        gliding.trajectory.position = gliding._position.copy()
        gliding.trajectory.heading = gliding._heading.copy()
        ahead = np.float32([np.sin(heading), 0, np.cos(heading)])
        gliding.trajectory.velocity, gliding.trajectory.turn = ahead[None].copy(), np.zeros(1, np.float32)
        gliding.trajectory.acceleration = np.zeros((1, 3), np.float32)
        gliding.step(Commands.create(ahead), DT)
    for positions, directions, due in gliding.family.asked:
        assert positions.shape == directions.shape == (1, 2, 3) and due.all()
        np.testing.assert_allclose(positions[0], [[0, 0, 0.5 + DT], [0, 0, 1 + DT]], atol=0.01)
        np.testing.assert_allclose(directions[0], [[0, 0, 1]] * 2, atol=0.01)
    assert len(gliding.family.asked) >= 200 * DT / (0.1 + DT)


def test_a_long_step_is_the_fewest_steps_of_a_tenth_of_a_second(fresh):
    """0.25 s are three steps, and 0.1 s are one; nobody is moved further or twice."""
    long, short = fresh(), fresh()
    ahead = Commands.create([0.3, 0, 1.4])
    for dt, parts in ((0.25, 3), (0.1, 1), (0.301, 4)):
        pose = long.step(ahead, dt)
        for _ in range(parts):
            other = short.step(ahead, dt / parts)
        np.testing.assert_array_equal(pose.root_positions, other.root_positions)
        np.testing.assert_array_equal(pose.local_rotations, other.local_rotations)


def test_those_who_stay_are_shown_as_they_are(gliding):
    """In the middle of a blend, in their new order; one who joins begins in the family's first pose."""
    gliding.reset(3)
    for frame in range(12):
        gliding.family.jumps = frame == 10
        pose = gliding.step(Commands.create(np.float32([[0, 0, 1], [0.5, 0, 1], [0, 0, 2]])), DT)
    kept = gliding.select([2, 0], 1)
    np.testing.assert_allclose(kept.local_rotations[:2], pose.local_rotations[[2, 0]], atol=1e-6)
    np.testing.assert_allclose(kept.root_positions[:2], pose.root_positions[[2, 0]], atol=1e-6)
    np.testing.assert_allclose(kept.local_rotations[2], gliding.family.sample().pose.local_rotations[2], atol=1e-6)
    assert len(gliding.select([1]).root_positions) == 1


class Belt(Plane):
    """Ground that moves and rises."""

    def velocity(self, points):
        return np.broadcast_to(np.float32([0.5, 0.25, 0.0]), points.shape)


def test_characters_ride_on_moving_ground_with_their_trajectories(gliding):
    """Along it; the height is that of the ground."""
    for _ in range(30):
        gliding.step(Commands.create([0, 0, 1]), DT)
    still, ground = gliding._position.copy(), gliding.trajectory.position.copy()
    before = gliding._history, gliding._heading.copy()
    gliding.ground = Belt()
    gliding._ride(0.1)
    np.testing.assert_allclose(gliding._position - still, [[0.05, 0.025, 0]], atol=1e-6)
    np.testing.assert_allclose(gliding.trajectory.position - ground, [[0.05, 0, 0]], atol=1e-6)
    assert gliding._history is before[0] and gliding._heading == before[1]


class Wall(Plane):
    """One metre high from a place on along +Z, open beyond another one."""

    is_level = False

    def __init__(self, begin: float, end: float = 99.0) -> None:
        object.__setattr__(self, "begin", begin)
        object.__setattr__(self, "end", end)

    def height(self, points):
        heights = np.where(points[..., 2] > self.begin, 1.0, 0.0)
        return np.where(points[..., 2] > self.end, -1e4, heights).astype(np.float32)


@pytest.mark.parametrize("size", [1.0, 2.0])
def test_a_root_is_as_high_as_the_ground_along_its_step(biped, gliding, size):
    """The mean of seven points over 35 cm behind and before an adult; open ground does not count."""
    from kinema.mocap.contacts import relative_size

    body = replace(biped, rest_translations=size * biped.rest_translations)
    controller = Controller(type(gliding.family)(body, 0.0))
    step = 0.35 * relative_size(body)
    for begin, share in ((0.99, 1 / 7), (1.01, 0), (0.65, 2 / 7), (-0.01, 4 / 7), (-0.99, 6 / 7), (-1.01, 1)):
        controller.ground = Wall(begin * step)
        np.testing.assert_allclose(controller._ground_under(controller.ground), share, atol=1e-6)
    controller.ground = Wall(0.3 * step, 0.5 * step)
    np.testing.assert_allclose(controller._ground_under(controller.ground), 1 / 5, atol=1e-6)
    controller._position[:, 1], controller.ground = 0.7, Wall(-9.0, -8.0)
    np.testing.assert_allclose(controller._ground_under(controller.ground), 0.7)
    controller._heading[:] = np.pi
    controller.ground = Wall(0.65 * step)
    np.testing.assert_allclose(controller._ground_under(controller.ground), 2 / 7, atol=1e-6)


@pytest.mark.parametrize("degrees", [5.0, 20.0, 40.0])
def test_nobody_is_sent_uphill_faster_than_people_climb(gliding, degrees):
    """A command along the slope is slowed down to 1.2 m/s of rise for an adult, down the slope and across it never."""
    gliding.reset(3)
    gliding.ground = Placed(slope(9.0, 9.0 * np.tan(np.radians(degrees)), width=9.0), (0.0, 0.0, -4.0))
    gliding._position[:, 1] = gliding.ground.height(gliding._position)
    wanted = np.array([[0, 0, 3], [0, 0, -3], [3, 0, 0]], np.float32)
    slowed = gliding._on_slope(wanted, gliding.ground)
    fastest = min(3.0, 1.2 * np.sqrt(gliding._size) / np.tan(np.radians(degrees)))
    np.testing.assert_allclose(slowed, [[0, 0, fastest], [0, 0, -3], [3, 0, 0]], rtol=1e-3)
    assert not gliding._on_slope(0 * wanted, gliding.ground).any()


def test_sixteen_characters_may_plan_together(gliding):
    gliding.reset(40)
    gliding.family.asked.clear()
    for _ in range(4):
        gliding.step(Commands.create(np.tile([0, 0, 0.4], (40, 1))), DT)
    assert [int(due.sum()) for *_, due in gliding.family.asked] == [16, 16, 8]


def test_commands_without_a_style_have_that_of_the_controller(gliding):
    gliding.reset(2)
    for own, style, expected in (
        (("", "run"), "sneak", ("sneak", "run")),
        (("", "run"), "", ("", "run")),
        (("a", "b"), "c", ("a", "b")),
    ):
        gliding.style = style
        commands = replace(Commands.create(np.ones((2, 3), np.float32)), styles=own)
        assert tuple(gliding._checked(commands).styles) == expected
