"""Ear clipping, and what happens when it runs out of steps."""

from __future__ import annotations

import numpy as np

from kinema.formats.polygon_kernels import clip_ears

COMB = np.array([[0, 0], [5, 0], [5, 2], [4, 0.5], [3, 2], [2, 0.5], [1, 2], [0.5, 0.5], [0, 2]], dtype=np.float64)


def _signed(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return 0.5 * ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])


def test_two_combs():
    points = np.concatenate([COMB, COMB + 10])
    triangles = clip_ears(points, np.array([0, 9]), np.array([9, 9]), 10_000)
    areas = _signed(points, triangles)
    shoelace = 0.5 * (COMB[:, 0] * np.roll(COMB[:, 1], -1) - COMB[:, 1] * np.roll(COMB[:, 0], -1)).sum()
    assert (areas > 0).all() and np.isclose(areas.sum(), 2 * shoelace)
    assert (triangles[:7] < 9).all() and (triangles[7:] >= 9).all()


def test_without_steps_it_still_ends():
    assert clip_ears(COMB, np.array([0]), np.array([9]), 0).shape == (7, 3)
