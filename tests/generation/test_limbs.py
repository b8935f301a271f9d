"""Rigs taken apart by shape."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.generation.limbs import BodyLimbs
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import make_creature
from kinema.skeleton import Skeleton


@pytest.mark.parametrize(("name", "pairs"), [("person", 2), ("spider", 4), ("crab", 5), ("eagle", 2), ("snake", 0)])
def test_limbs_are_pairs(name: str, pairs: int) -> None:
    creature = make_creature(name)
    rig = AnyRig.of(creature.skeleton)
    limbs = BodyLimbs(rig)
    long = [pair for pair in limbs.pairs if len(pair.shown.joints) > 2]
    assert len(long) == pairs
    for pair in long:
        assert pair.left is not None and pair.right is not None
        assert rig.rest_positions[pair.left.joints[-1], 0] > 0 > rig.rest_positions[pair.right.joints[-1], 0]


def test_the_axis_leads_from_the_tail_to_the_head(dog: AnyRig) -> None:
    limbs, names = BodyLimbs(dog), dog.skeleton.names
    axis = [names[dog.joints[joint]] for joint in limbs.axis]
    assert axis[-1] == "head" and axis[0].startswith("tail") and axis[limbs.root] == names[dog.joints[0]]
    tops = {names[dog.joints[pair.shown.joints[0]]]: limbs.along[limbs.place(pair.shown)] for pair in limbs.pairs}
    hind = next(along for name, along in tops.items() if name.startswith("leg_left"))
    front = next(along for name, along in tops.items() if name.startswith("front_leg_left"))
    assert hind == 0.0 < front < 1.0


def with_tail(skeleton: Skeleton, way: list[float], start: list[float]) -> AnyRig:
    """A rig whose tail is thrice as long and leads another way, from elsewhere."""
    moved = skeleton.rest_translations.copy()
    tail = [joint for joint, name in enumerate(skeleton.names) if name.startswith("tail")]
    for joint in tail:
        moved[joint] = 3.0 * np.linalg.norm(moved[joint]) * np.asarray(way)
    moved[tail[0]] += start
    return AnyRig.of(Skeleton.create(skeleton.names, skeleton.parents, moved, skeleton.rest_rotations))


@pytest.mark.parametrize(
    ("way", "start"), [([0, -1, 0], [0, 0, 0]), ([0, 1, 0], [0, 0, 0]), ([0, 0, -1], [0.25, 0, 0])]
)
def test_tails_that_droop_or_are_raised_or_askew_are_tails(way: list[float], start: list[float]) -> None:
    rig = with_tail(make_creature("horse").skeleton, way, start)
    axis = [rig.skeleton.names[rig.joints[joint]] for joint in BodyLimbs(rig).axis]
    assert axis[0].startswith("tail") and "head" in axis


def test_the_axis_goes_on_to_the_head_where_limbs_hang_on_a_joint_beside_it() -> None:
    names = ["hips", "spine", "neck", "head", "anchor", "leg_left", "foot_left", "leg_right", "foot_right"]
    places = [[0, 1, 0], [0, 0, 0.3], [0, 0, 0.2], [0, 0, 0.2], [0, 0, 0.1]]
    places += [[0.4, 0.3, 0], [0.6, -1.3, 0], [-0.4, 0.3, 0], [-0.6, -1.3, 0]]
    rig = AnyRig.of(Skeleton.create(names, [-1, 0, 1, 2, 1, 4, 5, 4, 7], places))
    assert [rig.skeleton.names[rig.joints[joint]] for joint in BodyLimbs(rig).axis] == ["hips", "spine", "neck", "head"]
