"""Rigs taken apart by shape."""

from __future__ import annotations

import pytest

from kinema.generation.limbs import BodyLimbs
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import make_creature


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
