"""Compiled placing equals the product of rotations."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.control import pose_kernels


def test_place_equals_rotations(rng):
    roots = rng.normal(size=(5, 3)).astype(np.float32)
    headings = rotations.from_yaw(rng.uniform(-6, 6, 5).astype(np.float32))
    turned = rotations.normalize(rng.normal(size=(5, 9, 4))).astype(np.float32)
    positions = rng.normal(size=(5, 9, 3)).astype(np.float32)
    world, moved = turned.copy(), positions.copy()
    pose_kernels.place(roots, headings, world, moved)
    np.testing.assert_allclose(world, rotations.multiply(headings[:, None], turned), atol=1e-6)
    np.testing.assert_allclose(moved, rotations.rotate(headings[:, None], positions) + roots[:, None], atol=2e-6)
