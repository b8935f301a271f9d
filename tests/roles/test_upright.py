"""Which way is up: feet that hang on the root, swimmers, bodies that stand along another axis, and doubtful ones."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.roles import rest_pose
from kinema.roles.upright import find_upright, find_upright_lying, nearest_axis

from .rigs import Rows, build, person, turned

SIDES = (("left", 1.0), ("right", -1.0))
NONE = np.zeros(3)


def with_pairs(rows: Rows, *pairs: tuple[str, str, tuple[float, float, float]]) -> Rows:
    """The rows with a left and a right one of each pair, `#` for the side."""
    return rows + [
        (name.replace("#", side), above.replace("#", side), (x * sign, y, z))
        for side, sign in SIDES
        for name, above, (x, y, z) in pairs
    ]


def mech(toes: bool) -> Rows:
    """Thighs point backwards; the feet hang on the root."""
    rows: Rows = [("root", "", (0, 0, 0)), ("hips", "root", (0, 1.2, 0)), ("head", "hips", (0, 1.25, 0.35))]
    rows = with_pairs(
        rows,
        ("#_thigh", "hips", (0.4, 1.1, 0)),
        ("#_shin", "#_thigh", (0.5, 1.15, -0.6)),
        ("#_foot", "root", (0.5, 0.08, 0)),
        ("#_helper", "root", (0.5, 1.2, -1.5)),
    )
    return with_pairs(rows, ("#_toe", "#_foot", (0.5, 0.02, 0.25))) if toes else rows


def crouching() -> Rows:
    """Thighs point up, as a spider's; the feet hang on the root."""
    rows: Rows = [("root", "", (0, 0, 0)), ("hips", "root", (0, 0.5, 0)), ("eye", "hips", (0, 0.6, 0.2))]
    return with_pairs(
        rows,
        ("#_thigh", "hips", (0.2, 0.5, 0)),
        ("#_shin", "#_thigh", (0.35, 0.95, 0)),
        ("#_foot", "root", (0.7, 0.02, 0)),
    )


def rat(toes: bool) -> Rows:
    rows: Rows = [
        ("root", "", (0, 0, 0)),
        ("hips", "root", (0, 0.3, -0.2)),
        ("spine", "hips", (0, 0.33, 0.05)),
        ("spine.2", "spine", (0, 0.33, 0.2)),
        ("head", "spine.2", (0, 0.36, 0.45)),
        ("tail", "hips", (0, 0.3, -0.35)),
        ("tail.2", "tail", (0, 0.25, -0.6)),
        ("tail.3", "tail.2", (0, 0.2, -0.85)),
    ]
    rows = with_pairs(
        rows,
        ("#_thigh", "hips", (0.1, 0.27, -0.2)),
        ("#_shin", "#_thigh", (0.14, 0.2, -0.05)),
        ("#_foot", "root", (0.14, 0.02, -0.18)),
        ("#_upper_arm", "spine.2", (0.09, 0.27, 0.2)),
        ("#_forearm", "#_upper_arm", (0.1, 0.16, 0.14)),
        ("#_hand", "root", (0.1, 0.02, 0.2)),
    )
    digits = ("#_toes", "#_foot", (0.14, 0.01, -0.1)), ("#_toes.2", "#_hand", (0.1, 0.01, 0.28))
    return with_pairs(rows, *digits) if toes else rows


def whale() -> Rows:
    rows: Rows = [
        ("root", "", (0, 0, 0)),
        ("spine", "root", (0, 1, 2)),
        ("spine.2", "spine", (0, 1.05, 0)),
        ("spine.3", "spine.2", (0, 1.05, -2)),
        ("tail", "spine.3", (0, 1, -4)),
        ("tail.2", "tail", (0, 1, -5.5)),
        ("head", "spine", (0, 1, 4)),
    ]
    return with_pairs(
        rows,
        ("#_fin", "spine", (0.9, 0.8, 2.2)),
        ("#_fin.2", "#_fin", (1.8, 0.5, 1.8)),
        ("#_fin.3", "#_fin.2", (2.4, 0.35, 1.4)),
        ("#_fluke", "tail.2", (0.3, 1, -5.6)),
        ("#_fluke.2", "#_fluke", (1.2, 1, -6)),
    )


def ray() -> Rows:
    rows: Rows = [("root", "", (0, 1, 0)), ("spine", "root", (0, 1, 0.3)), ("head", "spine", (0, 1, 0.8))]
    rows += [(f"tail.{n}", "root" if n == 1 else f"tail.{n - 1}", (0, 1, -0.6 * n)) for n in range(1, 5)]
    return with_pairs(
        rows,
        *((f"#_wing.{n}", "spine" if n == 1 else f"#_wing.{n - 1}", (0.5 * n - 0.1, 1, 0.1)) for n in range(1, 5)),
    )


RIGS = {
    "mech": (mech(False), "biped"),
    "mech with toes": (mech(True), "biped"),
    "crouching": (crouching(), "biped"),
    "rat": (rat(False), "quadruped"),
    "rat with toes": (rat(True), "quadruped"),
    "whale": (whale(), None),
    "ray": (ray(), None),
}


@pytest.mark.parametrize("names", [False, True], ids=["nameless", "names"])
@pytest.mark.parametrize("rig", list(RIGS))
def test_these_stand_upright(rig: str, names: bool) -> None:
    rows, plan = RIGS[rig]
    skeleton, truth = build(rows, names=names)
    roles, rest = skeleton.roles, rest_pose(skeleton)
    assert rest.up.tolist() == [0, 1, 0] and rest.sure
    if plan is not None:
        assert roles.plan == plan and truth[roles.hips] == "hips"
        assert np.allclose(rest.forward, [0, 0, 1], atol=0.05)
        left = {truth[joint]: roles.role(joint) for joint, name in enumerate(truth) if name.startswith("left_")}
        for part in ("left_thigh", "left_shin", "left_foot"):
            assert left[part] == part
    for leg in roles.legs:
        assert truth[leg.foot] == f"{leg.side}_foot" and not leg.attached and not roles.is_biped


def test_the_leg_reaches_the_foot_that_hangs_elsewhere() -> None:
    rows = [(n, "root" if n.endswith("_foot") else a, p) for n, a, p in person()]
    whole, apart = (rest_pose(build(one, names=True)[0]) for one in (person(), rows))
    assert apart.leg_length == pytest.approx(whole.leg_length - 0.15, abs=0.03)  # the ankle, not the toe
    assert apart.kind == whole.kind


@pytest.mark.parametrize("names", [False, True], ids=["nameless", "names"])
def test_thighs_without_feet_do_not_tip_the_body_but_leave_a_doubt(names: bool) -> None:
    rows = [row for row in mech(False) if not row[0].endswith(("_foot", "_helper"))]
    rest = rest_pose(build(rows, names=names)[0])
    assert rest.up.tolist() == [0, 1, 0] and not rest.sure


@pytest.mark.parametrize("axis", [[0, 0, 1], [0, -1, 0], [-1, 0, 0]], ids=str)
def test_legs_and_trunk_together_outvote_plus_y(axis: list[float]) -> None:
    rotation = {2: (2**-0.5, 2**-0.5, 0, 0), 1: (0, 1, 0, 0), 0: (2**-0.5, 0, 0, 2**-0.5)}[int(np.argmax(np.abs(axis)))]
    rest = rest_pose(build(turned(person(), rotation))[0])
    assert np.allclose(rest.up, axis) and rest.sure


def test_legs_alone_do_not() -> None:
    ahead = np.array([0.0, 0.0, 1.0])
    assert find_upright(ahead, NONE, NONE).up.tolist() == [0, 1, 0] and not find_upright(ahead, NONE, NONE).sure
    assert find_upright(ahead, -ahead, NONE).up.tolist() == [0, 0, -1]  # the trunk agrees
    assert find_upright(ahead, NONE, ahead).up.tolist() == [0, 0, -1]  # front legs agree
    assert find_upright(ahead, ahead, NONE).up.tolist() == [0, 1, 0]
    assert find_upright(0.5 * ahead, -ahead, NONE).up.tolist() == [0, 1, 0]  # such legs point apart
    assert find_upright(NONE, ahead, NONE).sure
    assert find_upright(np.array([0.0, -0.6, 0.8]), NONE, NONE).up.tolist() == [0, 1, 0]


def test_the_nearest_axis() -> None:
    assert nearest_axis(np.array([0.1, -0.9, 0.3])).tolist() == [0, -1, 0]
    assert nearest_axis(NONE).tolist() == [0, 1, 0]


def test_a_body_without_legs_on_one_line_is_upright() -> None:
    along = [[0, 0, 0.5 * joint] for joint in range(5)]
    line = Skeleton.create(
        ["hips", "spine", "spine2", "neck", "head"], [-1, 0, 1, 2, 3], np.diff(along, axis=0, prepend=0)
    )
    assert rest_pose(line).up.tolist() == [0, 1, 0]


def test_a_body_without_legs_lies_across_up() -> None:
    ahead, side, none = np.eye(3)[2], np.eye(3)[0], np.zeros((1, 3))
    assert find_upright_lying(none, ahead, side, NONE).up.tolist() == [0, 1, 0]
    up = find_upright_lying(none, -np.eye(3)[1], side, 0.2 * np.eye(3)[2])
    assert up.up.tolist() == [0, 0, -1] and up.sure  # its fins point to +Z
    assert find_upright_lying(none, side, np.eye(3)[1], NONE).up.tolist() == [0, 0, 1]
    standing = find_upright_lying(none, np.eye(3)[1], NONE, NONE)
    assert standing.up.tolist() == [0, 1, 0] and not standing.sure
    assert find_upright_lying(none, -np.eye(3)[1], NONE, NONE).up.tolist() == [0, 0, 1]


def test_a_snake_winds_from_side_to_side() -> None:
    along = np.arange(12.0)
    winding = np.stack([along, 0.5 * np.sin(along), np.zeros(12)], axis=1)
    assert find_upright_lying(winding, winding[-1], NONE, NONE).up.tolist() == [0, 0, 1]
    assert find_upright_lying(winding[:, [0, 2, 1]], winding[-1], NONE, NONE).up.tolist() == [0, 1, 0]
