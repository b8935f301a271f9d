"""Sides, partners and words of joint names from many rigs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema import naming

PAIRS = [
    ("LeftArm", "RightArm"), ("mixamorig:LeftUpLeg", "mixamorig:RightUpLeg"), ("leftHand", "rightHand"),
    ("LEFT_FOOT", "RIGHT_FOOT"), ("arm_l", "arm_r"), ("thigh_L", "thigh_R"), ("L_Hand", "R_Hand"),
    ("J_Bip_L_UpperArm", "J_Bip_R_UpperArm"), ("J_Sec_L_Skirt_01", "J_Sec_R_Skirt_01"),
    ("Bip01 L Thigh", "Bip01 R Thigh"), ("Bip01_L_Calf", "Bip01_R_Calf"), ("lThigh", "rThigh"), ("lShldr", "rShldr"),
    ("hand.L", "hand.R"), ("hand.L.001", "hand.R.001"), ("upperleg01.L", "upperleg01.R"), ("toe1-1.L", "toe1-1.R"),
    ("UpperLeg_L", "UpperLeg_R"), ("b_l_talocrural", "b_r_talocrural"), ("CC_Base_L_Calf", "CC_Base_R_Calf"),
    ("LHipJoint", "RHipJoint"), ("LThumb", "RThumb"), ("lfemur", "rfemur"), ("lhipjoint", "rhipjoint"),
    ("footL", "footR"), ("FootL_end", "FootR_end"), ("thumb_04_leaf_l", "thumb_04_leaf_r"),
    ("b_LeftLeg01_015", "b_RightLeg01_015"),
    ("左足", "右足"), ("LeftUpperLegBone", "RightUpperLegBone"), ("DEF-shin.L", "DEF-shin.R"),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_partners(left: str, right: str) -> None:
    assert naming.side(left) == "left"
    assert naming.side(right) == "right"
    assert naming.mirrored(left) == right
    assert naming.mirrored(right) == left


@pytest.mark.parametrize(
    "name",
    [
        "Hips",
        "Spine1",
        "Head",
        "Root",
        "Upright",
        "BrightEye",
        "Collar",
        "LowerBack",
        "lowerneck",
        "Reference",
        "Tail.001",
        "J_Bip_C_Head",
        "ball",
        "hair",
        "rib",
        "ribs",
        "lowerleg",
        "root",
        "shell",
        "pelvis",
        "",
        "RootNode",
        "LOD",
        ":",
    ],
)
def test_names_in_the_middle(name: str) -> None:
    assert naming.side(name) is None
    assert naming.mirrored(name) is None


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=20))
def test_any_name_is_safe_and_mirroring_twice_changes_nothing_of_the_side(name: str) -> None:
    other = naming.mirrored(name)
    naming.words(name)
    assert (other is None) == (naming.side(name) is None)
    if other is not None and name.isascii():
        assert naming.side(other) not in (None, naming.side(name))


def test_unnumbered() -> None:
    for name, plain in (("b_LeftFoot01_017", "b_LeftFoot01"), ("Spine1", "Spine1"), ("_12", "_12"), ("a_1_2", "a_1")):
        assert naming.unnumbered(name) == plain


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mixamorig:LeftUpLeg", ("left", "up", "leg")),
        ("Bip01 L Foot", ("bip", "01", "l", "foot")),
        ("upper_arm.L", ("upper", "arm", "l")),
        ("LHipJoint", ("l", "hip", "joint")),
        ("IKBackLeg.L", ("ik", "back", "leg", "l")),
        ("toe1-1.L", ("toe", "1", "1", "l")),
        ("", ()),
    ],
)
def test_words(name: str, expected: tuple[str, ...]) -> None:
    assert naming.words(name) == expected


def test_swap_sides() -> None:
    assert naming.swap_sides(["left", "Left", "walk", "right"]) == ("right", "Left", "walk", "left")
