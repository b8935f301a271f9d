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
