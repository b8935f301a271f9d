"""Tangents: given, weighted, automatic, by tension, continuity and bias."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinema.formats.fbx.keys import read_curve

from .conftest import TICKS, curve_body, curve_of, record_of, segments_of

AUTO = 0x8 | 0x100 | 0x2000 | 0x4000  # as Maya writes it
USER = 0x8 | 0x400


def test_given_tangents_are_slopes_a_second():
    found = curve_of([(0, 0), (2, 4)], USER, (3, -1, 0, 0)).evaluate(np.array([0.0, 1e-4, 1, 2 - 1e-4, 2]))
    assert (found[1] - found[0]) / 1e-4 == pytest.approx(3, rel=1e-3)
    assert (found[4] - found[3]) / 1e-4 == pytest.approx(-1, rel=1e-3)
    assert found[2] == pytest.approx(4 / 2 + (3 + 1) * 2 / 8)  # Hermite at the middle


@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0, 1))
def test_weighted_tangents_are_points_of_a_bezier_curve(right: float, left: float, u: float):
    right, left = round(right, 4), round(left, 4)
    packed = np.array([round(right * 1e4) | round(left * 1e4) << 16], np.uint32).view(np.int32)[0]
    body = curve_body([(0, 0), (2, 4)], USER | 0x3000000).replace("a: 0.0,0.0,0.0,0.0", f"a: 1077936128,0,{packed},0")
    found = read_curve(record_of(body), TICKS)  # 1077936128 are the bits of 3.0
    assert found is not None
    x = 3 * (1 - u) ** 2 * u * right * 2 + 3 * (1 - u) * u**2 * (2 - left * 2) + u**3 * 2
    y = 3 * (1 - u) ** 2 * u * right * 2 * 3 + 3 * (1 - u) * u**2 * 4 + u**3 * 4
    assert found.evaluate(np.array([x]))[0] == pytest.approx(y, abs=2e-3)


def test_automatic_keys_are_smooth_and_do_not_overshoot():
    found = curve_of([(0, 0), (1, 4), (2, 5), (3, 5), (4, 0)], AUTO)
    at = np.linspace(0, 4, 401)
    values = found.evaluate(at)
    assert values[[0, 100, 200, 300, 400]].tolist() == [0, 4, 5, 5, 0]
    assert (np.diff(values[:200]) >= -1e-12).all() and values.max() <= 5 + 1e-12
    np.testing.assert_allclose(segments_of(found).slopes[1], 2.5)  # the mean of both sides
    np.testing.assert_allclose(segments_of(found).slopes[[0, 2, 4]], 0)


def test_tension_continuity_bias():
    # With all three at zero the curve is a Catmull-Rom spline.
    found = curve_of([(0, 0), (1, 4), (2, 6)], 0x8 | 0x200)
    np.testing.assert_allclose(segments_of(found).slopes[1], 3)
    tense = curve_of([(0, 0), (1, 4), (2, 6)], 0x8 | 0x200, (1, 0, 0, 0))
    np.testing.assert_allclose(segments_of(tense).slopes, 0)


def test_automatic_keys_heed_the_time_between_keys():
    # Half the slope from neighbour to neighbour, half the mean of both sides weighted by the other side's time.
    found = curve_of([(0, 0), (1, 2), (4, 2)], 0x8 | 0x100)
    np.testing.assert_allclose(segments_of(found).slopes[1], 0.5 * 2 / 4 + 0.5 * (2 * 0.75 + 0 * 0.25))


def test_clamped_keys_are_level_beside_an_equal_one():
    found = curve_of([(0, 0), (1, 2), (2, 2), (3, 5), (4, 9)], 0x8 | 0x100 | 0x1000)
    np.testing.assert_allclose(segments_of(found).slopes[[1, 2]], 0)
    assert (segments_of(found).slopes[3] > 0).all()
