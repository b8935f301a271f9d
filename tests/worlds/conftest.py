"""Scenes of random Gaussians."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.worlds import GaussianScene


def drawn(count: int, coefficients: int = 16, seed: int = 0) -> GaussianScene:
    rng = np.random.default_rng(seed)
    return GaussianScene(
        rng.normal(0, 3, (count, 3)).astype(np.float32),
        rng.normal(0, 1, (count, 4)).astype(np.float32),
        rng.normal(-3, 0.7, (count, 3)).astype(np.float32),
        rng.normal(1, 2, count).astype(np.float32),
        rng.normal(0, 0.3, (count, coefficients, 3)).astype(np.float32),
    )


@pytest.fixture
def scene() -> GaussianScene:
    return drawn(700)


def yard(seed: int = 0) -> GaussianScene:
    """A level ground of 10 by 10 m at height 0, a wall of 2 m and a table, with a little noise."""
    rng = np.random.default_rng(seed)
    ground = np.stack([rng.uniform(-5, 5, 6000), np.zeros(6000), rng.uniform(-5, 5, 6000)], axis=-1)
    wall = np.stack([rng.uniform(-3, 3, 1500), rng.uniform(0, 2, 1500), np.full(1500, -2.0)], axis=-1)
    table = np.stack([rng.uniform(1, 2, 400), np.full(400, 0.8), rng.uniform(1, 2, 400)], axis=-1)
    legs = np.stack([np.full(100, 1.5), rng.uniform(0, 0.8, 100), np.full(100, 1.5)], axis=-1)
    means = np.concatenate([ground, wall, table, legs]) + rng.normal(0, 0.01, (8000, 3))
    count = len(means)
    return GaussianScene(
        means.astype(np.float32),
        np.tile(np.asarray([[1, 0, 0, 0]], np.float32), (count, 1)),
        np.full((count, 3), np.log(0.05), np.float32),
        np.full(count, 3.0, np.float32),
        rng.normal(0, 0.3, (count, 1, 3)).astype(np.float32),
    )
