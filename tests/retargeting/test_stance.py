"""How bodies stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.retargeting import retarget
from kinema.retargeting.stance import find_stance, mean_rotation, standing_axes


def test_a_person_at_rest_stands_along_the_worlds_axes(biped: Skeleton) -> None:
    stance = find_stance(biped)
    assert not stance.measured
    assert np.allclose(rotations.to_matrix(stance.axes), np.eye(3), atol=1e-3)


def test_a_person_lying_in_the_file_still_stands(biped: Skeleton) -> None:
    """Z up, as some programs write: the axes turn with the body."""
    lying = rotations.from_axis_angle(np.array([1, 0, 0], np.float32), np.float32(np.pi / 2))
    turned = biped.rest_rotations.copy()
    turned[0] = rotations.multiply(lying, turned[0])
    other = Skeleton.create(biped.names, biped.parents, biped.rest_translations, turned)
    axes = standing_axes(other.rest_pose)
    assert axes is not None
    assert np.allclose(rotations.rotate(axes, np.array([0, 1, 0], np.float32)), [0, 0, 1], atol=1e-3)


def test_legs_beside_the_spine_are_no_stance(biped: Skeleton) -> None:
    flat = np.linalg.norm(biped.rest_translations, axis=-1, keepdims=True) * np.array([1, 0, 0], np.float32)
    none = Skeleton.create(biped.names, biped.parents, flat)
    assert standing_axes(none.rest_pose) is None


def test_the_mean_of_rotations_heeds_no_signs(rng: np.random.Generator) -> None:
    middle = rotations.normalize(rng.standard_normal((5, 4))).astype(np.float32)
    near = rotations.exp(0.2 * rng.standard_normal((400, 5, 3))).astype(np.float32)
    spread = np.concatenate([rotations.multiply(middle, near), rotations.multiply(middle, rotations.inverse(near))])
    spread *= rng.choice([-1, 1], (800, 5, 1)).astype(np.float32)
    assert rotations.angle(rotations.relative(mean_rotation(spread), middle)).max() < 1e-2


@pytest.mark.parametrize("name", ["LeftLeg", "LeftForeArm"])
def test_hinges_are_measured_where_limbs_bend(walk: Motion, name: str) -> None:
    from kinema.retargeting.stance import _hinges

    upper = walk.skeleton.index({"LeftLeg": "LeftUpLeg", "LeftForeArm": "LeftArm"}[name])
    hinges, bends = _hinges(walk.skeleton, walk[:])
    assert upper in bends and upper in hinges
    if name == "LeftLeg":  # knees bend about the left-right axis, the shin going back
        axis = rotations.rotate(walk.skeleton.rest_pose.global_rotations[upper], hinges[upper])
        assert axis[0] > 0.9


def with_legs_apart(skeleton: Skeleton, angle: float, level: bool) -> Skeleton:
    """The skeleton with a rest pose whose legs are apart, with level soles or with straight ankles."""
    turns = skeleton.rest_rotations.copy()
    for leg, sign in zip(skeleton.roles.legs, (1.0, -1.0), strict=True):
        roll = rotations.from_axis_angle(np.array([0, 0, 1], np.float32), np.float32(sign * angle))
        turns[leg.upper] = rotations.multiply(roll, turns[leg.upper])
        if level:
            turns[leg.foot] = rotations.multiply(rotations.inverse(roll), turns[leg.foot])
    return replace(skeleton, rest_rotations=turns)


@pytest.mark.parametrize("level", [True, False], ids=["level soles", "straight ankles"])
def test_feet_are_flat_whatever_the_soles_of_a_rest_pose_with_legs_apart(walk: Motion, level: bool) -> None:
    """Only feet that stand in motion tell level soles from straight ankles."""
    other = with_legs_apart(walk.skeleton, np.radians(20.0), level)
    assert [leg.side for leg in other.roles.legs] == ["left", "right"]
    assert other.rest_pose.global_positions[other.roles.legs[0].foot, 0] > 0.3
    moved = Motion.create(other, walk.local_rotations, walk.local_translations, walk.translated, walk.fps)
    assert not find_stance(other, [moved]).measured
    found = retarget(moved, walk.skeleton, contacts=False).motion[:]
    feet = [joint for leg in walk.skeleton.roles.legs for joint in (leg.foot, leg.toe)]
    off = rotations.angle(rotations.relative(found.global_rotations[:, feet], walk[:].global_rotations[:, feet]))
    assert np.degrees(np.median(off)) < (1.0 if level else 6.0)  # this person's shins lean a little over their soles
