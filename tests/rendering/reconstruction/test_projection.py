from __future__ import annotations

import numpy as np

from kinema.rendering.reconstruction.projection import COLUMNS, project, turned

from .conftest import few


def test_gaussians_stand_where_their_centres_are_seen() -> None:
    numbers = few(6)
    numbers.means[5] = [0.0, 0.0, -9.0]  # behind
    lens = np.asarray([50.0, 60.0, 31.0, 22.0, 64.0, 48.0])
    seen, who = np.empty((6, COLUMNS), np.float32), np.empty(6, np.int32)
    fixed = numbers.means, numbers.quaternions, numbers.log_scales, numbers.logits
    count = project(*fixed, np.eye(3), np.asarray([0.0, 0.0, -4.0]), lens, 0.1, False, seen, who)
    assert who[:count].tolist() == [0, 1, 2, 3, 4]
    depth = numbers.means[:5, 2] + 4.0
    assert np.allclose(seen[:count, 0], 31.0 + 50.0 * numbers.means[:5, 0] / depth, atol=1e-3)
    assert np.allclose(seen[:count, 1], 22.0 + 60.0 * numbers.means[:5, 1] / depth, atol=1e-3)
    assert np.allclose(seen[:count, 2], depth, atol=1e-5)


def test_quaternions_of_any_length_are_rotations() -> None:
    matrix = np.empty((3, 3))
    short = turned(few(1).quaternions * 3.0, 0, matrix)
    assert np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-6) and np.isclose(np.linalg.det(matrix), 1.0)
    assert np.isclose(short * np.linalg.norm(few(1).quaternions * 3.0), 1.0)
