"""The body as capsules."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.retargeting.capsules import RADII, _gap, body_capsules


def test_nothing_is_inside_at_rest_and_a_hand_in_the_belly_is(biped: Skeleton, depth) -> None:
    capsules = body_capsules(biped)
    assert capsules is not None
    assert depth(capsules, biped, biped.rest_rotations).max() <= 1e-6
    roles = biped.roles
    arm = roles.arms[0]
    local = biped.rest_rotations.copy()
    # The arm of the T-pose down along the side and the forearm across the belly.
    local[arm.upper] = rotations.from_axis_angle(np.array([0, 0, 1], np.float32), np.float32(-1.5))
    local[arm.lower] = rotations.from_axis_angle(np.array([0, 0, 1], np.float32), np.float32(-1.5))
    inside = depth(capsules, biped, local)
    deepest = capsules.pairs[inside.argmax()]
    parts = {roles.parts[capsules.joints[c]] for c in deepest}
    assert inside.max() > 0.03 and parts & {"forearm", "hand"} and parts & {"hips", "spine"}


def test_pairs_are_limbs_with_what_they_can_run_into(biped: Skeleton) -> None:
    capsules = body_capsules(biped, 7.0)
    assert capsules is not None and capsules.weight == 7.0
    roles = biped.roles
    for a, b in capsules.pairs:
        one, other = capsules.joints[a], capsules.joints[b]
        assert roles.parts[one] in ("forearm", "hand", "shin", "foot")
        assert {roles.parts[one], roles.parts[other]} != {"forearm", "upper_arm"}
        if roles.parts[other] in ("forearm", "hand", "shin", "foot"):
            assert roles.sides[one] != roles.sides[other]
    assert len({tuple(sorted(pair)) for pair in capsules.pairs.tolist()}) == len(capsules.pairs)


def test_other_bodies_have_none() -> None:
    assert body_capsules(Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])) is None


def test_limbs_taper_and_the_body_is_as_large_as_its_legs(biped: Skeleton) -> None:
    for inner, outer in (("upper_arm", "forearm"), ("forearm", "hand"), ("thigh", "shin"), ("shin", "foot")):
        assert RADII[inner] > RADII[outer]
    assert min(RADII["hips"], RADII["spine"], RADII["head"]) > max(RADII["upper_arm"], RADII["thigh"])
    capsules = body_capsules(biped)
    larger = Skeleton.create(biped.names, biped.parents, 3 * biped.rest_translations)
    large = body_capsules(larger)
    assert capsules is not None and large is not None
    np.testing.assert_allclose(large.radii, 3 * capsules.radii, rtol=1e-5)
    np.testing.assert_allclose(large.slack, 3 * capsules.slack, atol=1e-5)
    trunk = [r for r, j in zip(capsules.radii, capsules.joints, strict=True) if biped.roles.parts[j] == "spine"]
    assert 0.07 < min(trunk) < 0.13, "metres: half of a slim waist"


def test_a_capsule_runs_to_the_next_joint_of_its_limb(biped: Skeleton) -> None:
    capsules = body_capsules(biped)
    assert capsules is not None
    ends = {biped.names[j]: end for j, end in zip(capsules.joints, capsules.ends, strict=True)}
    for name, child in (("LeftArm", "LeftForeArm"), ("LeftUpLeg", "LeftLeg"), ("Spine", "Chest")):
        np.testing.assert_allclose(ends[name], [[0, 0, 0], biped.rest_translations[biped.index(child)]])
    assert "LeftHand" not in ends, "nothing shows how long it is"


def test_capsules_are_a_little_thinner_than_a_slim_adult(biped: Skeleton) -> None:
    """Circumferences in centimetres of a slim adult of 1.7 m; the head is measured above the ears."""
    girths = {"upper_arm": 25, "forearm": 22, "thigh": 47, "shin": 32, "head": 54, "spine": 68, "hips": 80}
    for part, girth in girths.items():
        assert 0.75 * girth < 170 * 2 * np.pi * RADII[part] < girth, part
    assert 0.02 < 1.7 * RADII["hand"] < 0.035 and 0.03 < 1.7 * RADII["foot"] < 0.045, "half of how wide they are"
    capsules = body_capsules(biped)
    assert capsules is not None
    shares = [RADII[biped.roles.parts[joint]] for joint in capsules.joints]
    np.testing.assert_allclose(capsules.radii / shares, 1.7, rtol=0.05)


def test_every_pair_that_can_meet_is_there_once(biped: Skeleton) -> None:
    capsules = body_capsules(biped)
    assert capsules is not None
    found = {frozenset(biped.names[capsules.joints[c]] for c in pair) for pair in capsules.pairs.tolist()}
    trunk = ("Hips", "Spine", "Chest", "LeftUpLeg", "RightUpLeg")
    expected = {frozenset((f"{side}ForeArm", other)) for side in ("Left", "Right") for other in trunk}
    expected.add(frozenset(("LeftForeArm", "RightForeArm")))
    expected |= {frozenset((f"Left{one}", f"Right{two}")) for one in ("Leg", "Foot") for two in ("Leg", "Foot")}
    assert found == expected and len(capsules.pairs) == len(expected)


@pytest.mark.parametrize(
    ("other", "distance"),
    [
        ([[0.5, 1, -1], [0.5, 1, 1]], 1.0),  # crosses above
        ([[3, 0, 0], [3, 4, 0]], 2.0),  # beyond the end of one, at the end of the other
        ([[-2, 0, 3], [-1, 0, 5]], 13**0.5),  # before the beginning
        ([[0, 2, 0], [1, 2, 0]], 2.0),  # parallel
        ([[2, 3, 0], [0.5, 0.5, 0]], 0.5),  # its end above the middle
    ],
)
def test_the_gap_is_that_between_the_nearest_points(other: list[list[float]], distance: float) -> None:
    one, shift = np.array([[0.0, 0, 0], [1, 0, 0]]), np.array([5.0, -3.0, 2.0])
    assert _gap(one + shift, np.array(other) + shift) == pytest.approx(distance)
    assert _gap(np.array(other) + shift, one + shift) == pytest.approx(distance)


def test_legs_that_touch_at_rest_may_stay_as_near(biped: Skeleton, depth) -> None:
    """Shins 6 cm apart and thicker: each other pair must keep out, these two as deep as they are."""
    offsets = biped.rest_translations.copy()
    offsets[[biped.index("LeftUpLeg"), biped.index("RightUpLeg")], 0] = [0.03, -0.03]
    narrow = Skeleton.create(biped.names, biped.parents, offsets)
    capsules = body_capsules(narrow)
    assert capsules is not None
    names = [{narrow.names[capsules.joints[c]] for c in pair} for pair in capsules.pairs.tolist()]
    slack = capsules.slack[names.index({"LeftLeg", "RightLeg"})]
    radius = capsules.radii[capsules.joints.tolist().index(narrow.index("LeftLeg"))]
    assert slack == pytest.approx(2 * radius - 0.06, abs=1e-5) and slack > 0.02
    assert depth(capsules, narrow, narrow.rest_rotations)[names.index({"LeftLeg", "RightLeg"})] == pytest.approx(0)
    assert capsules.slack[names.index({"LeftForeArm", "RightForeArm"})] == 0


def test_a_capsule_runs_along_its_chain_and_around_nothing_else(biped: Skeleton) -> None:
    """A forearm to its hand, though another joint on it is further away; an upper arm to a twist joint before the
    forearm, since this is where its bone goes."""
    arm, forearm = biped.index("LeftArm"), biped.index("LeftForeArm")
    names, parents = [*biped.names, "LeftForeArmRoll"], [*biped.parents.tolist(), forearm]
    body = Skeleton.create(names, parents, [*biped.rest_translations, [0.4, 0.1, 0.0]])
    twisted = parents_through(biped, arm, forearm)
    for skeleton, name, end in ((body, "LeftForeArm", [0.25, 0, 0]), (twisted, "LeftArm", [0.2, 0, 0])):
        capsules = body_capsules(skeleton)
        assert capsules is not None
        row = capsules.joints.tolist().index(skeleton.index(name))
        np.testing.assert_allclose(capsules.ends[row], [[0, 0, 0], end], atol=1e-6)


def parents_through(biped: Skeleton, arm: int, forearm: int) -> Skeleton:
    """The person with a twist joint between upper arm and forearm."""
    names, offsets = list(biped.names), [row.tolist() for row in biped.rest_translations]
    parents = [p if p < forearm else p + 1 for p in biped.parents.tolist()]
    names.insert(forearm, "LeftArmTwist")
    offsets.insert(forearm, [0.2, 0.0, 0.0])
    parents.insert(forearm, arm)
    parents[forearm + 1] = forearm
    offsets[forearm + 1] = [0.07, 0.0, 0.0]
    return Skeleton.create(names, parents, offsets)
