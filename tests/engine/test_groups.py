"""Characters that share a controller."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.control.command import Commands
from kinema.engine import Command, Controlled, Figure, Transform, World
from kinema.errors import WorldError
from kinema.pose import Pose
from kinema.terrain import Moving, Placed, Plane, slope

DT = 1 / 60


class Sliding:
    """Goes exactly where it is told, and counts how often it is called."""

    def __init__(self, skeleton):
        self.skeleton, self.calls = skeleton, 0

    def reset(self, count):
        self.place, self.heading = np.zeros((count, 3), np.float32), np.zeros(count, np.float32)
        return self._pose()

    def step(self, control: Commands, dt):
        self.calls += 1
        self.place = self.place + np.float32(dt) * control.velocity
        told = np.isfinite(control.facing).all(axis=1)
        self.heading = np.where(told, np.arctan2(control.facing[:, 0], control.facing[:, 2]), self.heading)
        return self._pose()

    def _pose(self):
        count, joints = len(self.place), self.skeleton.joint_count
        return Pose(
            self.skeleton,
            rotations.identity((count, joints), self.place),
            root_positions=self.place,
            root_rotations=rotations.from_yaw(self.heading),
            contacts=np.zeros((count, 2), np.float32),
        )


def sliding(arm, *places, **options):
    world = World(step=0.5, **options)
    controller = Sliding(arm.skeleton)
    world.groups.add("all", controller)
    ids = [world.spawn(place, Figure(arm), Controlled("all"), Command((0, 0, 1), (0, 0, 1))) for place in places]
    return world, controller, ids


def moved(batch):
    return batch.shown.global_positions - batch.previous.global_positions


def test_all_of_a_group_are_one_batch_and_go_where_the_world_wants(arm):
    left = rotations.from_yaw(np.float32(np.pi / 2))
    world, controller, ids = sliding(arm, Transform((1, 0, 2)), Transform((4, 0.5, 0), left))
    world.step()
    world.step()
    assert controller.calls == 2
    places = world.columns(Transform)
    np.testing.assert_allclose(places.positions, [[1, 0, 3], [4, 0.5, 1]], atol=1e-5)
    np.testing.assert_allclose(rotations.yaw(places.rotations), [0, 0], atol=1e-5)
    np.testing.assert_allclose(world.poses.of(ids[1]).global_positions, [[4, 1.5, 1], [4.5, 1.5, 1]], atol=1e-5)
    assert world.groups["all"].ids.tolist() == ids and len(world.groups["all"].pose) == 2


class Standing(Sliding):
    """Stays on its ground."""

    ground = Plane()

    def _pose(self):
        self.place[:, 1] = self.ground.height(self.place)
        return super()._pose()


def test_characters_stand_on_the_ground_of_the_world(arm):
    """Each in a frame of its own: turned, elsewhere, and above the origin."""
    left = rotations.from_yaw(np.float32(np.pi / 2))
    ramp = Placed(slope(length=10.0, rise=5.0, width=99.0), (0, 0, -5.0))
    world = World(step=0.5, ground=ramp)
    controller = Standing(arm.skeleton)
    world.groups.add("all", controller)
    ids = []
    for place in (Transform((1, 0, 0)), Transform((2, 3, 1), left)):
        ids.append(world.spawn(place, Figure(arm), Controlled("all"), Command((0, 0, 1), (0, 0, 1))))
    world.step()
    heights = [world.get(entity, Transform).position[1] for entity in ids]
    np.testing.assert_allclose(heights, [0.5 * (0.5 + 5), 0.5 * (1.5 + 5)], atol=1e-5)
    world.ground = None
    world.despawn(ids[0])
    world.despawn(ids[1])
    new = world.spawn(Transform(), Figure(arm), Controlled("all"))
    world.step()
    assert world.get(new, Transform).position[1] == 0, "new characters do not stand on the ground of others"


def test_ground_that_moves_is_that_of_the_end_of_the_step(arm):
    world = World(step=0.5, ground=Moving(Plane(), lambda time: ((0.0, 2.0 * time, 0.0), 0.0)))
    world.groups.add("all", Standing(arm.skeleton))
    entity = world.spawn(Transform(), Figure(arm), Controlled("all"))
    for _ in range(3):
        world.step()
        assert world.get(entity, Transform).position[1] == pytest.approx(2.0 * world.time)


def test_a_controller_keeps_its_ground_where_the_world_has_none(arm):
    world, _, _ = sliding(arm, Transform())
    controller = Standing(arm.skeleton)
    controller.ground = Plane(2.0)
    world.groups.add("other", controller)
    world.spawn(Transform(), Figure(arm), Controlled("other"))
    world.step()
    assert controller.ground == Plane(2.0)


def test_a_parent_carries_its_characters(arm):
    world, _, ids = sliding(arm, Transform())
    cart = world.spawn(Transform((10, 0, 0)))
    world.reparent(ids[0], cart)
    world.step()
    np.testing.assert_allclose(world.get(ids[0], Transform).global_position, [10, 0, 0.5], atol=1e-6)


def test_writing_the_transform_moves_the_character_without_a_trail(arm):
    world, _, (entity,) = sliding(arm, Transform())
    for _ in range(3):
        world.step()
    world.get(entity, Transform).position = (-5, 0, 0)
    world.step()
    np.testing.assert_allclose(world.get(entity, Transform).position, [-5, 0, 0.5], atol=1e-5)
    batch = world.poses.batches[0]
    np.testing.assert_allclose(batch.previous.global_positions, batch.shown.global_positions)
    world.step()
    np.testing.assert_allclose(moved(batch), [[[0, 0, 0.5]] * 2], atol=1e-5)


def test_who_is_pushed_aside_moves_on_without_a_break(arm):
    world, _, (entity,) = sliding(arm, Transform())
    for _ in range(3):
        world.step()
    world.get(entity, Transform).position += (0.02, 0, 0)
    world.step()
    batch = world.poses.batches[0]
    np.testing.assert_allclose(moved(batch), [[[0.02, 0, 0.5]] * 2], atol=1e-5)
    world.get(entity, Transform).rotation = rotations.from_yaw(np.float32(np.pi))
    world.step()
    np.testing.assert_allclose(batch.previous.global_rotations, batch.shown.global_rotations)


def test_without_a_command_they_stand_and_bad_ones_are_told(arm):
    world, _, (entity,) = sliding(arm, Transform((3, 0, 0)))
    world.remove(entity, Command)
    world.step()
    np.testing.assert_allclose(world.get(entity, Transform).position, [3, 0, 0])
    for wrong in ((1, 2), (np.nan, 0, 0), "far", ((1, 2, 3), (4, 5, 6)), None):
        world.add(entity, Command(wrong))
        with pytest.raises(WorldError, match=f"commanded velocity of entity {entity}"):
            world.step()


def test_groups_and_bodies_must_fit(arm, person):
    world = World()
    entity = world.spawn(Transform(), Controlled("nobody"))
    with pytest.raises(WorldError, match=r"no group 'nobody' \(groups: none\)"):
        world.step()
    controller = Sliding(arm.skeleton)
    world.groups.add("nobody", controller)
    world.step()
    world.add(entity, Figure(person))
    with pytest.raises(
        WorldError, match="'person' of entity 1 has 22 joints that do not match the 2 of group 'nobody'"
    ):
        world.step()
    with pytest.raises(WorldError, match="there is a group 'nobody' already"):
        world.groups.add("nobody", Sliding(arm.skeleton))
    with pytest.raises(WorldError, match="cannot move 'other' too"):
        world.groups.add("other", controller)
    world.remove(entity, Figure)
    world.remove(entity, Transform)
    with pytest.raises(WorldError, match="entity 1 has no Transform"):
        world.step()


def test_a_controller_that_cannot_select_says_so_and_may_begin_anew(arm):
    world, _, ids = sliding(arm, Transform(), Transform())
    world.step()
    world.despawn(ids[0])
    with pytest.raises(WorldError, match=r"group 'all' has no select\(keep, added\)"):
        world.step()
    world.despawn(ids[1])
    world.step()
    late = world.spawn(Transform((1, 0, 0)), Figure(arm), Controlled("all"), Command((0, 0, 1)))
    world.step()
    np.testing.assert_allclose(world.get(late, Transform).position, [1, 0, 0.5], atol=1e-6)


def test_real_characters_start_where_they_are_put_and_obey(crowd):
    world, ids = crowd(3)
    for entity in ids:
        world.add(entity, Command((1.4, 0, 0)))
    starts = world.columns(Transform).positions.copy()
    for _ in range(180):
        world.step()
    moved = world.columns(Transform).positions - starts
    assert (moved[:, 0] > 2.5).all() and np.abs(moved[:, 2]).max() < 0.6
    np.testing.assert_allclose(rotations.yaw(world.columns(Transform).rotations), np.pi / 2, atol=0.3)
    hips = [world.poses.of(entity).global_positions[0] for entity in ids]
    np.testing.assert_allclose(np.array(hips)[:, [0, 2]], world.columns(Transform).positions[:, [0, 2]], atol=0.3)


@pytest.mark.parametrize("change", ["leave", "join", "disable"])
def test_nobody_snaps_when_others_join_or_leave(crowd, person, change):
    """The others do in the next second what they would have done alone."""
    (touched, ids), (alone, _) = crowd(3), crowd(3)
    for world in (touched, alone):
        for entity in ids:
            world.add(entity, Command((0.3 * entity, 0, 1)))
        for _ in range(40):
            world.step()
    if change == "leave":
        touched.despawn(ids[1])
    elif change == "disable":
        touched.enable(ids[1], False)
    else:
        touched.spawn(Transform((9, 0, 9)), Figure(person), Controlled("crowd"), Command((-1, 0, 0)))
    for _ in range(60):
        before = touched.poses.of(ids[2]).global_positions
        touched.step(), alone.step()
        for entity in (ids[0], ids[2]):
            here, there = (world.poses.of(entity).global_positions for world in (touched, alone))
            np.testing.assert_allclose(here, there, atol=5e-4)
        assert np.abs(touched.poses.of(ids[2]).global_positions - before).max() < 0.1
    if change == "join":
        late = touched.poses.of(touched.entities[-1]).global_positions
        assert late[0, 0] < 8.7 and abs(late[0, 2] - 9) < 0.4
