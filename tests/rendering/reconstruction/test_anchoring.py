"""Planes through points of a floor and a wall, and Gaussians that are held on them."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.rendering.reconstruction.anchoring import Planes

from .conftest import few


def corner(rng: np.random.Generator, stray: int = 20) -> np.ndarray:
    """A floor of 4 by 4 m and a wall beside it, off by a centimetre, and points above that are on nothing."""
    floor = rng.uniform(-2, 2, (1500, 3)) * [1, 0, 1]
    wall = np.stack([rng.uniform(-2, 2, 1000), rng.uniform(0, 2, 1000), np.full(1000, -2.0)], axis=-1)
    off = np.concatenate([floor, wall]) + rng.normal(0, 0.01, (2500, 3))
    return np.concatenate([off, rng.uniform([-2, 0.5, -1], [2, 2.5, 2], (stray, 3))]).astype(np.float32)


def test_points_on_nothing_are_astray_and_others_are_on_planes() -> None:
    planes = Planes.through(corner(np.random.default_rng(0)))
    assert planes.astray[2500:].mean() > 0.9 and planes.astray[:2500].mean() < 0.02
    assert planes.flat[:2500].mean() > 0.7 and not planes.flat[2500:].any()
    inner = planes.flat & (np.abs(planes.points[:, 1]) < 0.03) & (planes.points[:, 2] > -1.5)
    assert np.abs(planes.normals[inner, 1]).min() > 0.95 and inner.sum() > 1000


def test_a_place_is_on_the_plane_beside_it_or_on_none() -> None:
    planes = Planes.through(corner(np.random.default_rng(1), stray=0))
    places = np.asarray(
        [[0.5, 0.03, 0.5], [0.5, -0.03, 0.5], [0.5, 1.0, -1.97], [0.5, 0.6, 0.5], [30.0, 0.0, 0.0]], np.float32
    )
    which = planes.nearest(places)
    assert (which[:3] >= 0).all() and (which[3:] == -1).all()
    off = planes.off(places, which)
    assert np.allclose(off[:3], [[0, 0.03, 0], [0, -0.03, 0], [0, 0, 0.03]], atol=0.012) and not off[3:].any()


def test_gaussians_are_moved_and_turned_onto_planes() -> None:
    planes = Planes.through(corner(np.random.default_rng(2), stray=0))
    numbers = few(40)
    numbers.means = np.random.default_rng(3).uniform([-1, -0.03, -1], [1, 0.03, 1], (40, 3)).astype(np.float32)
    numbers.means[0] = [0, 1, 0]
    numbers.log_scales[:, 2] = -5.0
    before = numbers.taken(np.arange(40))
    which = planes.nearest(numbers.means)
    for _ in range(30):
        planes.hold(numbers, which)
    assert which[0] == -1 and np.array_equal(numbers.means[0], before.means[0])
    assert np.array_equal(numbers.quaternions[0], before.quaternions[0])
    assert np.abs(numbers.means[1:, 1]).max() < 0.02 and numbers.means.dtype == np.float32
    assert np.abs(numbers.means - before.means)[1:, [0, 2]].max() < 0.02
    upward = rotations.to_matrix(numbers.quaternions[1:])[:, 1, 2]
    assert np.abs(upward).min() > 0.97


def test_too_few_points_make_no_plane() -> None:
    for count in (0, 3):
        planes = Planes.through(np.zeros((count, 3), np.float32))
        assert not planes.flat.any() and not planes.astray.any()
        assert planes.nearest(np.zeros((2, 3), np.float32)).tolist() == [-1, -1]
        planes.hold(few(2), np.asarray([-1, -1]))
