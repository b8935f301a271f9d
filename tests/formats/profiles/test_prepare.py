"""An asset made ready for a program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, load, rotations, save
from kinema.avatar import Collider, ColliderGroup, Constraint, Expression, MorphBind, Spring, SpringJoint
from kinema.character import Character, Material, Mesh, Morph
from kinema.formats import Asset
from kinema.formats.profiles import prepare
from kinema.formats.profiles.model import ProfileError
from kinema.mocap.procedural import Segment, generate


@pytest.fixture(scope="module")
def asset() -> Asset:
    motion = generate(script=[Segment("walk", 1.0)], fps=30).replace(name="walk/1")
    return Asset("walk", "bvh", motion.skeleton, (motion,))


def same_places(asset: Asset, other: Motion, names: list[str]) -> None:
    (motion,) = asset.motions
    before = motion[:].global_positions[:, motion.skeleton.indices(motion.skeleton.names)]
    np.testing.assert_allclose(other[:].global_positions[:, other.skeleton.indices(names)], before, atol=2e-5)


def test_names_are_kept_unless_asked(asset: Asset) -> None:
    assert asset.skeleton is not None
    for program in ("blender", "unity", "maya", "three"):
        found = prepare(asset, program)
        assert found.skeleton is not None and found.skeleton.names == asset.skeleton.names
    named = prepare(asset, "unreal", names="standard")
    assert named.skeleton is not None
    assert {"root", "pelvis", "thigh_l", "hand_r", "spine_01"} <= set(named.skeleton.names)
    wanted = [named.skeleton.names[joint + 1] for joint in range(asset.skeleton.joint_count)]
    same_places(asset, named.motions[0], wanted)


def test_roles_outlive_new_names(asset: Asset) -> None:
    found = prepare(asset, "maya", names="standard")
    assert asset.skeleton is not None and found.skeleton is not None
    assert found.skeleton.roles.parts == asset.skeleton.roles.parts
    assert found.skeleton.roles.legs == asset.skeleton.roles.legs


def test_root_motion_where_the_program_expects_it(asset: Asset) -> None:
    assert asset.skeleton is not None
    for program, grown in (("unreal", 1), ("godot", 1), ("unity", 0), ("blender", 0)):
        found = prepare(asset, program)
        assert found.skeleton is not None and found.skeleton.joint_count == asset.skeleton.joint_count + grown
    without, with_it = prepare(asset, "unreal", root_motion=False), prepare(asset, "blender", root_motion=True)
    assert without.skeleton is not None and without.skeleton.joint_count == asset.skeleton.joint_count
    assert with_it.skeleton is not None and with_it.skeleton.names[0] == "root"


def test_clip_names_are_cleaned(asset: Asset) -> None:
    assert prepare(asset, "unreal").motions[0].name == "walk_1"
    assert prepare(asset, "blender").motions[0].name == "walk/1"
    with pytest.raises(ProfileError):
        prepare(asset, "doom")


def test_names_of_meshes_materials_and_targets(asset: Asset) -> None:
    assert asset.skeleton is not None
    (motion,) = asset.motions
    points = np.zeros((3, 3), np.float32)
    mesh = Mesh(
        asset.skeleton.names[0],
        points,
        points,
        np.zeros((1, 3), np.uint32),
        morphs=(Morph("brow.up", points), Morph("jaw", points)),
    )
    character = Character("c", asset.skeleton, (mesh,), (Material("skin.001"), Material("skin_001"), Material("")))
    labels = {"morph.brow.up": np.linspace(0, 1, motion.frames, dtype=np.float32), "phase": motion.labels["phase"]}
    found = prepare(replace(asset, character=character, motions=(motion.replace(labels=labels),)), "maya").character
    assert found is not None and found.meshes[0].name == f"{asset.skeleton.names[0]}_2"
    assert [morph.name for morph in found.meshes[0].morphs] == ["brow_up", "jaw"]
    assert [material.name for material in found.materials] == ["skin_001", "skin_001_2", ""]
    moved = prepare(replace(asset, character=character, motions=(motion.replace(labels=labels),)), "maya").motions[0]
    assert set(moved.labels) == {"morph.brow_up", "phase"}


def test_expressions_become_weights_of_targets(asset: Asset) -> None:
    assert asset.skeleton is not None
    (motion,) = asset.motions
    points = np.zeros((3, 3), np.float32)
    targets = (Morph("smile", points), Morph("x", points))
    mesh = Mesh("face", points, points, np.zeros((1, 3), np.uint32), morphs=targets)
    happy = Expression("happy", (MorphBind(0, 0, 0.5),))
    character = Character("c", asset.skeleton, (mesh,), expressions=(happy,))
    rise = np.linspace(0, 1, motion.frames, dtype=np.float32)
    labels = {"expression.happy": rise, "morph.smile": 0.25 * rise}
    given = replace(asset, character=character, motions=(motion.replace(labels=labels),))
    (found,) = prepare(given, "unreal").motions
    assert set(found.labels) == {"morph.smile"}
    np.testing.assert_allclose(found.labels["morph.smile"], 0.75 * rise, atol=1e-6)


def test_springs_of_an_avatar_outlive_a_root_new_names_and_the_file(asset: Asset, tmp_path: Path) -> None:
    skeleton = asset.skeleton
    assert skeleton is not None
    left, right = skeleton.roles.arms
    character = Character(
        "avatar",
        skeleton,
        springs=(Spring("sleeve", (SpringJoint(left.lower), SpringJoint(left.hand)), (0,)),),
        colliders=(Collider(skeleton.roles.hips, (0, 0, 0), 0.1),),
        collider_groups=(ColliderGroup("hips", (0,)),),
        constraints=(Constraint("rotation", right.lower, right.upper),),
    )
    made = prepare(replace(asset, character=character), "godot", names="standard")
    assert made.character is not None
    save(made.character, tmp_path / "a.vrm")
    found = load(tmp_path / "a.vrm").character
    assert found is not None
    names = found.skeleton.names
    assert [names[item.joint] for item in found.springs[0].joints] == ["LeftLowerArm", "LeftHand"]
    assert names[found.colliders[0].joint] == "Hips"
    assert [names[joint] for joint in (found.constraints[0].joint, found.constraints[0].source)] == [
        "RightLowerArm",
        "RightUpperArm",
    ]


def test_motion_tells_what_a_rest_pose_does_not(asset: Asset) -> None:
    """Names say nothing and no body stands like the rest pose; the motion walks."""
    assert asset.skeleton is not None
    (motion,) = asset.motions
    names = tuple(f"n{number}" for number in range(asset.skeleton.joint_count))
    rest = rotations.normalize(np.random.default_rng(5).normal(size=(len(names), 4)))
    mute = Skeleton.create(names, asset.skeleton.parents, asset.skeleton.rest_translations, rest)
    assert mute.roles.leg("left").upper != asset.skeleton.roles.leg("left").upper, "else there is nothing to tell"
    found = prepare(Asset("x", "bvh", mute, (motion.replace(skeleton=mute),)), "unreal", names="standard")
    assert found.skeleton is not None and not found.warnings
    assert found.skeleton.names[:2] == ("root", "pelvis")
    assert found.skeleton.names.index("thigh_l") == asset.skeleton.roles.leg("left").upper + 1
    assert np.linalg.norm(np.ptp(found.motions[0][:].global_positions[:, 0], axis=0)) > 0.5


def test_what_cannot_be_named_is_told(asset: Asset) -> None:
    assert asset.skeleton is not None
    chain = Skeleton.create(["a", "b", "c"], [-1, -1, 1], [[0, 1, 0]] * 3)
    motion = Motion.create(chain, np.tile(np.array([1, 0, 0, 0], np.float32), (2, 3, 1)), fps=30)
    found = prepare(Asset("x", "bvh", chain, (motion,)), "unreal", names="standard")
    assert found.skeleton is not None and found.skeleton.names[1:] == ("a", "b", "c")
    assert "no body was recognised" in found.warnings[-2] and "not a biped" in found.warnings[-1]
    with pytest.raises(ProfileError, match="has different joints"):
        prepare(replace(asset, motions=(motion,)), "unreal")
