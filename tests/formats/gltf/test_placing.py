"""Meshes where the scene has them."""

from __future__ import annotations

import numpy as np


def test_one_mesh_in_two_places(gltf_file):
    file = gltf_file(
        nodes=[
            {"children": [1, 2]},
            {"mesh": 0, "translation": [1, 0, 0], "weights": [1]},
            {"mesh": 0, "scale": [-1, 1, 1], "rotation": [0, 0, np.sin(np.pi / 4), np.cos(np.pi / 4)]},
        ]
    )
    primitive = file.triangle(NORMAL=file.accessor([[0, 0, 1]] * 3, "VEC3"))
    primitive["targets"] = [{"POSITION": file.accessor([[1, 0, 0]] * 3, "VEC3")}]
    file.root["meshes"] = [{"primitives": [primitive]}]
    moved, mirrored = file.load().character.meshes
    np.testing.assert_allclose(moved.positions, [[1, 0, 0], [2, 0, 0], [1, 1, 0]])
    assert (moved.rest_weights.tolist(), mirrored.rest_weights.tolist()) == ([1], [0])
    np.testing.assert_allclose(mirrored.positions, [[0, 0, 0], [0, -1, 0], [-1, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(mirrored.morphs[0].positions, [[0, -1, 0]] * 3, atol=1e-6)
    a, b, c = mirrored.positions[mirrored.indices[0]]
    assert np.dot(np.cross(b - a, c - a), mirrored.normals[0]) > 0  # still seen from the side of its normals


def test_many_places_at_once_are_said(gltf_file):
    file = gltf_file(nodes=[{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {}}}}])
    file.root["meshes"] = [{"primitives": [file.triangle()]}]
    asset = file.load()
    assert len(asset.character.meshes) == 1
    assert any("EXT_mesh_gpu_instancing" in line for line in asset.warnings)


def test_a_skin_that_mirrors_its_mesh_shows_the_fronts(gltf_file):
    file = gltf_file(nodes=[{"scale": [-1, 1, 1], "children": [1, 2]}, {"name": "joint"}, {"mesh": 0, "skin": 0}])
    joints = file.accessor(np.zeros((3, 4)), "VEC4", "u1")
    weights = file.accessor(np.tile([1, 0, 0, 0], (3, 1)), "VEC4")
    normals = file.accessor(np.tile([0, 0, 1], (3, 1)), "VEC3")
    file.root["meshes"] = [{"primitives": [file.triangle(NORMAL=normals, JOINTS_0=joints, WEIGHTS_0=weights)]}]
    file.root["skins"] = [{"joints": [1]}]
    asset = file.load()
    (mesh,) = asset.character.meshes
    world = mesh.skin(asset.skeleton.rest_pose)
    np.testing.assert_allclose(world, [[0, 0, 0], [-1, 0, 0], [0, 1, 0]], atol=1e-6)
    a, b, c = world[mesh.indices[0]]
    assert np.cross(b - a, c - a)[2] > 0  # towards where its normals point, seen from +Z as in the file
    assert np.linalg.det(mesh.inverse_bind[0, :3, :3]) > 0
