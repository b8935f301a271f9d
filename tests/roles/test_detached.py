"""Feet and hands that hang on a root, on a joint on the floor or on none."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.roles import rest_pose
from kinema.roles.clues import gather
from kinema.roles.detached import _matched, find_detached
from kinema.roles.limbs import find_limbs

from .rigs import Rows, bird, build, dog, person

SIDES = (("left", 1.0), ("right", -1.0))


def joins(skeleton: Skeleton, truth: list[str]) -> dict[str, str]:
    clues = gather(skeleton, None, {}, {})
    return {truth[foot]: truth[joint] for foot, joint in find_detached(clues, find_limbs(clues)).items()}


def hung(rows: Rows, *parts: str, on: str = "root") -> Rows:
    """The rows with some parts of both sides on another joint."""
    return [(name, on if name.endswith(parts) else above, at) for name, above, at in rows]


def on_controls(rows: Rows) -> Rows:
    """The rows with each foot on a joint of its own on the floor."""
    places = {name: at for name, _, at in rows}
    controls = [(f"{side}_", "root", (*places[f"{side}_foot"][:1], 0.0, -0.02)) for side, _ in SIDES]
    moved = [(name, name[:-4] if name.endswith("_foot") else above, at) for name, above, at in rows]
    return [moved[0], *controls, *moved[1:]]


def marked(rows: Rows) -> Rows:
    """The rows with a joint at the end of each shin."""
    places = {name: at for name, _, at in rows}
    return rows + [(f"{side}_helper", f"{side}_shin", places[f"{side}_foot"]) for side, _ in SIDES]


FEET = {"left_foot": "left_shin", "right_foot": "right_shin"}
HANDS = {"left_hand": "left_forearm", "right_hand": "right_forearm"}


@pytest.mark.parametrize("names", [False, True], ids=["nameless", "names"])
@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (hung(person(), "_foot"), FEET),
        (hung(person(), "_foot", on=""), FEET),
        (hung(person(), "_foot", "_hand"), FEET | HANDS),
        (on_controls(person()), FEET),
        (marked(hung(person(), "_foot")), FEET),
        (person(), {}),
        (dog(), {}),
        (bird(), {}),
    ],
    ids=["root", "roots", "hands too", "controls", "marked", "person", "dog", "bird"],
)
def test_feet_and_hands_belong_to_their_limbs(rows: Rows, found: dict[str, str], names: bool) -> None:
    assert joins(*build(rows, names=names)) == found


@pytest.mark.parametrize("names", [False, True], ids=["nameless", "names"])
def test_a_person_with_feet_on_the_root_is_read_as_if_they_were_not(names: bool) -> None:
    skeleton, truth = build(hung(person(), "_foot", "_hand"), names=names, seed=2)
    roles, rest = skeleton.roles, rest_pose(skeleton)
    assert [roles.role(joint) for joint in range(len(truth))] == truth
    assert roles.plan == "biped" and not any(leg.attached for leg in roles.legs)
    assert np.allclose(rest.up, [0, 1, 0]) and np.allclose(rest.forward, [0, 0, 1], atol=1e-3)
    assert [truth[joint] for joint in roles.chain("left_leg").joints] == ["left_thigh", "left_shin"]  # type: ignore[union-attr]


def test_targets_beside_whole_limbs_stay_targets() -> None:
    places = {name: at for name, _, at in person()}
    targets: Rows = []
    for side, sign in SIDES:
        targets.append((f"{side}_", "root", places[f"{side}_foot"]))
        targets.append((f"{side}_.knee", "root", (0.1 * sign, 0.5, 0.6)))
    assert joins(*build(person() + targets)) == {}


def test_a_target_in_front_of_the_knee_is_no_foot() -> None:
    knees: Rows = [(f"{side}_", "root", (0.1 * sign, 0.5, 0.6)) for side, sign in SIDES]
    assert joins(*build(hung(person(), "_foot") + knees)) == FEET


def test_front_and_hind_feet_are_not_exchanged() -> None:
    rows: Rows = [("root", "", (0, 0, 0)), *(row if row[1] else ("hips", "root", row[2]) for row in dog())]
    found = joins(*build(hung(rows, "_foot", "_hand")))
    assert found == FEET | HANDS


def test_legs_are_no_feet_of_wings() -> None:
    """Wings of three bones in a T-pose, with nothing but the legs on the floor."""
    rows = [("root", "", (0, 0, 0)), *(row if row[1] else ("hips", "root", row[2]) for row in bird())]
    rows = [(name, "root" if name.endswith("_thigh") else above, at) for name, above, at in rows]
    assert joins(*build([row for row in rows if "_wing" not in row[0]])) == {}


def test_feet_are_exchanged_where_that_fits_all_limbs_better() -> None:
    """Both limbs are nearest to the same foot; the first of them has another one almost as near."""
    costs = {(1, 10): 0.4, (1, 20): 1.4, (2, 10): 2.2, (2, 20): 3.4}
    assert _matched(costs, {10: 10, 20: 20}) == {1: 20, 2: 10}
    assert _matched(costs | {(2, 20): 3.0}, {10: 10, 20: 20}) == {1: 10, 2: 20}
    assert _matched({(1, 2): 0.1, (2, 1): 0.2}, {1: 1, 2: 2}) == {1: 2}, "what gets a foot is none"
