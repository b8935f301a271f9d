"""Colours as viser takes them."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.formats.images import linear
from kinema.viewer.colors import LINEAR, tinted, to_srgb


def test_to_srgb_and_back():
    values = np.linspace(0, 1, 1001)
    np.testing.assert_allclose(linear(to_srgb(values)), values, atol=1e-7)
    assert to_srgb(np.array([-0.1, 0.0])).max() <= 0


def test_the_table_of_bytes_is_the_same_conversion():
    assert LINEAR[0] == 0 and LINEAR[255] == 255 and (np.diff(LINEAR.astype(int)) >= 0).all()
    np.testing.assert_allclose(LINEAR / 255, linear(np.arange(256) / 255), atol=0.5 / 255 + 1e-9)


@pytest.mark.parametrize("color", [(0, 0, 0), (255, 255, 255), (12, 130, 240)])
def test_a_tint_of_one_changes_nothing_and_tints_darken_in_linear_light(color: tuple[int, int, int]):
    np.testing.assert_array_equal(tinted(color, np.ones((2, 3, 4))), np.broadcast_to(color, (2, 3, 3)))
    half = tinted(color, np.full(3, 0.5))
    np.testing.assert_allclose(linear(half / 255), 0.5 * linear(np.array(color) / 255), atol=0.006)
    assert (tinted(color, np.full(3, 9.0)) <= 255).all(), "bright tints are clipped, not wrapped"
