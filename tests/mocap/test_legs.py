"""Legs of bodies with any number of feet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import Motion
from kinema.errors import SkeletonError
from kinema.mocap.contacts import contact_joints, leg_length
from kinema.mocap.legs import find_legs

Crawler = Callable[..., Motion]


@pytest.mark.parametrize("pairs", [2, 3, 4])
def test_each_foot_has_its_leg(crawler: Crawler, pairs: int) -> None:
    skeleton = crawler(pairs).skeleton
    toes = contact_joints(skeleton)
    assert len(toes) == 2 * pairs
    for leg in find_legs(skeleton, toes):
        upper, lower, foot, toe = leg.tolist()
        assert foot == toe
        assert skeleton.ancestors(toe)[:2] == [lower, upper]


def test_a_leg_starts_below_its_shoulder_and_bends_where_it_is_halved(data_dir: Path) -> None:
    skeleton = kinema.load(data_dir / "any_topology/mesh2motion/spider-animations.glb").motions[0].skeleton
    legs = find_legs(skeleton, contact_joints(skeleton))
    names = [[skeleton.names[joint] for joint in leg] for leg in legs.tolist()]
    assert ["leg_a_1_l", "leg_a_2_l", "leg_a_3_l", "leg_a_tip_l"] in names
    assert len(names) == 8


def test_the_length_of_legs_is_that_of_their_bones(crawler: Crawler) -> None:
    skeleton = crawler(3).skeleton
    legs = find_legs(skeleton, contact_joints(skeleton))
    bones = skeleton.bone_lengths[legs[:, 1]] + skeleton.bone_lengths[legs[:, 2]]
    assert leg_length(skeleton) == pytest.approx(float(bones.mean()), rel=1e-5)


def test_a_body_without_legs_has_none(crawler: Crawler) -> None:
    skeleton = crawler(2).skeleton
    with pytest.raises(SkeletonError, match="does not end a leg"):
        find_legs(skeleton, np.array([skeleton.index("tail_tip")]))
