"""Meshes where the scene has them."""

from __future__ import annotations

import numpy as np


def test_one_mesh_in_two_places(gltf_file):
    file = gltf_file(nodes=[
        {"children": [1, 2]}, {"mesh": 0, "translation": [1, 0, 0], "weights": [1]},
        {"mesh": 0, "scale": [-1, 1, 1], "rotation": [0, 0, np.sin(np.pi / 4), np.cos(np.pi / 4)]},
    ])  # fmt: skip
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
