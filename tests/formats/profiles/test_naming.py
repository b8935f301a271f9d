"""Names of a program's humanoid, and names cleaned of what it cannot hold."""

from __future__ import annotations

import re

import numpy as np
import pytest

from kinema import Skeleton
from kinema.formats.profiles.naming import SCHEMES, cleaned, standard_names


def test_cleaned_names_stay_unique() -> None:
    found = cleaned(("a.b", "a:b", "a_b", ""), re.compile(r"[.:]"), {"a_b_2"})
    assert found == {"a.b": "a_b", "a:b": "a_b_3", "a_b": "a_b_4", "": "_"}
    assert cleaned(("Root", "root"), re.compile("x"), any_case=True) == {"Root": "Root", "root": "root_2"}
    assert cleaned(("Root", "root"), re.compile("x")) == {"Root": "Root", "root": "root"}


@pytest.mark.parametrize(
    ("scheme", "wanted"),
    [
        (
            "unity",
            {
                "Hips": "Hips",
                "Spine": "Spine",
                "Chest": "Chest",
                "LeftArm": "LeftUpperArm",
                "RightLeg": "RightLowerLeg",
                "LeftToeBase": "LeftToes",
            },
        ),
        (
            "unreal",
            {
                "Hips": "pelvis",
                "Spine": "spine_01",
                "Chest": "spine_02",
                "Neck": "neck_01",
                "LeftArm": "upperarm_l",
                "RightLeg": "calf_r",
                "LeftToeBase": "ball_l",
                "RightShoulder": "clavicle_r",
            },
        ),
        ("blender", {"Hips": "hips", "Chest": "spine.02", "LeftArm": "upper_arm.L", "RightLeg": "shin.R"}),
    ],
)
def test_standard_names_of_a_person(biped: Skeleton, scheme: str, wanted: dict[str, str]) -> None:
    found = standard_names(biped, scheme)
    assert {name: found[name] for name in wanted} == wanted
    assert len(set(found.values())) == len(found) == biped.joint_count


def hand_of(bones: tuple[float, ...]) -> Skeleton:
    """A hand with a thumb and an index finger of four joints, with these metres from the wrist on."""
    names = ["Hips", "LeftHand", *(f"LeftHandThumb{n}" for n in (1, 2, 3)), *(f"LeftHandIndex{n}" for n in range(4))]
    return Skeleton.create(
        names,
        [-1, 0, 1, 2, 3, 1, 5, 6, 7],
        [[0, 1, 0], [0.7, 0.4, 0], *[[0.03, 0, 0.03]] * 3, *([bone, 0, 0] for bone in bones)],
        hints={
            "Hips": "hips",
            "LeftHand": "left_hand",
            **{f"LeftHandThumb{n}": "left_thumb" for n in (1, 2, 3)},
            **{f"LeftHandIndex{n}": "left_index" for n in range(4)},
        },
    )


def test_the_thumb_is_as_each_program_has_it() -> None:
    hand = hand_of((0.03, 0.06, 0.04, 0.02))
    first = {scheme: standard_names(hand, scheme)["LeftHandThumb1"] for scheme in SCHEMES}
    assert first == {
        "unity": "LeftThumbProximal",
        "godot": "LeftThumbMetacarpal",
        "unreal": "thumb_01_l",
        "blender": "thumb.01.L",
        "humanik": "LeftHandThumb1",
    }


def test_fingers_count_from_the_knuckle() -> None:
    """Four joints are a metacarpal and three bones, or three bones and a tip; their lengths tell."""
    metacarpal, tip = hand_of((0.03, 0.06, 0.04, 0.02)), hand_of((0.09, 0.04, 0.03, 0.02))
    wanted = {
        "unity": (None, "LeftIndexProximal"),
        "godot": (None, "LeftIndexProximal"),
        "unreal": ("index_metacarpal_l", "index_01_l"),
        "blender": ("palm.01.L", "f_index.01.L"),
        "humanik": ("LeftInHandIndex", "LeftHandIndex1"),
    }
    for scheme, (before, first) in wanted.items():
        found = standard_names(metacarpal, scheme)
        assert (found.get("LeftHandIndex0"), found["LeftHandIndex1"]) == (before, first)
        found = standard_names(tip, scheme)
        assert found["LeftHandIndex0"] == first and "LeftHandIndex3" not in found


@pytest.mark.parametrize(
    ("count", "wanted"),
    [
        (1, ["Spine"]),
        (2, ["Spine", "Chest"]),
        (3, ["Spine", "Chest", "UpperChest"]),
        (5, ["Spine", None, "Chest", None, "UpperChest"]),
    ],
)
def test_the_end_of_a_longer_spine_carries_the_arms(count: int, wanted: list[str | None]) -> None:
    assert [SCHEMES["godot"]("spine", None, place, count) for place in range(count)] == wanted
    counted = [SCHEMES["humanik"]("spine", None, place, count) for place in range(count)]
    assert counted == ["Spine", "Spine1", "Spine2", "Spine3", "Spine4"][:count]


def test_middle_parts_have_no_side_and_limbs_have_one() -> None:
    hints = {"a": "left_root", "b": "right_root", "c": "root", "d": "hips", "e": "hand", "f": "left_hand"}
    skeleton = Skeleton.create([*hints], [-1, -1, -1, 2, 3, 3], np.eye(6)[:, :3], hints=hints)
    assert standard_names(skeleton, "godot") == {"c": "Root", "d": "Hips", "f": "LeftHand"}


def test_roots_are_named_where_the_program_has_one() -> None:
    found = {scheme: SCHEMES[scheme]("root", None, 0, 1) for scheme in SCHEMES}
    assert found == {"unity": None, "godot": "Root", "unreal": "root", "blender": "root", "humanik": "Reference"}
