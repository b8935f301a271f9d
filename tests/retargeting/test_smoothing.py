"""Smoothing over time."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.retargeting.smoothing import level_trunk, smooth, smooth_joints


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
