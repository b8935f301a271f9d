"""VRM 1.0 written and read again: bones, faces, springs, gaze and terms are what they were."""

from __future__ import annotations

import dataclasses
import json
import struct

import numpy as np
import pytest

from kinema import Motion
from kinema.avatar import Collider, ColliderGroup, Constraint, Gaze, Spring, SpringJoint
from kinema.errors import FormatError
from kinema.formats import Asset, load, save

from .vrm_files import vrm_0, vrm_1


@pytest.fixture
def hero(gltf_file):
    listed = {
        "preset": {"happy": {"morphTargetBinds": [{"node": 18, "index": 0, "weight": 0.75}], "isBinary": True}},
        "custom": {"own": {"overrideBlink": "blend"}},
    }
    character = vrm_1(gltf_file, expressions=listed).load().character
    head, hair = character.skeleton.index("J_head"), character.skeleton.index("hair_0")
    joints = (SpringJoint(hair, 0.02, 2.0, 0.5, (0.0, 0.0, -1.0), 0.25), SpringJoint(hair + 1))
    return dataclasses.replace(
        character,
        springs=(Spring("hair", joints, (0,), head), Spring("end", (SpringJoint(hair + 2),), (), None, 0.07)),
        colliders=(
            Collider(head, (0.0, 0.125, 0.0), 0.25),
            Collider(head, (0.0, 0.0, 0.0), 0.5, (0.0, 0.5, 0.0), True),
        ),
        collider_groups=(ColliderGroup("head", (0, 1)),),
        constraints=(Constraint("roll", hair, head, "X", 0.5), Constraint("rotation", hair + 1, head)),
        gaze=Gaze("expression", (0.0, 0.0625, 0.0), up=(1.0, 0.5)),
        first_person={0: "both"},
        materials=(dataclasses.replace(character.materials[0], metallic=0.0, roughness=1.0, shade=(0.5, 0.25, 0.0)),),
    )


def written(path):
    data = path.read_bytes()
    return json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])


def test_everything_comes_back(tmp_path, hero):
    save(hero, tmp_path / "a.vrm")
    asset = load(tmp_path / "a.vrm")
    again = asset.character
    assert asset.skeleton.names == hero.skeleton.names and asset.skeleton.hints == hero.skeleton.hints
    for field in ("expressions", "colliders", "collider_groups", "constraints", "first_person", "meta", "materials"):
        assert getattr(again, field) == getattr(hero, field), field
    for a, b in zip(again.springs, hero.springs, strict=True):
        assert dataclasses.replace(a, tail=0) == dataclasses.replace(b, tail=0)
        assert a.tail == pytest.approx(b.tail, abs=1e-6)
    np.testing.assert_allclose(again.gaze.up, hero.gaze.up, rtol=1e-12)
    np.testing.assert_array_equal(asset.skeleton.tip_joints, hero.skeleton.tip_joints)
    save(hero, tmp_path / "b.vrm")
    assert (tmp_path / "a.vrm").read_bytes() == (tmp_path / "b.vrm").read_bytes()


def test_what_the_specification_requires_is_there(tmp_path, hero):
    save(hero, tmp_path / "a.vrm")
    root = written(tmp_path / "a.vrm")
    vrm, springs = root["extensions"]["VRMC_vrm"], root["extensions"]["VRMC_springBone"]
    assert vrm["specVersion"] == springs["specVersion"] == "1.0"
    assert {"name", "authors", "licenseUrl"} <= vrm["meta"].keys() and len(vrm["humanoid"]["humanBones"]) == 15
    used = set(root["extensionsUsed"])
    assert {"VRMC_vrm", "VRMC_springBone", "VRMC_node_constraint", "VRMC_materials_mtoon"} <= used
    nodes = [joint["node"] for spring in springs["springs"] for joint in spring["joints"]]
    assert len(set(nodes)) == len(nodes) and max(nodes) < len(root["nodes"])


def test_version_0_becomes_version_1(tmp_path, gltf_file):
    old = vrm_0(gltf_file, secondaryAnimation={"boneGroups": [{"bones": [15], "gravityPower": 1}]}).load()
    save(old, tmp_path / "a.vrm")
    new = load(tmp_path / "a.vrm")
    assert new.skeleton.hints == old.skeleton.hints and new.character.meta == old.character.meta
    assert new.skeleton.names == old.skeleton.names
    np.testing.assert_allclose(
        new.skeleton.rest_pose.global_positions, old.skeleton.rest_pose.global_positions, atol=1e-6
    )
    assert [len(spring.joints) for spring in new.character.springs] == [3]
    assert new.character.springs[0].tail == pytest.approx(0.07, abs=1e-6)


def test_refusals(tmp_path, hero):
    motion = Motion.create(hero.skeleton, np.tile(hero.skeleton.rest_rotations, (2, 1, 1)))
    with pytest.raises(FormatError, match=r"write motions as \.vrma"):
        save(Asset("", "gltf", hero.skeleton, (motion,), hero), tmp_path / "a.vrm")
    with pytest.raises(FormatError, match="there is only a skeleton; `kinema convert --mannequin`"):
        save(Asset("", "gltf", hero.skeleton), tmp_path / "a.vrm")
    unnamed = {name: f"{number}" for number, name in enumerate(hero.skeleton.names)}
    bare = dataclasses.replace(
        hero.skeleton,
        names=tuple(unnamed.values()),
        hints={"0": "hips"},
        rest_translations=np.zeros_like(hero.skeleton.rest_translations),
    )
    with pytest.raises(FormatError, match=r"no joint is known to be .*head, leftUpperLeg"):
        save(dataclasses.replace(hero, skeleton=bare), tmp_path / "a.vrm")
    assert list(tmp_path.iterdir()) == []


def test_what_is_stated_of_a_joint_or_two_does_not_hide_the_others(tmp_path, hero):
    partly = dataclasses.replace(hero.skeleton, hints={"J_hips": "hips"})
    save(dataclasses.replace(hero, skeleton=partly), tmp_path / "a.vrm")
    assert load(tmp_path / "a.vrm").skeleton.hints == hero.skeleton.hints


def test_real_avatars_come_back(tmp_path, data_dir):
    for path in sorted((data_dir / "characters" / "vrm_tests").glob("*.vrm"))[::3]:
        asset = load(path)
        save(asset, tmp_path / "a.vrm")
        again = load(tmp_path / "a.vrm")
        assert again.skeleton.hints == asset.skeleton.hints, path.name
        assert again.character.expressions == asset.character.expressions, path.name
        ours = asset.character.skin(asset.skeleton.rest_pose)
        theirs = again.character.skin(again.skeleton.rest_pose)
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(b, a, atol=1e-5)
