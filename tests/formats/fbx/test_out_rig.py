"""Joints as limb nodes: continuous angles, rest poses, tips."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema import Skeleton, kinematics, load, rotations, save
from kinema.character import Character, Mesh
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.out_rig import (
    bind_pose,
    continuous_euler,
    euler,
    flat,
    in_centimetres,
    rest_matrices,
    used_joints,
)
from kinema.formats.fbx.transform import euler_matrix
from kinema.formats.gltf.bones import bone_mesh
from kinema.formats.sources import open_source


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.02, 0.3, 3.0]))
def test_angles_are_those_of_the_format(seed: int, speed: float) -> None:
    rng = np.random.default_rng(seed)
    turned = rotations.exp(np.cumsum(rng.normal(0, speed, (50, 2, 3)), axis=0))
    for angles in (euler(turned), continuous_euler(turned)):
        np.testing.assert_allclose(euler_matrix(angles), rotations.to_matrix(turned), atol=1e-6)


def test_angles_go_on_over_the_pole_and_round_and_round() -> None:
    time = np.linspace(0, 1, 400)
    over = np.stack([np.full(400, 20.0), 360 * 3 * time, np.full(400, -35.0)], axis=1)  # the middle axis turns thrice
    spin = np.stack([720 * time, 10 * time, -1080 * time], axis=1)
    for wanted in (over, spin):
        angles = continuous_euler(rotations.from_matrix(euler_matrix(wanted)))
        np.testing.assert_allclose(angles - angles[0], wanted - wanted[0], atol=1e-4)


def test_a_rest_pose_is_one_of_zero_angles(tmp_path, rng) -> None:
    turned = rotations.exp(rng.normal(0, 1, (4, 3))).astype(np.float32)
    skeleton = Skeleton.create(
        ["a", "b", "c", "b_end"],
        [-1, 0, 1, 1],
        rng.normal(0, 1, (4, 3)),
        turned,
        tips=[(1, (0, 0.5, 0)), (1, (0.1, 0, 0)), (2, (0, 0, 0))],
    )
    save(Character("x", skeleton), tmp_path / "a.fbx")
    document = open_document(open_source(tmp_path / "a.fbx"))
    models = {model.name: model for model in document.all("Model")}
    assert list(models) == ["a", "b", "c", "b_end", "b_end2", "b_end3", "c_end"]
    for name, rest in zip("abc", turned, strict=False):
        assert models[name].vector("Lcl Rotation", (9, 9, 9)) == (0, 0, 0)
        given_ = euler_matrix(np.array(models[name].vector("PreRotation", (0, 0, 0))))
        np.testing.assert_allclose(given_, rotations.to_matrix(rest), atol=1e-6)
    again = load(tmp_path / "a.fbx").skeleton
    assert again.same_topology(skeleton)
    np.testing.assert_allclose(again.rest_translations, skeleton.rest_translations, atol=1e-6)
    assert again.tip_joints.tolist() == [1, 1, 2]
    np.testing.assert_allclose(again.tip_offsets, skeleton.tip_offsets, atol=1e-6)


def test_roles_that_are_stated_come_back(tmp_path, biped) -> None:
    stated = biped.with_hints({"Hips": "hips", "LeftFoot": "left_foot"})
    save(Character("c", stated), tmp_path / "a.fbx")
    skeleton = load(tmp_path / "a.fbx").skeleton
    assert skeleton is not None and skeleton.hints == stated.hints


def test_bind_poses_list_every_joint_and_skin(tmp_path, biped) -> None:
    save(Character("x", biped, (bone_mesh(biped),)), tmp_path / "a.fbx")
    (pose,) = open_document(open_source(tmp_path / "a.fbx")).all("Pose")
    entries = list(pose.record.all("PoseNode"))
    assert len(entries) == biped.joint_count + 1
    np.testing.assert_array_equal(entries[-1].array("Matrix"), np.eye(4).ravel())
    head = np.array(entries[biped.index("Head")].array("Matrix")).reshape(4, 4).T
    np.testing.assert_allclose(head[:3, 3], biped.rest_pose.global_positions[biped.index("Head")] * 100, atol=1e-4)


def test_matrices_are_stored_by_column() -> None:
    matrix = np.eye(4)
    matrix[:3, 3] = 1, 2, 3
    assert flat(in_centimetres(matrix)).tolist()[12:] == [100, 200, 300, 1]


def matrices(skeleton, turned) -> np.ndarray:
    turns, places = kinematics.forward(turned.astype(np.float32), skeleton.rest_translations, skeleton.parents.tolist())
    result = np.tile(np.eye(4), (skeleton.joint_count, 1, 1))
    result[:, :3, :3], result[:, :3, 3] = rotations.to_matrix(turns), places
    return result


def bound(mesh: Mesh, pose: np.ndarray, place: np.ndarray) -> Mesh:
    """The mesh as if it had been bound in a pose, after having been moved by the inverse of `place`."""
    return replace(mesh, inverse_bind=(np.linalg.inv(pose) @ place).astype(np.float32))


@pytest.fixture
def halves(biped) -> tuple[Mesh, Mesh]:
    """Two meshes: all joints up to the seventh, and those from the fifth."""
    bones = bone_mesh(biped)

    def part(low: int, high: int) -> Mesh:
        kept = [row for row in bones.indices if low <= bones.joints[row[0], 0] <= high]
        inside = (bones.joints >= low) & (bones.joints <= high)
        return replace(bones, name=f"{low}", indices=np.array(kept), weights=inside.astype(np.float32))

    return part(0, 7), part(5, biped.joint_count)


PLACE = np.array([[0, 0, 100, 1], [100, 0, 0, 2], [0, 100, 0, 3], [0, 0, 0, 1]], float)


def test_a_mesh_that_rests_is_bound_at_rest(biped, halves) -> None:
    rest = rest_matrices(biped)
    first, second = bound(halves[0], rest, PLACE), bound(halves[1], rest, np.eye(4))
    pose, places = bind_pose(biped, (first, second, replace(first, joints=None)))
    np.testing.assert_allclose(pose, rest)
    np.testing.assert_allclose(places[0], PLACE, atol=1e-3)
    np.testing.assert_array_equal(places[1:], [np.eye(4), np.eye(4)])


def test_meshes_that_were_bound_in_one_other_pose_share_it(biped, halves, rng) -> None:
    turned = rotations.multiply(biped.rest_rotations, rotations.exp(rng.normal(0, 0.3, (biped.joint_count, 3))))
    other = matrices(biped, turned)
    meshes = (bound(halves[0], other, PLACE), bound(halves[1], other, np.eye(4)))
    pose, places = bind_pose(biped, meshes)
    for mesh, place in zip(meshes, places, strict=True):
        for joint in used_joints(mesh):
            np.testing.assert_allclose(pose[joint] @ mesh.inverse_bind[joint], place, atol=1e-3)
            np.testing.assert_allclose(np.linalg.det(pose[joint, :3, :3]), 1, atol=1e-4)
    # As a whole it stands where it stood, but for one movement.
    apart = np.linalg.inv(other[5]) @ other[6]
    np.testing.assert_allclose(np.linalg.inv(pose[5]) @ pose[6], apart, atol=1e-4)


def test_joints_that_move_nothing_follow_their_parents(biped, halves, rng) -> None:
    turned = rotations.multiply(biped.rest_rotations, rotations.exp(rng.normal(0, 0.3, (biped.joint_count, 3))))
    first = bound(halves[0], matrices(biped, turned), np.eye(4))
    pose, _ = bind_pose(biped, (first,))
    rest = rest_matrices(biped)
    for joint in range(8, biped.joint_count):
        parent = biped.parents[joint]
        if parent >= 0 and joint not in used_joints(first):
            np.testing.assert_allclose(
                np.linalg.inv(pose[parent]) @ pose[joint], np.linalg.inv(rest[parent]) @ rest[joint], atol=1e-5
            )


def test_matrices_that_flatten_do_not_stop_the_writer(tmp_path, biped, halves) -> None:
    flat = halves[0].inverse_bind.copy()
    flat[2, :3, :3] = 0
    character = Character("c", biped, (replace(halves[0], inverse_bind=flat),))
    save(character, tmp_path / "a.fbx")
    again = load(tmp_path / "a.fbx").character
    ours, theirs = (np.sort(c.skin(biped.rest_pose)[0], axis=0)[[0, -1]] for c in (character, again))
    np.testing.assert_allclose(ours, theirs, atol=1e-4)
