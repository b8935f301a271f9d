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
