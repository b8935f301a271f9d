"""Lengths, reaches and poses of a tree."""

from __future__ import annotations

import numpy as np

from kinema import Motion, Skeleton
from kinema.roles.tree import is_pose, look, sampled

from .rigs import build, dog, person


def test_reach_is_the_longest_way_down_with_tips() -> None:
    skeleton = Skeleton.create(
        "abcd", [-1, 0, 1, 0], [[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 0, 0]], tips=[(3, [5, 0, 0])]
    )
    tree = look(skeleton)
    assert tree.reach == [6, 2, 0, 5] and tree.path(0) == [0, 3] and tree.size == [4, 2, 1, 1]
    assert np.allclose(tree.ends[3], [6, 0, 0]) and tree.below(0) == [0, 1, 3, 2] and tree.up_from(2) == [2, 1, 0]


def test_people_and_dogs_stand_and_bones_along_an_axis_do_not() -> None:
    for body in (person(), dog()):
        skeleton, _ = build(body)
        assert is_pose(skeleton, skeleton.rest_pose.global_positions.astype(float))
        flat = np.outer(np.arange(skeleton.joint_count), [1.0, 0, 0])
        assert not is_pose(skeleton, flat)


def test_lengths_tell_where_the_rest_pose_is_none_and_a_motion_is_kept_beside() -> None:
    skeleton, _ = build(person())
    flat = np.zeros((skeleton.joint_count, 3))
    flat[:, 0] = np.maximum(skeleton.bone_lengths, 0.01)
    lying = Skeleton.create(skeleton.names, skeleton.parents, flat)
    turned = np.tile(skeleton.rest_rotations, (4, 1, 1))
    assert not look(lying).posed
    motion = Motion.create(lying, turned, fps=30)
    tree = look(lying, sampled(motion))
    assert not tree.posed and tree.poses.shape == (4, skeleton.joint_count, 3)
    assert tree.lengths == look(lying).lengths


def test_numbers_without_bounds_do_no_harm() -> None:
    tree = look(Skeleton.create("ab", [-1, 0], [[3e38, 0, 0], [3e38, 0, 0]]))
    assert np.isfinite(tree.positions).all()
