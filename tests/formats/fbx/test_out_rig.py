"""Joints as limb nodes: continuous angles, rest poses, tips."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema import Skeleton, load, rotations, save
from kinema.character import Character
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.out_rig import continuous_euler, euler, flat, in_centimetres
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
