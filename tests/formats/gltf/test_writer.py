"""What is written is valid and comes back the same."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.character import Character, Material, Mesh, Morph, Texture
from kinema.errors import FormatError
from kinema.formats import Asset, load, save
from kinema.formats.gltf.bones import bone_mesh


@pytest.fixture
def motion(biped, rng) -> Motion:
    frames = 40
    turned = rotations.exp(np.cumsum(rng.normal(0, 0.05, (frames, biped.joint_count, 3)), axis=0))
    moved = np.tile(biped.rest_translations, (frames, 1, 1))
    moved[:, 0] += np.cumsum(rng.normal(0, 0.02, (frames, 3)), axis=0)
    turned[:, 3] = [1, 0, 0, 0]
    turned[:, 4] = rotations.from_yaw(np.array(0.3))
    labels = {"contact.left": np.arange(frames) % 3 == 0, "phase": np.linspace(0, 1, frames, dtype=np.float32)}
    return Motion.create(biped, turned, moved, fps=60.0, name="walk", labels=labels, tags=("walk", "old"))


@pytest.fixture
def character(biped) -> Character:
    bones = bone_mesh(biped)
    box = Mesh(
        "box",
        np.eye(3, dtype=np.float32),
        np.tile(np.float32([0, 0, 1]), (3, 1)),
        np.array([[0, 1, 2]], np.uint32),
        uvs=np.float32([[0, 0], [1, 0], [0, 1]]),
        colors=np.ones((3, 4), np.float32),
        joint=4,
        material=0,
        morphs=(Morph("wide", np.ones((3, 3), np.float32)),),
    )
    five = Mesh(
        "five",
        bones.positions,
        bones.normals,
        bones.indices,
        joints=np.tile(np.arange(5, dtype=np.int32), (len(bones.positions), 1)),
        weights=np.full((len(bones.positions), 5), 0.2, np.float32),
        inverse_bind=bones.inverse_bind,
    )
    materials = (Material("skin", (0.5, 0.4, 0.3, 1.0), 0.0, 0.7, (0.0, 2.0, 0.0), "MASK", 0.4, True, 0, None, 0),)
    return Character("hero", biped, (bones, box, five), materials, (Texture("face", "image/png", b"\x89PNG1234"),))


def written(path) -> dict:
    data = path.read_bytes()
    assert struct.unpack_from("<4sII", data) == (b"glTF", 2, len(data))
    size = struct.unpack_from("<I", data, 12)[0]
    assert size % 4 == 0
    return json.loads(data[20 : 20 + size])


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_a_motion_comes_back(tmp_path, motion, suffix):
    path = tmp_path / f"walk{suffix}"
    save(motion, path)
    asset = load(path)
    again = asset.motions[0]
    assert asset.character is None and asset.warnings == ()
    assert (again.frames, again.fps, again.name, again.tags) == (40, 60.0, "walk", ("walk", "old"))
    assert again.skeleton.same_topology(motion.skeleton)
    np.testing.assert_array_equal(again.skeleton.tip_joints, motion.skeleton.tip_joints)
    np.testing.assert_allclose(again.skeleton.tip_offsets, motion.skeleton.tip_offsets, atol=1e-6)
    np.testing.assert_allclose(again[:].global_positions, motion[:].global_positions, atol=1e-5)
    np.testing.assert_array_equal(again.translated, motion.translated)
    assert again.labels["contact.left"].dtype == bool
    for name, values in motion.labels.items():
        np.testing.assert_array_equal(again.labels[name], values)


@pytest.mark.parametrize("fps", [7.3, 23.976, 29.97, 30, 119.88, 1000])
@pytest.mark.parametrize("frames", [1, 2, 500])
def test_rate_and_frames_are_kept(tmp_path, biped, fps, frames):
    still = Motion.create(biped, np.tile(biped.rest_rotations, (frames, 1, 1)), fps=fps)
    save(still, tmp_path / "a.glb")
    again = load(tmp_path / "a.glb").motions[0]
    assert (again.frames, again.fps) == (frames, fps)


def test_what_was_said_when_reading_is_not_part_of_the_file(tmp_path, motion):
    save(motion.replace(warnings=("units taken as inches",)), tmp_path / "a.glb")
    assert "inches" not in json.dumps(written(tmp_path / "a.glb"))
    assert load(tmp_path / "a.glb").motions[0].warnings == ()


def test_constant_channels_are_reduced(tmp_path, motion):
    save(motion, tmp_path / "a.glb")
    root = written(tmp_path / "a.glb")
    animation = root["animations"][0]
    keys = {}
    for channel in animation["channels"]:
        output = animation["samplers"][channel["sampler"]]["output"]
        keys[channel["target"]["node"], channel["target"]["path"]] = root["accessors"][output]["count"]
    assert (3, "rotation") not in keys  # equal to rest
    assert keys[4, "rotation"] == 1
    assert keys[0, "rotation"] == keys[0, "translation"] == keys[5, "rotation"] == 40


def test_the_file_is_well_formed(tmp_path, motion, character):
    save(Asset("", "gltf", character.skeleton, (motion, motion), character), tmp_path / "a.glb")
    root = written(tmp_path / "a.glb")
    assert all(value for value in root.values() if isinstance(value, list))
    total = root["buffers"][0]["byteLength"]
    for view in root["bufferViews"]:
        assert view["byteOffset"] % 4 == 0 and view["byteLength"] > 0
        assert view["byteOffset"] + view["byteLength"] <= total
    for mesh in root["meshes"]:
        for primitive in mesh["primitives"]:
            assert {"min", "max"} <= root["accessors"][primitive["attributes"]["POSITION"]].keys()
    for animation in root["animations"]:
        for sampler in animation["samplers"]:
            assert {"min", "max"} <= root["accessors"][sampler["input"]].keys()
    parents = [child for node in root["nodes"] for child in node.get("children", [])]
    assert len(set(parents)) == len(parents)
    assert len(root["skins"]) == 1  # both skinned meshes are bound alike


def test_a_character_with_motions_comes_back(tmp_path, motion, character):
    save(Asset("", "gltf", character.skeleton, (motion, motion.replace(name="run")), character), tmp_path / "a.glb")
    asset = load(tmp_path / "a.glb")
    assert [clip.name for clip in asset.motions] == ["walk", "run"]
    again = asset.character
    assert [mesh.name for mesh in again.meshes] == ["bones", "box", "five"]
    pose = motion[20]
    for a, b in zip(character.skin(pose), again.skin(pose), strict=True):
        np.testing.assert_allclose(b, a, atol=1e-5)
    assert again.materials == character.materials
    assert again.textures[0].data == b"\x89PNG1234"
    box = again.meshes[1]
    assert box.joint == 4 and box.material == 0 and box.morphs[0].name == "wide"
    np.testing.assert_array_equal(box.uvs, character.meshes[1].uvs)
    np.testing.assert_array_equal(box.morphs[0].positions, character.meshes[1].morphs[0].positions)


def test_same_input_same_bytes(tmp_path, motion):
    save(motion, tmp_path / "a.glb")
    save(motion, tmp_path / "b.glb")
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()


def test_several_roots_and_odd_order(tmp_path):
    skeleton = Skeleton.create(["a", "b", "a1", "b1", "a2"], [-1, -1, 0, 1, 0], np.eye(5, 3))
    motion = Motion.create(skeleton, np.tile(np.float32([1, 0, 0, 0]), (3, 5, 1)), np.ones((3, 5, 3)), fps=30)
    save(motion, tmp_path / "a.glb")
    again = load(tmp_path / "a.glb").motions[0]
    assert again.skeleton.same_topology(skeleton)
    np.testing.assert_allclose(again[:].global_positions, motion[:].global_positions, atol=1e-6)


def test_without_bones(tmp_path, motion):
    save(motion, tmp_path / "a.glb", bones=False)
    assert "meshes" not in written(tmp_path / "a.glb")
    assert load(tmp_path / "a.glb").motions[0].frames == 40


def test_refusals(tmp_path, motion, biped):
    with pytest.raises(FormatError, match="holds no motion"):
        save(motion, tmp_path / "a.vrm")
    with pytest.raises(FormatError, match="no skeleton"):
        save(Asset("", "gltf"), tmp_path / "a.glb")
    other = Skeleton.create(["x"], [-1], [[0, 0, 0]])
    with pytest.raises(FormatError, match="'walk' has different joints"):
        save(Asset("", "gltf", other, (motion,)), tmp_path / "a.glb")
    assert list(tmp_path.iterdir()) == []


def test_bvh_to_glb_and_back(tmp_path, data_dir):
    files = sorted((data_dir / "human_mocap" / "bandai1_nc").glob("*.bvh"))[:2]
    files += sorted((data_dir / "human_mocap" / "cmu21").glob("*.bvh"))[:1]
    for file in files:
        motion = load(file).motions[0]
        save(motion, tmp_path / "a.glb")
        save(load(tmp_path / "a.glb").motions[0], tmp_path / "b.bvh")
        again = load(tmp_path / "b.bvh", unit="m").motions[0]
        assert again.frames == motion.frames and again.fps == pytest.approx(motion.fps, rel=1e-4)
        np.testing.assert_allclose(again[:].global_positions, motion[:].global_positions, atol=1e-4)


def test_whole_number_labels_keep_their_values(tmp_path, biped):
    turned = np.tile(biped.rest_rotations, (3, 1, 1))
    save(Motion.create(biped, turned, labels={"style": np.array([0, 3, 300])}), tmp_path / "a.glb")
    np.testing.assert_array_equal(load(tmp_path / "a.glb").motions[0].labels["style"], [0, 3, 300])


def test_stated_roles_are_kept(tmp_path, motion):
    stated = motion.skeleton.with_hints({"LeftFoot": "left_foot", "Hips": "hips"})
    save(motion.replace(skeleton=stated), tmp_path / "a.glb")
    assert load(tmp_path / "a.glb").skeleton.hints == {"LeftFoot": "left_foot", "Hips": "hips"}
    data = (tmp_path / "a.glb").read_bytes().replace(b'"left_foot"', b'"left_fool"')
    (tmp_path / "b.glb").write_bytes(data)
    assert load(tmp_path / "b.glb").skeleton.hints == {"Hips": "hips"}
    save(motion, tmp_path / "c.glb")
    assert b'"role"' not in (tmp_path / "c.glb").read_bytes()
