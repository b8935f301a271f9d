"""The body as capsules."""

from __future__ import annotations

import numpy as np

from kinema import Skeleton, rotations
from kinema.retargeting.capsules import RADII, body_capsules


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
