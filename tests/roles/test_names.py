"""Roles by name on the rigs people have. Each rig is typed as chains of names; offsets do not matter but for toes."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.errors import SkeletonError
from kinema.roles import find_roles, require_biped


def rig(*chains: str) -> Skeleton:
    """A skeleton from chains "parent > child > ..."; names of one chain may continue those of an earlier one."""
    names: list[str] = []
    parents: list[int] = []
    for chain in chains:
        parent = -1
        for name in chain.split(" > "):
            if name not in names:
                names.append(name)
                parents.append(parent)
            parent = names.index(name)
    return Skeleton.create(names, parents, np.tile([0, 0.1, 0], (len(names), 1)))


def both(*chains: str, left: str = "L", right: str = "R") -> list[str]:
    return [chain.replace("#", side) for side in (left, right) for chain in chains]


def sides(text: str, marks: tuple[str, str]) -> list[list[str]]:
    return [text.replace("#", mark).split(" | ") for mark in marks]


WORDS, LETTERS, SMALL = ("Left", "Right"), ("L", "R"), ("l", "r")
# name: (side marks, chains with # for the side, leg, arm ("-" for none), hips, spine, neck, head)
RIGS = {
    "mixamo": (WORDS, ["m:Hips > m:Spine > m:Spine1 > m:Spine2 > m:Neck > m:Head > m:HeadTop_End",
        "m:Hips > m:#UpLeg > m:#Leg > m:#Foot > m:#ToeBase > m:#Toe_End",
        "m:Hips > m:Spine > m:Spine1 > m:Spine2 > m:#Shoulder > m:#Arm > m:#ForeArm > m:#Hand > m:#HandIndex1"],
        "m:#UpLeg | m:#Leg | m:#Foot | m:#ToeBase", "m:#Shoulder | m:#Arm | m:#ForeArm | m:#Hand",
        "m:Hips", "m:Spine m:Spine1 m:Spine2", "m:Neck", "m:Head"),
    "cmu 31": (WORDS, ["Hips > LowerBack > Spine > Spine1 > Neck > Neck1 > Head",
        "Hips > #HipJoint > #UpLeg > #Leg > #Foot > #ToeBase",
        "Hips > LowerBack > Spine > Spine1 > #Shoulder > #Arm > #ForeArm > #Hand > #FingerBase > #HandIndex1"],
        "#UpLeg | #Leg | #Foot | #ToeBase", "#Shoulder | #Arm | #ForeArm | #Hand",
        "Hips", "LowerBack Spine Spine1", "Neck", "Head"),
    "cmu with hips as thighs": (WORDS, ["Hips > Chest > lowerneck > upperneck > Head",
        "Hips > #HipJoint > #Hip > #Knee > #Ankle > #Toe", "Hips > Chest > #Collar > #Shoulder > #Elbow > #Wrist"],
        "#Hip | #Knee | #Ankle | #Toe", "#Collar | #Shoulder | #Elbow | #Wrist", "Hips", "Chest", "lowerneck", "Head"),
    "acclaim": (SMALL, ["root > lowerback > upperback > thorax > lowerneck > upperneck > head",
        "root > #hipjoint > #femur > #tibia > #foot > #toes",
        "root > lowerback > upperback > thorax > #clavicle > #humerus > #radius > #wrist > #hand > #fingers"],
        "#femur | #tibia | #foot | #toes", "#clavicle | #humerus | #radius | #wrist",
        "root", "lowerback upperback thorax", "lowerneck", "head"),
    "iclone": (LETTERS, ["CC_Base_Hip > CC_Base_Waist > CC_Base_Spine01 > CC_Base_NeckTwist01 > CC_Base_Head",
        "CC_Base_Hip > CC_Base_Pelvis > CC_Base_#_Thigh > CC_Base_#_Calf > CC_Base_#_Foot > CC_Base_#_ToeBaseShareBone",
        "CC_Base_Hip > CC_Base_Pelvis > CC_Base_#_Thigh > CC_Base_#_ThighTwist01",
        "CC_Base_#_Foot > CC_Base_#_ToeBase > CC_Base_#_BigToe1",
        "CC_Base_Spine01 > CC_Base_#_Clavicle > CC_Base_#_Upperarm > CC_Base_#_Forearm > CC_Base_#_Hand"],
        "CC_Base_#_Thigh | CC_Base_#_Calf | CC_Base_#_Foot | CC_Base_#_ToeBase",
        "CC_Base_#_Clavicle | CC_Base_#_Upperarm | CC_Base_#_Forearm | CC_Base_#_Hand",
        "CC_Base_Hip", "CC_Base_Waist CC_Base_Spine01", "CC_Base_NeckTwist01", "CC_Base_Head"),
    "bandai": (LETTERS, ["joint_Root > Hips > Spine > Chest > Neck > Head",
        "Hips > UpperLeg_# > LowerLeg_# > Foot_# > Toes_#",
        "Chest > Shoulder_# > UpperArm_# > LowerArm_# > Hand_#"], "UpperLeg_# | LowerLeg_# | Foot_# | Toes_#",
        "Shoulder_# | UpperArm_# | LowerArm_# | Hand_#", "Hips", "Spine Chest", "Neck", "Head"),
    "unreal": (SMALL, ["root > pelvis > spine_01 > spine_02 > neck_01 > head",
        "pelvis > thigh_# > calf_# > foot_# > ball_#", "calf_# > calf_twist_01_#", "root > ik_foot_root > ik_foot_#",
        "spine_02 > clavicle_# > upperarm_# > lowerarm_# > hand_#", "root > ik_hand_root > ik_hand_#"],
        "thigh_# | calf_# | foot_# | ball_#", "clavicle_# | upperarm_# | lowerarm_# | hand_#",
        "pelvis", "spine_01 spine_02", "neck_01", "head"),
    "vrm": (LETTERS, ["Root > J_Bip_C_Hips > J_Bip_C_Spine > J_Bip_C_Chest > J_Bip_C_Neck > J_Bip_C_Head",
        "J_Bip_C_Hips > J_Bip_#_UpperLeg > J_Bip_#_LowerLeg > J_Bip_#_Foot > J_Bip_#_ToeBase",
        "J_Bip_C_Hips > J_Sec_#_Skirt1 > J_Sec_#_Skirt2 > J_Sec_#_Skirt3",
        "J_Bip_C_Chest > J_Bip_#_Shoulder > J_Bip_#_UpperArm > J_Bip_#_LowerArm > J_Bip_#_Hand > J_Bip_#_Thumb1"],
        "J_Bip_#_UpperLeg | J_Bip_#_LowerLeg | J_Bip_#_Foot | J_Bip_#_ToeBase",
        "J_Bip_#_Shoulder | J_Bip_#_UpperArm | J_Bip_#_LowerArm | J_Bip_#_Hand",
        "J_Bip_C_Hips", "J_Bip_C_Spine J_Bip_C_Chest", "J_Bip_C_Neck", "J_Bip_C_Head"),
    "vrm with bones": (WORDS, ["RootBone > HipsBone > SpineBone > NeckBone > HeadBone",
        "HipsBone > #UpperLegBone > #LowerLegBone > #FootBone > #ToesBone",
        "SpineBone > #ShoulderBone > #UpperArmBone > #LowerArmBone > #HandBone"],
        "#UpperLegBone | #LowerLegBone | #FootBone | #ToesBone",
        "#ShoulderBone | #UpperArmBone | #LowerArmBone | #HandBone", "HipsBone", "SpineBone", "NeckBone", "HeadBone"),
    "daz": (SMALL, ["hip > abdomen > chest > neck > head", "hip > #Buttock > #Thigh > #Shin > #Foot",
        "chest > #Collar > #Shldr > #ForeArm > #Hand > #Thumb1"], "#Thigh | #Shin | #Foot | -",
        "#Collar | #Shldr | #ForeArm | #Hand", "hip", "abdomen chest", "neck", "head"),
    "daz genesis 8": (SMALL, ["hip > abdomenLower > chestLower > neckLower > head",
        "hip > pelvis > #ThighBend > #ThighTwist > #Shin > #Foot > #Metatarsals > #Toe",
        "chestLower > #Collar > #ShldrBend > #ShldrTwist > #ForearmBend > #ForearmTwist > #Hand"],
        "#ThighBend | #Shin | #Foot | #Toe", "#Collar | #ShldrBend | #ForearmBend | #Hand",
        "hip", "abdomenLower chestLower", "neckLower", "head"),
    "makehuman": (LETTERS, ["root > spine05 > spine04 > neck01 > neck02 > head",
        "root > pelvis.# > upperleg01.# > upperleg02.# > lowerleg01.# > lowerleg02.# > foot.# > toe4-1.#",
        "foot.# > metatarsal1.# > toe1-1.#",
        "spine04 > clavicle.# > shoulder01.# > upperarm01.# > upperarm02.# > lowerarm01.# > lowerarm02.# > wrist.#"],
        "upperleg01.# | lowerleg01.# | foot.# | toe4-1.#", "clavicle.# | upperarm01.# | lowerarm01.# | wrist.#",
        "root", "spine05 spine04", "neck01", "head"),
    "makehuman bvh": (LETTERS, ["Root > Spine1 > Neck > Head",
        "Root > Hips > __UpLeg_# > UpLeg_# > LoLeg_# > Foot_# > Toe_#", "Spine1 > __Clavicle_# > Clavicle_# > UpArm_#",
        "UpArm_# > LoArm_# > Hand_#"], "UpLeg_# | LoLeg_# | Foot_# | Toe_#", "Clavicle_# | UpArm_# | LoArm_# | Hand_#",
        "Root", "Spine1", "Neck", "Head"),
    "kaykit": (SMALL, ["root > hips > spine > chest > head", "hips > upperleg.# > lowerleg.# > foot.# > toes.#",
        "chest > upperarm.# > lowerarm.# > wrist.# > hand.# > handslot.#"],
        "upperleg.# | lowerleg.# | foot.# | toes.#", "- | upperarm.# | lowerarm.# | wrist.#",
        "hips", "spine chest", "-", "head"),
    "quaternius": (LETTERS, ["Root > Hips > Abdomen > Torso > Neck > Head", "Root > UpperLeg.# > LowerLeg.# > Foot.#",
        "Torso > Shoulder.# > UpperArm.# > LowerArm.# > Fist.#"], "UpperLeg.# | LowerLeg.# | Foot.# | -",
        "Shoulder.# | UpperArm.# | LowerArm.# | Fist.#", "Hips", "Abdomen Torso", "Neck", "Head"),
    "3ds max biped": (LETTERS, ["Bip01 > Bip01 Pelvis > Bip01 Spine > Bip01 Spine1 > Bip01 Neck > Bip01 Head",
        "Bip01 Spine > Bip01 # Thigh > Bip01 # Calf > Bip01 # Foot > Bip01 # Toe0 > Bip01 # Toe0Nub",
        "Bip01 Neck > Bip01 # Clavicle > Bip01 # UpperArm > Bip01 # Forearm > Bip01 # Hand > Bip01 # Finger0"],
        "Bip01 # Thigh | Bip01 # Calf | Bip01 # Foot | Bip01 # Toe0",
        "Bip01 # Clavicle | Bip01 # UpperArm | Bip01 # Forearm | Bip01 # Hand",
        "Bip01 Pelvis", "Bip01 Spine Bip01 Spine1", "Bip01 Neck", "Bip01 Head"),
    "two feet": (SMALL, ["b_root > b_spine0 > b_neck0 > b_head", "b_root > b_#_upleg > p_#_upleg_twist0",
        "b_#_upleg > b_#_leg > b_#_foot_twist > b_#_foot", "b_#_foot_twist > b_#_talocrural > b_#_subtalar > b_#_ball",
        "b_spine0 > b_#_shoulder > b_#_arm > b_#_forearm > b_#_wrist_twist > b_#_wrist"],
        "b_#_upleg | b_#_leg | b_#_talocrural | b_#_ball", "b_#_shoulder | b_#_arm | b_#_forearm | b_#_wrist",
        "b_root", "b_spine0", "b_neck0", "b_head"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(RIGS))
def test_rigs_that_people_have(name: str) -> None:
    marks, chains, leg, arm, hips, spine, neck, head = RIGS[name]
    skeleton = rig(
        *(c for c in chains if "#" not in c), *(c.replace("#", m) for m in marks for c in chains if "#" in c)
    )
    roles = require_biped(skeleton)

    def named(joint: int | None) -> str:
        return "-" if joint is None else skeleton.names[joint]

    assert [[named(j) for j in (x.upper, x.lower, x.foot, x.toe)] for x in roles.legs] == sides(leg, marks)
    assert [[named(j) for j in (x.shoulder, x.upper, x.lower, x.hand)] for x in roles.arms] == sides(arm, marks)
    assert (named(roles.hips), named(roles.neck), named(roles.head)) == (hips, neck, head)
    spine_names = [named(joint) for joint in roles.spine]
    assert " ".join(spine_names) == spine
    assert [x.side for x in roles.legs] == [x.side for x in roles.arms] == ["left", "right"]
    assert roles.leg("right") is roles.legs[1]


NOT_BIPEDS = {
    "one joint": ["Hips"],
    "snake": ["Root > Spine1 > Spine2 > Spine3 > Head"],
    "spider": ["root > body > head",
        *both("body > leg_a_1_# > leg_a_2_# > leg_a_tip_#", "body > leg_b_1_# > leg_b_2_#")],
    "fox with front feet": ["root > Hips > Spine_1 > Head", *both(
        "Hips > Back_Leg_Upper_# > Back_Leg_Lower_# > Back_Leg_Ankle_# > Back_Leg_Foot_#",
        "Spine_1 > Front_Leg_Upper_# > Front_Leg_Lower_# > Front_Leg_Ankle_# > Front_Leg_Foot_#")],
    "feet that are bare targets": ["Root > Body > Hips > Head",
        *both("Root > Foot.#", "Hips > UpperLeg.# > LowerLeg.#")],
    "one leg": ["Hips > LeftUpLeg > LeftLeg > LeftFoot"],
    "feet on one bone": ["Hips > Spine > Head", *both("Hips > Leg_# > Foot_#")],
    "no names": ["a > b > c > d", "a > e > f > g"],
    "two trees": ["A > LeftUpLeg > LeftLeg > LeftFoot", "B > RightUpLeg > RightLeg > RightFoot"],
}  # fmt: skip


@pytest.mark.parametrize("name", list(NOT_BIPEDS))
def test_others_are_no_bipeds_and_never_fail(name: str) -> None:
    skeleton = rig(*NOT_BIPEDS[name])
    roles = find_roles(skeleton)
    assert not roles.is_biped
    assert 0 <= roles.hips < skeleton.joint_count
    with pytest.raises(SkeletonError, match="hangs on 'Root' and not on the leg" if roles.legs else "no legs"):
        require_biped(skeleton)
    if not roles.legs:
        with pytest.raises(SkeletonError, match="no left leg"):
            roles.leg("left")


def test_a_dog_named_like_a_person_is_told_by_its_tail_and_long_trunk() -> None:
    chains = both(
        "Hips > #UpLeg > #Leg > #Foot", "Spine > #Shoulder > #Arm > #ForeArm > #Hand", left="Left", right="Right"
    )
    roles = find_roles(rig("Hips > Spine > Neck > Head", "Hips > Tail > Tail1", *chains))
    assert roles.plan == "quadruped" and not roles.is_biped
    assert find_roles(rig("Hips > Spine > Neck > Head", *chains)).is_biped


def test_a_very_deep_tree_is_quick() -> None:
    count = 5000
    deep = Skeleton.create([f"LeftFoot{i}" for i in range(count)], np.arange(count) - 1, np.ones((count, 3)))
    assert not find_roles(deep).is_biped


def test_the_three_joints_of_a_robots_hip_are_one_segment() -> None:
    hip = "pelvis > #_hip_pitch_link > #_hip_roll_link > #_hip_yaw_link > #_knee_link > #_ankle_pitch_link"
    chains = both(f"{hip} > #_ankle_roll_link", left="left", right="right")
    skeleton = rig("pelvis > waist_yaw_link > torso_link > head_link", *chains)
    roles = find_roles(skeleton)
    found = [roles.role(joint) for joint, name in enumerate(skeleton.names) if name.startswith("left")]
    assert found == ["left_thigh"] * 3 + ["left_shin"] + ["left_foot"] * 2


def test_the_head_of_a_rigify_rig_is_the_last_of_the_spine() -> None:
    chain = " > ".join(["spine", *(f"spine.{n:03}" for n in range(1, 7))])
    limbs = both(
        "spine > thigh.# > shin.# > foot.# > toe.#",
        "foot.# > heel.02.#",
        "spine.003 > shoulder.# > upper_arm.# > forearm.# > hand.#",
    )
    skeleton = rig(chain, *limbs)
    roles = find_roles(skeleton)
    middle = [roles.role(joint) for joint, name in enumerate(skeleton.names) if name.startswith("spine")]
    assert middle == ["hips", "spine", "spine", "spine", "neck", "neck", "head"]
    assert roles.role(skeleton.index("heel.02.L")) == "left_helper"


def test_the_hips_of_smpl_are_thighs() -> None:
    chains = both("pelvis > #_hip > #_knee > #_ankle > #_foot", left="left", right="right")
    skeleton = rig("pelvis > spine1 > spine2 > neck > head", *chains)
    roles = find_roles(skeleton)
    assert [skeleton.names[joint] for joint in roles.chain("left_leg").joints] == [
        "left_hip",
        "left_knee",
        "left_ankle",
        "left_foot",
    ]
