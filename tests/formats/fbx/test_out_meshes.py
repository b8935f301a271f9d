"""Geometry, skins and shapes as other programs find them in a file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import KDTree

from kinema import load, rotations, save
from kinema.character import Character, Mesh, Morph
from kinema.formats.fbx.document import matrix
from kinema.formats.fbx.objects import open_document
from kinema.formats.gltf.bones import bone_mesh
from kinema.formats.sources import open_source
from kinema.pose import Pose


def written(tmp_path, character: Character):
    save(character, tmp_path / "a.fbx")
    return open_document(open_source(tmp_path / "a.fbx")), load(tmp_path / "a.fbx").character


def pose(skeleton, rng):
    turned = rotations.multiply(skeleton.rest_rotations, rotations.exp(rng.normal(0, 0.4, (skeleton.joint_count, 3))))
    return Pose(skeleton, turned.astype(np.float32))


def same_places(character: Character, again: Character, rng) -> None:
    for each in (character.skeleton.rest_pose, pose(character.skeleton, rng)):
        for ours, theirs in zip(character.skin(each), again.skin(each), strict=True):
            assert KDTree(ours).query(theirs)[0].max() < 1e-5
            assert KDTree(theirs).query(ours)[0].max() < 1e-5


@pytest.fixture
def cube() -> Mesh:
    """Six sides of four vertices: eight points, three normals at each."""
    sides = []
    for axis in range(3):
        for sign in (-1, 1):
            corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)[::sign]
            sides.append(
                np.insert(corners, axis, sign, axis=1)
                if axis != 1
                else np.stack([corners[:, 1], np.full(4, sign), corners[:, 0]], axis=1)
            )
    normals = np.repeat(np.stack([sign * np.eye(3)[axis] for axis in range(3) for sign in (-1, 1)]), 4, axis=0)
    quads = np.arange(24).reshape(6, 4)
    return Mesh(
        "cube",
        np.concatenate(sides).astype(np.float32),
        normals.astype(np.float32),
        np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype(np.uint32),
        uvs=np.tile(np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]), (6, 1)),
        joint=0,
    )


def test_points_of_a_surface_are_one(tmp_path, biped, cube) -> None:
    document, again = written(tmp_path, Character("c", biped, (cube,)))
    geometry = next(document.all("Geometry"))
    assert len(geometry.record.array("Vertices")) == 8 * 3
    assert len(geometry.record.find("LayerElementUV").array("UV")) == 4 * 2
    (mesh,) = again.meshes
    assert (len(mesh.positions), len(mesh.indices), mesh.joint) == (24, 12, 0)
    ours = np.concatenate([cube.positions, cube.normals, cube.uvs], axis=1)
    theirs = np.concatenate([mesh.positions, mesh.normals, mesh.uvs], axis=1)
    assert KDTree(ours).query(theirs)[0].max() < 1e-6 and KDTree(theirs).query(ours)[0].max() < 1e-6


def test_hung_and_standing_meshes(tmp_path, biped, cube, rng) -> None:
    standing = replace(cube, name="floor", joint=None)
    character = Character("c", biped, (replace(cube, joint=4), standing))
    document, again = written(tmp_path, character)
    models = {model.name: model for model in document.all("Model", "Mesh")}
    assert document.parents(models["cube"].id, "Model")[0].name == biped.names[4]
    assert document.parents(models["floor"].id, "Model") == []
    assert [mesh.joint for mesh in again.meshes] == [4, None]
    same_places(character, again, rng)


def test_skins_with_any_number_of_influences(tmp_path, biped, rng) -> None:
    bones = bone_mesh(biped)
    count = len(bones.positions)
    joints = rng.integers(0, biped.joint_count, (count, 7)).astype(np.int32)  # some stand twice
    weights = rng.random((count, 7)).astype(np.float32)
    weights[rng.random(weights.shape) < 0.3] = 0
    weights[:, 0] += 0.1
    weights /= weights.sum(axis=1, keepdims=True)
    mesh = Mesh(
        "m",
        bones.positions,
        bones.normals,
        bones.indices,
        joints=joints,
        weights=weights,
        inverse_bind=bones.inverse_bind,
    )
    character = Character("c", biped, (mesh,))
    document, again = written(tmp_path, character)
    same_places(character, again, rng)
    for cluster in document.all("Deformer", "Cluster"):
        bind, link = (matrix(cluster.record.array(name)) for name in ("Transform", "TransformLink"))
        np.testing.assert_allclose(link @ bind, np.eye(4), atol=1e-5)
        (bone,) = document.children(cluster.id, "Model")
        rest = biped.rest_pose.global_positions[biped.index(bone.name)]
        np.testing.assert_allclose(link[:3, 3], rest * 100, atol=1e-3)


def test_meshes_that_are_placed_and_scaled_when_bound(tmp_path, biped, rng) -> None:
    bones = bone_mesh(biped)
    placed = np.eye(4, dtype=np.float32)
    placed[:3, :3] = 0.01 * rotations.to_matrix(rotations.exp(np.array([0.5, 1, 0], np.float32)))
    placed[:3, 3] = 1, 2, 3
    back = np.linalg.inv(placed)
    inverse = (bones.inverse_bind @ placed).astype(np.float32)
    for mirror in (1, -1):
        flip = np.diag([mirror, 1, 1, 1]).astype(np.float32)
        mesh = Mesh(
            "m",
            (bones.positions @ back[:3, :3].T + back[:3, 3]) @ flip[:3, :3],
            bones.normals,
            bones.indices[:, ::mirror],
            joints=bones.joints,
            weights=bones.weights,
            inverse_bind=inverse @ flip,
        )
        character = Character("c", biped, (mesh,))
        document, again = written(tmp_path, character)
        same_places(character, again, rng)
        points = next(document.all("Geometry")).record.array("Vertices").reshape(-1, 3)
        assert KDTree(points / 100).query(bones.positions)[0].max() < 1e-4  # upright, in the rest pose
        (mesh,) = again.meshes
        a, b, c = (mesh.positions[mesh.indices[:, corner]] for corner in range(3))
        flat = np.cross(b - a, c - a)
        original = bones.positions[bones.indices]
        outwards = np.cross(original[:, 1] - original[:, 0], original[:, 2] - original[:, 0])
        close = KDTree(original.mean(axis=1)).query(mesh.positions[mesh.indices].mean(axis=1))[1]
        assert (np.einsum("tc,tc->t", flat, outwards[close]) > 0).all()


def test_meshes_that_were_bound_in_another_pose(tmp_path, biped, rng) -> None:
    bones = bone_mesh(biped)
    posed = pose(biped, rng)
    turned, positions = posed.global_rotations, posed.global_positions
    inverse = np.tile(np.eye(4, dtype=np.float32), (biped.joint_count, 1, 1))
    inverse[:, :3, :3] = np.swapaxes(rotations.to_matrix(turned), 1, 2)
    inverse[:, :3, 3] = -rotations.inverse_rotate(turned, positions)
    mesh = Mesh(
        "m",
        bones.positions,
        bones.normals,
        bones.indices,
        joints=bones.joints,
        weights=bones.weights,
        inverse_bind=inverse,
    )
    character = Character("c", biped, (mesh,))
    _, again = written(tmp_path, character)
    np.testing.assert_allclose(again.skeleton.rest_pose.global_positions, biped.rest_pose.global_positions, atol=1e-5)
    same_places(character, again, rng)


def test_shapes_list_the_points_that_they_move(tmp_path, biped, cube, rng) -> None:
    offsets = np.where(cube.positions[:, :1] > 0, np.float32([0, 0.25, 0]), 0).astype(np.float32)
    morphs = (Morph("up", offsets, offsets, 0.25), Morph("nothing", np.zeros_like(offsets)))
    document, again = written(tmp_path, Character("c", biped, (replace(cube, morphs=morphs),)))
    up, nothing = document.all("Geometry", "Shape")
    assert len(up.record.array("Indexes")) == 4
    assert len(nothing.record.array("Indexes")) == 1  # Blender fails where there is none
    (mesh,) = again.meshes
    assert [(morph.name, morph.weight) for morph in mesh.morphs] == [("up", 0.25), ("nothing", 0.0)]
    np.testing.assert_allclose(
        mesh.morphs[0].positions, np.where(mesh.positions[:, :1] > 0, [0, 0.25, 0], 0), atol=1e-6
    )
    np.testing.assert_allclose(mesh.morphs[0].normals, mesh.morphs[0].positions, atol=1e-6)
    assert not mesh.morphs[1].positions.any()


def test_colours_come_back(tmp_path, biped, cube, rng) -> None:
    colors = rng.integers(0, 256, (24, 4)).astype(np.float32) / 255
    _, again = written(tmp_path, Character("c", biped, (replace(cube, colors=colors),)))
    (mesh,) = again.meshes
    ours = np.concatenate([cube.positions, cube.normals, colors], axis=1)
    theirs = np.concatenate([mesh.positions, mesh.normals, mesh.colors], axis=1)
    assert KDTree(ours).query(theirs)[0].max() < 1e-6
