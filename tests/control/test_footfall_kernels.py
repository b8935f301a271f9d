"""The compiled parts of the foot lock against the same formulas in NumPy."""

from __future__ import annotations

import numpy as np

from kinema import springs
from kinema.control.footfall_kernels import Lift, drop, lift

DT = 1 / 60


def ramp(x, low, high):
    share = np.clip((x - low) / (high - low), 0, 1)
    return share**2 * (3 - 2 * share)


def test_lift(rng):
    settings = Lift(0.03, 0.02, 0.2, 0.8, 0.08, 0.38, 0.6, springs.damping(0.035))
    size = 0.7
    speed, apart, height, rate = np.abs(rng.normal(scale=0.3, size=(4, 60, 3))).astype(np.float32)
    drawn, planned = rng.normal(scale=0.5, size=(2, 60, 3, 3)).astype(np.float32)
    standing = rng.random((60, 3)) < 0.4
    level = [np.hypot(v[..., 0], v[..., 2]) / size for v in (drawn, planned, drawn - planned)]
    fast = np.maximum(level[0], level[1])
    speeds, aparts = fast + 0.6 * (speed - fast), level[2] + 0.6 * (apart - level[2])
    others = standing.sum(axis=1, keepdims=True) - standing > 0
    wanted = ramp(speeds, 0.2, 0.8) * (0.03 + 0.02 * others * ramp(aparts, 0.08, 0.38)) * ~standing
    heights, rates = springs.spring(height.astype(np.float64), rate, wanted, 0.035, DT)
    found = lift((speed, apart, height, rate), drawn, planned, standing, settings, size, DT)
    np.testing.assert_allclose(found, size * np.maximum(heights, 0), atol=1e-6)
    for mine, other in zip((speed, apart, height, rate), (speeds, aparts, heights, rates), strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-5)


def test_drop(rng):
    hips, feet = rng.normal(scale=0.3, size=(2, 60, 2, 3)).astype(np.float32)
    hips[..., 1] += 0.8
    reach, standing = np.float32([0.8, 0.85]), rng.random((60, 2)) < 0.6
    before = rng.uniform(0, 0.1, 60).astype(np.float32)
    line = feet - hips
    height = np.sqrt(np.maximum(reach**2 - line[..., 0] ** 2 - line[..., 2] ** 2, 0))
    drops = np.where(standing, np.minimum(-line[..., 1] - height, 0.2), 0).max(axis=1)
    found = before.copy()
    drop(found, hips, feet, reach, standing, 0.2)
    np.testing.assert_allclose(found, np.maximum(before, drops), atol=1e-6)
    assert (found > before).any() and (found == before).any()
