"""The compiled forward kinematics of the solver against the house's."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, kinematics, rotations
from kinema.ik import Coordinates
from kinema.ik import jacobian_kernels as kernels
from kinema.ik.least_squares_kernels import apply
from kinema.ik.packing import cones_of, tree_of


def test_forward_kinematics_are_those_of_the_house(rng: np.random.Generator) -> None:
    parents = np.array([-1, 0, 1, 1, -1, 4])
    state = kernels.new_state(6, 0)
    state.local_rotations[:] = rotations.normalize(rng.normal(size=(6, 4)))
    state.local_translations[:] = rng.normal(size=(6, 3))
    kernels.forward(state, parents)
    wanted = kinematics.forward_reference(state.local_rotations, state.local_translations, parents.tolist())
    np.testing.assert_allclose(state.global_rotations, wanted[0], atol=1e-12)
    np.testing.assert_allclose(state.global_positions, wanted[1], atol=1e-12)


def test_rotation_vectors_are_those_of_the_house(rng: np.random.Generator) -> None:
    for q in [*rotations.normalize(rng.normal(size=(50, 4))), np.array([1.0, 0, 0, 0]), np.array([-1.0, 0, 0, 1e-12])]:
        np.testing.assert_allclose(kernels.rotation_vector(tuple(q)), rotations.log(q), atol=1e-9)


@pytest.mark.parametrize("what", ["point", "turn", "local turn", "mass centre"])
def test_rows_are_derivatives(what: str, rng: np.random.Generator) -> None:
    """By finite differences, along random directions, for joints that turn, slide and do both."""
    skeleton = Skeleton.create([*"abcde"], [-1, 0, 1, 2, 1], rng.normal(size=(5, 3)))
    coordinates = Coordinates.of(skeleton, [0, 2, 3], [0, 1, 3])
    size, tree = len(coordinates.joints), tree_of(skeleton, coordinates)
    state, moved = kernels.new_state(5, size), kernels.new_state(5, size)
    state.local_rotations[:] = rotations.normalize(rng.normal(size=(5, 4)))
    state.local_translations[:] = rng.normal(size=(5, 3))
    kernels.forward(state, tree.parents)
    shares, direction, offset = np.array([0.1, 0.3, 0.2, 0.3, 0.1]), rng.normal(size=3), rng.normal(size=3)
    below = np.array([[other in (joint, *skeleton.ancestors(joint)) for joint in range(5)] for other in range(5)])
    row = kernels.JacobianRow(np.zeros(size), np.zeros(size, np.int64), np.zeros(1, np.int64))

    def value(of: kernels.State) -> float:
        kernels.forward(of, tree.parents)
        if what == "point":
            return float(direction @ kernels.point_of(of.global_rotations[3], offset, of.global_positions[3]))
        if what == "turn":
            turn = rotations.multiply(of.global_rotations[3], rotations.inverse(state.global_rotations[3]))
            return float(direction @ rotations.log(turn))
        if what == "local turn":
            return float(rotations.log(rotations.relative(state.local_rotations[3], of.local_rotations[3]))[1])
        return float(direction @ (shares @ of.global_positions))

    if what == "point":
        point = kernels.point_of(state.global_rotations[3], offset, state.global_positions[3])
        kernels.add_point(tree, state, 3, point, tuple(direction), 0.7, row)
    elif what == "turn":
        kernels.add_turn(tree, state, 3, tuple(direction), 0.7, row)
    elif what == "local turn":
        kernels.add_local_turn(tree, 3, 1, 0.7, row)
    else:
        moments = below @ (shares[:, None] * state.global_positions)
        kernels.add_mass_centre(tree, state, below @ shares, moments, tuple(direction), 0.7, row)
    none, ends = cones_of(skeleton, (), coordinates), []
    for step in np.concatenate([1e-6 * np.eye(size), -1e-6 * np.eye(size)]):
        apply(tree, none, step, state, moved)
        ends.append(value(moved))
    slopes = (np.array(ends[:size]) - ends[size:]) / 2e-6
    assert np.abs(slopes).max() > 0.1
    np.testing.assert_allclose(row.values, 0.7 * slopes, atol=1e-6)
