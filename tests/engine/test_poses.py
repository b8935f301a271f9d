"""Poses in batches."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema import rotations
from kinema.engine import Figure, Transform, World
from kinema.errors import WorldError
from kinema.pose import Pose

LEFT = rotations.from_yaw(np.float32(np.pi / 2))


def test_figures_stand_at_rest_where_their_transforms_are(arm):
    world = World()
    entity = world.spawn(Transform((1, 0, 0), LEFT), Figure(arm))
    world.step()
    pose = world.poses.of(entity)
    np.testing.assert_allclose(pose.global_positions, [[1, 1, 0], [1, 1, -0.5]], atol=1e-6)
    np.testing.assert_allclose(pose.global_rotations, [LEFT, LEFT], atol=1e-6)


def test_newcomers_stand_at_their_place_before_the_next_step(arm):
    world = World()
    first = world.spawn(Transform((1, 0, 0)), Figure(arm))
    world.step()
    world.get(first, Transform).position = (2, 0, 0)
    world.step()
    second = world.spawn(Transform((5, 0, 0)), Figure(arm))
    world.regroup_figures()
    np.testing.assert_allclose(world.poses.of(second).global_positions[:, 0], [5, 5.5])
    batch = world.poses.batches[0]
    np.testing.assert_allclose(batch.shown.global_positions[:, 0, 0], [2, 5])
    np.testing.assert_allclose(batch.previous.global_positions[:, 0, 0], [1, 5])


def test_all_of_one_character_share_arrays(arm):
    other = dataclasses.replace(arm, name="other")
    world = World()
    ids = [world.spawn(Transform(), Figure(arm if k % 2 else other)) for k in range(5)]
    world.step()
    first, second = world.poses.batches
    assert first.character is other and first.ids.tolist() == ids[::2]
    assert second.character is arm and second.ids.tolist() == ids[1::2]
    assert world.poses.find(ids[3]) == (second, 1)
    assert first.shown.global_positions.dtype == first.shown.global_rotations.dtype == np.float32
    assert first.shown.global_positions.shape == (3, 2, 3) and first.shown.global_positions.flags.c_contiguous


def test_previous_poses_are_those_of_the_step_before(arm):
    world = World()
    entity = world.spawn(Transform(), Figure(arm))
    for step in range(4):
        world.get(entity, Transform).position = (step, 0, 0)
        world.step()
        batch = world.poses.batches[0]
        assert batch.shown.global_positions[0, 0, 0] == step
        assert batch.previous.global_positions[0, 0, 0] == max(step - 1, 0)


def test_what_was_handed_out_never_changes(arm):
    world = World()
    entity = world.spawn(Transform(), Figure(arm))
    world.step()
    batch = world.poses.batches[0]
    given = batch.shown.global_rotations, batch.shown.global_positions
    copies = [array.copy() for array in given]
    for cut in (False, True):
        world.get(entity, Transform).position = (5, 0, 0)
        batch.cut[:] = cut
        world.step()
        for array, copy in zip(given, copies, strict=True):
            np.testing.assert_array_equal(array, copy)


def test_a_cut_leaves_no_way_between(arm):
    world = World()
    ids = [world.spawn(Transform(), Figure(arm)) for _ in range(2)]
    world.step()
    for entity in ids:
        world.get(entity, Transform).position = (5, 0, 0)
    batch = world.poses.batches[0]
    batch.cut[0] = True
    world.step()
    assert batch.previous.global_positions[:, 0, 0].tolist() == [5, 0] and not batch.cut.any()


def test_members_come_and_go_and_the_others_keep_their_poses(arm):
    world = World()
    ids = [world.spawn(Transform((k, 0, 0)), Figure(arm)) for k in range(3)]
    world.step()
    bent = rotations.from_axis_angle(np.float32([0, 0, 1]), np.float32(0.4))
    world.poses.write(np.array(ids), Pose(arm.skeleton, np.stack([[bent, np.float32([1, 0, 0, 0])]] * 3)))
    world.step()
    world.despawn(ids[0])
    world.enable(ids[1], False)
    new = world.spawn(Transform((9, 0, 0)), Figure(arm))
    world.get(ids[2], Transform).position = (4, 0, 0)
    world.step()
    batch = world.poses.batches[0]
    assert batch.ids.tolist() == [ids[2], new]
    np.testing.assert_allclose(batch.pose.model_rotations[0], [bent, bent])
    np.testing.assert_allclose(batch.pose.model_rotations[1], [[1, 0, 0, 0]] * 2)
    assert batch.previous.global_positions[:, 0, 0].tolist() == [2, 9]
    for entity in ids[:2]:
        with pytest.raises(WorldError, match=f"entity {entity} has no pose"):
            world.poses.of(entity)
    world.despawn(ids[2]), world.despawn(new)
    world.step()
    assert world.poses.batches == ()


def test_poses_of_other_joints_are_refused(arm, person):
    world = World()
    entity = world.spawn(Transform(), Figure(arm))
    world.step()
    other = person.skeleton.rest_pose[None]
    with pytest.raises(WorldError, match="'arm' of entity 1 has 2 joints, but its pose has 22"):
        world.poses.write(np.array([entity]), other)
    world.poses.write(np.array([77]), other)
