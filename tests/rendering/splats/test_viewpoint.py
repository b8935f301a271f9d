from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.rendering.splats.rasterise import rasterise
from kinema.rendering.splats.viewpoint import Core, camera_path
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.made import make_world
from kinema.worlds.shapes import box
from kinema.worlds.surfels import surfels


def crate(middle: tuple[float, float, float] = (5.0, 1.0, -3.0), size: float = 1.0) -> GaussianScene:
    return surfels(box(middle, (size, size, size), (0.8, 0.2, 0.1)), 0.05 * size)


@pytest.mark.parametrize("size", [0.02, 1.0, 300.0])
def test_all_of_a_scene_of_any_size_is_in_the_picture_all_around(size: float) -> None:
    scene = crate(size=size)
    path = camera_path(scene, 1.5)
    for share in (0.0, 0.2, 0.5, 0.8):
        seen = path(share).project(scene.means, 150, 100)
        assert (seen[:, 2] > 0).all()
        assert (seen[:, :2] > 0).all() and (seen[:, 0] < 150).all() and (seen[:, 1] < 100).all()
        covered = rasterise(scene, path(share), 150, 100).alpha > 0.5
        assert covered.mean() > 0.1


def test_what_is_scattered_far_away_does_not_count() -> None:
    scene = crate()
    stray = scene.taken(np.arange(5)).moved(translation=(400.0, 0.0, 0.0))
    np.testing.assert_allclose(Core.of(scene.joined(stray)).middle, [5.0, 1.0, -3.0], atol=0.05)


def test_the_camera_looks_over_the_wall_that_stands_in_its_way() -> None:
    thing = box((0, 0.5, 0), (1.5, 1, 1.5), (0.8, 0.2, 0.1))
    wall = box((1.5, 1.5, 2.5), (5, 3, 0.1), (0.5, 0.5, 0.5))
    scene = surfels(thing.joined(wall, box((0, -0.05, 0), (6, 0.1, 6), (0.4, 0.4, 0.4))), 0.05)
    red = scene.colours[:, 0] > 0.7
    owner = rasterise(scene, camera_path(scene, 1.5)(0.0), 150, 100).owner
    assert red[owner[owner >= 0]].mean() > 0.03


def test_a_closed_room_is_seen_from_within_and_one_without_a_ceiling_from_above() -> None:
    surface = make_world("room", 1).surface
    low, high = surface.corners.reshape(-1, 3).min(axis=0), surface.corners.reshape(-1, 3).max(axis=0)
    ceiling = box((0, high[1] + 0.05, 0), (high[0] - low[0], 0.1, high[2] - low[2]), (0.9, 0.9, 0.9))
    within = camera_path(surfels(surface.joined(ceiling), 0.08), 1.5)
    assert ((within(0.3).position > low) & (within(0.3).position < high)).all()
    assert within(0.0).ahead @ within(0.5).ahead < 0  # it looks around
    assert camera_path(surfels(surface, 0.08), 1.5)(0.0).position[1] > high[1] + 2.0


def test_a_given_camera_turns_around_its_target() -> None:
    path = camera_path(crate(), 1.5, eye=(0, 2, 4), target=(0, 1, 0))
    np.testing.assert_allclose(path(0.0).position, [0, 2, 4])
    np.testing.assert_allclose(path(0.25).position, [4, 2, 0], atol=1e-6)
    with pytest.raises(UsageError, match="both a place and a target"):
        camera_path(crate(), 1.5, eye=(0, 2, 4))
    with pytest.raises(UsageError, match="from one place to another"):
        camera_path(crate(), 1.5, eye=(0, 2, 4), target=(0, 2, 4))
