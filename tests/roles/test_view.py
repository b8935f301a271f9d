"""The view of a body as a biped."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.errors import SkeletonError
from kinema.roles import carrier, require_biped

from .rigs import Rows, bird, build, dog, on_floor_root, person


def test_hips_spine_neck_head_legs_and_arms_of_a_person() -> None:
    skeleton, truth = build(person(), seed=6)
    roles = skeleton.roles
    assert truth[roles.hips] == "hips" and [truth[joint] for joint in roles.spine] == ["spine"] * 3
    assert [skeleton.parents[joint] for joint in roles.spine] == [roles.hips, *roles.spine[:-1]]
    assert roles.neck is not None and truth[roles.neck] == "neck"
    assert roles.head is not None and truth[roles.head] == "head"
    assert [leg.side for leg in roles.legs] == [arm.side for arm in roles.arms] == ["left", "right"]
    for leg in roles.legs:
        assert leg.toe is not None
        assert [truth[joint] for joint in (leg.upper, leg.lower, leg.foot, leg.toe)] == [
            f"{leg.side}_{part}" for part in ("thigh", "shin", "foot", "toe")
        ]
    for arm in roles.arms:
        assert arm.shoulder is not None
        assert [truth[joint] for joint in (arm.shoulder, arm.upper, arm.lower, arm.hand)] == [
            f"{arm.side}_{part}" for part in ("shoulder", "upper_arm", "forearm", "hand")
        ]


def test_the_carrier_carries_hips_and_legs() -> None:
    for rows, expected in ((person(), "hips"), (on_floor_root(), "root"), (dog(), "hips")):
        skeleton, truth = build(rows, seed=3)
        assert truth[carrier(skeleton)] == expected


def test_a_dog_has_chains_but_no_view_of_two_legs() -> None:
    roles = build(dog(), names=True)[0].roles
    assert not roles.legs and not roles.arms and not roles.is_biped and roles.head is not None
    assert roles.chain("left_leg") is not None and roles.chain("left_front_leg") is not None


def test_a_bird_walks_on_two_legs() -> None:
    assert build(bird())[0].roles.is_biped


def test_the_first_digit_is_the_toe_of_a_foot_without_a_ball() -> None:
    rows: Rows = []
    for name, above, at in person():
        if name.endswith("_toe"):
            side, x = (1, "left") if at[0] > 0 else (-1, "right")
            rows += [(f"{x}_toes.{n}", f"{x}_foot", (at[0] + 0.02 * side * (n - 2), 0.02, 0.11)) for n in range(4)]
        else:
            rows.append((name, above, at))
    skeleton, truth = build(rows)
    for leg in skeleton.roles.legs:
        assert leg.toe is not None and truth[leg.toe] == f"{leg.side}_toes"


def test_legs_without_feet_or_of_two_trees_are_no_view() -> None:
    stumps = [row for row in person() if not row[0].endswith(("_foot", "_toe"))]
    assert not build(stumps, names=True)[0].roles.legs
    parted = [(n, "" if n.endswith("_thigh") else a, p) for n, a, p in person()]
    skeleton, _ = build(parted, names=True)
    assert not skeleton.roles.legs


def test_a_biped_is_required_with_a_telling_error() -> None:
    assert require_biped(build(person())[0]).is_biped
    with pytest.raises(SkeletonError, match=r"no legs.*'quadruped'.*hips, spine.*roles file"):
        require_biped(build(dog(), names=True)[0])
    lone = Skeleton.create(["a"], [-1], np.zeros((1, 3)))
    with pytest.raises(SkeletonError):
        require_biped(lone)
