import numpy as np
import pytest

from kinema.mocap.creatures.dice import Dice
from kinema.mocap.creatures.names import JointKey
from kinema.mocap.creatures.rig import RigDraft
from kinema.mocap.creatures.shapes import arc, arthropod_legs, head, limb, line, root, tail, vec


def draft():
    rig = RigDraft()
    return rig, rig.add(JointKey("hips"), -1, [0.0, 1.0, 0.0])


def test_lines_are_even():
    places = line(vec(0, 0, 0), vec(0, 0, 3), 3)
    np.testing.assert_allclose(places[:, 2], [0, 1, 2, 3])


@pytest.mark.parametrize("back", [False, True])
def test_arcs_have_their_length_pitch_and_bend(back):
    places = arc(vec(0, 1, 0), 2.0, 0.3, 0.4, 40, back)
    steps = np.diff(places, axis=0)
    assert np.linalg.norm(steps, axis=-1).sum() == pytest.approx(2.0)
    pitch = np.arctan2(steps[:, 1], (-1 if back else 1) * steps[:, 2])
    assert pitch[0] == pytest.approx(0.3, abs=0.01) and pitch[-1] == pytest.approx(0.7, abs=0.01)


def test_heads_have_jaws_below_and_ears_above():
    rig, hips = draft()
    joint = head(rig, Dice(None, {}), hips, vec(0, 1.2, 0.5), 0.4, ears=0.5)
    groups = {kind: joints for kind, _, _, joints in rig.groups}
    assert rig.places[groups["jaw"][0]][1] < rig.places[joint][1] < rig.places[groups["ear"][0]][1]
    assert "ear" not in {kind for kind, *_ in _head(ears=0.0).groups}


def _head(**options):
    rig, hips = draft()
    head(rig, Dice(None, {}), hips, vec(0, 1.2, 0.5), 0.4, **options)
    return rig


def test_roots_may_have_a_joint_on_the_ground():
    for above in (False, True):
        rig = RigDraft()
        hips = root(rig, Dice(None, {"root": above}), vec(0, 1, 0))
        assert rig.groups == [("root", 0, 0, (hips,))] and hips == int(above)


def test_tails_lead_backward_and_none_has_no_joints():
    rig, hips = draft()
    tail(rig, Dice(None, {}), hips, vec(0, 1, 0), 0.0, 0.0, 0.0, 4)
    assert len(rig.keys) == 1
    tail(rig, Dice(None, {}), hips, vec(0, 1, 0), 1.0, 0.0, 0.0, 4)
    assert (np.diff([place[2] for place in rig.places]) < 1e-9).all() and len(rig.keys) == 5


def test_twists_are_halfway_and_digits_beside_the_toes():
    rig, hips = draft()
    points = [vec(0.1, 1, 0), vec(0.1, 0.5, 0), vec(0.1, 0.1, 0), vec(0.1, 0, 0.2)]
    limb(rig, Dice(None, {"twists": 1, "digits": 1}), "leg", ["thigh", "shin", "foot"], hips, points)
    parts = [key.part for key in rig.keys if key.side > 0]
    assert parts == ["thigh", "thigh_twist", "shin", "foot", "digit", "digit"]
    twist = next(at for at, key in enumerate(rig.keys) if key.part == "thigh_twist")
    np.testing.assert_allclose(rig.places[twist], [0.1, 0.75, 0.0])


def test_legs_of_arthropods_rise_to_a_knee_and_reach_the_ground():
    rig, hips = draft()
    at = np.asarray([[0.1, 0.3, 0.1], [0.1, 0.3, -0.1]])
    arthropod_legs(rig, Dice(None, {}), [hips] * 2, at, 0.5, np.asarray([1.0, 2.0]), 0.2)
    legs = [joints for kind, _, _, joints in rig.groups if kind == "leg"]
    assert len(legs) == 4
    for joints in legs:
        height = [rig.places[joint][1] for joint in joints]
        assert max(height) == pytest.approx(0.5) and height[-1] < 0.02
    foot = rig.places[legs[0][-1]] - at[0]
    assert np.arctan2(foot[0], foot[2]) == pytest.approx(1.0)
