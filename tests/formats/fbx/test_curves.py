"""Curves: every kind of key, what is beyond the ends, and curves that are broken."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinema.formats.fbx import curves
from kinema.formats.fbx.curves import Beyond, Curve, read_curve, read_keys
from kinema.formats.fbx.records import Record, parse

from .conftest import TICKS, curve_body

CONSTANT, CUBIC, LINEAR = curves.CONSTANT, curves.CUBIC, curves.LINEAR
MIRROR, RELATIVE, REPEAT, SLOPE = curves.MIRROR, curves.RELATIVE, curves.REPEAT, curves.SLOPE
AUTO = 0x8 | 0x100 | 0x2000 | 0x4000  # as Maya writes it
USER = 0x8 | 0x400


def record(body: str) -> Record:
    return parse(f"; FBX 7.7.0\nCurve: {{\n{body}}}\n".encode(), "a.fbx").root.children[0]


def curve(keys: list[tuple[float, float]], flags: int = 4, data: tuple[float, ...] = (0, 0, 0, 0)) -> Curve:
    found = read_curve(record(curve_body(keys, flags, data)), TICKS)
    assert found is not None
    return found


def straight(mode: int = LINEAR, before: Beyond = Beyond(), after: Beyond = Beyond()) -> Curve:  # noqa: B008
    """Keys (1, 0), (2, 10), (3, 5)."""
    return Curve(np.array([1.0, 2, 3]), np.array([0.0, 10, 5]), np.full(3, mode, np.int8), np.zeros((3, 2)),
                 np.full((3, 2), 1 / 3), before, after)  # fmt: skip


AT = np.array([0.5, 1, 1.25, 2, 2.5, 3, 9])


def test_linear_and_held_keys():
    assert straight().evaluate(AT).tolist() == [0, 0, 2.5, 10, 7.5, 5, 5]
    assert straight(CONSTANT).evaluate(AT).tolist() == [0, 0, 0, 10, 10, 5, 5]
    following = curve([(1, 0), (2, 10), (3, 5)], 0x2 | 0x100)
    assert following.evaluate(AT).tolist() == [0, 0, 10, 10, 5, 5, 5]


def test_a_frame_that_rounding_puts_before_its_key_shows_it():
    held = curve([(0, 1), (1 / 3, 2), (1, 3)], 0x2)
    assert held.evaluate(np.array([1 / 3 - 1e-9])).tolist() == [2]


def test_given_tangents_are_slopes_a_second():
    found = curve([(0, 0), (2, 4)], USER, (3, -1, 0, 0)).evaluate(np.array([0.0, 1e-4, 1, 2 - 1e-4, 2]))
    assert (found[1] - found[0]) / 1e-4 == pytest.approx(3, rel=1e-3)
    assert (found[4] - found[3]) / 1e-4 == pytest.approx(-1, rel=1e-3)
    assert found[2] == pytest.approx(4 / 2 + (3 + 1) * 2 / 8)  # Hermite at the middle


@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0, 1))
def test_weighted_tangents_are_points_of_a_bezier_curve(right: float, left: float, u: float):
    right, left = round(right, 4), round(left, 4)
    packed = np.array([round(right * 1e4) | round(left * 1e4) << 16], np.uint32).view(np.int32)[0]
    body = curve_body([(0, 0), (2, 4)], USER | 0x3000000).replace("a: 0.0,0.0,0.0,0.0", f"a: 1077936128,0,{packed},0")
    found = read_curve(record(body), TICKS)  # 1077936128 are the bits of 3.0
    assert found is not None
    x = 3 * (1 - u) ** 2 * u * right * 2 + 3 * (1 - u) * u**2 * (2 - left * 2) + u**3 * 2
    y = 3 * (1 - u) ** 2 * u * right * 2 * 3 + 3 * (1 - u) * u**2 * 4 + u**3 * 4
    assert found.evaluate(np.array([x]))[0] == pytest.approx(y, abs=2e-3)


@pytest.mark.parametrize("first", [0.0, 1e-4, 1 / 3, 1.0])
@pytest.mark.parametrize("second", [0.0, 2 / 3, 1.0])
def test_the_parameter_of_a_bezier_curve_is_found_to_rounding(first: float, second: float):
    share = np.linspace(0, 1, 1001)
    u = curves._bezier_parameter(share, np.full(1001, first), np.full(1001, second))
    back = 3 * (1 - u) ** 2 * u * first + 3 * (1 - u) * u**2 * second + u**3
    np.testing.assert_allclose(back, share, atol=1e-9)


def test_automatic_keys_are_smooth_and_do_not_overshoot():
    found = curve([(0, 0), (1, 4), (2, 5), (3, 5), (4, 0)], AUTO)
    at = np.linspace(0, 4, 401)
    values = found.evaluate(at)
    assert values[[0, 100, 200, 300, 400]].tolist() == [0, 4, 5, 5, 0]
    assert (np.diff(values[:200]) >= -1e-12).all() and values.max() <= 5 + 1e-12
    np.testing.assert_allclose(found.slopes[1], 2.5)  # the mean of both sides
    np.testing.assert_allclose(found.slopes[[0, 2, 4]], 0)


def test_tension_continuity_bias():
    # With all three at zero the curve is a Catmull-Rom spline.
    found = curve([(0, 0), (1, 4), (2, 6)], 0x8 | 0x200)
    np.testing.assert_allclose(found.slopes[1], 3)
    tense = curve([(0, 0), (1, 4), (2, 6)], 0x8 | 0x200, (1, 0, 0, 0))
    np.testing.assert_allclose(tense.slopes, 0)


def test_beyond_the_ends():
    at = np.array([-0.5, 0.5, 3.5, 4, 5.5])

    def found(kind: str, count: int = -1) -> list[float]:
        return straight(LINEAR, Beyond(kind, count), Beyond(kind, count)).evaluate(at).tolist()

    assert found(REPEAT) == [5, 7.5, 5, 10, 5]
    assert found(MIRROR) == [7.5, 5, 7.5, 10, 5]
    assert found(SLOPE) == [-15, -5, 2.5, 0, -7.5]
    assert found(RELATIVE) == [0, 2.5, 10, 15, 15]
    assert found(RELATIVE, 1) == [0, 2.5, 10, 15, 10]


def test_repetitions_end():
    after = straight(LINEAR, after=Beyond(RELATIVE, 2))
    assert after.evaluate(np.array([5.0, 7, 100])).tolist() == [10, 15, 15]


def test_curves_that_never_leave_a_value():
    assert not curve([(0, 5), (1, 5)]).strays(5) and curve([(0, 5), (1, 5)]).strays(4)
    assert curve([(0, 5), (1, 5)], USER, (3, 0, 0, 0)).strays(5)  # flat keys, but a bulge between them


def test_several_keys_at_one_time_keep_the_last():
    assert curve([(0, 1), (1, 2), (1, 3), (2, 4)]).values.tolist() == [1, 3, 4]


@pytest.mark.parametrize(("change", "message"), [
    (("KeyValueFloat: *2 {\na: 1.0,2.0", "KeyValueFloat: *1 {\na: 1.0"), "2 key times and 1 values"),
    (("a: 1.0,2.0", "a: 1.0,nan"), "not a finite number"),
    ((f"a: 0,{TICKS}", f"a: {TICKS},0"), "backwards"),
    (("KeyAttrRefCount: *1 {\na: 2", "KeyAttrRefCount: *1 {\na: 1"), "attributes for 1 of 2 keys"),
    (("KeyAttrRefCount: *1 {\na: 2", "KeyAttrRefCount: *2 {\na: 1,1"), "1 key flags, 2 counts"),
])  # fmt: skip
def test_broken_curves_are_refused(change: tuple[str, str], message: str):
    body = curve_body([(0, 1), (1, 2)])
    assert change[0] in body
    with pytest.raises(ValueError, match=message):
        read_curve(record(body.replace(*change)), TICKS)


def row(keys: str, count: int) -> Record:
    return record(f"KeyCount: {count}\nKey: {keys}\nPost-Extrapolation: {{ Type: R\nRepetition: 3 }}\n")


def test_rows_of_keys_of_version_6():
    keys = f"0,0,L,{TICKS},10,C,s,{2 * TICKS},5,U,s,3,-1,n,{3 * TICKS},6,U,s,0,0,a,0.5,0.25"
    found = read_keys(row(keys, 4), TICKS, 6100)
    assert found is not None
    assert found.times.tolist() == [0, 1, 2, 3] and found.values.tolist() == [0, 10, 5, 6]
    assert found.modes.tolist() == [LINEAR, CONSTANT, CUBIC, CUBIC] and found.after == Beyond("R", 3)
    assert found.slopes[2, 1] == 3 and found.slopes[3, 0] == -1 and found.weights[3, 1] == 0.5
    assert found.evaluate(np.array([0.5, 1.5])).tolist() == [5, 10]


@pytest.mark.parametrize("keys", ["0,0,X", "0,0,U,s,1", "0,0,U,q,1,2,n", "0,0,U,s,1,2,z", "0,0,L,5,1,L"])
def test_broken_rows_are_refused(keys: str):
    with pytest.raises(ValueError, match="has"):
        read_keys(row(keys, 3 if keys.endswith("5,1,L") else 1), TICKS, 6100)


def test_no_keys_are_no_curve():
    assert read_keys(record("Default: 3\n"), TICKS, 6100) is None
    assert read_curve(record("Default: 3\n"), TICKS) is None
