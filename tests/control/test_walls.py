"""Walls stop bodies and let them slide along; what can be walked on is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema.control.command import Commands
from kinema.control.controller import Controller
from kinema.control.presets import motion_matching_controller
from kinema.control.walls import RADIUS, Walls, find_walls
from kinema.engine.framed_ground import FramedGround
from kinema.mocap.contacts import relative_size
from kinema.pose import Pose
from kinema.rotations import from_yaw
from kinema.terrain import VOID, Extrusion, Ground, Heightmap, Placed, Plane, Union, block, is_void, slope, stairs

DT = 1 / 60
STEP = 0.4
ORIGIN = np.zeros((1, 3), np.float32)
WALL = Union((Plane(), Placed(block(3.0, 30.0, 1.0), (0.0, 0.0, 4.5))))  # from z = 3 on


def facing(angle: float, away: float, height: float = 1.0) -> Ground:
    """A wide wall at a distance in a direction, radians from +Z to +X."""
    middle = (away + 2.0) * np.array([np.sin(angle), np.cos(angle)])
    return Union((Plane(), Placed(block(4.0, 30.0, height), (middle[0], 0.0, middle[1]), angle)))


def standing(walls: Walls) -> list[tuple[np.ndarray, float]]:
    """The directions and rooms of the walls around the first body, nearest first."""
    real = np.flatnonzero(np.isfinite(walls.room[0]))
    order = real[np.argsort(walls.room[0, real])]
    return [(walls.towards[0, k], float(walls.room[0, k])) for k in order]


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.0, 2.5, -1.9])
@pytest.mark.parametrize("away", [0.2, 0.4, 1.5])
def test_a_straight_wall_is_where_it_is(angle: float, away: float) -> None:
    [(towards, room)] = standing(find_walls(facing(angle, away), ORIGIN, STEP))
    np.testing.assert_allclose(towards, [np.sin(angle), 0, np.cos(angle)], atol=0.03)
    assert room == pytest.approx(away - RADIUS, abs=0.01)


def test_a_corner_is_two_walls() -> None:
    ground = Union((facing(0.2, 0.5), facing(0.2 + np.pi / 2, 0.8)))
    (first, near), (second, far) = standing(find_walls(ground, ORIGIN, STEP))
    np.testing.assert_allclose(first, [np.sin(0.2), 0, np.cos(0.2)], atol=0.03)
    np.testing.assert_allclose(second, [np.cos(0.2), 0, -np.sin(0.2)], atol=0.03)
    assert (near, far) == (pytest.approx(0.5 - RADIUS, abs=0.01), pytest.approx(0.8 - RADIUS, abs=0.01))


def test_of_a_pillar_the_nearest_point_counts() -> None:
    pillar = Union((Plane(), Placed(block(0.6, 0.6, 2.0), (0.9, 0.0, 0.9))))
    [(towards, room)] = standing(find_walls(pillar, ORIGIN, STEP))
    np.testing.assert_allclose(towards, np.array([1, 0, 1]) / np.sqrt(2), atol=0.03)
    assert room == pytest.approx(0.6 * np.sqrt(2) - RADIUS, abs=0.02)


WALKABLE = {
    "stairs": Union((Plane(), Placed(stairs(6, 0.2, 0.28, width=30.0), (0.0, 0.0, 0.3)))),
    "slope": Union((Plane(), Placed(slope(4.0, 4.0 * np.tan(np.radians(25)), width=30.0), (0.0, 0.0, 0.3)))),
    "steep slope": Extrusion(np.array([-3.0, 3.0]), 3.0 * np.tan(np.radians([-50.0, 50.0])), 30.0),
    "block": Union((Plane(), Placed(block(1.0, 1.0, 0.3), (0.0, 0.0, 1.0)))),
    "drop": Union((Plane(-3.0), block(2.0, 2.0, 0.0))),
    "gap": Union((block(1.0, 6.0, 1.0), Placed(block(1.0, 6.0, 1.0), (0.0, 0.0, 1.6)))),
}


@pytest.mark.parametrize("name", WALKABLE)
@pytest.mark.parametrize("z", [0.0, 0.25, 0.8])
def test_ground_that_can_be_walked_on_is_no_wall(name: str, z: float) -> None:
    points = np.float32([[0.0, 0.0, z]])
    points[:, 1] = WALKABLE[name].height(points)
    points[:, 1] = np.where(is_void(points[:, 1]), 1.0, points[:, 1])
    assert standing(find_walls(WALKABLE[name], points, STEP)) == []


def test_the_far_side_of_a_gap_may_be_too_high() -> None:
    ground = Union((block(1.0, 6.0, 1.0), Placed(block(1.0, 6.0, 1.6), (0.0, 0.0, 1.6))))
    [(towards, room)] = standing(find_walls(ground, np.float32([[0, 1, 0]]), STEP))
    np.testing.assert_allclose(towards, [0, 0, 1], atol=0.03)
    assert room == pytest.approx(1.1 - RADIUS, abs=0.01)


def test_a_wall_in_a_heightmap_is_a_steep_slope() -> None:
    ground = Heightmap.from_function(lambda x, z: 1.0 * (z > 1.0), (6.0, 6.0), cell=0.1)
    [(towards, room)] = standing(find_walls(ground, ORIGIN, STEP))
    np.testing.assert_allclose(towards, [0, 0, 1], atol=0.03)
    assert room == pytest.approx(1.0 - RADIUS, abs=0.1)


def test_large_bodies_take_large_steps_and_keep_a_large_distance() -> None:
    assert standing(find_walls(facing(0.0, 1.5, height=0.6), ORIGIN, STEP))
    assert not standing(find_walls(facing(0.0, 1.5, height=0.6), ORIGIN, STEP, size=2.0))
    [(_, room)] = standing(find_walls(facing(0.0, 1.5, height=1.0), ORIGIN, STEP, size=2.0))
    assert room == pytest.approx(1.5 - 2 * RADIUS, abs=0.01)


class Unasked(Plane):
    """Level ground that may not be asked."""

    def height(self, points):
        raise AssertionError("level ground was asked for its height")


def test_level_ground_costs_nothing() -> None:
    for ground in (Unasked(), Placed(Unasked(), (1.0, 2.0, 3.0))):
        walls = find_walls(ground, ORIGIN, STEP)
        assert walls.room.size == 0 and walls.cut(ground, ORIGIN, STEP) is ground
    assert find_walls(facing(0.0, 0.5), ORIGIN, np.inf).room.size == 0


def test_every_character_has_walls_in_its_own_frame() -> None:
    frames = FramedGround(WALL, np.float32([[0, 0, 2], [0, 0, -9]]), from_yaw(np.float32([np.pi / 2, 0.0])))
    walls = find_walls(frames, np.zeros((2, 3), np.float32), STEP)
    [(towards, room)] = standing(walls)
    np.testing.assert_allclose(towards, [-1, 0, 0], atol=0.03)
    assert room == pytest.approx(1.0 - RADIUS, abs=0.01) and np.isinf(walls.room[1]).all()


def test_ways_end_at_walls_and_go_along_them() -> None:
    walls = Walls(np.float32([[[0, 0, 1], [1, 0, 0]]]), np.float32([[0.5, np.inf]]))
    np.testing.assert_allclose(walls.stopped(np.float32([[2, 0, 3]])), [[2, 0, 0.5]])
    np.testing.assert_allclose(walls.stopped(np.float32([[2, 0, -3]])), [[2, 0, -3]])
    corner = replace(walls, room=np.float32([[0.5, -0.2]]))
    np.testing.assert_allclose(corner.stopped(np.float32([[2, 0, 3]])), [[0, 0, 0.5]])
    np.testing.assert_allclose(corner.moved(np.float32([[0.1, 0, 0.2]])).room, [[0.3, -0.3]], atol=1e-6)


def test_velocities_leave_time_to_stop_and_lead_out_of_walls() -> None:
    walls = Walls(np.float32([[[0, 0, 1]]]), np.float32([[0.5]]))
    still, fast = np.zeros((1, 3), np.float32), np.float32([[0, 0, 0.4]])
    command = np.float32([[1, 0, 3]])
    np.testing.assert_allclose(walls.slowed(command, still, 0.5), [[1, 0, 1]])
    np.testing.assert_allclose(walls.slowed(command, fast, 0.5), [[1, 0, 0.2]], atol=1e-6)
    np.testing.assert_allclose(walls.slowed(command, 2 * fast, 0.5), [[1, 0, 0]])  # too late, but it does not turn back
    inside = replace(walls, room=np.float32([[-0.1]]))
    np.testing.assert_allclose(inside.slowed(command, still, 0.5), [[1, 0, -0.2]], atol=1e-6)


def test_behind_a_wall_is_no_ground_that_is_high() -> None:
    ground = Union((WALL, Placed(block(2.0, 30.0, 1.0), (0.0, 0.0, -4.0))))
    points = np.float32([[0, 0, 2]])
    cut = find_walls(ground, points, STEP).cut(ground, points, STEP)
    asked = np.float32([[[0, 0, 2.5], [0, 0, 3.5], [0, 0, 9.0], [0, 0, -4.0]]])
    np.testing.assert_allclose(cut.height(asked), [[0, VOID, 0, 1]])
    np.testing.assert_array_equal(cut.normal(asked), ground.normal(asked))


@pytest.fixture(scope="module")
def walker(database) -> Controller:
    return motion_matching_controller(database)


def drive(controller: Controller, ground: Ground, velocity: list, seconds: float) -> list[Pose]:
    """The poses under constant commands `[n, 3]`."""
    controller.ground = ground
    controller.reset(len(velocity))
    return [controller.step(Commands.create(velocity), DT) for _ in range(round(seconds / DT))]


@pytest.mark.parametrize(
    "speed", [0.7, pytest.param(1.4, marks=pytest.mark.slow), pytest.param(3.5, marks=pytest.mark.slow)]
)
def test_whoever_walks_straight_at_a_wall_stops_before_it(walker: Controller, speed: float) -> None:
    poses = drive(walker, WALL, [[0, 0, speed]], 4.0 / speed + 2.0)
    roots = np.concatenate([pose.root_positions for pose in poses])
    assert roots[:, 2].max() < 3.0 - RADIUS + 0.03
    assert roots[-1, 2] > 3.0 - RADIUS - 0.1 and np.ptp(roots[-30:, 2]) < 0.02  # it stands there
    assert np.abs(roots[:, 1]).max() < 0.01  # and was not lifted
    for pose in poses:
        assert pose.global_positions[..., 2].max() < 3.0, "a part of the body is in the wall"
        assert pose.global_positions[:, walker.family.contact_joints, 1].max() < 1.0, "a foot is on the wall"


def test_whoever_comes_at_an_angle_slides_along(walker: Controller) -> None:
    poses = drive(walker, WALL, [[1, 0, 1]], 7.0)
    roots = np.concatenate([pose.root_positions for pose in poses])
    assert roots[:, 2].max() < 3.0 - RADIUS + 0.05
    assert roots[-1, 2] > 3.0 - RADIUS - 0.1
    assert roots[-1, 0] - roots[-121, 0] == pytest.approx(2.0, abs=0.1)  # as fast as commanded


@pytest.mark.parametrize("name", ["stairs", "slope", pytest.param("block", marks=pytest.mark.slow)])
@pytest.mark.parametrize("speed", [pytest.param(1.2, marks=pytest.mark.slow), 3.0])
def test_what_can_be_walked_on_slows_nobody(
    walker: Controller, name: str, speed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Apart from the climb itself."""
    monkeypatch.setattr(walker, "settings", replace(walker.settings, climb=np.inf))
    ground = Placed(WALKABLE[name], (0.0, 0.0, 1.5))
    uneven, level = (drive(walker, on, [[0, 0, speed]], 4.0 / speed)[-1] for on in (Union((Plane(), ground)), Plane()))
    np.testing.assert_allclose(uneven.root_positions[0, 2], level.root_positions[0, 2], atol=0.02)


def test_only_those_of_a_crowd_who_face_a_wall_stop(walker: Controller) -> None:
    velocity = [[0, 0, 1.4], [1.4, 0, 0], [0, 0, -1.4], [0, 0, 0], [1, 0, 1]]
    elsewhere = Union((Plane(), Placed(block(3.0, 30.0, 1.0), (0.0, 0.0, 90.0))))
    with_wall, without = (drive(walker, ground, velocity, 4.0)[-1].root_positions for ground in (WALL, elsewhere))
    apart = np.linalg.norm(with_wall - without, axis=-1)
    assert (apart[[0, 4]] > 0.5).all()
    np.testing.assert_array_equal(apart[[1, 2, 3]], 0.0)
    assert (with_wall[:, 2] < 3.0 - RADIUS + 0.03).all()


@pytest.mark.parametrize("size", [1.0, 2.0])
def test_a_horse_steps_where_an_adult_stops(gliding: Controller, biped, size: float) -> None:
    """The plan walks on at 1 m/s; on its own, nothing but the wall stops the root."""
    gliding.family.turn = 0.0
    gliding.family.skeleton = replace(biped, rest_translations=np.float32(size) * biped.rest_translations)
    controller = Controller(gliding.family)
    for height, passes in ((0.6, size > 1.0), (1.6, False)):
        last = drive(controller, facing(0.0, 3.0, height), [[0, 0, 1.0]], 4.0)[-1].root_positions[0]
        if passes:
            assert last[2] == pytest.approx(4.0, abs=0.1) and last[1] == pytest.approx(height, abs=0.1)
        else:
            assert last[2] == pytest.approx(3.0 - size * RADIUS * relative_size(biped), abs=0.02) and last[1] == 0
