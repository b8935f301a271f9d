"""Compiled sampling equals Motion.sample."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.control import plan_kernels
from kinema.motion import catmull_rom


def test_values_are_weighted_sums(rng):
    frames, weights = rng.integers(0, 50, (9, 4)), rng.normal(size=(9, 4)).astype(np.float32)
    for values in (rng.normal(size=(50, 6)).astype(np.float32), rng.integers(0, 2, (50, 2)).astype(np.uint8)):
        expected = np.einsum("nk,nkd->nd", weights, values[frames])
        found = plan_kernels.sample_values(values, frames, weights)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, expected, atol=1e-5)
    assert plan_kernels.sample_values(np.zeros((50, 0), np.float32), frames, weights).shape == (9, 0)


def test_kernel_equals_cubic_sampling(database, rng):
    motion = database.clip_motion(0)
    # Signs say nothing about a rotation: stored poses may have either.
    signs = rng.choice(np.float32([-1, 1]), (motion.frames, motion.skeleton.joint_count, 1))
    times = rng.uniform(0, (motion.frames - 1) / motion.fps, 200)
    place = times * motion.fps
    first = np.minimum(place.astype(np.int64), motion.frames - 2)
    around = np.clip(first[:, None] + np.arange(-1, 3), 0, motion.frames - 1)
    weights = catmull_rom((place - first).astype(np.float32))
    fast = plan_kernels.sample_rotations(motion.local_rotations * signs, around, weights)
    plain = motion.sample(times, method="cubic").local_rotations
    assert fast.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(fast, axis=-1), 1, atol=1e-5)
    assert rotations.angle(rotations.relative(fast.astype(np.float64), plain.astype(np.float64))).max() < 1e-5
