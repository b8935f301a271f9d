from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import SceneError
from kinema.worlds import GaussianScene
from kinema.worlds.harmonics import colours

from .conftest import drawn


def test_shapes_that_do_not_fit_are_named(scene: GaussianScene) -> None:
    with pytest.raises(SceneError, match="logits of a scene have the shape"):
        replace(scene, logits=scene.logits[1:])
    with pytest.raises(SceneError, match="1, 4, 9 or 16 coefficients, not 5"):
        replace(scene, harmonics=scene.harmonics[:, :5])


def test_moved_covariances_are_turned_and_scaled(scene: GaussianScene) -> None:
    turn = np.asarray([0.3, -0.5, 0.8, 0.1])
    matrix = rotations.to_matrix(turn / np.linalg.norm(turn))
    moved = scene.moved(turn, (1.0, 2.0, 3.0), 2.5)
    np.testing.assert_allclose(moved.means, 2.5 * scene.means @ matrix.T + [1, 2, 3], atol=1e-4)
    np.testing.assert_allclose(
        moved.covariances(), 6.25 * matrix @ scene.covariances() @ matrix.T, rtol=1e-3, atol=1e-5
    )
    seen = np.asarray([0.6, 0.0, 0.8])
    np.testing.assert_allclose(colours(moved.harmonics, matrix @ seen), colours(scene.harmonics, seen), atol=1e-4)
    with pytest.raises(SceneError, match="positive"):
        scene.moved(scale=0.0)


@pytest.mark.parametrize(("axis", "turn"), [("x", [0, 1, 0, 0]), ("y", [0, 0, 1, 0]), ("z", [0, 0, 0, 1])])
def test_half_a_turn_and_back_is_nothing_to_the_bit(scene: GaussianScene, axis: str, turn: list[float]) -> None:
    half = scene.half_turned(axis)
    moved = scene.moved(turn)
    for name in ("means", "harmonics"):
        np.testing.assert_allclose(getattr(half, name), getattr(moved, name), atol=1e-5)
    np.testing.assert_allclose(half.covariances(), moved.covariances(), rtol=1e-4, atol=1e-6)
    back = half.half_turned(axis, back=True)
    for name in ("means", "quaternions", "log_scales", "logits", "harmonics"):
        np.testing.assert_array_equal(getattr(back, name), getattr(scene, name))


def test_scenes_are_joined_and_thinned(scene: GaussianScene) -> None:
    plain = drawn(5, 1)
    both = plain.joined(scene)
    assert (len(both), both.degree) == (705, 3)
    np.testing.assert_array_equal(both.harmonics[:5, 1:], 0)
    np.testing.assert_array_equal(both.taken(np.arange(5, 705)).means, scene.means)
