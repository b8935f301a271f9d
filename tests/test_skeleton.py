"""Skeletons: what is refused, and what is derived from the tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kinema import Skeleton, roles, rotations
from kinema import skeleton as skeletons
from kinema.errors import SkeletonError
from kinema.pose import Pose

GOOD: dict[str, Any] = {"names": ["a", "b"], "parents": [-1, 0], "rest_translations": np.zeros((2, 3))}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"names": [], "parents": [], "rest_translations": np.zeros((0, 3))}, "1 to"),
        ({"names": ["a", "a"]}, "'a' occurs twice"),
        ({"parents": [1, -1]}, "'a' must come after"),
        ({"parents": [-1, 1]}, "'b' must come after"),
        ({"parents": [-1, -2]}, "'b' must come after"),
        ({"parents": [-1]}, "parents must have shape"),
        ({"rest_translations": np.zeros((3, 3))}, "rest_translations must have shape"),
        ({"rest_translations": [[0, 0, 0], [0, np.nan, 0]]}, "not finite"),
        ({"rest_rotations": np.full((2, 4), np.inf)}, "not finite"),
        ({"tips": [(2, (0, 1, 0))]}, "tips"),
        ({"tips": [(-1, (0, 1, 0))]}, "tips"),
        ({"tips": [(0, (0, np.nan, 0))]}, "tips"),
    ],
)
def test_malformed_trees_are_refused_in_one_line(change: dict[str, Any], words: str) -> None:
    with pytest.raises(SkeletonError, match=words) as caught:
        Skeleton.create(**{**GOOD, **change})
    assert "\n" not in str(caught.value)


def test_a_single_joint() -> None:
    lone = Skeleton.create(["only"], [-1], [[1, 2, 3]])
    assert lone.children == ((),)
    assert lone.ancestors(0) == []
    assert lone.height == 0
    assert lone.depths.tolist() == lone.mirror_map.tolist() == [0]
    assert lone.roles.hips == 0 and not lone.roles.is_biped
    np.testing.assert_allclose(lone.rest_pose.global_positions, [[1, 2, 3]])


def test_the_tree(biped: Skeleton) -> None:
    hand = biped.index("LeftHand")
    chain = [biped.names[joint] for joint in biped.ancestors(hand)]
    assert chain == ["LeftForeArm", "LeftArm", "LeftShoulder", "Chest", "Spine", "Hips"]
    assert biped.depths[hand] == 6
    assert [biped.names[j] for j in biped.children[0]] == ["Spine", "LeftUpLeg", "RightUpLeg"]
    assert biped.indices(["Head", "Hips"]).tolist() == [4, 0]
    np.testing.assert_allclose(biped.bone_lengths[[0, hand]], [0, 0.25])


def test_height_includes_tips(biped: Skeleton) -> None:
    np.testing.assert_allclose(biped.height, 0.92 + 0.12 + 0.16 + 0.2 + 0.1 + 0.15 - 0.01, atol=1e-5)
    leaning = Skeleton.create(["a"], [-1], [[0, 5, 0]], [[np.sqrt(0.5), np.sqrt(0.5), 0, 0]], tips=[(0, (0, 0, -2))])
    np.testing.assert_allclose(leaning.height, 2, atol=1e-6)  # the tip is turned with its joint


def test_missing_joint_lists_those_there_are(biped: Skeleton) -> None:
    with pytest.raises(SkeletonError, match=r"'Tail'; the joints are: Hips, Spine, "):
        biped.index("Tail")


def test_mirror_map_is_an_involution(biped: Skeleton) -> None:
    pairs = biped.mirror_map
    np.testing.assert_array_equal(pairs[pairs], np.arange(biped.joint_count))
    assert pairs[biped.index("LeftHand")] == biped.index("RightHand")
    assert pairs[biped.index("Head")] == biped.index("Head")
    lonely = Skeleton.create(["Hips", "LeftWing", "L_foot", "R_foot"], [-1, 0, 0, 0], np.zeros((4, 3)))
    assert lonely.mirror_map.tolist() == [0, 1, 3, 2]


def test_mirror_map_sees_through_running_numbers_of_exporters() -> None:
    names = ["b_Hip_01", "b_LeftLeg01_015", "b_LeftLeg02_016", "b_RightLeg01_019", "b_RightLeg02_020"]
    assert Skeleton.create(names, [-1, 0, 1, 0, 3], np.zeros((5, 3))).mirror_map.tolist() == [0, 3, 4, 1, 2]
    fingers = [
        "hand_l",
        "hand_r",
        "index_01_l",
        "index_02_l",
        "index_01_r",
        "index_02_r",
        "leaf_l_1",
        "leaf_r_2",
        "leaf_r_3",
    ]
    pairs = Skeleton.create(fingers, [-1] * 9, np.zeros((9, 3))).mirror_map
    assert pairs.tolist() == [1, 0, 4, 5, 2, 3, 6, 7, 8]  # two candidates are none


def test_same_topology_ignores_proportions(biped: Skeleton) -> None:
    taller = Skeleton.create(biped.names, biped.parents, 2 * biped.rest_translations)
    assert biped.same_topology(taller)
    assert not biped.same_topology(Skeleton.create(["Hips"], [-1], [[0, 0, 0]]))


def test_values_are_stored_as_float32(biped: Skeleton) -> None:
    assert biped.rest_translations.dtype == biped.rest_rotations.dtype == biped.tip_offsets.dtype == np.float32
    assert biped.parents.dtype == biped.tip_joints.dtype == np.int32
    assert Skeleton.create(**GOOD).tip_offsets.shape == (0, 3)


def test_hints_and_hinges_are_checked(biped: Skeleton) -> None:
    from kinema.skeleton import Hinge

    def create(**more: object) -> Skeleton:
        return Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]], **more)  # pyright: ignore

    held = create(hints={"a": "hips"}, hinges=[Hinge(1, (0, 0, 1), -1, 2)])
    assert held.hints == {"a": "hips"} and held.hinges[0].upper == 2
    assert biped.with_hints({"Hips": "hips"}).with_hints({"Spine": "spine"}).hints == {"Hips": "hips", "Spine": "spine"}
    with pytest.raises(SkeletonError, match="which does not exist"):
        create(hints={"c": "hips"})
    with pytest.raises(SkeletonError, match="no joint is named 'c'"):
        held.with_hints({"c": "hips"})
    for wrong in (Hinge(2, (0, 0, 1)), Hinge(1, (0, 0, 2)), Hinge(1, (0, 0, 1), 2, 1)):
        with pytest.raises(SkeletonError, match="hinge"):
            create(hinges=[wrong])


def test_known_roles_replace_those_that_would_be_found(biped: Skeleton) -> None:
    other = replace(biped.roles, plan="quadruped")
    known = biped.with_roles(other)
    assert known.roles is other and biped.roles.plan == "biped"
    assert known.same_topology(biped)
    assert known.with_hints({"Head": "neck"}).roles.plan == "biped", "hints are read anew"
    with pytest.raises(SkeletonError, match=r"roles of 21 joints do not fit a skeleton of 1$"):
        Skeleton.create(["only"], [-1], [[0, 0, 0]]).with_roles(other)


def test_joints_below_others_include_these(biped: Skeleton):
    below = biped.below([biped.index("LeftArm"), biped.index("Head")])
    names = {name for name, found in zip(biped.names, below, strict=True) if found}
    assert {"LeftArm", "LeftForeArm", "LeftHand", "Head"} <= names
    assert all(name.startswith("Left") or name == "Head" for name in names)
    assert biped.below([0]).all()
    assert not biped.below([]).any()


def test_tips_follow_their_joints():
    skeleton = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]], tips=[(1, (0, 0.5, 0)), (0, (1, 0, 0))])
    quarter = rotations.from_axis_angle(np.array([0.0, 0, 1]), np.asarray(np.pi / 2))
    pose = Pose(skeleton, np.stack([quarter, [1.0, 0, 0, 0]])[None])
    np.testing.assert_allclose(skeleton.tip_positions(pose), [[[-1.5, 0, 0], [0, 1, 0]]], atol=1e-6)


def test_roles_are_found_once_for_equal_skeletons(biped: Skeleton, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Skeleton] = []
    find = roles.find_roles
    monkeypatch.setattr(roles, "find_roles", lambda skeleton: found.append(skeleton) or find(skeleton))
    monkeypatch.setattr(skeletons, "_roles", {})
    monkeypatch.setattr(skeletons, "MOST_ROLES", 2)

    def again(**changes: Any) -> Skeleton:
        return replace(biped, names=biped.names, **changes)

    assert again().roles is again().roles and len(found) == 1
    other = {"hints": {"Head": "left_hand"}, "rest_translations": biped.rest_translations * np.float32(2)}
    for number, (name, value) in enumerate(other.items()):
        assert again(**{name: value}).roles is not again().roles
        assert len(found) == 2 + number
    assert len(skeletons._roles) == 2
    assert again(hints=other["hints"]).roles.role(biped.index("Head")) == "left_hand"
    assert len(found) == 4  # it was the one that had not been used for longest
