"""Travel moved into a joint on the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.avatar import Collider, ColliderGroup, Constraint, Spring, SpringJoint
from kinema.character import Character, Mesh
from kinema.formats import Asset
from kinema.formats.profiles.root import LEVEL, Z_UP, Axes, with_root
from kinema.mocap.procedural import Segment, generate
from kinema.skeleton import Hinge


@pytest.fixture(scope="module")
def walk() -> Motion:
    return generate(script=[Segment("walk", 2.0)], fps=30)


def joints_of(motion: Motion, skeleton: Skeleton) -> np.ndarray:
    return motion[:].global_positions[:, motion.skeleton.indices(skeleton.names)]


@pytest.mark.parametrize("axes", [LEVEL, Z_UP])
def test_a_new_root_travels_and_nothing_else_moves(walk: Motion, axes: Axes) -> None:
    found = with_root(Asset("walk", "bvh", walk.skeleton, (walk,)), "root", axes)
    assert found.skeleton is not None
    for before, after in zip(
        (walk.skeleton.rest_pose.global_rotations, walk.skeleton.rest_pose.global_positions),
        (found.skeleton.rest_pose.global_rotations, found.skeleton.rest_pose.global_positions),
        strict=True,
    ):
        np.testing.assert_allclose(after[1:], before, atol=1e-6)
    (moved,) = found.motions
    assert found.skeleton is moved.skeleton and moved.skeleton.names[0] == "root"
    np.testing.assert_allclose(joints_of(moved, walk.skeleton), walk[:].global_positions, atol=2e-5)
    path = moved[:].global_positions[:, 0]
    assert np.abs(path[:, 1]).max() == 0 and np.linalg.norm(path[-1] - path[0]) > 1
    # The hips stay over the root: their own travel is the sway of a step.
    hips = rotations.rotate(np.array(axes), moved[:].local_translations[:, moved.skeleton.roles.hips])
    assert np.linalg.norm(hips[:, [0, 2]], axis=-1).max() < 0.15
    turned = moved[:].global_rotations
    np.testing.assert_allclose(
        rotations.rotate(turned[0, 0], np.eye(3)[1 if axes == LEVEL else 2]), [0, 1, 0], atol=1e-6
    )
    assert moved.skeleton.roles.hips == walk.skeleton.roles.hips + 1


def test_a_root_that_is_there_is_used(walk: Motion) -> None:
    once = with_root(Asset("walk", "bvh", walk.skeleton, (walk,)), "Root")
    still = replace(once, motions=(with_root(once, "Other").motions[0],))
    assert still.skeleton is not None and still.skeleton.names.count("Root") == 1
    assert still.skeleton.joint_count == walk.skeleton.joint_count + 1
    np.testing.assert_allclose(joints_of(still.motions[0], walk.skeleton), walk[:].global_positions, atol=5e-5)


@pytest.mark.parametrize("axes", [LEVEL, Z_UP])
def test_a_skin_stays_where_it_was(walk: Motion, axes: Axes) -> None:
    skeleton = walk.skeleton
    places = skeleton.rest_pose.global_positions
    bind = np.tile(np.eye(4, dtype=np.float32), (skeleton.joint_count, 1, 1))
    bind[:, :3, 3] = -places
    count = skeleton.joint_count
    mesh = Mesh(
        "points",
        places + np.float32(0.01),
        np.ones((count, 3), np.float32),
        np.zeros((1, 3), np.uint32),
        joints=np.arange(count, dtype=np.int32)[:, None],
        weights=np.ones((count, 1), np.float32),
        inverse_bind=bind,
    )
    hung = Mesh("hat", places[:3], places[:3], np.zeros((1, 3), np.uint32), joint=2)
    character = Character("c", skeleton, (mesh, hung))
    found = with_root(Asset("walk", "glb", skeleton, (walk,), character), "root", axes)
    bound = found.character.meshes[0].inverse_bind if found.character is not None else None
    assert bound is not None and np.allclose(bound[0, :3, :3], rotations.to_matrix(np.array(axes)).T, atol=1e-6)
    assert found.character is not None and found.character.skeleton is found.skeleton
    before, after = character.skin(walk[:]), found.character.skin(found.motions[0][:])
    for old, new in zip(before, after, strict=True):
        np.testing.assert_allclose(new, old, atol=5e-5)


def test_everything_with_a_joint_moves_up(walk: Motion) -> None:
    skeleton = walk.skeleton
    character = Character(
        "avatar",
        skeleton,
        springs=(Spring("hair", (SpringJoint(3), SpringJoint(4)), (0,), center=2),),
        colliders=(Collider(5, (0, 0, 0), 0.1),),
        collider_groups=(ColliderGroup("head", (0,)),),
        constraints=(Constraint("roll", 6, 7, "X"),),
    )
    hinge = Hinge(3, (1, 0, 0), -1, 1)
    bent = Skeleton.create(
        skeleton.names,
        skeleton.parents,
        skeleton.rest_translations,
        skeleton.rest_rotations,
        [(4, (0, 0.1, 0))],
        {skeleton.names[0]: "hips"},
        [hinge],
    )
    found = with_root(Asset("x", "vrm", bent, (), replace(character, skeleton=bent)), "root")
    after = found.character
    assert after is not None and found.skeleton is not None and after.skeleton is found.skeleton
    names = found.skeleton.names
    assert [names[item.joint] for item in after.springs[0].joints] == [skeleton.names[3], skeleton.names[4]]
    assert after.springs[0].center == 3 and after.springs[0].groups == (0,)
    assert (after.colliders[0].joint, after.collider_groups) == (6, character.collider_groups)
    assert (after.constraints[0].joint, after.constraints[0].source) == (7, 8)
    assert found.skeleton.hinges == (replace(hinge, joint=4),) and found.skeleton.tip_joints.tolist() == [5]


@pytest.mark.parametrize(("role", "names"), [("root", ("Root", "Hips")), ("helper", ("Root_", "Root"))])
def test_a_mesh_travels_with_what_is_known_as_a_root(walk: Motion, role: str, names: tuple[str, str]) -> None:
    once = with_root(Asset("walk", "bvh", walk.skeleton, (walk,)), "Root")
    assert once.skeleton is not None
    skeleton = once.skeleton.with_hints({"Root": role})
    ring = Mesh(
        "ring", np.zeros((3, 3), np.float32), np.zeros((3, 3), np.float32), np.zeros((1, 3), np.uint32), joint=0
    )
    again = with_root(Asset("walk", "bvh", skeleton, (), Character("c", skeleton, (ring,))), "Root")
    assert again.skeleton is not None and again.skeleton.names[:2] == names


def test_several_roots_get_one_and_what_is_no_body_stays() -> None:
    skeleton = Skeleton.create(["a", "b", "c"], [-1, -1, 1], np.eye(3), None)
    rng = np.random.default_rng(1)
    turned = rotations.normalize(rng.normal(size=(4, 3, 4)))
    motion = Motion.create(skeleton, turned, rng.normal(size=(4, 3, 3)), fps=30)
    found = with_root(Asset("x", "c3d", skeleton, (motion,)), "root")
    assert found.skeleton is not None and found.skeleton.parents.tolist() == [-1, 0, 0, 2]
    np.testing.assert_allclose(found.motions[0][:].global_positions[:, 1:], motion[:].global_positions, atol=1e-6)
    assert not found.motions[0][:].global_positions[:, 0].any()


def test_the_root_turns_from_where_the_body_faces_at_rest(walk: Motion) -> None:
    """A body that faces -X at rest and all the time has a root that does not turn."""
    half = rotations.from_yaw(np.float32(-np.pi / 2))
    skeleton = walk.skeleton
    rest = skeleton.rest_rotations.copy()
    rest[0] = rotations.multiply(half, rest[0])
    places = skeleton.rest_translations.copy()
    places[0] = rotations.rotate(half, places[0])
    turned = replace(skeleton, rest_rotations=rest, rest_translations=places)
    still = Motion.create(turned, np.repeat(rest[None], 9, 0), fps=30)
    found = with_root(Asset("x", "bvh", turned, (still,)), "root")
    np.testing.assert_allclose(np.abs(found.motions[0].local_rotations[:, 0]), [[1, 0, 0, 0]] * 9, atol=1e-4)


def test_nothing_to_do_without_frames_or_skeleton(biped: Skeleton) -> None:
    nothing = Asset("x", "glb")
    assert with_root(nothing, "root") is nothing
    empty = Motion.create(biped, np.zeros((0, biped.joint_count, 4)))
    assert with_root(Asset("x", "bvh", biped, (empty,)), "root").motions[0].frames == 0
