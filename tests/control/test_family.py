"""What a family has to supply, and that this is enough."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.control.command import Commands
from kinema.control.controller import Controller
from kinema.control.family import ALL, Family, Moment
from kinema.control.membership import carried
from kinema.pose import Pose

DT = 1 / 60


class Gliding:
    """The smallest family: one pose, a steady walk in a circle, new plans that turn a joint the other way."""

    times = (0.5, 1.0)

    def __init__(self, skeleton, turn: float) -> None:
        self.skeleton, self.turn, self.diagnostics = skeleton, turn, {"cost": 0.0}
        self.translated = np.int32([0])
        self.contact_joints = np.asarray([leg.toe for leg in skeleton.roles.legs], np.int32)
        self.reset(1)

    def reset(self, count: int) -> None:
        self.angle, self.jumps, self.asked = np.full(count, 0.5, np.float32), False, []

    def select(self, keep, added) -> None:
        self.angle = carried(self.angle, keep, added, 0.5)

    def replan(self, query):
        self.asked.append((*query.path(self.times), query.due.copy()))
        if self.jumps:
            self.angle = np.where(query.due, -self.angle, self.angle)
        return query.due & self.jumps

    def advance(self, query, dt) -> None:
        pass

    def sample(self, offset=0.0, rows=ALL) -> Moment:
        angle = self.angle[rows]
        count = len(angle)
        turned = rotations.identity((count, self.skeleton.joint_count), angle)
        turned[:, 5] = rotations.from_yaw(angle)
        ahead = np.tile(np.float32([0, 0, 1]), (count, 1))
        pose = Pose(self.skeleton, turned, contacts=np.zeros((count, 2), np.float32))
        return Moment(pose, ahead, np.full(count, self.turn, np.float32))


@pytest.fixture
def gliding(biped) -> Controller:
    return Controller(Gliding(biped, 2.0))


def test_every_family_has_what_the_controller_uses(biped, shared):
    members = [name for name in dir(Family) if not name.startswith("_")] + list(Family.__annotations__)
    assert {"replan", "advance", "sample", "contact_joints"} <= set(members)
    for family in (shared.family, Gliding(biped, 0.0)):
        assert not [name for name in members if not hasattr(family, name)]


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
