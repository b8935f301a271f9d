"""Whole drives over stairs, slopes, gaps and ground that moves."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.control.command import Commands
from kinema.control.controller import Controller, Settings
from kinema.control.motion_matching import MotionMatching
from kinema.control.presets import with_stages
from kinema.pose import Pose
from kinema.terrain import Ground, Placed, Plane, Union, block, hills, slope, stairs

DT = 1 / 60


@pytest.fixture(scope="module")
def walker(database) -> Controller:
    return with_stages(MotionMatching(database), database)


def walk(controller: Controller, ground: Ground, speed: float, seconds: float) -> tuple[Pose, np.ndarray]:
    """Straight ahead over a ground: the poses `[F]` and which feet stand `[F, C]`."""
    controller.ground = ground
    controller.reset(1)
    poses, locked = [], []
    for _ in range(round(seconds / DT)):
        poses.append(controller.step(Commands.create([0, 0, speed]), DT))
        locked.append(controller.locked[0])
    return Pose.concatenate(poses), np.array(locked)


STAIRS = Placed(stairs(6, 0.17, 0.28, landing=1.5, width=6.0), (0.0, 0.0, 1.5))
RAMP = Placed(slope(4.0, 4.0 * np.tan(np.radians(20)), width=6.0), (0.0, 0.0, 1.5))


@pytest.mark.parametrize(
    "part", [STAIRS, RAMP, pytest.param(hills(seed=1), marks=pytest.mark.slow)], ids=["stairs", "ramp", "hills"]
)
@pytest.mark.parametrize("speed", [pytest.param(0.7, marks=pytest.mark.slow), 1.2])
def test_feet_stand_on_the_ground_up_and_down(walker, database, part, speed):
    ground = Union((Plane(-3.0), part)) if part not in (STAIRS, RAMP) else Union((Plane(), part))
    poses, locked = walk(walker, ground, speed, 11.0 / speed)
    toes = poses.global_positions[:, database.contact_joints]
    height = toes[..., 1] - ground.height(toes) - database.clearance
    assert np.mean(np.abs(height[locked]) < 0.015) > 0.95
    assert np.mean(height.min(axis=1) < -0.015) < 0.005
    assert poses.root_positions[-1, 2] == pytest.approx(speed * len(locked) * DT, abs=0.6)


@pytest.mark.slow
def test_soles_stand_on_one_step(walker, database):
    ground = Union((Plane(), STAIRS))
    poses, locked = walk(walker, ground, 0.7, 14.0)
    soles = walker.foot_lock.soles
    toes = poses.global_positions[:, database.contact_joints]
    under = ground.height(soles.samples(toes, soles.directions(poses)))
    assert np.mean(np.ptp(under, axis=-1)[locked] < 0.02) > 0.95


def test_nobody_falls_into_a_gap(walker, database):
    """Between two platforms is nothing for 1.2 m."""
    ground = Union((Placed(block(6, 4, 1), (0, 0, -3.0)), Placed(block(6, 4, 1), (0, 0, 4.2))))
    poses, _ = walk(walker, ground, 1.4, 5.0)
    assert np.isfinite(poses.global_positions).all()
    assert np.abs(poses.root_positions[:, 1] - 1.0).max() < 0.02
    assert poses.root_positions[-1, 2] > 5


def test_a_platform_carries_whoever_stands_on_it(walker, database):
    for frame in range(180):
        moved = np.array([0.3, 0.1, 0.0]) * frame * DT
        walker.ground = Placed(block(4, 4, 1), (moved[0], moved[1], 0.0), linear_velocity=(0.3, 0.1, 0.0))
        if frame == 0:
            walker.reset(1)
        pose = walker.step(Commands.idle(), DT)
    np.testing.assert_allclose(pose.root_positions[0, [0, 1]], [0.9, 1.3], atol=0.03)
    toes = pose.global_positions[0, database.contact_joints]
    np.testing.assert_allclose(toes[:, 1] - 1.3, database.clearance, atol=0.02)
    assert np.abs(toes[:, 0] - 0.9).max() < 0.4


def test_feet_come_down_ahead_of_a_body_that_leaves_its_plan(database):
    """Commanded sideways at a speed that the plans do not have: in mid-stance, feet are under the body."""
    distance = []
    for led in (True, False):
        controller = with_stages(MotionMatching(database), database)
        controller.settings = Settings(replan_every=60, replan_jump=60)  # it walks on ahead, whatever is commanded
        lock = controller.foot_lock
        if not led:
            lock.trajectory = None
        apart = []
        for frame in range(480):
            pose = controller.step(Commands.create([0.9 if frame > 60 else 0.0, 0, 1.2], np.array([0, 0, 1.0])), DT)
            toes, plans = pose.global_positions[0, database.contact_joints], lock._sources[0, 0]
            apart += np.hypot(*(toes - plans)[lock.locked[0]][:, [0, 2]].T).tolist()
        distance.append(np.mean(apart))
    assert distance[0] < 0.75 * distance[1]
