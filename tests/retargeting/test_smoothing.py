"""Smoothing over time."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.retargeting.smoothing import level_trunk, smooth, smooth_joints, smooth_rotations


def test_a_trunk_is_smoothed_and_level_trunk(rng: np.random.Generator) -> None:
    x = np.array([1, 0, 0], np.float32)
    lean = rotations.from_axis_angle(x, (0.3 + 0.02 * rng.standard_normal(200)).astype(np.float32))[:, None]
    stood = rotations.identity((1,), lean)
    level = level_trunk(lean, stood, 0, [0])
    assert abs(float(np.mean(rotations.log(level)[:, 0, 0]))) < 1e-3
    calm = smooth_joints(level, [0], 4.0)
    assert (
        np.abs(np.diff(rotations.log(calm)[:, 0, 0])).mean()
        < 0.2 * np.abs(np.diff(rotations.log(level)[:, 0, 0])).mean()
    )
    line = np.linspace(0, 1, 50, dtype=np.float32)[:, None] * np.ones(3, np.float32)
    assert np.allclose(smooth(line, 2.0)[10:-10], line[10:-10], atol=1e-4)


def test_values_are_smoothed_over_time_only(rng: np.random.Generator) -> None:
    """By a Gaussian: a step becomes its integral, and what differs between columns stays."""
    step = np.zeros((81, 3))
    step[41:] = [1.0, -2.0, 0.0]
    step += [5.0, 7.0, 9.0]
    found = smooth(step, 4.0)
    from scipy.stats import norm

    rise = norm.cdf((np.arange(81) - 40.5) / 4.0)
    np.testing.assert_allclose(found, [5, 7, 9] + rise[:, None] * [1, -2, 0], atol=5e-3)
    assert smooth(step.astype(np.float32), 2.0).dtype == np.float32


def test_rotations_are_smoothed_whatever_their_signs(rng: np.random.Generator) -> None:
    steady = rotations.exp(np.linspace(0, 3, 100)[:, None, None] * np.array([[0.6, 0.0, 0.8], [0.0, 1.0, 0.0]]))
    flipped = steady * rng.choice([-1, 1], (100, 2, 1))
    found = smooth_rotations(flipped, 3.0)
    assert rotations.angle(rotations.relative(found, steady))[12:-12].max() < 1e-3
    np.testing.assert_allclose(np.linalg.norm(found, axis=-1), 1, atol=1e-12)


def test_only_the_joints_that_are_named_are_smoothed(rng: np.random.Generator) -> None:
    turns = rotations.exp(0.3 * rng.normal(size=(50, 3, 3))).astype(np.float32)
    found = smooth_joints(turns, [0, 2], 3.0)
    np.testing.assert_array_equal(found[:, 1], turns[:, 1])
    for joint in (0, 2):
        np.testing.assert_allclose(found[:, joint], smooth_rotations(turns[:, joint], 3.0), atol=1e-6)


@pytest.mark.parametrize("heading", [0.0, 1.2, -2.5])
def test_a_level_trunk_keeps_heading_and_sway_and_loses_its_mean_tilt(heading: float) -> None:
    """Someone who leans ahead by 0.4 and sways by 0.2 to both sides, in joint frames of any kind, going anywhere."""
    phase = np.linspace(0, 4 * np.pi, 200, endpoint=False)
    yaw = rotations.from_yaw((heading + 0.1 * phase).astype(np.float32))
    sway = rotations.exp(np.stack([0 * phase, 0 * phase, 0.2 * np.sin(phase)], axis=-1)).astype(np.float32)
    lean = rotations.exp(np.float32([0.4, 0, 0]))
    stood = rotations.normalize(np.float32([[1, 2, 3, 4], [4, -1, 0, 2]]))
    hips = rotations.multiply(yaw, stood[0])
    chest = rotations.multiply(rotations.multiply(yaw, rotations.multiply(sway, lean)), stood[1])
    found = level_trunk(np.stack([hips, chest], axis=1), stood, 0, [0, 1])
    assert rotations.angle(rotations.relative(found[:, 0], hips)).max() < 2e-3
    wanted = rotations.multiply(rotations.multiply(yaw, sway), stood[1])
    assert rotations.angle(rotations.relative(found[:, 1], wanted)).max() < 5e-3
