"""The compiled leg pass equals its plain form."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, kinematics, rotations
from kinema.control import foot_kernels
from kinema.control.leg_reach import reach_reference

LIMITS = (0.98, 1.0, 0.03)


def legs_of(skeleton: Skeleton, toes: bool = True) -> np.ndarray:
    return np.asarray([[leg.upper, leg.lower, leg.foot, leg.toe if toes else leg.foot] for leg in skeleton.roles.legs])


def poses(skeleton: Skeleton, count: int, bend: float, rng: np.random.Generator):
    """Local rotations, and global ones with positions, of poses that bend every joint by about `bend` radians."""
    turned = rotations.exp(bend * rng.normal(size=(count, skeleton.joint_count, 3))).astype(np.float32)
    return turned, *kinematics.forward(turned, skeleton.rest_translations, skeleton.parents.tolist())


def both(skeleton, local, turned, positions, wanted, legs):
    hinges = np.float32([[1, 0, 0], [0.8, 0, 0.6]])
    given = (turned, positions, wanted.astype(np.float32), legs, skeleton.parents, hinges)
    fast = local.copy()
    strained = foot_kernels.reach(fast, *given, *LIMITS)
    exact = [a.astype(np.float64) if a.dtype == np.float32 else a for a in (local, *given)]
    return (fast, strained), reach_reference(*exact, *LIMITS)


@pytest.mark.parametrize("toes", [True, False])
@pytest.mark.parametrize("distance", [0.0, 0.05, 0.5, 3.0])
@pytest.mark.parametrize("bend", [0.05, 0.6])
def test_kernel_equals_reference(biped, rng, bend, distance, toes):
    local, turned, positions = poses(biped, 300, bend, rng)
    legs = legs_of(biped, toes)
    wanted = positions[:, legs[:, 3]] + distance * rng.normal(size=(300, 2, 3))
    (fast, strained), (plain, expected) = both(biped, local, turned, positions, wanted, legs)
    assert fast.dtype == np.float32
    assert rotations.angle(rotations.relative(fast.astype(np.float64), plain)).max() < 1e-4
    # Legs that are just at their limit may fall to either side.
    assert (strained != expected).mean() < 0.01
    moved = np.flatnonzero(np.abs(fast - local).max(axis=(0, 2)) > 0)
    assert set(moved) <= set(legs.ravel())


def test_a_target_at_the_hip_and_a_straight_leg_are_defined(biped, rng):
    local = np.tile(rotations.identity((1,), rng.normal(size=4).astype(np.float32)), (1, biped.joint_count, 1))
    turned, positions = kinematics.forward(local, biped.rest_translations, biped.parents.tolist())
    legs = legs_of(biped)
    for wanted in (positions[:, legs[:, 0]], positions[:, legs[:, 3]] - np.float32([0, 5, 0])):
        (fast, _), (plain, _) = both(biped, local, turned, positions, wanted, legs)
        assert np.isfinite(fast).all()
        assert rotations.angle(rotations.relative(fast.astype(np.float64), plain)).max() < 1e-4


def test_joints_between_those_of_the_leg_are_carried(rng):
    """Twist joints inside thigh, shin and foot: the toe still arrives, and they keep their own local rotations."""
    names, parents, offsets = ["Hips"], [-1], [(0, 0.9, 0)]
    for side, x in (("Left", 0.1), ("Right", -0.1)):
        chain = [
            ("UpLeg", (x, 0, 0)),
            ("UpLegTwist", (0, -0.2, 0)),
            ("Leg", (0, -0.2, 0.01)),
            ("LegTwist", (0, -0.2, 0)),
            ("Foot", (0, -0.2, 0)),
            ("FootTwist", (0, -0.03, 0.05)),
            ("ToeBase", (0, -0.03, 0.08)),
        ]
        for part, offset in chain:
            parents.append(0 if part == "UpLeg" else len(names) - 1)
            names.append(side + part)
            offsets.append(offset)
    skeleton = Skeleton.create(names, parents, offsets)
    tree = skeleton.parents.tolist()
    legs = np.asarray(
        [[skeleton.index(side + part) for part in ("UpLeg", "Leg", "Foot", "ToeBase")] for side in ("Left", "Right")]
    )
    local, turned, positions = poses(skeleton, 50, 0.3, rng)
    hips = positions[:, legs[:, 0]]
    wanted = hips + np.float32([0, -0.6, 0.1]) + 0.1 * rng.normal(size=hips.shape).astype(np.float32)
    (fast, _), (plain, _) = both(skeleton, local, turned, positions, wanted, legs)
    assert rotations.angle(rotations.relative(fast.astype(np.float64), plain)).max() < 1e-4
    _, reached = kinematics.forward(fast, skeleton.rest_translations, tree)
    assert np.median(np.linalg.norm(reached[:, legs[:, 3]] - wanted, axis=-1)) < 0.01
    twists = [i for i, name in enumerate(names) if "Twist" in name]
    np.testing.assert_array_equal(fast[:, twists], local[:, twists])
