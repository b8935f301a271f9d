"""Curves: every kind of key, and what is beyond the ends."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.formats.fbx import curves
from kinema.formats.fbx.curves import Curve, Extrapolation
from kinema.formats.fbx.tangents import IS_CONSTANT, IS_LINEAR, KeyAttributes

from .conftest import curve_of, segments_of

MIRROR, RELATIVE, REPEAT, SLOPE = curves.MIRROR, curves.RELATIVE, curves.REPEAT, curves.SLOPE
USER = 0x8 | 0x400


HELD = Extrapolation()


def straight(flags: int = IS_LINEAR, before: Extrapolation = HELD, after: Extrapolation = HELD) -> Curve:
    """Keys (1, 0), (2, 10), (3, 5)."""
    return Curve(
        np.array([1.0, 2, 3]),
        np.array([0.0, 10, 5]),
        KeyAttributes(np.array([flags]), np.zeros((1, 4), np.float32), np.array([3])),
        before,
        after,
    )


AT = np.array([0.5, 1, 1.25, 2, 2.5, 3, 9])


def test_linear_and_held_keys():
    assert straight().evaluate(AT).tolist() == [0, 0, 2.5, 10, 7.5, 5, 5]
    assert straight(IS_CONSTANT).evaluate(AT).tolist() == [0, 0, 0, 10, 10, 5, 5]
    following = curve_of([(1, 0), (2, 10), (3, 5)], 0x2 | 0x100)
    assert following.evaluate(AT).tolist() == [0, 0, 10, 10, 5, 5, 5]


def test_a_frame_that_rounding_puts_before_its_key_shows_it():
    held = curve_of([(0, 1), (1 / 3, 2), (1, 3)], 0x2)
    assert held.evaluate(np.array([1 / 3 - 1e-9])).tolist() == [2]


@pytest.mark.parametrize("first", [0.0, 1e-4, 1 / 3, 1.0])
@pytest.mark.parametrize("second", [0.0, 2 / 3, 1.0])
def test_the_parameter_of_a_bezier_curve_is_found_to_rounding(first: float, second: float):
    share = np.linspace(0, 1, 1001)
    u = curves._bezier_parameter(share, np.full(1001, first), np.full(1001, second))
    back = 3 * (1 - u) ** 2 * u * first + 3 * (1 - u) * u**2 * second + u**3
    np.testing.assert_allclose(back, share, atol=1e-9)


def test_beyond_the_ends():
    at = np.array([-0.5, 0.5, 3.5, 4, 5.5])

    def found(kind: str, count: int = -1) -> list[float]:
        return straight(IS_LINEAR, Extrapolation(kind, count), Extrapolation(kind, count)).evaluate(at).tolist()

    assert found(REPEAT) == [5, 7.5, 5, 10, 5]
    assert found(MIRROR) == [7.5, 5, 7.5, 10, 5]
    assert found(SLOPE) == [-15, -5, 2.5, 0, -7.5]
    assert found(RELATIVE) == [0, 2.5, 10, 15, 15]
    assert found(RELATIVE, 1) == [0, 2.5, 10, 15, 10]


def test_repetitions_end():
    after = straight(IS_LINEAR, after=Extrapolation(RELATIVE, 2))
    assert after.evaluate(np.array([5.0, 7, 100])).tolist() == [10, 15, 15]


def test_curves_that_never_leave_a_value():
    assert not curve_of([(0, 5), (1, 5)]).strays(5) and curve_of([(0, 5), (1, 5)]).strays(4)
    assert curve_of([(0, 5), (1, 5)], USER, (3, 0, 0, 0)).strays(5)  # flat keys, but a bulge between them


def test_frames_on_keys_need_no_tangents(monkeypatch: pytest.MonkeyPatch):
    found = curve_of([(0, 1), (0.5, 4), (1, 2)], 0x8)
    monkeypatch.setattr(Curve, "segments", None)
    assert found.evaluate(np.array([0, 0.5, 1, 2])).tolist() == [1, 4, 2, 2]


@pytest.mark.parametrize(
    "flags", [0x8, 0x8 | 0x100 | 0x2000 | 0x4000, 0x8 | 0x200, 0x8 | 0x400 | 0x3000000, 0x2 | 0x100]
)
def test_tangents_of_some_keys_are_those_of_all(flags: int):
    rng = np.random.default_rng(flags)
    times = np.cumsum(rng.choice([0.0, 0.1, 0.5], 60))  # some keys stand at one time
    found = curve_of(list(zip(times, rng.normal(size=60), strict=True)), flags, (0.3, -0.2, 0.1, 0))
    keys = np.array([0, 1, 7, 8, 20, len(found.times) - 1])
    for some, every in zip(found.segments(keys), segments_of(found), strict=True):
        np.testing.assert_array_equal(some, every[keys])


def test_several_keys_at_one_time_keep_the_last():
    assert curve_of([(0, 1), (1, 2), (1, 3), (2, 4)]).values.tolist() == [1, 3, 4]
