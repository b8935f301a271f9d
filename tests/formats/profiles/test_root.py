"""Travel moved into a joint on the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.character import Character, Mesh
from kinema.formats import Asset
from kinema.formats.profiles.root import with_root
from kinema.mocap.procedural import Segment, generate


@pytest.fixture(scope="module")
def walk() -> Motion:
    return generate(script=[Segment("walk", 2.0)], fps=30)


def joints_of(motion: Motion, skeleton: Skeleton) -> np.ndarray:
    return motion.global_positions()[:, motion.skeleton.indices(skeleton.names)]


def test_a_new_root_travels_and_nothing_else_moves(walk: Motion) -> None:
    found = with_root(Asset("walk", "bvh", walk.skeleton, (walk,)), "root")
    (moved,) = found.motions
    assert found.skeleton is moved.skeleton and moved.skeleton.names[0] == "root"
    np.testing.assert_allclose(joints_of(moved, walk.skeleton), walk.global_positions(), atol=2e-5)
    path = moved.global_positions()[:, 0]
    assert np.abs(path[:, 1]).max() == 0 and np.linalg.norm(path[-1] - path[0]) > 1
    # The hips stay over the root: their own travel is the sway of a step.
    hips = moved.translations()[:, moved.skeleton.roles.hips]
    assert np.linalg.norm(hips[:, [0, 2]], axis=-1).max() < 0.15
    assert moved.skeleton.roles.hips == walk.skeleton.roles.hips + 1


def test_a_root_that_is_there_is_used(walk: Motion) -> None:
    once = with_root(Asset("walk", "bvh", walk.skeleton, (walk,)), "Root")
    still = replace(once, motions=(with_root(once, "Other").motions[0],))
    assert still.skeleton is not None and still.skeleton.names.count("Root") == 1
    assert still.skeleton.joint_count == walk.skeleton.joint_count + 1
    np.testing.assert_allclose(joints_of(still.motions[0], walk.skeleton), walk.global_positions(), atol=5e-5)


def test_a_skin_stays_where_it_was(walk: Motion) -> None:
    skeleton = walk.skeleton
    _, places = skeleton.rest_globals()
    bind = np.tile(np.eye(4, dtype=np.float32), (skeleton.joint_count, 1, 1))
    bind[:, :3, 3] = -places
    count = skeleton.joint_count
    mesh = Mesh("points", places + np.float32(0.01), np.ones((count, 3), np.float32), np.zeros((1, 3), np.uint32),
                joints=np.arange(count, dtype=np.int32)[:, None], weights=np.ones((count, 1), np.float32),
                inverse_bind=bind)  # fmt: skip
    hung = Mesh("hat", places[:3], places[:3], np.zeros((1, 3), np.uint32), joint=2)
    character = Character("c", skeleton, (mesh, hung))
    found = with_root(Asset("walk", "glb", skeleton, (walk,), character), "root")
    assert found.character is not None and found.character.skeleton is found.skeleton
    before, after = character.skin(*walk.globals()), found.character.skin(*found.motions[0].globals())
    for old, new in zip(before, after, strict=True):
        np.testing.assert_allclose(new, old, atol=5e-5)


def test_nothing_to_do_without_frames_or_skeleton(biped: Skeleton) -> None:
    nothing = Asset("x", "glb")
    assert with_root(nothing, "root") is nothing
    empty = Motion.create(biped, np.zeros((0, biped.joint_count, 4)))
    assert with_root(Asset("x", "bvh", biped, (empty,)), "root").motions[0].frames == 0
