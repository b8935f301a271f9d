"""Rigs that the recogniser's rules were not written with, and what it gets right of them today.

`scripts/score_roles.py` prints the figures. `unseen_floor.json` names, for each rig, the questions that are answered
wrongly and the number of joints that are right. Nothing else may fail. What is mended comes off the list by
`scripts/score_roles.py --write-floor`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinema import Skeleton
from kinema.roles import PARTS, Roles, find_roles

from .rigs import build, person
from .unseen_changed import changed
from .unseen_measure import LEG, QUESTIONS, answer, answers, counted, floor, floors, is_right, limb, lost, part, wilson
from .unseen_rigify import blender, metarigs
from .unseen_rigs import AXES, BODIES, Body, Rig, both, generated, posed

PLANS = {"biped", "quadruped", "many-legged", "winged", "legless", "unknown"}


@pytest.fixture(scope="module")
def rigs() -> list[Rig]:
    return generated()


@pytest.fixture(scope="module")
def people(data_dir: Path) -> list[Rig]:
    return changed(data_dir)


@pytest.fixture(scope="module")
def rigify(tmp_path_factory: pytest.TempPathFactory) -> list[Rig]:
    if blender() is None:
        pytest.skip("no Blender here: sudo apt-get install blender python3-numpy, or set KINEMA_BLENDER=/path")
    return metarigs(tmp_path_factory.mktemp("rigify"))


def known_person() -> Rig:
    """The person of `rigs.py`, which is not in the set, as a rig with labels."""
    skeleton, truth = build(person(), names=True)
    parts = {name: frozenset({role}) for name, role in zip(skeleton.names, truth, strict=True)}
    return Rig("person", "known", skeleton, parts, "+Y", "+Z", frozenset({"biped"}))


def test_the_measure_finds_nothing_wrong_where_all_is_right() -> None:
    for names in (True, False):
        (found,) = answers([known_person()], names=names)
        assert set(found.right) == set(QUESTIONS)
        assert not found.failures and not found.wrong and not found.error
        assert found.joints["all"] == (known_person().skeleton.joint_count,) * 2


def test_the_measure_finds_what_is_wrong() -> None:
    rig = known_person()
    parts = rig.parts | {"left_shin": frozenset({"left_thigh"}), "head": frozenset({"tail"})}
    (found,) = answers([replace(rig, parts=parts, up="+Z", forward="+X", plans=frozenset({"legless"}))], names=True)
    assert found.failures == {"up", "forward", "plan", "legs"}
    assert {label for label, _, _ in found.wrong} == {"left_shin", "head"}
    assert found.joints["leg"] == (7, 8)
    assert found.joints["tail"] == (0, 1)


def test_swapped_sides_are_wrong() -> None:
    rig = known_person()
    swap = {"left_": "right_", "right_": "left_"}
    parts = {
        name: frozenset(swap.get(role[: -len(part(role))], "") + part(role) for role in roles)
        for name, roles in rig.parts.items()
    }
    (found,) = answers([replace(rig, parts=parts)], names=True)
    assert found.failures == {"legs", "arms and front legs"}


def test_a_crash_is_all_wrong_and_the_next_rig_is_asked() -> None:
    def fails_once(skeleton: Skeleton) -> Roles:
        if skeleton.joint_count == 3:
            raise ZeroDivisionError("three")
        return find_roles(skeleton)

    three = replace(
        known_person(),
        skeleton=Skeleton.create(["hips", "spine", "head"], [-1, 0, 1], np.eye(3), np.tile([1.0, 0, 0, 0], (3, 1))),
    )
    broken, whole = answers([three, known_person()], names=True, find=fails_once)
    assert "three" in broken.error and not any(broken.right.values()) and broken.joints["all"] == (0, 3)
    assert not whole.error and all(whole.right.values())


def test_what_has_no_legs_is_not_asked_for_them() -> None:
    rig = replace(known_person(), forward="")
    parts = {name: frozenset({"spine"}) if limb(roles) == "leg" else roles for name, roles in rig.parts.items()}
    found = answer(replace(rig, parts=parts), rig.skeleton, rig.skeleton.names)
    assert set(found.right) == set(QUESTIONS) - {"legs", "forward"}


def test_parts_that_are_no_body_are_one_class() -> None:
    assert is_right("", frozenset({"helper"})) and is_right("left_eye", frozenset({"prop"}))
    assert not is_right("left_thigh", frozenset({"helper"})) and not is_right("left_thigh", frozenset({"right_thigh"}))
    truth = [frozenset({"left_thigh"}), frozenset({"hips", "root"}), frozenset({"left_eye"}), frozenset({"spine"})]
    found = counted(truth, [True, True, False, True])
    assert found["all"] == (3, 4) and found["leg"] == (1, 1) and found["anything else"] == (0, 1)
    assert found["hips"] == (0, 0) and found["spine"] == (1, 1)


def test_interval_of_wilson() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(10, 20) == pytest.approx((0.2993, 0.7007), abs=1e-4)
    assert wilson(20, 20) == pytest.approx((0.8389, 1.0), abs=1e-4)


def test_bodies_are_turned_and_scaled_as_one() -> None:
    """Place, frame and end of every joint go along, whatever the axes of the file are."""
    rows = [("a", "", (0.0, 1.0, 0.0), "hips"), *both([("b*", "a", (0.2, 0.5, 0.1), "*thigh")], "L", "R")]
    skeleton = Body(rows, "biped", "+Z", "-Y", unit=100.0, bone=1, tips=True).rig("body").skeleton
    up, ahead = np.array(AXES["+Z"]), np.array(AXES["-Y"])
    left = skeleton.rest_pose.global_positions[skeleton.index("bL")]
    np.testing.assert_allclose(left, 20 * np.cross(up, ahead) + 50 * up + 10 * ahead, atol=1e-4)
    assert skeleton.tip_joints.tolist() == [skeleton.index("bL"), skeleton.index("bR")]
    np.testing.assert_allclose(np.linalg.norm(skeleton.tip_offsets, axis=-1), 50 * np.sqrt(0.3), rtol=1e-5)


def test_joints_stand_where_they_are_put(rng: np.random.Generator) -> None:
    places = rng.normal(size=(5, 3))
    for bone in (-1, 0, 1, 2):
        skeleton = posed(list("abcde"), [-1, 0, 1, 1, 0], places, bone=bone)
        np.testing.assert_allclose(skeleton.rest_pose.global_positions, places, atol=1e-5)


def labels_are_sound(rigs: list[Rig]) -> None:
    for rig in rigs:
        assert set(rig.skeleton.names) == set(rig.parts), rig.name
        assert rig.plans <= PLANS and rig.up in AXES and (not rig.forward or rig.forward in AXES), rig.name
        assert {part(role) for roles in rig.parts.values() for role in roles} - {"hips"} <= set(PARTS), rig.name
        assert "legless" in rig.plans or any({part(r) for r in roles} & LEG for roles in rig.parts.values()), rig.name


def test_labels_of_generated_bodies_are_sound(rigs: list[Rig]) -> None:
    assert len(rigs) == len(BODIES) == len({rig.name for rig in rigs}) >= 24
    labels_are_sound(rigs)


def test_labels_of_changed_people_are_sound(people: list[Rig]) -> None:
    labels_are_sound(people)


@pytest.mark.slow
def test_labels_of_metarigs_are_sound(rigify: list[Rig]) -> None:
    assert len(rigify) == 8
    labels_are_sound(rigify)


def stays_right(rigs: list[Rig]) -> None:
    kept = floors()
    for way, names in (("names", True), ("nameless", False)):
        found = answers(rigs, names=names)
        assert [line for one in found for line in lost(one, kept[way][one.rig])] == [], way
        assert not [one.error for one in found if one.error]


def test_what_is_right_of_generated_bodies_stays_right(rigs: list[Rig]) -> None:
    stays_right(rigs)


def test_what_is_right_of_changed_people_stays_right(people: list[Rig]) -> None:
    stays_right(people)


@pytest.mark.slow
def test_what_is_right_of_metarigs_stays_right(rigify: list[Rig]) -> None:
    stays_right(rigify)


def test_what_is_lost_is_named() -> None:
    (good,) = answers([known_person()], names=True)
    (bad,) = answers([replace(known_person(), up="+Z")], names=True)
    count = good.joints["all"][0]
    assert floor(good) == {"joints": count, "fails": []} and floor(bad) == {"joints": count, "fails": ["up"]}
    assert lost(bad, floor(good)) == ["person: up"] and lost(good, floor(bad)) == lost(bad, floor(bad)) == []
    assert lost(good, {"joints": count + 1, "fails": []}) == [f"person: {count} joints instead of {count + 1}"]
