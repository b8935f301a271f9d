"""Knees seen from poses. The reach itself is bound to its kernel in test_foot_kernels."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, kinematics, rotations
from kinema.control.foot_kernels import MOST_LIFT
from kinema.control.leg_reach import find_legs, knee_hinges, reach_reference
from kinema.errors import SkeletonError
from kinema.pose import Pose


def bent(skeleton: Skeleton, hinges: np.ndarray, frames: int, rng: np.random.Generator):
    local = np.tile(np.float32([1, 0, 0, 0]), (frames, skeleton.joint_count, 1))
    for leg, hinge in zip(skeleton.roles.legs, hinges, strict=True):
        local[:, leg.upper] = rotations.exp(0.4 * rng.normal(size=(frames, 3)))
        local[:, leg.lower] = rotations.exp(rng.uniform(0.3, 1.5, (frames, 1)) * hinge)
    return local, *kinematics.forward(local, skeleton.rest_translations, skeleton.parents.tolist())


def test_hinges_are_found_however_the_legs_stand(biped, rng):
    axes = rotations.normalize_vector(np.float32([[1, 0, 0], [1, 0, 0.3]]))
    _, turned, positions = bent(biped, axes, 200, rng)
    toes = np.asarray([leg.toe for leg in biped.roles.legs])
    found = knee_hinges(Pose.from_model(biped, turned, positions), find_legs(biped, toes))
    assert found.shape == (2, 3)
    assert (found * axes).sum(-1).min() > 0.99


def test_without_legs_there_are_no_knees(rng):
    snake = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    with pytest.raises(SkeletonError, match="no leg"):
        find_legs(snake, np.array([1]))


def test_the_toe_arrives_and_the_foot_keeps_its_orientation(biped, rng):
    hinges = np.float32([[1, 0, 0], [1, 0, 0]])
    legs = np.asarray([[leg.upper, leg.lower, leg.foot, leg.toe] for leg in biped.roles.legs])
    local, turned, positions = bent(biped, hinges, 100, rng)
    wanted = positions[:, legs[:, 3]] + 0.05 * rng.normal(size=(100, 2, 3)).astype(np.float32)
    result, strained = reach_reference(local, turned, positions, wanted, legs, biped.parents, hinges, 0.98, 1.0, 0.03)
    after, reached = kinematics.forward(result, biped.rest_translations, biped.parents.tolist())
    near = np.linalg.norm(positions[:, legs[:, 0]] - positions[:, legs[:, 2]], axis=-1) < 0.7
    off = np.linalg.norm(reached[:, legs[:, 3]] - wanted, axis=-1)
    assert near.sum() > 50 and not strained[near].any()
    assert off[near].max() < 0.005
    assert rotations.angle(rotations.relative(after[:, legs[:, 2]], turned[:, legs[:, 2]]))[near].max() < 0.05
    # Knees bend the way their hinges turn, not backward.
    thigh = reached[:, legs[:, 1]] - reached[:, legs[:, 0]]
    shin = reached[:, legs[:, 2]] - reached[:, legs[:, 1]]
    hinge = rotations.rotate(after[:, legs[:, 0]], hinges)
    assert ((np.cross(thigh, shin) * hinge).sum(-1) > 0)[near].all()


def test_a_hyperextended_knee_bends_forward_and_turns_no_faster_than_it_passes_straight(biped):
    """As blended plans leave it: through straight into the wrong direction, with some bend to the side."""
    leg = biped.roles.legs[0]
    legs = np.asarray([[leg.upper, leg.lower, leg.foot, leg.toe] for leg in biped.roles.legs])
    flexion = np.deg2rad(np.linspace(15, -15, 301)).astype(np.float32)
    local = np.tile(np.float32([1, 0, 0, 0]), (len(flexion), biped.joint_count, 1))
    for leg in biped.roles.legs:
        aside = rotations.exp(np.float32([0, 0, 0.05]))
        local[:, leg.lower] = rotations.multiply(rotations.exp(flexion[:, None] * np.float32([1, 0, 0])), aside)
    turned, positions = kinematics.forward(local, biped.rest_translations, biped.parents.tolist())
    wanted = positions[:1, legs[:, 3]] + np.float32([0, 0.04, 0.1])
    wanted = np.broadcast_to(wanted, (len(flexion), *wanted.shape[1:]))
    result, _ = reach_reference(
        local, turned, positions, wanted, legs, biped.parents, np.float32([[1, 0, 0]] * 2), 0.98, 1.0, 0.03
    )
    _, reached = kinematics.forward(result, biped.rest_translations, biped.parents.tolist())
    steps = rotations.angle(rotations.relative(result[:-1], result[1:]))
    assert steps.max() < np.deg2rad(0.3)  # three times what the knee is flexed by
    thigh = reached[:, legs[:, 1]] - reached[:, legs[:, 0]]
    shin = reached[:, legs[:, 2]] - reached[:, legs[:, 1]]
    assert (np.cross(thigh, shin)[..., 0] > 0).all()


def test_a_lifted_heel_turns_no_faster_than_the_foot(biped):
    """A toe out of reach, while the plan lifts the heel by itself until foot and leg are in line."""
    legs = np.asarray([[leg.upper, leg.lower, leg.foot, leg.toe] for leg in biped.roles.legs])
    pitch = np.deg2rad(np.linspace(0, 120, 481)).astype(np.float32)
    local = np.tile(np.float32([1, 0, 0, 0]), (len(pitch), biped.joint_count, 1))
    local[:, legs[:, 2]] = rotations.exp(pitch[:, None, None] * np.float32([1, 0, 0]))
    turned, positions = kinematics.forward(local, biped.rest_translations, biped.parents.tolist())
    wanted = np.broadcast_to(positions[:1, legs[:, 3]] - np.float32([0, 0.1, 0.5]), positions[:, legs[:, 3]].shape)
    result, _ = reach_reference(
        local, turned, positions, wanted, legs, biped.parents, np.float32([[1, 0, 0]] * 2), 0.98, 1.0, 0.03
    )
    after, _ = kinematics.forward(result, biped.rest_translations, biped.parents.tolist())
    lift = rotations.angle(rotations.relative(turned[:, legs[:, 2]], after[:, legs[:, 2]]))
    assert lift.max() > 0.4 and lift.min() < 0.1
    assert np.abs(np.diff(lift, axis=0)).max() < 1.05 * np.deg2rad(0.25)


def test_out_of_reach_the_heel_is_lifted_but_not_without_limit(biped):
    legs = np.asarray([[leg.upper, leg.lower, leg.foot, leg.toe] for leg in biped.roles.legs])
    local = np.tile(np.float32([1, 0, 0, 0]), (1, biped.joint_count, 1))
    turned, positions = kinematics.forward(local, biped.rest_translations, biped.parents.tolist())
    for back, least, strain in ((0.25, 0.05, False), (1.5, 0.5, True)):
        wanted = positions[:, legs[:, 3]] - np.float32([0, 0, back])
        result, strained = reach_reference(
            local, turned, positions, wanted, legs, biped.parents, np.float32([[1, 0, 0]] * 2), 0.98, 1.0, 0.03
        )
        after, _ = kinematics.forward(result, biped.rest_translations, biped.parents.tolist())
        lift = rotations.angle(rotations.relative(after[:, legs[:, 2]], turned[:, legs[:, 2]]))
        assert least < lift.min() and lift.max() < MOST_LIFT + 1e-3
        assert (strained == strain).all()
        # The toe itself stays flat.
        assert rotations.angle(rotations.relative(after[:, legs[:, 3]], turned[:, legs[:, 3]])).max() < 1e-3
