"""One pose that all meshes are bound in, and where they stand in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import kinematics, load, rotations, save
from kinema.character import Character, Mesh
from kinema.formats.fbx.out_binds import bind_pose, used_joints
from kinema.formats.fbx.out_rig import rest_matrices
from kinema.formats.gltf.bones import bone_mesh


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
