"""The compiled forward kinematics of the solver against the house's."""

from __future__ import annotations

import numpy as np

from kinema import kinematics, rotations
from kinema.ik import jacobian_kernels as kernels


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
