"""Limbs: pairs off the middle line, and what is measured of them."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.roles.clues import Clues, find_middle, gather
from kinema.roles.limbs import LimbPair, find_limbs

from .rigs import Rows, build, dog, person, renamed, spider


def clues_of(skeleton: Skeleton) -> Clues:
    return gather(skeleton, None, {}, {})


def limbs_of(skeleton: Skeleton) -> list[LimbPair]:
    return find_limbs(clues_of(skeleton))


@pytest.mark.parametrize(("rows", "count"), [(person(), 2), (dog(), 3), (spider(), 5)])
def test_every_pair_on_the_middle_is_a_limb_the_longest_first(rows: Rows, count: int) -> None:
    limbs = limbs_of(build(rows, seed=2)[0])
    assert len(limbs) == count
    assert [limb.total for limb in limbs] == sorted((limb.total for limb in limbs), reverse=True)


def test_the_middle_is_what_is_its_own_partner_and_so_all_above() -> None:
    skeleton, truth = build(person())
    clues = clues_of(skeleton)
    partners = clues.partners
    lone = truth.index("left_hand")
    partners[truth.index("right_hand")], partners[lone] = truth.index("right_hand"), lone  # unlike hands, on two sides
    middle = find_middle(clues.tree, partners)
    assert [role for role, inside in zip(truth, middle, strict=True) if inside] == [
        "root",
        "hips",
        "spine",
        "spine",
        "spine",
        "neck",
        "head",
    ]


def test_a_leg_is_measured() -> None:
    skeleton, truth = build(person())
    leg = next(limb for limb in limbs_of(skeleton) if truth[limb.roots[0]] == "left_thigh")
    at = skeleton.rest_pose.global_positions.astype(float)
    run = [truth.index(f"left_{part}") for part in ("thigh", "shin", "foot", "toe")]
    assert leg.path == run and truth[leg.base] == "hips" and truth[leg.roots[1]] == "right_thigh"
    bones = np.linalg.norm(np.diff(at[run], axis=0), axis=1)
    assert leg.total == pytest.approx(bones.sum() + bones[-1], rel=1e-5)  # a bone more than the last joint shows
    assert np.allclose(leg.start, [0, 0.95, 0], atol=1e-5) and np.allclose(leg.tip, [0, 0.02, 0.11], atol=1e-5)
    assert leg.direction[1] < -0.95 and abs(leg.direction[0]) < 1e-6  # both sides together
    arm = next(limb for limb in limbs_of(skeleton) if limb is not leg and truth[limb.roots[0]] == "left_shoulder")
    assert np.linalg.norm(arm.direction) < 0.1, "arms of a T-pose point apart"
    assert (arm.digits, leg.digits) == (5, 1)


def test_names_vote_for_kinds() -> None:
    skeleton, truth = build(dog(), names=True)
    by_root = {truth[limb.roots[0]]: limb for limb in limbs_of(skeleton)}
    assert by_root["left_thigh"].named("leg") > 0.8 and by_root["left_upper_arm"].named("arm") > 0.8
    assert by_root["left_ear"].named("ear") == 1 and by_root["left_thigh"].named("wing") == 0
    assert all(limb.named("leg") == 0 for limb in limbs_of(build(dog())[0])), "no names, no votes"


def test_front_and_back_are_heard() -> None:
    skeleton, _ = build(renamed(dog(), {"thigh": "back_leg", "upper_arm": "front_leg"}), names=True)
    assert sorted(limb.level for limb in limbs_of(skeleton)) == [-1, 0, 1]


def test_a_twist_joint_that_reaches_farther_is_not_on_the_path() -> None:
    rows = person()
    rows += [(f"{side}_leg_twist", f"{side}_shin", (0.1 * x, -0.9, 0)) for side, x in (("left", 1), ("right", -1))]
    skeleton, truth = build(rows, names=True)
    leg = next(limb for limb in limbs_of(skeleton) if "left_thigh" in truth[limb.roots[0]])
    assert [skeleton.names[joint] for joint in leg.path] == ["left_thigh", "left_shin", "left_foot", "left_toe"]


def test_a_joint_that_carries_all_legs_of_a_side_is_opened() -> None:
    rows: Rows = [
        (n, "hips.left" if "left_leg" in n and a == "hips" else "hips.right" if a == "hips" and "leg" in n else a, p)
        for n, a, p in spider()
    ]
    rows[1:1] = [("hips.left", "hips", (0.05, 0.3, 0)), ("hips.right", "hips", (-0.05, 0.3, 0))]
    skeleton, truth = build(rows)
    assert [truth[limb.roots[0]] for limb in limbs_of(skeleton)].count("left_leg") == 4
