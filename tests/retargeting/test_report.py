"""Figures of a result."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.pose import Pose
from kinema.retargeting import Retargeter, retarget
from kinema.retargeting.contacts import LegContacts
from kinema.retargeting.report import (
    _at_limits,
    _beyond_limits,
    _directions,
    _feet,
    _interpolated,
    _jerk,
    _jerk_ratios,
    _limit_hits,
    _line,
    _peak_speed,
    _positions,
)
from kinema.roles import Chain
from kinema.skeleton import Hinge


def test_the_same_rig_has_no_errors(walk: Motion) -> None:
    report = retarget(walk, walk.skeleton, contacts=False).report
    assert report.direction_error_deg == pytest.approx(0, abs=0.05)
    assert report.position_error_cm == pytest.approx(0, abs=0.01)
    assert report.jerk_ratio == pytest.approx(1, abs=0.01)
    assert report.skate_before_cm_s == pytest.approx(report.skate_after_cm_s, abs=0.05)
    assert report.frames == walk.frames and report.frames_per_second > 0


def test_keys_are_those_of_the_command(walk: Motion, rig: Skeleton) -> None:
    values = retarget(walk, rig).report.to_dict()
    assert {
        "frames",
        "wall_seconds",
        "frames_per_second",
        "position_error_cm",
        "skate_before_cm_s",
        "skate_after_cm_s",
        "jerk_ratio",
        "jerk_ratio_by_size",
        "unmatched",
        "warnings",
    } <= set(values)
    json.dumps(values, allow_nan=False)


def test_what_is_wrong_is_seen(walk: Motion, small: Skeleton, monkeypatch) -> None:
    """A hand that hangs elsewhere, feet that slide and shake: every figure notices."""
    setup = Retargeter(walk.skeleton, small)
    good = setup(walk).report
    true_motion = setup._motion

    def spoiled(motion, local, hips):
        rng = np.random.default_rng(1)
        return true_motion(motion, local, hips + rng.normal(0, 0.01, hips.shape).astype(np.float32))

    monkeypatch.setattr(setup, "_motion", spoiled)
    bad = setup(walk).report
    assert bad.skate_after_cm_s > 10 * max(good.skate_after_cm_s or 0, 0.1)  # type: ignore[operator]
    assert bad.jerk_ratio > 2 * good.jerk_ratio  # type: ignore[operator]
    assert bad.penetration_after_percent > good.penetration_after_percent  # type: ignore[operator]


def test_proportions_are_no_jerk(walk: Motion) -> None:
    """Hands of arms twice as long move more, but no less smoothly."""
    skeleton = walk.skeleton
    moved = skeleton.rest_translations.copy()
    for arm in skeleton.roles.arms:
        moved[[arm.lower, arm.hand]] *= 2.0
    other = replace(skeleton, rest_translations=moved)
    report = Retargeter(skeleton, other)(walk, contacts=False).report
    assert report.jerk_ratio == pytest.approx(1.0, abs=0.02)
    assert report.jerk_ratio_by_size is not None and abs(report.jerk_ratio_by_size - 1.0) > 0.05, "by size they are"


def test_jerk_by_size_is_that_of_the_source_for_a_body_twice_as_large(walk: Motion) -> None:
    skeleton = walk.skeleton
    giant = replace(skeleton, rest_translations=2.0 * skeleton.rest_translations)
    report = Retargeter(skeleton, giant)(walk, contacts=False).report
    assert report.jerk_ratio_by_size == pytest.approx(1.0, abs=0.02)


def test_limits_of_hinges_are_counted(walk: Motion) -> None:
    skeleton = walk.skeleton
    knee = skeleton.index("LeftLeg")
    robot = Skeleton.create(
        skeleton.names,
        skeleton.parents,
        skeleton.rest_translations,
        skeleton.rest_rotations,
        hinges=[Hinge(knee, (1.0, 0.0, 0.0), -0.01, 0.2)],
    )
    moving = Motion.create(robot, walk.local_rotations, walk.local_translations, walk.translated, walk.fps)
    assert _limit_hits(walk[:]) == 0
    assert _limit_hits(moving[:]) > 10
    assert _at_limits(walk[:]) is None
    assert _at_limits(moving[:]) == pytest.approx(100.0 * np.mean(_beyond_limits(moving[:]) > -np.radians(1)))


def test_the_peak_speed_is_that_of_one_joint(walk: Motion) -> None:
    arm = walk.skeleton.roles.arms[0]
    local = np.tile(walk.local_rotations[:1], (5, 1, 1))
    turn = rotations.from_axis_angle(np.array([0, 1, 0], np.float32), np.float32(0.3))
    local[3:, arm.lower] = rotations.multiply(local[3:, arm.lower], turn)
    still = walk.cut(0, 5).replace(local_rotations=local)
    joints = range(walk.skeleton.joint_count)
    assert _peak_speed(still[:], 50.0, joints) == pytest.approx(15.0, rel=1e-3)
    assert _peak_speed(still[:], 50.0, [arm.upper]) == pytest.approx(0.0, abs=0.1)
    assert _peak_speed(still[:1], 50.0, joints) is None


def test_the_depth_of_soles_is_that_of_the_lowest_corner(walk: Motion, small: Skeleton, monkeypatch) -> None:
    setup = Retargeter(walk.skeleton, small)
    depth = setup(walk).report.sole_depth_after_cm
    true_motion = setup._motion
    monkeypatch.setattr(setup, "_motion", lambda m, local, hips: true_motion(m, local, hips - np.float32([0, 0.2, 0])))
    deeper = setup(walk).report
    assert depth is not None and depth < 2.0
    assert deeper.sole_depth_after_cm == pytest.approx(depth + 20.0, abs=2.0)
    assert deeper.sole_depth_before_cm is not None and deeper.sole_depth_before_cm < 3.0


def test_directions_are_those_of_both_bones() -> None:
    """Upper bones 30 degrees apart, lower bones 20."""
    bent = np.radians([[0.0, 0.0], [30.0, 20.0]])
    bones = np.stack([np.sin(bent), -np.cos(bent), 0 * bent], axis=-1)
    source, target = np.cumsum(np.concatenate([np.zeros((2, 1, 3)), bones], axis=1), axis=1)[:, None]
    angles = _directions([([0, 1, 2], [0, 1, 2])], source, target)
    np.testing.assert_allclose(angles, [[30.0, 20.0]], atol=1e-3)


def test_how_far_a_hinge_is_beyond_its_limits_has_a_sign() -> None:
    """Angles from the rest pose, about a slanted axis: below both limits, near them, inside and above."""
    axis = np.float32([0.0, 0.6, 0.8])
    rest = rotations.exp(np.float32([[0.3, -0.2, 0.5], [0.1, 0.9, -0.4]]))
    hinge = Hinge(1, (0.0, 0.6, 0.8), -0.3, 0.2)
    robot = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]], rest, hinges=[hinge])
    angles = np.float32([-0.45, -0.31, -0.29, 0.0, 0.19, 0.3])
    local = np.tile(rest, (6, 1, 1))
    local[:, 1] = rotations.multiply(rest[1], rotations.from_axis_angle(axis, angles))
    pose = Pose(robot, local)
    np.testing.assert_allclose(_beyond_limits(pose)[:, 0], [0.15, 0.01, -0.01, -0.2, -0.01, 0.1], atol=1e-4)
    assert _limit_hits(pose) == 3
    barely = rotations.from_axis_angle(axis, np.float32([0.2 + 0.0007, 0.2 + 0.0013, -0.3 - 0.0013]))
    beyond = np.stack([np.tile(rest[0], (3, 1)), rotations.multiply(rest[1], barely)], axis=1)
    assert _limit_hits(Pose(robot, beyond)) == 2, "by more than a thousandth"
    assert _at_limits(pose) == pytest.approx(100 * 5 / 6)
    assert _at_limits(pose[3:4]) == 0.0


def test_ends_of_limbs_are_compared_in_the_targets_size() -> None:
    """A limb of twice the size whose end is 10 cm from where it should be in one of two frames; one that is right."""
    line = np.array([[0, 0, 0], [0, -0.4, 0], [0, -0.7, 0.4]], np.float32)
    source = np.stack([line + 5, line - [1, 0, 2]])
    target = np.stack([2 * line, 2 * line + [0, 7, 0]])
    target[1, 2, 0] += 0.1
    both = np.concatenate([source, source], axis=1), np.concatenate([target, 3 * source], axis=1)
    errors, lengths = _positions([([0, 1, 2], [0, 1, 2]), ([3, 4, 5], [3, 4, 5])], *both)
    np.testing.assert_allclose(errors, [[0, 0], [0.1, 0]], atol=0.004)
    np.testing.assert_allclose(lengths, [1.8, 2.7], atol=0.01)
    nothing = _positions([], source, target)
    assert nothing[0].size == nothing[1].size == 0


def test_figures_of_feet_are_speeds_and_depths_of_the_points_that_touch(walk: Motion, small: Skeleton) -> None:
    """Bodies at rest that glide: the source 6 cm, the target 3 cm a frame, both 2 cm and then 4 cm in the ground."""
    setup = Retargeter(walk.skeleton, small)
    fps, frames = 20.0, 5
    sinks = np.float32([0, 0.02, 0.04, 0, 0])

    def gliding(skeleton: Skeleton, step: float) -> Pose:
        moved = np.tile(skeleton.rest_translations, (frames, 1, 1))
        moved[:, 0, 2] += step * np.arange(frames)
        moved[:, 0, 1] -= sinks
        return Pose(skeleton, np.tile(skeleton.rest_rotations, (frames, 1, 1)), moved)

    source, target = gliding(setup.source, 0.06), gliding(setup.target, 0.03)
    stands = [np.array([0, 0, 0, 1, 1], bool), np.zeros(frames, bool)]
    grounds = [float(leg.source.path(source)[0, 1]) for leg in setup.legs]
    states = [LegContacts(g, s, sinks) for g, s in zip(grounds, stands, strict=True)]
    found = _feet(setup.legs, states, source, target, fps)
    assert found["skate_before_cm_s"] == pytest.approx(120.0, rel=1e-4)
    assert found["skate_after_cm_s"] == pytest.approx(60.0, rel=1e-4)
    lengths = setup.legs[0].source.length, setup.legs[0].target.length
    assert found["skate_before_legs_s"] == pytest.approx(1.2 / lengths[0], rel=1e-4)
    assert found["skate_after_legs_s"] == pytest.approx(0.6 / lengths[1], rel=1e-4)
    assert found["penetration_before_percent"] == found["penetration_after_percent"] == pytest.approx(40.0)
    assert found["sole_depth_before_cm"] == pytest.approx(4.0, abs=1e-3)
    corners = min(float(c.points(target[0])[1]) for leg in setup.legs for c in leg.corners)
    assert found["sole_depth_after_cm"] == pytest.approx(4.0 - 100 * corners, abs=1e-3)
    assert set(_feet([], [], source, target, fps).values()) == {None}


def test_jerk_needs_four_frames(walk: Motion, small: Skeleton) -> None:
    setup = Retargeter(walk.skeleton, small)
    source = walk.cut(100, 104)
    result = setup(source, contacts=False).motion
    assert _jerk_ratios(setup, source[:3], result[:3]) == {}
    assert len(_jerk_ratios(setup, source[:], result[:])) == 2
    held, there = (
        Pose(skeleton, np.tile(skeleton.rest_rotations, (6, 1, 1))) for skeleton in (setup.source, setup.target)
    )
    assert _jerk_ratios(setup, held, there) == {}, "nothing moves in the source"


def test_points_between_those_of_a_line(biped: Skeleton) -> None:
    line = np.array([[[0, 0, 0], [1, 0, 0], [1, 3, 0]]], np.float32)
    along = np.float32([0.0, 0.25, 1.0])
    found = _interpolated(line, along, np.float32([0.0, 0.125, 0.25, 0.5, 1.0]))
    np.testing.assert_allclose(found[0], [[0, 0, 0], [0.5, 0, 0], [1, 0, 0], [1, 1, 0], [1, 3, 0]], atol=1e-5)
    toe, head = biped.index("LeftToeBase"), biped.index("Head")
    pose = Pose(biped, np.tile(biped.rest_rotations, (2, 1, 1)))
    chain = Chain("toes", "left", (biped.index("LeftFoot"), toe), 0)  # type: ignore[arg-type]
    points, shares = _line(pose, chain)
    tip = pose.global_positions[:, toe] + [0, 0, 0.07]
    np.testing.assert_allclose(points[:, 2], tip, atol=1e-5)
    lengths = np.float32([np.hypot(0.06, 0.13), 0.07])
    np.testing.assert_allclose(shares, [0, lengths[0] / lengths.sum(), 1], atol=1e-5)
    alone = _line(pose, Chain("head", None, (head,), 0))  # type: ignore[arg-type]
    assert alone[0].shape == (2, 2, 3) and alone[1].tolist() == [0.0, 1.0]
    hand = _line(pose, Chain("index", "left", (biped.index("LeftHand"),), 0))  # type: ignore[arg-type]
    np.testing.assert_array_equal(hand[0][:, 0], hand[0][:, 1])  # without a tip it ends at the joint


def test_jerk_is_the_sum_over_points_of_mean_third_differences() -> None:
    """One point with x = t^3, whose third difference is 6, one with twice that along y and z, one at rest."""
    t = np.arange(7.0)
    points = np.zeros((7, 3, 3))
    points[:, 0, 0], points[:, 1, 1], points[:, 1, 2] = t**3, 2 * t**3, 2 * t**3
    assert _jerk(points.astype(np.float32)) == pytest.approx(6 + 12 * 2**0.5)


def test_a_robot_is_at_its_limits_as_often_as_its_worst_joint() -> None:
    hinges = [Hinge(0, (0.0, 0.0, 1.0), -1.0, 1.0), Hinge(1, (0.0, 0.0, 1.0), -1.0, 1.0)]
    robot = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]], hinges=hinges)
    angles = np.float32([[0, 1], [0.5, -1], [1, 1], [0, 0.5]])
    pose = Pose(robot, rotations.exp(angles[..., None] * np.float32([0, 0, 1])))
    assert _at_limits(pose) == pytest.approx(75.0)
