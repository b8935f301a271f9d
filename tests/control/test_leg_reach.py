"""The leg pass and the knees measured in poses. The kernel is bound to its plain form in test_foot_kernels."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.control.leg_limits import Footing
from kinema.control.leg_reach import MOST_LIFT, Limits, _heel_lift, knee_hinges, reach_toes_reference, sole_ends
from kinema.errors import SkeletonError
from kinema.mocap.legs import find_legs
from kinema.pose import Pose

HINGES = np.float32([[1, 0, 0], [1, 0, 0]])


def legs_of(skeleton: Skeleton) -> np.ndarray:
    return find_legs(skeleton, np.asarray([leg.toe for leg in skeleton.roles.legs]))


def straight(skeleton: Skeleton, frames: int) -> np.ndarray:
    return np.tile(np.float32([1, 0, 0, 0]), (frames, skeleton.joint_count, 1))


def bent(skeleton: Skeleton, hinges: np.ndarray, frames: int, rng: np.random.Generator) -> Pose:
    local = straight(skeleton, frames)
    for leg, hinge in zip(skeleton.roles.legs, hinges, strict=True):
        local[:, leg.upper] = rotations.exp(0.4 * rng.normal(size=(frames, 3)))
        local[:, leg.lower] = rotations.exp(rng.uniform(0.3, 1.5, (frames, 1)) * hinge)
    return Pose(skeleton, local)


def reached(pose: Pose, targets: np.ndarray) -> tuple[Pose, np.ndarray]:
    return reach_toes_reference(pose, targets, legs_of(pose.skeleton), HINGES, Limits())


def knee_axes(pose: Pose) -> np.ndarray:
    """Thigh across shin `[n, C, 3]`."""
    upper, lower, foot = (pose.global_positions[:, joints] for joints in legs_of(pose.skeleton).T[:3])
    return np.cross(lower - upper, foot - lower)


def test_hinges_are_found_however_the_legs_stand(biped, rng):
    axes = rotations.normalize_vector(np.float32([[1, 0, 0], [1, 0, 0.3]]))
    found = knee_hinges(bent(biped, axes, 200, rng), legs_of(biped))
    assert found.shape == (2, 3)
    assert (found * axes).sum(-1).min() > 0.99


def test_without_legs_there_are_no_knees(rng):
    snake = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    with pytest.raises(SkeletonError, match="does not end a leg"):
        find_legs(snake, np.array([1]))


def test_the_toe_arrives_and_the_foot_keeps_its_orientation(biped, rng):
    pose, legs = bent(biped, HINGES, 100, rng), legs_of(biped)
    positions = pose.global_positions
    targets = positions[:, legs[:, 3]] + 0.05 * rng.normal(size=(100, 2, 3)).astype(np.float32)
    after, short = reached(pose, targets)
    near = np.linalg.norm(positions[:, legs[:, 0]] - positions[:, legs[:, 2]], axis=-1) < 0.7
    off = np.linalg.norm(after.global_positions[:, legs[:, 3]] - targets, axis=-1)
    assert near.sum() > 50 and (short[near] < 0).all()
    assert off[near].max() < 0.005
    feet = after.global_rotations[:, legs[:, 2]], pose.global_rotations[:, legs[:, 2]]
    assert rotations.angle(rotations.relative(*feet))[near].max() < 0.05
    # Knees bend the way their hinges turn, not backward.
    hinge = rotations.rotate(after.global_rotations[:, legs[:, 0]], HINGES)
    assert ((knee_axes(after) * hinge).sum(-1) > 0)[near].all()


def test_soles_are_found_and_turned_out_of_the_ground(biped, rng):
    """Estimated from feet that stand flat, roll and swing; then a foot that is pitched is turned about its ball."""
    legs, rest = legs_of(biped), biped.rest_pose.global_positions
    pitch = np.concatenate([np.zeros(30), rng.uniform(0.1, 0.6, 70)]).astype(np.float32)  # heel up
    local = straight(biped, 100)
    local[:, legs[:, 2]] = rotations.exp(pitch[:, None, None] * np.float32([1, 0, 0]))
    local[:, legs[:, 3]] = rotations.exp(-pitch[:, None, None] * np.float32([1, 0, 0]))  # toes stay level
    pose = Pose(biped, local, contacts=np.ones((100, 2), np.float32))
    stance = np.float32([0.03, 0.03])
    moved = pose.local_translations.copy()
    moved[:, 0, 1] += stance[0] - pose.global_positions[:, legs[0, 3], 1]
    pose = pose.replace(local_translations=moved)
    ends = sole_ends(pose, legs, stance)
    length = np.linalg.norm((rest[legs[:, 3]] - rest[legs[:, 2]])[:, [0, 2]], axis=-1)

    def soles(of: Pose) -> np.ndarray:
        joints = legs[:, 2:]
        return of.global_positions[:, joints] + rotations.rotate(of.global_rotations[:, joints], ends[:, :, 0])

    flat = soles(pose)[:30]
    np.testing.assert_allclose(flat[..., 1], 0, atol=1e-3)
    along = flat[:, :, 1, 2] - flat[:, :, 0, 2]
    np.testing.assert_allclose(along, np.broadcast_to(1.65 * length, along.shape), atol=1e-3)
    # Heel down by 15 degrees, toes down by 25.
    local = pose.local_rotations[:1].copy()
    local[:, legs[:, 2]] = rotations.exp(np.float32([-np.deg2rad(15), 0, 0]))
    local[:, legs[:, 3]] = rotations.exp(np.float32([np.deg2rad(40), 0, 0]))
    sunk = pose.local_translations[:1].copy()
    sunk[:, 0, 1] -= 0.1  # legs reach the ground without a heel that is lifted
    bad = pose[:1].replace(local_rotations=local, local_translations=sunk)
    toes = bad.global_positions[:, legs[:, 3]].astype(np.float64)
    toes[..., 1] = stance
    footing = Footing(ends, np.zeros((1, 2, 2), np.float32), np.zeros((1, 2, 2), np.float32))
    buried, _ = reach_toes_reference(bad, toes, legs, HINGES, Limits())
    assert soles(buried)[..., 1].max() < -0.01
    mended, _ = reach_toes_reference(bad, toes, legs, HINGES, Limits(), None, footing)
    np.testing.assert_allclose(soles(mended)[..., 1], 0, atol=2e-3)
    np.testing.assert_allclose(mended.global_positions[:, legs[:, 3]], toes, atol=2e-3)


def test_without_toes_or_contacts_there_is_no_sole(biped):
    legs = legs_of(biped)
    legs[0, 3] = legs[0, 2]
    contacts = np.tile(np.float32([1, 0]), (10, 1))
    pose = Pose(biped, straight(biped, 10), contacts=contacts)
    assert not sole_ends(pose, legs, np.float32([0.03, 0.03])).any()


def test_who_walks_on_the_toes_has_no_heel(biped):
    """Pitched by 70 degrees, the ankle is more than twice as high above the ball as it is behind it."""
    legs, local = legs_of(biped), straight(biped, 10)
    local[:, legs[:, 2]] = rotations.exp(np.float32([1.2, 0, 0]))
    local[:, legs[:, 3]] = rotations.exp(np.float32([-1.2, 0, 0]))
    pose = Pose(biped, local, contacts=np.ones((10, 2), np.float32))
    moved = pose.local_translations.copy()
    moved[:, 0, 1] += 0.03 - pose.global_positions[:, legs[0, 3], 1]
    ends = sole_ends(pose.replace(local_translations=moved), legs, np.float32([0.03, 0.03]))
    assert not ends[:, 0].any() and ends[:, 1].any()
    sunk = pose.global_positions[:1, legs[:, 3]] - np.float32([0, 0.5, 0])
    footing = Footing(ends, np.full((1, 2, 2), 2.0, np.float32), np.zeros((1, 2, 2), np.float32))
    found, _ = reach_toes_reference(pose[:1], sunk, legs, HINGES, Limits(), None, footing)
    np.testing.assert_allclose(np.linalg.norm(found.local_rotations, axis=-1), 1, atol=1e-5)


def test_a_hyperextended_knee_bends_forward_and_turns_no_faster_than_it_passes_straight(biped):
    """As blended plans leave it: through straight into the wrong direction, with some bend to the side."""
    flexion = np.deg2rad(np.linspace(15, -15, 301)).astype(np.float32)
    local = straight(biped, len(flexion))
    for leg in biped.roles.legs:
        aside = rotations.exp(np.float32([0, 0, 0.05]))
        local[:, leg.lower] = rotations.multiply(rotations.exp(flexion[:, None] * np.float32([1, 0, 0])), aside)
    pose = Pose(biped, local)
    toes = pose.global_positions[:, legs_of(biped)[:, 3]]
    after, _ = reached(pose, np.broadcast_to(toes[:1] + np.float32([0, 0.04, 0.1]), toes.shape))
    steps = rotations.angle(rotations.relative(after.local_rotations[:-1], after.local_rotations[1:]))
    assert steps.max() < np.deg2rad(0.3)  # three times what the knee is flexed by
    assert (knee_axes(after)[..., 0] > 0).all()


def heel_lifts(before: Pose, after: Pose) -> np.ndarray:
    feet = legs_of(before.skeleton)[:, 2]
    turns = before.global_rotations[:, feet], after.global_rotations[:, feet]
    return rotations.angle(rotations.relative(*turns))


def test_a_lifted_heel_turns_no_faster_than_the_foot(biped):
    """A toe out of reach, while the plan lifts the heel by itself until foot and leg are in line."""
    legs = legs_of(biped)
    pitch = np.deg2rad(np.linspace(0, 120, 481)).astype(np.float32)
    local = straight(biped, len(pitch))
    local[:, legs[:, 2]] = rotations.exp(pitch[:, None, None] * np.float32([1, 0, 0]))
    pose = Pose(biped, local)
    toes = pose.global_positions[:, legs[:, 3]]
    after, _ = reached(pose, np.broadcast_to(toes[:1] - np.float32([0, 0.1, 0.5]), toes.shape))
    lift = heel_lifts(pose, after)
    assert lift.max() > 0.4 and lift.min() < 0.1
    assert np.abs(np.diff(lift, axis=0)).max() < 1.05 * np.deg2rad(0.25)


def test_out_of_reach_the_heel_is_lifted_but_not_without_limit(biped):
    pose, toes = Pose(biped, straight(biped, 1)), legs_of(biped)[:, 3]
    for back, least in ((0.25, 0.05), (1.5, 0.5)):
        after, short = reached(pose, pose.global_positions[:, toes] - np.float32([0, 0, back]))
        lift = heel_lifts(pose, after)
        assert least < lift.min() and lift.max() < MOST_LIFT + 1e-3
        toe = after.global_positions[:, toes]
        missed = np.linalg.norm(toe - pose.global_positions[:, toes] + np.float32([0, 0, back]), axis=-1)
        np.testing.assert_allclose(np.maximum(short, 0), missed, atol=0.03)  # the knee eases into full extension
        # The toe itself stays flat.
        flat = rotations.relative(after.global_rotations[:, toes], pose.global_rotations[:, toes])
        assert rotations.angle(flat).max() < 1e-3


def test_knees_that_never_bend_are_taken_to_bend_about_the_axis_across(biped):
    pose = Pose(biped, straight(biped, 5))
    legs = legs_of(biped)
    moved = pose.local_translations.copy()
    moved[:, legs[:, 1:3]] = [0.0, -0.4, 0.0]
    found = knee_hinges(Pose(biped, pose.local_rotations, moved), legs)
    np.testing.assert_array_equal(found, [[1, 0, 0], [1, 0, 0]])


def test_a_heel_is_eased_by_half_a_centimetre_at_the_end_of_its_reach():
    """An ankle 15 cm from the toe, at right angles to the leg: just in reach, far inside and far outside."""
    heel, line = np.array([0.0, 0.15, 0.0]), np.array([0.0, 0.0, 0.8])
    for beyond, arc in ((0.0, 0.005), (-0.1, 0.0), (0.02, 0.02 * np.hypot(0.15, 0.8) / 0.8)):
        lift = rotations.angle(_heel_lift(heel, line, np.asarray(np.hypot(0.15, 0.8) - beyond)))
        assert 0.15 * lift == pytest.approx(arc, abs=0.0015)
