import numpy as np
import pytest

from kinema.mocap.creatures.dice import Dice
from kinema.mocap.creatures.mammals import biped, bird, quadruped, theropod, winged
from kinema.mocap.creatures.rig import RigDraft


def built(plan, preset=None, *extra):
    rig = RigDraft()
    plan(rig, Dice(None, preset or {}), *extra)
    return rig, {kind: [joints for group, _, _, joints in rig.groups if group == kind] for kind, *_ in rig.groups}


@pytest.mark.parametrize(("posture", "count"), [("digitigrade", 4), ("unguligrade", 5), ("plantigrade", 4)])
def test_quadrupeds_stand_as_their_posture_says(posture, count):
    rig, groups = built(quadruped, None, posture)
    hind = groups["leg"][0]
    assert len(hind) == count
    height = np.asarray([rig.places[joint][1] for joint in hind])
    heel = {"digitigrade": 2, "unguligrade": 2, "plantigrade": 2}[posture]
    assert (height[heel] > 0.2 * height[0]) == (posture != "plantigrade")
    assert (np.diff(height) < 0).all()


def test_wings_are_on_the_shoulders_of_griffins_and_birds():
    for plan in (winged, bird):
        rig, groups = built(plan)
        assert len(groups["wing"]) == 2
        left = rig.places[groups["wing"][0][-1]]
        assert left[0] > 3 * rig.places[groups["leg"][0][0]][0]


def test_bipeds_stand_upright_and_theropods_level():
    for plan, upright in ((biped, True), (theropod, False)):
        rig, groups = built(plan)
        way = rig.places[groups["head"][0][0]] - rig.places[groups["root"][0][0]]
        assert (way[1] > 2 * abs(way[2])) == upright
        assert ("tail" in groups) != upright


def test_presets_change_proportions_and_leave_parts_out():
    short, tall = (built(theropod, {"height": height})[0].places for height in (0.5, 1.0))
    np.testing.assert_allclose(np.asarray(tall)[:, 1].max(), 2 * np.asarray(short)[:, 1].max(), rtol=1e-6)
    assert "arm" not in built(theropod, {"arms": 0})[1]
