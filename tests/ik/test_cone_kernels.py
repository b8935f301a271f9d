"""Compiled limits against their array versions, and the directions in which joints at their limits are held."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.ik import Cone, Coordinates
from kinema.ik import cone_kernels as kernels
from kinema.ik import jacobian_kernels as rows
from kinema.ik.limits import clamp_swing_twist
from kinema.ik.packing import cones_of, tree_of

AXIS = rotations.normalize_vector(np.array([1.0, -2.0, 0.5]))


def test_clamping_is_that_of_arrays_and_happens_once(rng: np.random.Generator) -> None:
    rest = rotations.normalize(rng.normal(size=4))
    for q in rotations.normalize(rng.normal(size=(200, 4))):
        limit = rng.uniform(0, 3), (-rng.uniform(0, 3), rng.uniform(0, 3))
        got = kernels.clamped(tuple(q), tuple(rest), tuple(AXIS), limit[0], *limit[1])
        wanted = rotations.multiply(rest, clamp_swing_twist(rotations.relative(rest, q), AXIS, *limit))
        assert rotations.angle(rotations.relative(np.array(got), wanted)) < 1e-7
        again = kernels.clamped(got, tuple(rest), tuple(AXIS), limit[0] + 1e-9, limit[1][0] - 1e-9, limit[1][1] + 1e-9)
        np.testing.assert_array_equal(again, got)


@pytest.mark.parametrize("seed", range(20))
def test_a_joint_at_its_limits_is_held_in_the_directions_that_leave_them(seed: int) -> None:
    """The directions are the slopes of swing and twist, by finite differences."""
    rng = np.random.default_rng(seed)
    body = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    coordinates = Coordinates.of(body, moving=[1])
    local = rotations.normalize(rng.normal(size=4))

    def angles(q: np.ndarray) -> np.ndarray:
        swing, twist = rotations.swing_twist(q, AXIS)
        return np.array([rotations.angle(swing), rotations.log(twist) @ AXIS])

    def moved(k: int, size: float) -> np.ndarray:
        return rotations.multiply(local, rotations.exp(size * np.eye(3)[k]))

    slopes = np.stack([(angles(moved(k, 1e-6)) - angles(moved(k, -1e-6))) / 2e-6 for k in range(3)], axis=1)
    swing, twist = (1 - 1e-7) * angles(local)
    for which in range(2):
        span = (twist, twist + 1) if which and twist < 0 else (twist - 1, twist) if which else (-4.0, 4.0)
        cone = Cone(1, 4.0 if which else float(swing), (min(span[0], 0), max(span[1], 0)), tuple(AXIS.tolist()))
        state = rows.new_state(2, 3)
        state.local_rotations[1] = local
        outward = slopes[which] * (np.sign(twist) if which else 1.0)
        state.slope[:] = -outward  # the cost gets less outside
        tree = tree_of(body, coordinates)
        kernels.hold_cones(tree, cones_of(body, [cone], coordinates), state)
        np.testing.assert_allclose(state.slope, 0, atol=1e-5)
        assert np.linalg.eigvalsh(state.matrix)[-1] > 0
        state.slope[:] = outward
        kernels.hold_cones(tree, cones_of(body, [cone], coordinates), state)
        np.testing.assert_array_equal(state.slope, outward), "a joint may come back"


def test_a_half_turn_across_the_axis_is_a_swing_without_twist() -> None:
    across = rotations.normalize_vector(np.cross(AXIS, [0.3, 0.2, 0.9]))
    swing, twist = kernels.swing_and_twist((0.0, *across.tolist()), tuple(AXIS))
    np.testing.assert_allclose(swing, [0, *across], atol=1e-12)
    assert twist == 0.0
    for angle in (-3.0, -1.0, 2.0, 3.1):
        for sign in (1, -1):
            q = sign * rotations.from_axis_angle(AXIS, np.array(angle))
            swing, twist = kernels.swing_and_twist(tuple(q), tuple(AXIS))
            assert twist == pytest.approx(angle, abs=1e-9) and abs(swing[0]) == pytest.approx(1)


def test_what_a_limit_takes_back_is_taken_from_the_coordinates(rng: np.random.Generator) -> None:
    """Of a joint that slides too, the second of three; joints within their limits stay as they are."""
    body = Skeleton.create([*"abc"], [-1, 0, 1], [[0, 0, 0], [0, 1, 0], [0, 1, 0]])
    coordinates = Coordinates.of(body, moving=[0, 1, 2], sliding=[1])
    cones = [Cone(1, 0.3, (-0.2, 0.4), tuple(AXIS.tolist())), Cone(2, 3.0, axis=(0.0, 1.0, 0.0))]
    state = rows.new_state(3, len(coordinates.joints))
    state.local_rotations[:] = local = rotations.exp(np.array([[0.9, 0, 0], [0.01, 0.02, 0.0], [0.1, 0.2, 0.3]]))
    state.local_rotations[1] = rotations.multiply(
        rotations.exp(0.301 * rotations.normalize_vector(np.cross(AXIS, [1.0, 0, 0]))), rotations.exp(0.401 * AXIS)
    )
    before, start = state.local_rotations[1].copy(), rng.normal(size=len(coordinates.joints))
    state.change[:] = start
    kernels.clamp_cones(tree_of(body, coordinates), cones_of(body, cones, coordinates), state)
    np.testing.assert_allclose(state.local_rotations[[0, 2]], local[[0, 2]], atol=1e-12)
    moved = state.change - start
    turning = (coordinates.joints == 1) & ~coordinates.slides
    assert not moved[~turning].any() and np.linalg.norm(moved[turning]) > 1e-3
    after = rotations.multiply(before, rotations.exp(moved[turning]))
    np.testing.assert_allclose(after, state.local_rotations[1], atol=1e-9)
    swing, twist = kernels.swing_and_twist(tuple(state.local_rotations[1]), tuple(AXIS))
    assert twist == pytest.approx(0.4) and rotations.angle(np.array(swing)) == pytest.approx(0.3)


@pytest.mark.parametrize("inside", [0.01, 1e-7])
def test_joints_within_their_limits_are_free(inside: float) -> None:
    """Also if the slope of the cost pushes them towards their limits."""
    body = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    coordinates = Coordinates.of(body, moving=[1])
    state = rows.new_state(2, 3)
    state.local_rotations[1] = rotations.multiply(
        rotations.exp(np.array([0.5, 0, 0])), rotations.exp(np.array([0, 0.2, 0]))
    )
    state.slope[:] = [-3.0, -4.0, 5.0]
    cone = Cone(1, 0.5 + inside, (-0.4, 0.2 + inside), (0.0, 1.0, 0.0))
    kernels.hold_cones(tree_of(body, coordinates), cones_of(body, [cone], coordinates), state)
    np.testing.assert_array_equal(state.slope, [-3, -4, 5])
    assert not state.matrix.any()


def test_a_held_joint_is_as_stiff_as_its_stiffest_task_a_million_times() -> None:
    """At the limit of its twist, in the direction of its axis only."""
    body = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    coordinates = Coordinates.of(body, moving=[1])
    for sign, slope in ((1.0, [2.0, -7.0, 3.0]), (-1.0, [2.0, 7.0, 3.0])):
        state = rows.new_state(2, 3)
        state.local_rotations[1] = rotations.exp(np.array([0, 0.4 * sign, 0]))
        state.slope[:], state.matrix[:] = slope, np.diag([2.0, 5.0, 3.0])
        cone = Cone(1, 1.0, (-0.4, 0.4), (0.0, 1.0, 0.0))
        kernels.hold_cones(tree_of(body, coordinates), cones_of(body, [cone], coordinates), state)
        np.testing.assert_allclose(state.slope, [2, 0, 3], atol=1e-9)
        np.testing.assert_allclose(state.matrix, np.diag([2.0, 5.0 + 5e6, 3.0]), rtol=1e-9, atol=1e-6)
