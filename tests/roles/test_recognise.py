"""The recogniser on bodies without names, and with hints."""

from __future__ import annotations

import time

import numpy as np
import pytest

from kinema import Skeleton
from kinema.roles import find_roles
from kinema.roles.clues import hinted

from .rigs import build, dog, person, right, snake, spider

BODIES = {"person": (person, "biped", 0.95), "dog": (dog, "quadruped", 0.95), "spider": (spider, "many-legged", 0.9)}


def found(skeleton: Skeleton) -> list[str]:
    roles = find_roles(skeleton)
    return [roles.role(joint) for joint in range(skeleton.joint_count)]


@pytest.mark.parametrize("body", list(BODIES))
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"seed": 1},
        {"seed": 2, "frames": True},
        {"seed": 3, "scale": 100.0},
        {"seed": 4, "mirrored": True},
        {"seed": 5, "scale": 0.01, "frames": True, "mirrored": True},
    ],
    ids=str,
)
def test_bodies_without_names(body: str, change: dict) -> None:
    make, plan, share = BODIES[body]
    skeleton, truth = build(make(), **change)
    assert find_roles(skeleton).plan == plan
    assert right(found(skeleton), truth) >= share


@pytest.mark.parametrize("body", list(BODIES))
def test_order_and_names_do_not_change_what_is_found_without_names(body: str) -> None:
    rows = BODIES[body][0]()
    plain, _ = build(rows)
    first = {
        tuple(np.round(p, 4)): role for p, role in zip(plain.rest_pose.global_positions, found(plain), strict=True)
    }
    for seed in range(3):
        other, _ = build(rows, seed=seed, frames=True)
        for position, role in zip(other.rest_pose.global_positions, found(other), strict=True):
            near = min(first, key=lambda p: float(np.linalg.norm(np.subtract(p, position))))
            assert first[near] == role


def test_a_snake_has_no_limbs() -> None:
    roles = find_roles(build(snake())[0])
    assert roles.plan == "legless" and not roles.legs and not roles.is_biped


def test_a_dog_named_like_a_person_is_a_quadruped_by_its_shape() -> None:
    said = {
        "thigh": "UpLeg",
        "shin": "Leg",
        "foot": "Foot",
        "toe": "ToeBase",
        "upper_arm": "Arm",
        "forearm": "ForeArm",
        "hand": "Hand",
        "ear": "Ear",
    }
    rows = []
    rename = {}
    for name, parent, at in dog():
        side, _, part = name.partition("_")
        rename[name] = (
            f"{side.title()}{said[part.partition('.')[0]]}{part[-1:] if '.' in part else ''}" if part else name
        )
        rows.append((rename[name], rename.get(parent, ""), at))
    order = [row[0] for row in rows]
    at = np.array([row[2] for row in rows], float)
    parents = [order.index(row[1]) if row[1] else -1 for row in rows]
    moves = at - np.where(np.array(parents)[:, None] >= 0, at[parents], 0)
    roles = find_roles(Skeleton.create(order, parents, moves))
    assert roles.plan == "quadruped" and not roles.is_biped
    assert roles.role(order.index("LeftArm")) == "left_upper_arm"
    assert {"left_leg", "left_front_leg", "tail"} <= {chain.name for chain in roles.chains}


def test_partners_are_an_involution_across_the_middle() -> None:
    skeleton, truth = build(person(), seed=7)
    partners = find_roles(skeleton).partners
    assert (partners[partners] == np.arange(len(truth))).all()
    for joint, partner in enumerate(partners.tolist()):
        if truth[joint].startswith("left_"):
            assert truth[partner] == "right_" + truth[joint][5:]


def test_a_hint_overrules_and_is_certain() -> None:
    skeleton, truth = build(person())
    names = {skeleton.names[truth.index("left_hand")]: "prop", skeleton.names[0]: "no such role"}
    told = skeleton.with_hints(names)
    roles = told.roles
    joint = truth.index("left_hand")
    assert roles.role(joint) == "prop" and roles.confidence[joint] == 1 and roles.found_by == "hints"
    assert list(hinted(told).values()) == [("prop", None)]


def test_a_hinted_side_turns_the_whole_body() -> None:
    skeleton, truth = build(person())
    joint = truth.index("left_thigh")
    turned = skeleton.with_hints({skeleton.names[joint]: "right_thigh"}).roles
    assert turned.role(truth.index("left_foot")) == "right_foot"
    assert turned.role(truth.index("right_hand")) == "left_hand"


def test_names_that_only_count_tell_the_limb_and_shape_its_segments() -> None:
    skeleton, truth = build(person(), names=True)
    limbs = {
        "thigh": "leg_1",
        "shin": "leg_2",
        "foot": "leg_3",
        "toe": "leg_4",
        "upper_arm": "arm_1",
        "forearm": "arm_2",
        "hand": "arm_3",
    }
    names = []
    for name in skeleton.names:
        side, _, part = name.partition("_")
        names.append(f"{limbs[part]}_{side[0].upper()}" if part in limbs else name)
    counted = Skeleton.create(names, skeleton.parents, skeleton.rest_translations, skeleton.rest_rotations)
    assert right(found(counted), truth) == 1


def test_the_side_of_a_copy_is_not_believed() -> None:
    rows = [
        (n.replace("right_upper_arm", "left_upper_arm.001"), a.replace("right_upper_arm", "left_upper_arm.001"), p)
        for n, a, p in dog()
        if not n.startswith("right_hand")
    ]
    skeleton, _ = build(rows, names=True)
    roles = skeleton.roles
    copy = skeleton.index("left_upper_arm.001")
    assert roles.role(copy) == "right_upper_arm" and roles.plan == "quadruped"
    assert roles.partners[copy] == skeleton.index("left_upper_arm")


@pytest.mark.parametrize("shape", ["star", "roots", "chain", "binary"])
def test_hostile_trees_are_quick(shape: str) -> None:
    count = 5000
    numbers = np.arange(count)
    parents = {
        "star": np.where(numbers == 0, -1, 0),
        "roots": np.full(count, -1),
        "chain": numbers - 1,
        "binary": (numbers + 1) // 2 - 1,
    }[shape]
    moves = np.random.default_rng(0).normal(size=(count, 3))
    skeleton = Skeleton.create([f"j{number}" for number in numbers], parents, moves)
    start = time.process_time()
    find_roles(skeleton)
    assert time.process_time() - start < 4
