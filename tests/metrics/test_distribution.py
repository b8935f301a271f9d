from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import KinemaError
from kinema.metrics import distribution as d


def test_frechet_of_known_normals():
    """Shifted and scaled copies: |dm|^2 + sum (s_a - s_b)^2 along the axes."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4000, 3))
    x = (x - x.mean(0)) @ np.linalg.inv(np.linalg.cholesky(np.cov(x, rowvar=False, bias=True))).T
    assert d.frechet(x, x) == pytest.approx(0.0, abs=1e-9)
    assert d.frechet(x, x + np.array([3, 0, 4])) == pytest.approx(25.0)
    assert d.frechet(x, x * [1, 2, 4]) == pytest.approx(1 + 9)
    assert d.frechet(x * [1, 2, 4], x) == pytest.approx(10)


def test_frechet_agrees_with_the_matrix_root(rng):
    from scipy.linalg import sqrtm

    a, b = rng.normal(size=(500, 4)) @ rng.normal(size=(4, 4)), rng.normal(size=(600, 4)) @ rng.normal(size=(4, 4))
    first, second = (np.cov(x, rowvar=False, bias=True) for x in (a, b))
    expected = np.sum((a.mean(0) - b.mean(0)) ** 2) + np.trace(first + second - 2 * np.real(sqrtm(first @ second)))
    assert d.frechet(a, b) == pytest.approx(expected, rel=1e-6)


def test_frechet_of_flat_distributions_is_defined():
    assert d.frechet(np.zeros((9, 3)), np.ones((9, 3))) == pytest.approx(3.0)


def test_pose_vectors_do_not_depend_on_where_the_character_is(walk, at):
    run = walk()
    turn = rotations.from_yaw(np.full(run.frames, 1.1, np.float32))
    moved = at(
        run,
        rotations.rotate(turn[:, None], run.positions) + np.float32([3, 0, -2]),
        root_positions=rotations.rotate(turn, run.root_positions) + np.float32([3, 0, -2]),
        root_rotations=rotations.multiply(turn, run.root_rotations),
    )
    np.testing.assert_allclose(d.pose_vectors(moved), d.pose_vectors(run), atol=2e-4)
    assert d.pose_vectors([run, moved]).shape == (600, 18)


def test_frechet_is_blind_to_stutter(walk):
    """A documented trap: frames held for two have the same poses, so only velocities move. Jerk must be read beside."""
    clips = [walk(1.0 + 0.1 * i, i) for i in range(4)]
    space = d.PoseSpace.fit(clips, 6)
    truth = space.project(clips)
    held = np.repeat(truth[::2], 2, axis=0)
    noisy = truth + 0.5 * np.random.default_rng(0).normal(size=truth.shape)
    assert d.frechet(truth, held) < 0.02 * d.frechet(truth, noisy)


def test_space_is_ordered_and_whitening_ignores_constants(walk):
    space = d.PoseSpace.fit([walk(1.0 + 0.1 * i, i) for i in range(4)], 8)
    coordinates = space.project([walk(1.0 + 0.1 * i, i) for i in range(4)])
    spread = coordinates.std(axis=0)
    assert (np.diff(spread) <= 1e-6).all()
    assert np.isfinite(coordinates).all()
    np.testing.assert_allclose(coordinates.mean(axis=0), 0.0, atol=1e-3)
    np.testing.assert_allclose(space.basis.T @ space.basis, np.eye(8), atol=1e-9)
    with pytest.raises(KinemaError, match="too few for 400 components"):
        d.PoseSpace.fit(walk(), 400)


def test_coverage_counts_what_is_near():
    real = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]])
    assert d.coverage(real, np.array([[0.1, 0], [2.1, 0]]), 0.2) == 0.5
    assert d.coverage(real, real, 0.01) == 1.0
    assert d.coverage(real, np.array([[50.0, 0]]), 0.2) == 0.0


def test_radius_is_the_median_distance_between_halves():
    assert d.coverage_radius(np.array([[0.0], [10.0]]), np.array([[1.0], [12.0]])) == pytest.approx(1.5)


def test_diversity_of_two_points_and_of_one():
    assert d.diversity(np.tile([[0.0], [4.0]], (50, 1))) == pytest.approx(2.0, rel=0.05)
    assert d.diversity(np.ones((10, 3))) == 0.0
    x = np.random.default_rng(0).normal(size=(3000, 32))
    assert d.diversity(x) == pytest.approx(8.0, rel=0.02)  # sqrt(2 * 32)
    assert d.diversity(x) == d.diversity(x)


def test_even_spread_keeps_ends():
    x = np.arange(1000)[:, None]
    assert d.spread_evenly(x, 10)[[0, -1], 0].tolist() == [0, 999]
    assert len(d.spread_evenly(x, 10)) == 10
    assert d.spread_evenly(x) is x
