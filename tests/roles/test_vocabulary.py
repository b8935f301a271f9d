"""What single names say."""

from __future__ import annotations

import pytest

from kinema.roles.model import PARTS
from kinema.roles.vocabulary import _RULES, read_name

NAMES = {
    "mixamorig:LeftUpLeg": ("thigh", "left"),
    "mixamorig:LeftForeArm": ("forearm", "left"),
    "thigh_twist_01_l": ("twist", "left"),
    "ik_foot_root": ("helper", None),
    "J_Bip_R_LowerArm": ("forearm", "right"),
    "J_Bip_C_UpperChest": ("spine", None),
    "Bip01 L Calf": ("shin", "left"),
    "Bip01 R Toe0": ("toe", "right"),
    "lHand": ("hand", "left"),
    "CC_Base_L_PinkyToe1": ("toes", "left"),
    "CC_Base_L_CalfTwist01": ("twist", "left"),
    "CC_Base_L_Eye": ("eye", "left"),
    "DEF-f_index.01.L": ("index", "left"),
    "ORG-upper_arm.R": ("upper_arm", "right"),
    "MCH-foot_roll.L": ("helper", "left"),
    "左足": ("thigh", "left"),
    "左ひざ": ("shin", "left"),
    "右足首": ("foot", "right"),
    "上半身": ("spine", None),
    "センター": ("root", None),
    "下半身": ("hips", None),
    "右ひじ": ("forearm", "right"),
    "左親指１": ("thumb", "left"),
    "left_hip_pitch_link": ("thigh", "left"),
    "left_ankle_roll_link": ("foot", "left"),
    "waist_yaw_link": ("spine", None),
    "left_wrist_roll_link": ("forearm", "left"),
    "left_wrist_yaw_link": ("hand", "left"),
    "Bip01_L_HorseLink": ("foot", "left"),
    "LShldr": ("shoulder", "left"),
    "Oberschenkel_L": ("thigh", "left"),
    "avant_bras.R": ("forearm", "right"),
    "cabeza": ("head", None),
    "LeftHandRing2": ("ring", "left"),
    "Tail1": ("tail", None),
    "wing_feather_1_1_L": ("wing", "left"),
    "Ear2.R": ("ear", "right"),
    "jaw": ("jaw", None),
    "handslot.r": ("prop", "right"),
    "lfemur": ("thigh", "left"),
    "Front_Leg_Upper_L": ("thigh", "left"),
    "Forearm": ("forearm", None),
    "Bright": ("", None),
    "j12": ("", None),
}


@pytest.mark.parametrize("name", list(NAMES))
def test_the_likeliest_part_and_the_side(name: str) -> None:
    said = read_name(name)
    assert (said.best, said.side) == NAMES[name]


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("left_hip_roll_joint", "thigh"),
        ("left_shoulder_roll_joint", "upper_arm"),
        ("left_ankle_roll_joint", "foot"),
        ("left_wrist_roll_joint", "forearm"),
        ("torso_roll", "spine"),
    ],
)
def test_what_rolls_about_a_hinge_is_no_twist(name: str, part: str) -> None:
    assert read_name(name, hinge=True).best == part
    assert read_name("thigh_roll_l").best == "twist", "a bone that rolls with another one is"


def test_a_name_may_mean_several_parts() -> None:
    assert set(read_name("LeftShoulder").parts) == {"shoulder", "upper_arm"}
    assert {"hips", "thigh"} <= set(read_name("left_hip").parts)


def test_front_back_and_ends() -> None:
    assert (read_name("FrontLeg.L").level, read_name("Back_Leg_Upper_R").level, read_name("Back").level) == (1, -1, 0)
    assert read_name("Bip01 L Toe0Nub").end and read_name("HeadTop_End").end
    assert not read_name("LeftToeBase").end and not read_name("Tail_Tip").end


def test_every_rule_speaks_of_parts_that_there_are() -> None:
    assert all(part in PARTS for _, parts in _RULES for part in parts)


def test_very_long_names_are_read_quickly() -> None:
    assert read_name("a" * 1_000_000).parts == {}
