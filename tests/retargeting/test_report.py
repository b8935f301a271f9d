"""Figures of a result."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.retargeting import Retargeter, retarget
from kinema.retargeting.report import _limit_hits
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
    assert _limit_hits(walk) == 0
    assert _limit_hits(moving) > 10
