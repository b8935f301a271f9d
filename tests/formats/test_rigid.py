"""Rigid joints at matrices that scale, shear and mirror."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinema import kinematics, rotations
from kinema.formats.rigid import inverses, rigid_frames, rigid_part, rigid_rotations, uniform_scales


def random_rotations(seed: int, count: int) -> np.ndarray:
    return rotations.to_matrix(rotations.normalize(np.random.default_rng(seed).normal(size=(count, 4))))


@given(st.integers(0, 1000), st.lists(st.floats(0.01, 100), min_size=3, max_size=3))
def test_scale_along_the_axes_is_taken_off(seed: int, scale: list[float]):
    turned = random_rotations(seed, 4)
    np.testing.assert_allclose(rigid_part(turned * np.array(scale)), turned, atol=1e-9)


@given(st.integers(0, 1000))
def test_what_comes_out_is_always_a_rotation(seed: int):
    found = rigid_part(np.random.default_rng(seed).normal(size=(8, 3, 3)))
    np.testing.assert_allclose(found @ np.swapaxes(found, 1, 2), np.broadcast_to(np.eye(3), (8, 3, 3)), atol=1e-8)
    np.testing.assert_allclose(np.linalg.det(found), 1)


def test_mirrors_turn_the_x_axis_round():
    turned = random_rotations(3, 5)
    np.testing.assert_allclose(rigid_part(turned * [-2, 2, 2]), turned, atol=1e-9)


@pytest.mark.parametrize("flat", [np.zeros((3, 3)), np.diag([1.0, 0, 0]), np.ones((3, 3))])
def test_flat_maps_stay_finite(flat: np.ndarray):
    assert np.isfinite(rigid_part(flat[None])).all()


def test_positions_are_exact_whatever_the_scale():
    rng = np.random.default_rng(1)
    world = np.tile(np.eye(4), (7, 4, 1, 1))
    world[..., :3, :] = rng.normal(size=(7, 4, 3, 4))
    parents = [-1, 0, 1, 1]
    turned, moved = kinematics.to_local(rigid_rotations(world), world[..., :3, 3], parents)
    global_rotations, positions = kinematics.forward(turned, moved, parents)
    np.testing.assert_allclose(positions, world[..., :3, 3], atol=1e-9)
    frames = rigid_frames(world)
    np.testing.assert_allclose(rotations.to_matrix(global_rotations), frames[..., :3, :3], atol=1e-9)
    np.testing.assert_array_equal(frames[..., 3], world[..., 3])


def test_inverses_are_not_finite_where_there_is_none():
    matrices = np.stack([np.diag([2.0, 4, 5, 1]), np.zeros((4, 4)), np.full((4, 4), np.nan)])
    found = inverses(matrices)
    assert np.allclose(found[0], np.diag([0.5, 0.25, 0.2, 1])) and np.isnan(found[1:]).all()


def test_scales_are_uniform_or_none():
    turned = random_rotations(1, 3)
    np.testing.assert_allclose(uniform_scales(turned * np.array([1.0, 2.0, 1e-6])[:, None, None]), [1.0, 2.0, 1e-6])
    assert uniform_scales(turned * [1.0, 1.0, 1.1]) is None and uniform_scales(-turned) is None
