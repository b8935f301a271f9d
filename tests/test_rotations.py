"""Rotations: algebra laws, round trips, singular points, torch parity and gradients, and RoMa as an oracle."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from kinema import rotations

Floats = NDArray[np.float64]
ORDERS = ["".join(order) for order in itertools.permutations("XYZ")]
FIXED = settings(derandomize=True, deadline=None, max_examples=60)

coordinates = st.floats(-1, 1, allow_subnormal=False)
vectors = arrays(np.float64, 3, elements=st.floats(-10, 10, allow_subnormal=False))
angles = st.floats(-np.pi, np.pi)


@st.composite
def quaternions(draw: st.DrawFn) -> Floats:
    raw = draw(arrays(np.float64, 4, elements=coordinates))
    assume(np.linalg.norm(raw) > 1e-3)
    return rotations.normalize(raw)


def apart(a: Floats, b: Floats) -> Any:
    """Angle between two rotations, whatever their signs."""
    return rotations.angle(rotations.relative(a, b))


@pytest.fixture
def many(rng: np.random.Generator) -> Floats:
    return rotations.normalize(rng.normal(size=(500, 4)))


# Algebra


@FIXED
@given(angles, vectors)
def test_rotating_by_a_yaw(angle: float, v: Floats) -> None:
    expected = rotations.rotate(rotations.from_yaw(np.array(angle)), v)
    np.testing.assert_allclose(rotations.rotate_yaw(np.array(angle), v), expected, atol=1e-12)


def test_rotating_by_yaws_broadcasts(rng: np.random.Generator) -> None:
    yaws, points = rng.uniform(-np.pi, np.pi, (5, 1)), rng.normal(size=(7, 3))
    expected = rotations.rotate(rotations.from_yaw(yaws), points)
    found = rotations.rotate_yaw(yaws, points)
    assert found.shape == (5, 7, 3)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@FIXED
@given(quaternions(), quaternions(), quaternions(), vectors)
def test_group_laws(a: Floats, b: Floats, c: Floats, v: Floats) -> None:
    one = rotations.identity((), a)
    mul = rotations.multiply
    np.testing.assert_allclose(mul(mul(a, b), c), mul(a, mul(b, c)), atol=1e-12)
    np.testing.assert_allclose(mul(a, one), a, atol=1e-12)
    np.testing.assert_allclose(mul(a, rotations.inverse(a)), one, atol=1e-12)
    np.testing.assert_allclose(mul(a, rotations.relative(a, b)), b, atol=1e-12)
    np.testing.assert_allclose(rotations.rotate(mul(a, b), v), rotations.rotate(a, rotations.rotate(b, v)), atol=1e-10)
    np.testing.assert_allclose(rotations.inverse_rotate(a, rotations.rotate(a, v)), v, atol=1e-10)
    np.testing.assert_allclose(rotations.to_matrix(a) @ v, rotations.rotate(a, v), atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(rotations.rotate(a, v)), np.linalg.norm(v), atol=1e-10)


def test_hand_made_quarter_turns() -> None:
    x, y, z = np.eye(3)
    about_y = rotations.from_axis_angle(y, np.array(np.pi / 2))
    np.testing.assert_allclose(rotations.rotate(about_y, z), x, atol=1e-12)  # +Z goes to +X
    np.testing.assert_allclose(rotations.rotate(about_y, x), -z, atol=1e-12)
    np.testing.assert_allclose(about_y, rotations.from_yaw(np.array(np.pi / 2)), atol=1e-12)
    np.testing.assert_allclose(rotations.to_6d(about_y), [0, 0, -1, 0, 1, 0], atol=1e-12)  # images of X, then of Y
    first_x = rotations.multiply(about_y, rotations.from_axis_angle(x, np.array(np.pi / 2)))
    np.testing.assert_allclose(rotations.rotate(first_x, y), x, atol=1e-12)  # Y to Z, then Z to X


@FIXED
@given(quaternions())
def test_matrix_and_6d_round_trips(q: Floats) -> None:
    m = rotations.to_matrix(q)
    np.testing.assert_allclose(m @ m.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(m), 1, atol=1e-12)
    assert apart(rotations.from_matrix(m), q) < 1e-7
    assert apart(rotations.from_6d(rotations.to_6d(q)), q) < 1e-7
    assert rotations.from_matrix(m)[0] >= 0


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0, 0.8), (-0.6, 0.8, 0)])
def test_half_turns_survive_matrices_and_logarithms(axis: tuple[float, float, float]) -> None:
    q = rotations.from_axis_angle(np.array(axis, float), np.array(np.pi))
    assert apart(rotations.from_matrix(rotations.to_matrix(q)), q) < 1e-7
    np.testing.assert_allclose(np.linalg.norm(rotations.log(q)), np.pi, atol=1e-9)
    assert apart(rotations.exp(rotations.log(q)), q) < 1e-7
    np.testing.assert_allclose(rotations.angle(q), np.pi, atol=1e-9)


@FIXED
@given(quaternions())
def test_exp_undoes_log_and_log_is_shortest(q: Floats) -> None:
    vector = rotations.log(q)
    assert np.linalg.norm(vector) <= np.pi + 1e-9
    np.testing.assert_allclose(rotations.exp(vector), rotations.canonical(q), atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(vector), rotations.angle(q), atol=1e-9)
    np.testing.assert_allclose(rotations.log(-q), vector, atol=1e-9) if abs(q[0]) > 1e-6 else None


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-8, 1e-5, 0.99e-4, 1.01e-4, 1e-3, 1.0, 3.0])
def test_exp_and_log_around_their_series(size: float) -> None:
    vector = size * np.array([0.36, 0.48, -0.8])
    q = rotations.exp(vector)
    np.testing.assert_allclose(q[0], np.cos(size / 2), rtol=1e-14)
    np.testing.assert_allclose(q[1:], np.sin(size / 2) * np.array([0.36, 0.48, -0.8]), rtol=1e-13)
    np.testing.assert_allclose(np.linalg.norm(q), 1, rtol=1e-14)
    np.testing.assert_allclose(rotations.log(q), vector, rtol=1e-9, atol=1e-300)


# Degenerate input


@pytest.mark.parametrize("size", [1e-9, 1e-6, 1.9e-5, 2.1e-5, 0.99e-4, 1.01e-4, 1e-3])
def test_the_series_of_exp_and_log_are_exact_to_the_last_digits(size: float) -> None:
    """Against sines and cosines of an angle about a slanted axis, on both sides of where the series begin."""
    axis = np.array([0.48, -0.6, 0.64])
    exact = np.concatenate([[np.cos(0.5 * size)], np.sin(0.5 * size) * axis])
    np.testing.assert_allclose(rotations.exp(size * axis), exact, rtol=2e-15)
    for sign in (1, -1):
        np.testing.assert_allclose(rotations.log(sign * exact), size * axis, rtol=2e-15)


def test_zero_input_is_defined() -> None:
    zero = np.zeros(4)
    np.testing.assert_array_equal(rotations.normalize(zero), [1, 0, 0, 0])
    np.testing.assert_array_equal(rotations.exp(np.zeros(3)), [1, 0, 0, 0])
    np.testing.assert_array_equal(rotations.log(np.array([1.0, 0, 0, 0])), np.zeros(3))
    np.testing.assert_array_equal(rotations.from_6d(np.zeros(6)), [1, 0, 0, 0])
    np.testing.assert_array_equal(rotations.between(np.zeros(3), np.array([0, 1.0, 0])), [1, 0, 0, 0])
    np.testing.assert_array_equal(rotations.normalize_vector(np.zeros(3), (0.0, 0.0, 1.0)), [0, 0, 1])
    assert rotations.angle(np.array([-1.0, 0, 0, 0])) == 0


@pytest.mark.parametrize("count", [0, 1, 3])
def test_empty_batches_keep_their_shape(count: int) -> None:
    q = rotations.identity((count, 5), np.zeros(0, np.float32))
    assert q.dtype == np.float32
    shapes = {
        (count, 5, 4): [
            rotations.multiply(q, q),
            rotations.slerp(q, q, 0.5),
            rotations.unroll(q),
            rotations.unroll(q, axis=1),
            rotations.from_6d(rotations.to_6d(q)),
            rotations.from_euler(rotations.to_euler(q, "ZXY"), "ZXY"),
            rotations.exp(rotations.log(q)),
            rotations.between(q[..., :3], q[..., :3]),
        ],
        (count, 5): [rotations.angle(q), rotations.yaw(q)],
    }
    for shape, results in shapes.items():
        for result in results:
            assert result.shape == shape
            assert result.dtype == np.float32


@FIXED
@given(arrays(np.float32, 6, elements=st.floats(-1e6, 1e6, width=32)))
def test_any_six_numbers_decode_to_a_rotation(x: NDArray[np.float32]) -> None:
    m = rotations.matrix_from_6d(x)
    np.testing.assert_allclose(m.T @ m, np.eye(3), atol=2e-6)
    np.testing.assert_allclose(np.linalg.det(m), 1, atol=2e-6)
    np.testing.assert_allclose(np.linalg.norm(rotations.from_6d(x)), 1, atol=1e-6)


@pytest.mark.parametrize("slip", [0.0, 1e-7, 1e-6, 1e-5, 3e-5, 1e-4])
def test_nearly_parallel_six_numbers_stay_orthonormal_in_float32(slip: float, rng: np.random.Generator) -> None:
    first = rng.normal(size=(200, 3))
    x = np.concatenate([first, 3 * first + slip * rng.normal(size=(200, 3))], axis=-1).astype(np.float32)
    m = rotations.matrix_from_6d(x)
    np.testing.assert_allclose(np.swapaxes(m, -1, -2) @ m, np.broadcast_to(np.eye(3), m.shape), atol=2e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("gap", [0.0, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1.0])
def test_between_near_opposite_directions(gap: float, dtype: type, rng: np.random.Generator) -> None:
    a = rotations.normalize_vector(rng.normal(size=(200, 3)))
    b = -2.5 * (a + gap * rng.normal(size=a.shape))
    q = rotations.between(a.astype(dtype), b.astype(dtype)).astype(np.float64)
    np.testing.assert_allclose(np.linalg.norm(q, axis=-1), 1, atol=1e-6)
    np.testing.assert_allclose(rotations.rotate(q, a), rotations.normalize_vector(b), atol=3e-6)


@FIXED
@given(vectors, vectors)
def test_between_turns_a_into_b_the_short_way(a: Floats, b: Floats) -> None:
    assume(np.linalg.norm(a) > 1e-3 and np.linalg.norm(b) > 1e-3)
    ua, ub = rotations.normalize_vector(a), rotations.normalize_vector(b)
    q = rotations.between(a, b)
    np.testing.assert_allclose(rotations.rotate(q, ua), ub, atol=2e-6)
    expected = np.arctan2(np.linalg.norm(np.cross(ua, ub)), ua @ ub)
    np.testing.assert_allclose(rotations.angle(q), expected, atol=2e-6)


def test_between_broadcasts() -> None:
    ups = np.tile(np.float32([0, 1, 0]), (4, 2, 1))
    assert rotations.between(np.float32([0, 0, 1]), ups).shape == (4, 2, 4)
    assert rotations.between(ups, np.float32([0, 0, 1])).shape == (4, 2, 4)


# Euler angles


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_euler_round_trip(order: str, dtype: type, many: Floats, rng: np.random.Generator) -> None:
    near_lock = rng.uniform(-3, 3, (400, 3))
    near_lock[:, 1] = np.repeat([np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-4, -np.pi / 2 + 1e-5], 100)
    q = np.concatenate([many, rotations.from_euler(near_lock, order)]).astype(dtype)
    euler = rotations.to_euler(q, order)
    assert euler.dtype == dtype
    assert np.abs(euler[:, 1]).max() <= np.pi / 2 + 1e-6
    assert np.abs(euler).max() <= np.pi + 1e-6
    assert apart(rotations.from_euler(euler, order), q).max() < 3e-6
    np.testing.assert_allclose(rotations.to_euler(-q, order)[:500], euler[:500], atol=1e-3)


@pytest.mark.parametrize("order", ORDERS)
def test_euler_order_is_intrinsic(order: str) -> None:
    angle = np.array([0.3, -0.7, 1.1])
    by_hand = rotations.identity((), angle)
    for name, value in zip(order, angle, strict=True):
        by_hand = rotations.multiply(by_hand, rotations.exp(value * np.eye(3)["XYZ".index(name)]))
    np.testing.assert_allclose(rotations.from_euler(angle, order), by_hand, atol=1e-12)
    np.testing.assert_allclose(rotations.to_euler(by_hand, order), angle, atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("middle", [np.pi / 2, -np.pi / 2])
def test_gimbal_lock_puts_the_turn_into_the_first_angle(order: str, middle: float) -> None:
    euler = rotations.to_euler(rotations.from_euler(np.array([0.4, middle, 0.5]), order), order)
    np.testing.assert_allclose(euler[1:], [middle, 0], atol=1e-5)
    assert abs(abs(euler[0]) - 0.9) < 1e-5 or abs(abs(euler[0]) - 0.1) < 1e-5


@pytest.mark.parametrize("order", ["", "XY", "XYX", "ABC"])
def test_bad_orders_are_refused(order: str) -> None:
    with pytest.raises(ValueError, match="order"):
        rotations.to_euler(np.array([1.0, 0, 0, 0]), order)
    if set(order) - set("XYZ") or not order:
        with pytest.raises(ValueError, match="order"):
            rotations.from_euler(np.zeros(max(len(order), 1)), order)


# Interpolation


@FIXED
@given(quaternions(), quaternions(), st.floats(0, 1))
def test_slerp_is_short_and_even(a: Floats, b: Floats, t: float) -> None:
    assume(abs(a @ b) > 1e-3)  # at right angles both ways are as short
    total = apart(a, b)
    q = rotations.slerp(a, b, t)
    np.testing.assert_allclose(apart(a, q), t * total, atol=2e-6)
    np.testing.assert_allclose(apart(q, b), (1 - t) * total, atol=2e-6)
    np.testing.assert_allclose(apart(rotations.slerp(a, -b, t), q), 0, atol=2e-6)
    np.testing.assert_allclose(np.linalg.norm(q), 1, atol=1e-12)


def test_slerp_at_its_ends_and_between_equals(many: Floats) -> None:
    a, b = many[:250], many[250:]
    np.testing.assert_allclose(rotations.slerp(a, b, 0.0), a, atol=1e-12)
    assert apart(rotations.slerp(a, b, np.ones(250)), b).max() < 1e-6
    for nudge in (0, 1e-12, 1e-7, 1e-5, 1e-4):
        near = rotations.normalize(a + nudge)
        np.testing.assert_allclose(rotations.slerp(a, near, 0.25), a, atol=1.01 * nudge + 1e-12)
    np.testing.assert_allclose(rotations.slerp(a, -a, 0.7), a, atol=1e-12)


def test_two_rotations_are_unrolled_and_one_stays() -> None:
    q = np.array([[0.6, 0.8, 0.0, 0.0], [-0.8, -0.6, 0.0, 0.0]])
    np.testing.assert_array_equal(rotations.unroll(q), [q[0], -q[1]])
    np.testing.assert_array_equal(rotations.unroll(q[None], axis=1), [[q[0], -q[1]]])
    np.testing.assert_array_equal(rotations.unroll(-q[:1]), -q[:1])


def test_unroll_keeps_rotations_and_removes_flips(many: Floats, rng: np.random.Generator) -> None:
    steady = rotations.exp(np.cumsum(rng.normal(size=(120, 3, 3)) * 0.05, axis=0))
    flipped = steady * rng.choice([-1.0, 1.0], size=(120, 3, 1))
    clean = rotations.unroll(flipped)
    assert (np.sum(clean[1:] * clean[:-1], axis=-1) > 0).all()
    np.testing.assert_allclose(np.abs(np.sum(clean * steady, axis=-1)), 1, atol=1e-12)
    np.testing.assert_allclose(clean[0], flipped[0])
    np.testing.assert_array_equal(np.swapaxes(rotations.unroll(np.swapaxes(flipped, 0, 1), axis=1), 0, 1), clean)


@FIXED
@given(quaternions(), vectors)
def test_swing_and_twist_recompose(q: Floats, axis: Floats) -> None:
    assume(np.linalg.norm(axis) > 1e-3)
    axis = rotations.normalize_vector(axis)
    swing, twist = rotations.swing_twist(q, axis)
    np.testing.assert_allclose(rotations.multiply(swing, twist), q, atol=1e-9)
    np.testing.assert_allclose(rotations.rotate(twist, axis), axis, atol=1e-6)
    np.testing.assert_allclose(np.cross(twist[1:], axis), 0, atol=1e-9)
    if np.hypot(q[0], q[1:] @ axis) > 1e-4:  # the swing is not a half turn
        np.testing.assert_allclose(swing[1:] @ axis, 0, atol=1e-9)


def test_twist_of_a_half_turn_of_swing_is_the_identity() -> None:
    swing, twist = rotations.swing_twist(np.array([0.0, 1, 0, 0]), np.array([0.0, 1, 0]))
    np.testing.assert_array_equal(twist, [1, 0, 0, 0])
    np.testing.assert_array_equal(swing, [0, 1, 0, 0])


# Headings


@FIXED
@given(angles, st.floats(-1.4, 1.4), st.floats(-3, 3))
def test_yaw_is_the_heading_of_forward(heading: float, pitch: float, roll: float) -> None:
    tilt = rotations.from_euler(np.array([pitch, roll]), "XZ")
    q = rotations.multiply(rotations.from_yaw(np.array(heading)), tilt)
    np.testing.assert_allclose(rotations.wrap(rotations.yaw(q) - heading), 0, atol=1e-9)


def test_wrap() -> None:
    angle = np.array([-4, -np.pi, 0, np.pi, 3 * np.pi, 100.0])
    wrapped = rotations.wrap(angle)
    assert ((wrapped >= -np.pi) & (wrapped < np.pi)).all()
    np.testing.assert_allclose(np.exp(1j * wrapped), np.exp(1j * angle), atol=1e-12)


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_look_rotation(scale: float, rng: np.random.Generator) -> None:
    forward = rng.normal(size=(50, 3))
    q = rotations.look_rotation(scale * forward, scale * np.array([0, 1.0, 0]))
    np.testing.assert_allclose(
        rotations.rotate(q, np.array([0, 0, 1.0])), rotations.normalize_vector(forward), atol=1e-6
    )
    assert np.abs(rotations.rotate(q, np.array([1.0, 0, 0]))[:, 1]).max() < 1e-6  # no roll
    assert rotations.rotate(q, np.array([0, 1.0, 0]))[:, 1].min() > 0


def test_look_rotation_straight_up_and_with_many_ups() -> None:
    up = np.array([0, 1.0, 0])
    q = rotations.look_rotation(up, up)
    np.testing.assert_allclose(rotations.rotate(q, np.array([0, 0, 1.0])), up, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(rotations.look_rotation(np.zeros(3), np.zeros(3))), 1)
    assert rotations.look_rotation(up, np.ones((6, 3))).shape == (6, 4)


def test_vectors_are_aligned_by_the_rotation_nearest_to_their_covariance(rng: np.random.Generator) -> None:
    q = rotations.normalize(rng.normal(size=(20, 4)))
    own = rng.normal(size=(20, 6, 3))
    turned = rotations.rotate(q[:, None], own)
    found = rotations.nearest(turned.swapaxes(1, 2) @ own)
    np.testing.assert_allclose(rotations.angle(rotations.relative(q, found)), 0.0, atol=1e-6)
    mirrored = rotations.nearest((turned * [-1, 1, 1]).swapaxes(1, 2) @ own)
    np.testing.assert_allclose(np.linalg.det(rotations.to_matrix(mirrored)), 1.0, atol=1e-12)
    apart = np.square(rotations.rotate(mirrored[:, None], own) - turned * [-1, 1, 1]).sum(axis=(1, 2))
    for other in rotations.normalize(rng.normal(size=(50, 1, 4))):
        assert (np.square(rotations.rotate(other, own) - turned * [-1, 1, 1]).sum(axis=(1, 2)) >= apart - 1e-9).all()


# Torch: the same numbers, and gradients


def _cases(rng: np.random.Generator) -> dict[str, tuple[Callable[..., Any], tuple[Floats, ...]]]:
    q, p = rotations.normalize(rng.normal(size=(2, 5, 4)))
    v, u = rng.normal(size=(2, 5, 3))
    return {
        "multiply": (rotations.multiply, (q, p)),
        "rotate": (rotations.rotate, (q, v)),
        "exp": (rotations.exp, (v,)),
        "log": (rotations.log, (q,)),
        "slerp": (rotations.slerp, (q, p, rng.uniform(size=5))),
        "between": (rotations.between, (v, u)),
        "from_6d": (rotations.from_6d, (rng.normal(size=(5, 6)),)),
        "to_6d": (rotations.to_6d, (q,)),
        "from_matrix": (rotations.from_matrix, (rotations.to_matrix(q),)),
        "angle": (rotations.angle, (q,)),
        "canonical": (rotations.canonical, (q,)),
        "yaw": (rotations.yaw, (q,)),
        "unroll": (rotations.unroll, (q,)),
        "normalize": (rotations.normalize, (3 * q,)),
        "swing_twist": (rotations.swing_twist, (q, rotations.normalize_vector(v))),
        "to_euler": (lambda x: rotations.to_euler(x, "ZXY"), (q,)),
        "from_euler": (lambda x: rotations.from_euler(x, "YXZ"), (v,)),
        "from_axis_angle": (rotations.from_axis_angle, (rotations.normalize_vector(v), u[:, 0])),
        "look_rotation": (rotations.look_rotation, (v, u)),
        "nearest": (rotations.nearest, (rng.normal(size=(5, 3, 3)),)),
    }


@pytest.mark.parametrize("name", list(_cases(np.random.default_rng(0))))
def test_torch_gives_the_same_numbers(name: str, rng: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    function, arguments = _cases(rng)[name]
    ours = function(*arguments)
    theirs = function(*(torch.from_numpy(x) for x in arguments))
    for a, b in zip(*((x if isinstance(x, tuple) else (x,)) for x in (ours, theirs)), strict=True):
        assert isinstance(b, torch.Tensor)
        np.testing.assert_allclose(b.numpy(), a, atol=1e-12)


def test_arrays_and_tensors_are_not_mixed() -> None:
    torch = pytest.importorskip("torch")
    for a, b in itertools.permutations((np.eye(4), torch.eye(4, dtype=torch.float64))):
        with pytest.raises(TypeError):
            rotations.multiply(a, b)


GRADIENTS = ("exp", "log", "slerp", "between", "from_6d", "rotate", "angle", "to_euler", "look_rotation")


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_at_regular_points(name: str, rng: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    function, arguments = _cases(rng)[name]
    assert torch.autograd.gradcheck(function, [torch.from_numpy(x[:3].copy()).requires_grad_() for x in arguments])


SINGULAR = {
    "exp of zero": (rotations.exp, ([0, 0, 0],)),
    "log of one": (rotations.log, ([1, 0, 0, 0],)),
    "log of minus one": (rotations.log, ([-1, 0, 0, 0],)),
    "log of a half turn": (rotations.log, ([0, 1, 0, 0],)),
    "angle of one": (rotations.angle, ([1, 0, 0, 0],)),
    "slerp of equals": (lambda a, b: rotations.slerp(a, b, 0.5), ([1, 0, 0, 0], [1, 0, 0, 0])),
    "slerp of opposites": (lambda a, b: rotations.slerp(a, b, 0.5), ([1, 0, 0, 0], [-1, 0, 0, 0])),
    "slerp at right angles": (lambda a, b: rotations.slerp(a, b, 0.5), ([1, 0, 0, 0], [0, 1, 0, 0])),
    "from_6d of zero": (rotations.from_6d, ([0, 0, 0, 0, 0, 0],)),
    "from_6d of parallels": (rotations.from_6d, ([1, 2, 3, 2, 4, 6],)),
    "from_6d of a half turn": (rotations.from_6d, ([-1, 0, 0, 0, 1, 0],)),
    "between equals": (rotations.between, ([0, 1, 0], [0, 1, 0])),
    "between opposites": (rotations.between, ([0, 1, 0], [0, -1, 0])),
    "between zeros": (rotations.between, ([0, 0, 0], [0, 0, 0])),
    "normalize zero": (rotations.normalize, ([0, 0, 0, 0],)),
    "swing of a half turn": (lambda q: rotations.swing_twist(q, q[1:] * 0 + 0.5)[1], ([0, 1, -1, 0],)),
    "euler at gimbal lock": (lambda q: rotations.to_euler(q, "ZYX"), ([0.5**0.5, 0, 0.5**0.5, 0],)),
    "looking straight up": (rotations.look_rotation, ([0, 1, 0], [0, 1, 0])),
}


@pytest.mark.parametrize("name", list(SINGULAR))
@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_gradients_are_finite_at_singular_points(name: str, kind: str) -> None:
    torch = pytest.importorskip("torch")
    function, arguments = SINGULAR[name]
    tensors = [torch.tensor(x, dtype=getattr(torch, kind), requires_grad=True) for x in arguments]
    result = function(*tensors)
    result.sum().backward()
    assert torch.isfinite(result).all()
    for tensor in tensors:
        assert tensor.grad is not None
        assert torch.isfinite(tensor.grad).all()


# RoMa, whose quaternions are xyzw, as an oracle


def test_agrees_with_roma(many: Floats, rng: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    roma = pytest.importorskip("roma")

    def theirs(q: Floats) -> Any:
        return torch.from_numpy(np.roll(q, -1, axis=-1))

    a, b = many[:250], many[250:]
    vector = rng.normal(size=(250, 3))
    np.testing.assert_allclose(
        np.roll(roma.quat_product(theirs(a), theirs(b)), 1, -1), rotations.multiply(a, b), atol=1e-12
    )
    np.testing.assert_allclose(roma.unitquat_to_rotmat(theirs(a)), rotations.to_matrix(a), atol=1e-12)
    np.testing.assert_allclose(roma.unitquat_to_rotvec(theirs(a)), rotations.log(a), atol=1e-9)
    np.testing.assert_allclose(
        roma.quat_action(theirs(a), torch.from_numpy(vector)), rotations.rotate(a, vector), atol=1e-10
    )
    ours = rotations.exp(vector)
    np.testing.assert_allclose(np.roll(roma.rotvec_to_unitquat(torch.from_numpy(vector)), 1, -1), ours, atol=1e-9)
    for t in (0.0, 0.3, 1.0):
        steps = roma.unitquat_slerp(theirs(a), theirs(b), torch.tensor(t), shortest_arc=True)
        assert apart(np.roll(steps.numpy(), 1, -1).reshape(250, 4), rotations.slerp(a, b, t)).max() < 1e-6
    six = rng.normal(size=(250, 6))
    columns = torch.from_numpy(np.stack([six[:, :3], six[:, 3:]], axis=-1))
    np.testing.assert_allclose(roma.special_gramschmidt(columns), rotations.matrix_from_6d(six), atol=1e-9)
    for order in ORDERS:
        euler = rotations.to_euler(a, order)
        columns = [torch.from_numpy(euler[:, i]) for i in range(3)]
        q = roma.euler_to_unitquat(order, columns)
        assert apart(np.roll(q.numpy(), 1, -1), a).max() < 1e-6
