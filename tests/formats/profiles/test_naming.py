"""Names of a program's humanoid, and names cleaned of what it cannot hold."""

from __future__ import annotations

import re

import pytest

from kinema import Skeleton
from kinema.formats.profiles.naming import cleaned, standard_names


def test_cleaned_names_stay_unique() -> None:
    found = cleaned(("a.b", "a:b", "a_b", ""), re.compile(r"[.:]"), {"a_b_2"})
    assert found == {"a.b": "a_b", "a:b": "a_b_3", "a_b": "a_b_4", "": "_"}


@pytest.mark.parametrize(
    ("scheme", "wanted"),
    [
        ("unity", {"Hips": "Hips", "Spine": "Spine", "Chest": "Chest", "LeftArm": "LeftUpperArm",
                   "RightLeg": "RightLowerLeg", "LeftToeBase": "LeftToes"}),
        ("unreal", {"Hips": "pelvis", "Spine": "spine_01", "Chest": "spine_02", "Neck": "neck_01",
                    "LeftArm": "upperarm_l", "RightLeg": "calf_r", "LeftToeBase": "ball_l",
                    "RightShoulder": "clavicle_r"}),
        ("blender", {"Hips": "hips", "Chest": "spine.02", "LeftArm": "upper_arm.L", "RightLeg": "shin.R"}),
    ],
)  # fmt: skip
def test_standard_names_of_a_person(biped: Skeleton, scheme: str, wanted: dict[str, str]) -> None:
    found = standard_names(biped, scheme)
    assert {name: found[name] for name in wanted} == wanted
    assert len(set(found.values())) == len(found) == biped.joint_count


def test_fingers_count_from_the_knuckle_and_the_thumb_as_each_program_has_it() -> None:
    names = ["Hips", *(f"LeftHandThumb{n}" for n in (1, 2, 3)), *(f"LeftHandIndex{n}" for n in (0, 1, 2, 3))]
    hand = Skeleton.create(names, [-1, 0, 1, 2, 0, 4, 5, 6], [[0, 0.1, 0]] * 8, hints={
        "Hips": "hips", **{f"LeftHandThumb{n}": "left_thumb" for n in (1, 2, 3)},
        **{f"LeftHandIndex{n}": "left_index" for n in (0, 1, 2, 3)},
    })  # fmt: skip
    unity, godot = standard_names(hand, "unity"), standard_names(hand, "godot")
    assert unity["LeftHandThumb1"] == "LeftThumbProximal" and godot["LeftHandThumb1"] == "LeftThumbMetacarpal"
    assert unity["LeftHandIndex1"] == "LeftIndexProximal" and "LeftHandIndex0" not in unity
    assert standard_names(hand, "unreal")["LeftHandIndex0"] == "index_01_l"
