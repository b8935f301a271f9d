"""The compiled leg pass equals its plain form."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.control.leg_limits import Footing
from kinema.control.leg_reach import Limits, reach_toes, reach_toes_reference
from kinema.pose import Pose

HINGES = np.float32([[1, 0, 0], [0.8, 0, 0.6]])


def legs_of(skeleton: Skeleton, toes: bool = True) -> np.ndarray:
    return np.asarray([[leg.upper, leg.lower, leg.foot, leg.toe if toes else leg.foot] for leg in skeleton.roles.legs])


def poses(skeleton: Skeleton, count: int, bend: float, rng: np.random.Generator) -> Pose:
    """Poses that bend every joint by about `bend` radians."""
    return Pose(skeleton, rotations.exp(bend * rng.normal(size=(count, skeleton.joint_count, 3))).astype(np.float32))


def both(pose: Pose, targets, legs, tilts=None, footing=(), limits: Limits | None = None):
    """Local rotations, and what legs lack, of the kernel and of the plain form in float64."""
    exact = Pose.from_model(pose.skeleton, pose.model_rotations.astype(float), pose.model_positions.astype(float))
    limits = limits or Limits()
    found = []
    for form, kind, body in ((reach_toes, np.float32, pose), (reach_toes_reference, np.float64, exact)):
        places, hinges = targets.astype(np.float32).astype(kind), HINGES.astype(kind)
        turned = None if tilts is None else tilts.astype(np.float32).astype(kind)
        ground = Footing(*(each.astype(np.float32).astype(kind) for each in footing)) if footing else None
        found.append(form(body, places, legs, hinges, limits, turned, ground))
    fast, plain = found
    return [(found.local_rotations, short) for found, short in (fast, plain)]


@pytest.mark.parametrize("toes", [True, False])
@pytest.mark.parametrize("distance", [0.0, 0.05, 0.5, 3.0])
@pytest.mark.parametrize("bend", [0.05, 0.6])
def test_kernel_equals_reference(biped, rng, bend, distance, toes):
    pose = poses(biped, 300, bend, rng)
    legs = legs_of(biped, toes)
    targets = pose.global_positions[:, legs[:, 3]] + distance * rng.normal(size=(300, 2, 3))
    (fast, short), (plain, expected) = both(pose, targets, legs)
    assert fast.dtype == np.float32
    assert rotations.angle(rotations.relative(fast.astype(np.float64), plain)).max() < 1e-4
    np.testing.assert_allclose(short, expected, atol=1e-5)
    moved = np.flatnonzero(np.abs(fast - pose.local_rotations).max(axis=(0, 2)) > 0)
    assert set(moved) <= set(legs.ravel())


def test_soles_are_turned_out_of_the_ground_as_in_the_reference(biped, rng):
    """Where ground is under them, above them, and where there is none."""
    pose, legs = poses(biped, 300, 0.3, rng), legs_of(biped)
    targets = pose.global_positions[:, legs[:, 3]] + 0.05 * rng.normal(size=(300, 2, 3))
    tilts = rotations.exp(0.2 * rng.normal(size=(300, 2, 3)))
    ends = 0.08 * rng.normal(size=(2, 2, 2, 3))
    ends[:, :, 1] = rotations.normalize_vector(ends[:, :, 1])
    floors = targets[..., 1:2] + 0.06 * rng.normal(size=(300, 2, 2))
    floors[::5] = -np.inf
    kept = rng.uniform(0, 0.3, (300, 2, 2)).astype(np.float32) * (rng.random((300, 2, 2)) < 0.3)
    kept[::5] = 0
    limits = Limits(bending=0.4)
    (fast, _), (plain, _) = both(pose, targets, legs, tilts, (ends, floors, kept), limits)
    assert rotations.angle(rotations.relative(fast.astype(np.float64), plain)).max() < 1e-3
    bends = kept.copy()
    single = [each.astype(np.float32) for each in (targets, tilts, ends, floors)]
    again, _ = reach_toes(pose, single[0], legs, HINGES, limits, single[1], Footing(*single[2:], bends))
    np.testing.assert_array_equal(again.local_rotations, fast)
    assert (
        (bends >= kept).all()
        and (bends <= kept + 0.4001).all()
        and (bends > kept).mean() > 0.1
        and (bends[::5] == 0).all()
    )
    without = reach_toes(pose, targets.astype(np.float32), legs, HINGES, Limits(), tilts.astype(np.float32))[0]
    changed = np.abs(fast - without.local_rotations).max(axis=-1) > 1e-6
    assert changed[:, legs[:, 3]].mean() > 0.2 and changed[:, legs[:, 2]].mean() > 0.1
    assert not changed[::5].any()


def test_a_target_at_the_hip_and_a_straight_leg_are_defined(biped, rng):
    turn = rotations.identity((1,), rng.normal(size=4).astype(np.float32))
    pose = Pose(biped, np.tile(turn, (1, biped.joint_count, 1)))
    legs, positions = legs_of(biped), pose.global_positions
    for targets in (positions[:, legs[:, 0]], positions[:, legs[:, 3]] - np.float32([0, 5, 0])):
        (fast, _), (plain, _) = both(pose, targets, legs)
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
    legs = np.asarray(
        [[skeleton.index(side + part) for part in ("UpLeg", "Leg", "Foot", "ToeBase")] for side in ("Left", "Right")]
    )
    pose = poses(skeleton, 50, 0.3, rng)
    hips = pose.global_positions[:, legs[:, 0]]
    targets = hips + np.float32([0, -0.6, 0.1]) + 0.1 * rng.normal(size=hips.shape).astype(np.float32)
    (fast, _), (plain, _) = both(pose, targets, legs)
    assert rotations.angle(rotations.relative(fast.astype(np.float64), plain)).max() < 1e-4
    reached = Pose(skeleton, fast).global_positions
    assert np.median(np.linalg.norm(reached[:, legs[:, 3]] - targets, axis=-1)) < 0.01
    twists = [i for i, name in enumerate(names) if "Twist" in name]
    np.testing.assert_array_equal(fast[:, twists], pose.local_rotations[:, twists])
