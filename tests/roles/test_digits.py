"""Fingers."""

from __future__ import annotations

import pytest

from kinema import Skeleton
from kinema.roles.digits import name_digits
from kinema.roles.tree import look
from kinema.roles.vocabulary import read_name

from .rigs import build, person


@pytest.mark.parametrize("change", [{}, {"seed": 3, "frames": True}, {"mirrored": True}, {"scale": 50.0}], ids=str)
def test_the_thumb_is_the_odd_one_and_the_others_follow(change: dict) -> None:
    skeleton, truth = build(person(), **change)
    tree = look(skeleton)
    hand = truth.index("left_hand")
    roots = sorted(skeleton.children[hand])
    parts, told = name_digits(tree, hand, roots, [read_name(name) for name in skeleton.names])
    assert not told
    assert {root: f"left_{part}" for root, part in parts.items()} == {root: truth[root] for root in roots}


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (
            ["Bip01 L Finger0", "Bip01 L Finger1", "Bip01 L Finger2", "Bip01 L Finger3", "Bip01 L Finger4"],
            ["thumb", "index", "middle", "ring", "little"],
        ),
        (["finger1-1.L", "finger2-1.L", "finger3-1.L"], ["thumb", "index", "middle"]),
        (["LeftHandPinky1", "LeftHandThumb1"], ["little", "thumb"]),
        (["LeftFingerBase", "LThumb"], ["finger", "thumb"]),
    ],
)
def test_names_and_numbers_tell(names: list[str], parts: list[str]) -> None:
    skeleton = Skeleton.create(
        ["hand", *names], [-1] + [0] * len(names), [[0, 0, 0]] + [[n, 1, 0] for n in range(len(names))]
    )
    found, told = name_digits(look(skeleton), 0, list(range(1, len(names) + 1)), [read_name(n) for n in skeleton.names])
    assert told and list(found.values()) == parts
