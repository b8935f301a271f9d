"""Figures of a result."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.retargeting import Retargeter, retarget
from kinema.retargeting.report import _at_limits, _beyond_limits, _directions, _limit_hits, _peak_speed
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
