"""An asset made ready for a program."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion
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
    before = motion.global_positions()[:, motion.skeleton.indices(motion.skeleton.names)]
    np.testing.assert_allclose(other.global_positions()[:, other.skeleton.indices(names)], before, atol=2e-5)


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
