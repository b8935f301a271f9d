"""The rate that keys were made with."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.formats.rates import native_rate


@pytest.mark.parametrize("fps", [24, 25, 30, 60, 120, 12.5])
def test_even_keys_have_their_own_rate(fps: float):
    assert native_rate(np.arange(50) / fps + 3) == pytest.approx(fps)


def test_sparse_keys_have_a_common_rate_on_whose_grid_they_lie():
    assert native_rate(np.array([0, 7, 8, 30, 31]) / 24) == 24
    assert native_rate(np.array([0.0])) == 30
