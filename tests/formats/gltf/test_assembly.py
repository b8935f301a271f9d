"""Files in the making: morph targets with their weights, at rest and in clips."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest

from kinema import Character, Motion
from kinema.avatar import Expression, MorphBind
from kinema.character import Material, Mesh, Morph, Texture
from kinema.formats import Asset, load, save


@pytest.fixture
def face(biped, rng) -> Character:
    def some() -> np.ndarray:
        return rng.normal(size=(3, 3)).astype(np.float32)

    normals = np.tile(np.float32([0, 0, 1]), (3, 1))
    triangle = np.uint32([[0, 1, 2]])
    one = Mesh("one", some(), normals, triangle, joint=4, morphs=(Morph("a", some(), some(), 0.5), Morph("b", some())))
    two = Mesh("two", some(), normals, triangle, joint=4, morphs=(Morph("c", some()),))
    empty = Mesh("empty", some(), normals, np.zeros((0, 3), np.uint32), joint=4, morphs=(Morph("d", some()),))
    smile = Expression("happy", (MorphBind(0, 1, 1.0),))
    return Character("face", biped, (one, empty, two), expressions=(smile,))


def clip(skeleton, **labels) -> Motion:
    return Motion.create(skeleton, np.tile(skeleton.rest_rotations, (5, 1, 1)), fps=30, labels=labels)


def test_targets_come_back_with_weights_and_normals(tmp_path, face):
    save(face, tmp_path / "a.glb")
    one, two = load(tmp_path / "a.glb").character.meshes
    assert [(m.name, m.weight) for m in (*one.morphs, *two.morphs)] == [("a", 0.5), ("b", 0), ("c", 0)]
    np.testing.assert_array_equal(one.morphs[0].normals, face.meshes[0].morphs[0].normals)
    assert one.morphs[1].normals is None
    np.testing.assert_array_equal(one.morphs[1].positions, face.meshes[0].morphs[1].positions)


def test_labels_become_weights_and_labels_again(tmp_path, face, rng):
    ramp = np.linspace(0, 1, 5, dtype=np.float32)
    first = clip(face.skeleton, **{"morph.a": ramp, "morph.c": rng.random(5).astype(np.float32), "morph.z": ramp})
    second = clip(face.skeleton, **{"expression.happy": ramp, "speed": ramp})
    save(Asset("", "gltf", face.skeleton, (first, second), face), tmp_path / "a.glb")
    a, b = load(tmp_path / "a.glb").motions
    for name, values in first.labels.items():
        np.testing.assert_allclose(a.labels[name], values, atol=1e-7)
    assert "morph.d" not in a.labels  # of a mesh without triangles, which is not written
    np.testing.assert_allclose(b.labels["morph.b"], ramp)
    np.testing.assert_allclose(b.labels["morph.a"], 0.5)
    np.testing.assert_array_equal(b.labels["speed"], ramp)


def test_weights_that_rest_have_no_channel(tmp_path, face):
    save(
        Asset("", "gltf", face.skeleton, (clip(face.skeleton, **{"morph.b": np.zeros(5, np.float32)}),), face),
        tmp_path / "a.glb",
    )
    data = (tmp_path / "a.glb").read_bytes()
    root = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    assert {c["target"]["path"] for c in root["animations"][0]["channels"]} <= {"translation", "rotation"}
    np.testing.assert_array_equal(load(tmp_path / "a.glb").motions[0].labels["morph.b"], np.zeros(5))


@pytest.mark.parametrize(("mime", "name"), [("image/webp", "EXT_texture_webp"), ("image/ktx2", "KHR_texture_basisu")])
def test_pictures_of_newer_kinds_are_required(tmp_path, biped, mime, name):
    data = {"image/webp": b"RIFF....WEBP", "image/ktx2": b"\xabKTX 20\xbb\r\n\x1a\n"}[mime]
    save(Character("x", biped, (), (Material(base_color_texture=0),), (Texture("t", mime, data),)), tmp_path / "a.glb")
    asset_data = (tmp_path / "a.glb").read_bytes()
    root = json.loads(asset_data[20 : 20 + struct.unpack_from("<I", asset_data, 12)[0]])
    assert root["extensionsUsed"] == root["extensionsRequired"] == [name]
    warnings = load(tmp_path / "a.glb").warnings
    assert any("KTX2" in line for line in warnings) == (mime == "image/ktx2")
