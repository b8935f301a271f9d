"""Hinges that are one joint of the body, and what names say along a limb."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.roles.limb_reading import follow
from kinema.roles.recognise import begin

from .rigs import Rows, build, person

X, Y, Z = np.eye(3)
SLANTED = (Y - Z) / np.sqrt(2)
NOTHING: dict[str, float] = {}


@pytest.mark.parametrize(
    ("axes", "firsts"),
    [
        ([X, Z, Y, X, X, Z], [0, 0, 0, 3, 4, 4]),  # hip pitch, roll, yaw; knee; ankle pitch, roll
        ([Y, Z, X, X, X, Z], [0, 0, 0, 3, 4, 4]),  # the yaw first
        ([SLANTED, Z, X, X], [0, 0, 0, 3]),  # a yaw that is slanted
        ([X, -X, Z], [0, 1, 1]),  # the same axis the other way round
        ([X, None, Z, Y], [0, 1, 2, 2]),  # a joint of three axes between
        ([None, None], [0, 1]),
    ],
    ids=["hip first", "yaw first", "slanted", "turned", "ball joint", "none"],
)
def test_hinges_are_one_joint_until_an_axis_comes_again(axes: list, firsts: list[int]) -> None:
    path = [10 * (place + 1) for place in range(len(axes))]
    known = {joint: axis for joint, axis in zip(path, axes, strict=True) if axis is not None}
    found = follow(path, [NOTHING] * len(path), known)
    assert [path.index(found.get(joint, joint)) for joint in path] == firsts


def test_names_part_and_keep_together() -> None:
    said = [{"forearm": 1.0}, {"hand": 1.0}, {"hand": 1.0}, {"hand": 1.0}]
    axes = dict(enumerate([X, Y, Y, Z]))
    assert follow([0, 1, 2, 3], said, axes) == {2: 1, 3: 1}
    weak = [{"thigh": 0.6, "shin": 0.6}] * 3  # "leg" tells nothing
    assert follow([0, 1, 2], weak, dict(enumerate([X, Z, X]))) == {1: 0}


def test_partners_names_count_too() -> None:
    skeleton, truth = build(person(), names=True)
    draft = begin(skeleton)
    hand, other = truth.index("left_hand"), truth.index("right_hand")
    draft.evidence[hand] = draft.evidence[truth.index("root")]
    said = draft.said(hand, "arm")
    assert said["hand"] == draft.evidence[other].parts["hand"] == 1.0
    assert draft.said(truth.index("left_foot"), "front_leg")["hand"] == 1.0, "in the words of the limb"


def test_three_alike_in_a_row_are_digits_and_two_are_not() -> None:
    def rows(count: int) -> Rows:
        kept: Rows = [row for row in person() if not row[0].endswith("_toe")]
        return kept + [
            (f"{side}_toes.{n}", f"{side}_foot", (x + 0.02 * n, 0.02, 0.11))
            for side, x in (("left", 0.1), ("right", -0.12))
            for n in range(count)
        ]

    for count in (2, 3, 4):
        skeleton, truth = build(rows(count))
        draft = begin(skeleton)
        toes = [joint for joint, role in enumerate(truth) if role == "left_toes"]
        assert [draft.in_row(joint) for joint in toes] == [count >= 3] * count
        assert not draft.in_row(truth.index("left_shin"))
