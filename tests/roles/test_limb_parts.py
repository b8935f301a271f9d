"""Parts of the joints of limbs: between, above and beyond the segments; robots."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from kinema import Skeleton
from kinema.formats import load
from kinema.roles import find_roles

from .rigs import Rows, bird, build, dog, person, renamed
from .truth_measure import nameless

SIDES = (("left", 1), ("right", -1))
HINGES = {"left_hip_pitch": "thigh", "left_hip_roll": "thigh", "left_hip_yaw": "thigh", "left_knee": "shin",
          "left_ankle_pitch": "foot", "left_ankle_roll": "foot", "left_shoulder_pitch": "upper_arm",
          "left_shoulder_roll": "upper_arm", "left_shoulder_yaw": "upper_arm", "left_elbow": "forearm",
          "left_wrist_roll": "forearm", "left_wrist_pitch": "hand", "left_wrist_yaw": "hand", "waist_yaw": "spine",
          "waist_roll": "spine", "waist_pitch": "spine"}  # fmt: skip


def parts(skeleton: Skeleton, truth: list[str], role: str) -> list[str]:
    """What joints of a role in the truth were taken for."""
    roles = find_roles(skeleton)
    return [roles.role(joint) for joint, right in enumerate(truth) if right == role]


@pytest.fixture(scope="module")
def robot() -> Skeleton:
    skeleton = load(Path(str(files("kinema.retargeting").joinpath("robots", "kinema_humanoid.xml")))).skeleton
    assert skeleton is not None
    return skeleton


@pytest.mark.parametrize("named", [True, False], ids=["names", "nameless"])
def test_hinges_share_the_part_of_their_joint_of_the_body(robot: Skeleton, named: bool) -> None:
    skeleton, labels = (robot, list(robot.names)) if named else nameless(robot, np.random.default_rng(3))
    roles = skeleton.roles
    found = {label.removesuffix("_joint"): roles.role(joint) for joint, label in enumerate(labels)}
    wanted = {joint: part if joint.startswith("waist") else f"left_{part}" for joint, part in HINGES.items()}
    wanted |= {joint.replace("left", "right"): part.replace("left", "right") for joint, part in wanted.items()}
    assert found == {**wanted, "pelvis": "hips"}


@pytest.mark.parametrize("named", [True, False], ids=["names", "nameless"])
def test_a_robots_limbs_begin_with_the_first_hinge_of_each_joint(robot: Skeleton, named: bool) -> None:
    skeleton, labels = (robot, list(robot.names)) if named else nameless(robot, np.random.default_rng(3))
    for leg in skeleton.roles.legs:
        assert [labels[joint] for joint in (leg.upper, leg.lower, leg.foot)] == [
            f"{leg.side}_{joint}_joint" for joint in ("hip_pitch", "knee", "ankle_pitch")
        ]
        chain = skeleton.roles.chain(f"{leg.side}_leg")
        assert chain is not None and chain.joints == (leg.upper, leg.lower, leg.foot) and leg.toe is None
    for arm in skeleton.roles.arms:
        assert [labels[joint] for joint in (arm.upper, arm.lower, arm.hand)] == [
            f"{arm.side}_{joint}_joint" for joint in ("shoulder_pitch", "elbow", "wrist_pitch")
        ]
    assert len(skeleton.roles.legs) == len(skeleton.roles.arms) == 2


def test_joints_in_line_between_two_segments_are_twists() -> None:
    rows: Rows = []
    for name, above, at in person():
        side, _, part = name.partition("_")
        if part == "forearm":
            rows.append((f"{side}_twist", above, (at[0] * 0.7, 1.43, -0.005)))
            above = f"{side}_twist"
        rows.append((name, above, at))
    skeleton, truth = build(rows)
    assert parts(skeleton, truth, "left_twist") == ["left_twist"]
    assert parts(skeleton, truth, "left_forearm") == ["left_forearm"]
    chain = find_roles(skeleton).chain("left_arm")
    assert chain is not None and truth.index("left_twist") not in chain.joints and len(chain.joints) == 4


def test_above_a_leg_is_half_a_pelvis_and_above_an_arm_a_shoulder() -> None:
    rows: Rows = []
    for name, above, at in person():
        side, _, part = name.partition("_")
        if part == "thigh":
            rows.append((f"{side}_hips", "hips", (0, 1, 0)))
            above = f"{side}_hips"
        rows.append((name, above, at))
    skeleton, truth = build(rows)
    assert parts(skeleton, truth, "left_hips") == ["left_hips"]
    assert parts(skeleton, truth, "left_shoulder") == ["left_shoulder"]
    leg, arm = (find_roles(skeleton).chain(f"left_{kind}") for kind in ("leg", "arm"))
    assert leg is not None and next(truth[joint] for joint in leg.joints) == "left_thigh"
    assert arm is not None and next(truth[joint] for joint in arm.joints) == "left_shoulder"


def test_a_lone_joint_beyond_the_ball_marks_the_end_and_several_are_digits() -> None:
    for count, part in ((1, "left_helper"), (4, "left_toes")):
        rows = person() + [
            (f"{side}_end.{n}", f"{side}_toe", ((0.1 + 0.01 * n) * x, 0.02, 0.17))
            for side, x in SIDES
            for n in range(count)
        ]
        assert parts(*build(rows), "left_end") == [part] * count


def test_fingers_make_chains_and_count_their_bones() -> None:
    skeleton, truth = build(person(), seed=1)
    roles = find_roles(skeleton)
    for finger in ("thumb", "index", "middle", "ring", "little"):
        chain = roles.chain(f"right_{finger}")
        assert chain is not None and len(chain.joints) == 3
        assert {truth[joint] for joint in chain.joints} == {f"right_{finger}"}


def test_digits_of_a_front_leg_without_names_are_fingers_of_no_kind() -> None:
    rows = dog() + [
        (f"{side}_finger.{n}", f"{side}_hand", ((0.07 + 0.02 * n) * x, 0.03, 0.3))
        for side, x in SIDES
        for n in range(3)
    ]
    assert parts(*build(rows), "left_finger") == ["left_finger"] * 3


def test_a_finger_named_at_its_root_is_that_finger_to_its_tip() -> None:
    words = {1: "Mid", 2: "Mid_again"}
    marks = {row[0]: row[0] for row in person()}
    for count, name in enumerate(marks):
        role, _, bone = name.partition(".")
        if role.endswith(("thumb", "index", "middle", "ring", "little")) and bone in ("1", "2"):
            marks[name] = f"{words[int(bone)]}.{count}"
    rows = [(marks[name], marks.get(above, ""), at) for name, above, at in person()]
    skeleton, _ = build(rows, names=True)
    _, truth = build(person())
    assert [skeleton.roles.role(joint) for joint in range(len(truth))] == truth


@pytest.mark.parametrize("word", [None, "wing"], ids=["nameless", "all called wing"])
def test_a_wing_with_feathers_is_an_arm_with_wings_on_it(word: str | None) -> None:
    rows = bird() if word is None else renamed(bird(), {"upper_arm": "wing_1", "forearm": "wing_2", "hand": "wing_3"})
    skeleton, _ = build(rows, names=word is not None)
    truth = build(bird())[1]
    for joint, right in enumerate(truth):
        if right.endswith(("upper_arm", "forearm", "hand", "wing")):
            assert skeleton.roles.role(joint) == right
    chain = skeleton.roles.chain("left_wing")
    assert chain is not None and [truth[joint] for joint in chain.joints[:3]] == [
        "left_upper_arm",
        "left_forearm",
        "left_hand",
    ]


def test_a_wing_without_feathers_is_wing_all_along() -> None:
    rows = renamed(
        [row for row in bird() if "_wing" not in row[0]], {"upper_arm": "wing_1", "forearm": "wing_2", "hand": "wing_3"}
    )
    skeleton, _ = build(rows, names=True)
    assert {skeleton.roles.role(skeleton.index(f"left_wing_{n}")) for n in (1, 2, 3)} == {"left_wing"}


def test_below_the_ball_of_a_foot_lie_toes_whatever_they_are_called() -> None:
    rows = (
        renamed(person(), {"toe": "foot_1"})
        + [(f"{side}_foot_2", f"{side}_foot_1", (0.1 * x, 0.02, 0.15)) for side, x in SIDES]
        + [(f"{side}_foot_3", f"{side}_foot_2", (0.1 * x, 0.02, 0.18)) for side, x in SIDES]
    )
    skeleton, _ = build(rows, names=True)
    found = [skeleton.roles.role(skeleton.index(f"left_foot{mark}")) for mark in ("", "_1", "_2", "_3")]
    assert found[:2] == ["left_foot", "left_toe"] and set(found[2:]) <= {"left_toe", "left_toes"}
