from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.rendering.camera import Camera
from kinema.rendering.splats.rasterise import rasterise
from kinema.worlds.made import WORLDS, MadeWorld, Obstacle, daylight, lit, make_world


def inside(world: MadeWorld, count: int = 2000) -> np.ndarray:
    """Points (x, z) of what can be walked on."""
    rng = np.random.default_rng(0)
    points = rng.uniform(np.asarray(world.low) + 0.3, np.asarray(world.high) - 0.3, (count, 2))
    return points[~world.blocked(points, 0.1)]


@pytest.mark.parametrize("kind", WORLDS)
def test_the_ground_is_where_it_is_said_to_be_and_nothing_stands_where_it_is_free(kind: str) -> None:
    world = make_world(kind, 3)
    free = inside(world)
    assert len(free) > 0.4 * 2000
    scene = world.scene(0.08)
    places = scene.means[:, [0, 2]]
    walkable = ((places > np.asarray(world.low) + 0.2) & (places < np.asarray(world.high) - 0.2)).all(axis=-1)
    walkable &= ~world.blocked(places, 0.06)
    heights = scene.means[:, 1] - world.ground.height(scene.means)
    above = walkable & (np.abs(heights) > 0.03)
    assert (heights[above] > 0.5).all()  # crowns of trees, lamps
    assert (walkable & ~above).sum() > 5000
    assert len(world.obstacles) >= 4


@pytest.mark.parametrize("kind", WORLDS)
def test_the_same_seed_is_the_same_world_and_another_is_another(kind: str) -> None:
    one, same, other = (make_world(kind, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.surface.corners, same.surface.corners)
    assert one.obstacles == same.obstacles
    assert one.surface.corners.shape != other.surface.corners.shape or not np.array_equal(
        one.surface.corners, other.surface.corners
    )
    assert one.obstacles != other.obstacles


def test_a_world_can_be_looked_at() -> None:
    world = make_world("park", 0)
    picture = rasterise(world.scene(0.1), Camera.look_at([0, 1.7, -9], [0, 1.2, 0], fov=1.0), 96, 64)
    below = picture.colour[50:, :].reshape(-1, 3).mean(axis=0)
    assert below[1] > below[2]  # grass
    assert picture.alpha[50:].mean() > 0.95
    depth = picture.depth[60, 48]
    assert 1.5 < depth < 6.0


def test_obstacles_hold_what_is_in_them_and_near_them() -> None:
    bench = Obstacle(1.0, 2.0, 4.0, 1.0, np.pi / 2)
    points = np.asarray([[1.0, 3.8], [2.8, 2.0], [1.7, 2.0], [1.0, 4.2]])
    assert bench.holds(points).tolist() == [True, False, False, False]
    assert bench.holds(points, 0.3).tolist() == [True, False, True, True]
    trunk = Obstacle(0.0, 0.0, 1.0, 1.0, round=True)
    assert trunk.holds(np.asarray([[0.4, 0.4], [0.3, 0.3]])).tolist() == [False, True]


def test_what_faces_the_sun_is_brighter_and_unknown_worlds_are_named() -> None:
    surface = make_world("room", 0).surface
    light = lit(surface)
    up = surface.normals[:, 1] > 0.99
    down = surface.normals[:, 1] < -0.99
    ratio = light.colours.mean(axis=(1, 2)) / np.maximum(surface.colours.mean(axis=(1, 2)), 1e-3)
    assert ratio[up].mean() > 1.2 * ratio[down].mean()
    with pytest.raises(UsageError, match="room, street, park, hills"):
        make_world("moon")


def test_what_faces_the_sun_is_lighter_than_what_faces_the_ground() -> None:
    light = daylight(np.asarray([[0.45, 0.8, 0.4], [0.0, -1.0, 0.0]]))
    assert light.shape == (2, 3) and (light[0] > 3 * light[1]).all()
