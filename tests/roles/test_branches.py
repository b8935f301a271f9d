"""Joints off the chains: what they are by name and by what they hang on."""

from __future__ import annotations

import pytest

from .rigs import Rows, bird, build, dog, person, renamed, snake

SIDES = (("left", 1), ("right", -1))


def taken(rows: Rows, role: str, names: bool = False) -> tuple[set[str], set[bool]]:
    """What the joints of a role in the truth were taken for, and whether that is sure."""
    skeleton, truth = build(rows, names=names)
    roles = skeleton.roles
    joints = [joint for joint, right in enumerate(truth) if right == role]
    return {roles.role(joint) for joint in joints}, {bool(roles.confidence[joint] > 0.6) for joint in joints}


def both(part: str, above: str, at: tuple[float, float, float]) -> Rows:
    return [
        (f"{side}_{part}", f"{side}_{above}" if above != "head" else above, (at[0] * x, *at[1:])) for side, x in SIDES
    ]


def test_pairs_on_the_head_are_eyes_and_ears_and_the_lone_one_below_is_the_jaw() -> None:
    rows = person() + both("eye", "head", (0.03, 1.68, 0.1)) + [("jaw", "head", (0, 1.58, 0.05))]
    assert taken(rows, "left_eye")[0] == {"left_eye"} and taken(rows, "jaw")[0] == {"jaw"}
    assert taken(dog(), "right_ear")[0] == {"right_ear"}
    assert taken([*person(), ("top", "head", (0, 1.8, 0.02))], "top")[0] == {"helper"}


def test_a_leaf_on_a_segment_turns_with_it() -> None:
    for part, at in (("forearm", (0.6, 1.43, 0)), ("thigh", (0.12, 0.7, 0))):
        rows = person() + both("extra", part, at)
        assert taken(rows, "left_extra") == ({"left_twist"}, {False})


def test_what_branches_off_a_birds_arm_is_wing_and_off_a_persons_is_not() -> None:
    assert taken(bird(), "left_wing")[0] == {"left_wing"}
    assert taken(person() + both("extra", "hand", (0.75, 1.5, 0)), "left_extra")[0] != {"left_wing"}


def test_names_of_no_segment_are_taken_at_their_word() -> None:
    rows = person() + both("ear", "head", (0.08, 1.7, 0)) + [("sword", "right_hand", (-0.8, 1.3, 0.1))]
    assert taken(rows, "sword", names=True) == ({"right_prop"}, {True})
    assert taken(rows, "left_ear", names=True) == ({"left_ear"}, {True})


def test_a_second_bone_of_a_segment_by_name_is_a_twist() -> None:
    rows = renamed(person() + both("spare", "forearm", (0.6, 1.43, 0)), {"spare": "forearm_2"})
    assert taken(rows, "left_forearm_2", names=True)[0] == {"left_twist"}


def test_pairs_on_a_snake_are_fins() -> None:
    rows = snake()
    x, y, z = rows[4][2]
    rows += [(f"{side}_fin", "spine.4", (x + 0.15 * way, y, z)) for side, way in SIDES]
    assert taken(rows, "left_fin")[0] <= {"left_fin", "right_fin"}


@pytest.mark.parametrize("named", [False, True])
def test_feet_that_hang_on_the_root_are_feet(named: bool) -> None:
    rows = [(n, "root" if n.endswith("_foot") else a, p) for n, a, p in person()]
    found, _ = taken(rows, "left_foot", names=named)
    assert found == {"left_foot"}


def test_names_of_ends_are_helpers() -> None:
    rows: Rows = [*person(), ("head_end", "head", (0, 1.8, 0.02))]
    assert taken(rows, "head_end", names=True) == ({"helper"}, {True})
