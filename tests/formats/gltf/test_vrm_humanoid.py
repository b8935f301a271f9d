"""The humanoid map: bones of both versions as roles, what is missing, and the way back."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.errors import FormatError
from kinema.formats.gltf.vrm_humanoid import REQUIRED, ROLES, assign
from kinema.roles.model import PARTS

from .vrm_files import vrm_0, vrm_1


def test_every_bone_has_a_role_of_our_vocabulary():
    assert len(ROLES) == 55 and set(REQUIRED) < set(ROLES)
    for role in ROLES.values():
        side, _, part = role.partition("_")
        assert (part if side in ("left", "right") else role) in PARTS


@pytest.mark.parametrize("made", [vrm_0, vrm_1])
def test_bones_become_hints(gltf_file, made):
    asset = made(gltf_file).load()
    hints = asset.skeleton.hints
    assert hints["J_leftUpperLeg"] == "left_thigh" and hints["J_rightHand"] == "right_hand"
    assert hints["J_hips"] == "hips" and len(hints) == 15
    left = asset.skeleton.index("J_leftUpperLeg")
    assert asset.skeleton.rest_pose.global_positions[left, 0] > 0  # the left is +X of whoever faces +Z
    assert asset.character.skeleton is asset.skeleton


def test_thumbs_of_version_0_are_counted_anew(gltf_file):
    file = vrm_0(gltf_file)
    listed = file.root["extensions"]["VRM"]["humanoid"]["humanBones"]
    listed += [{"bone": "leftThumbProximal", "node": 15}, {"bone": "leftThumbIntermediate", "node": 16}]
    skeleton = file.load().skeleton
    assert assign(skeleton)["leftThumbMetacarpal"] == skeleton.index("hair_0")
    assert assign(skeleton)["leftThumbProximal"] == skeleton.index("hair_1")


def test_what_is_wrong_is_said(gltf_file):
    file = vrm_1(gltf_file)
    bones = file.root["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]
    del bones["head"]
    bones["tail"] = {"node": 15}
    bones["neck"] = {"node": 0}
    warnings = "\n".join(file.load().warnings)
    assert "lacks bones that VRM requires: head" in warnings
    assert "'tail' that VRM does not have" in warnings and "twice" in warnings
    bones["head"] = {"node": 99}
    with pytest.raises(FormatError, match=r"humanBones.head: node refers to nodes\[99\]"):
        file.load()


def test_a_long_spine_and_fingers_of_four_joints_are_thinned():
    names = ["hips", *(f"s{i}" for i in range(5)), "head", *(f"i{i}" for i in range(4))]
    parents = [-1, 0, 1, 2, 3, 4, 5, 5, 7, 8, 9]
    skeleton = Skeleton.create(names, parents, np.ones((11, 3)))
    roles = {"hips": "hips", **{f"s{i}": "spine" for i in range(5)}, "head": "head"}
    roles |= {f"i{i}": "left_index" for i in range(4)}
    with pytest.raises(FormatError, match="no joint is known to be leftUpperLeg, leftLowerLeg"):
        assign(skeleton.with_hints(roles))
    limbs = [name for name in REQUIRED if name not in ("hips", "spine", "head")]
    whole = Skeleton.create([*names, *limbs], [*parents, *[0] * len(limbs)], np.ones((11 + len(limbs), 3)))
    bones = assign(whole.with_hints({**roles, **{name: ROLES[name] for name in limbs}}))
    assert [bones[name] for name in ("spine", "chest", "upperChest")] == [1, 3, 5]
    assert [bones[f"leftIndex{joint}"] for joint in ("Proximal", "Intermediate", "Distal")] == [8, 9, 10]
