from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema.errors import SceneError
from kinema.terrain.ground import is_void
from kinema.worlds import GaussianScene
from kinema.worlds.grounding import SceneGround, recover_ground
from kinema.worlds.made import WORLDS, MadeWorld
from kinema.worlds.shapes import ball, box
from kinema.worlds.surfels import ColouredSurface, surfels

from .captured import captured, free_of_obstacles, places, recovered
from .conftest import yard

KINDS = [("room", 0.08), pytest.param("street", 0.16, marks=pytest.mark.slow), ("park", 0.08), ("hills", 0.08)]
GREY = (0.5, 0.5, 0.5)


def slab(low: tuple[float, float, float], high: tuple[float, float, float]) -> ColouredSurface:
    """A box between two corners."""
    return box(0.5 * (np.asarray(low) + high), np.asarray(high) - low, GREY)


def scene_of(*parts: ColouredSurface) -> GaussianScene:
    """A floor of 6 by 6 m and what is on it."""
    corners = np.asarray([[-3, 0, -3], [-3, 0, 3], [3, 0, 3], [3, 0, -3]])
    floor = ColouredSurface.of(corners, np.asarray([[0, 1, 2], [0, 2, 3]]), GREY)
    return surfels(floor.joined(*parts), 0.08)


def judged(world: MadeWorld, ground: SceneGround) -> tuple[float, float, float]:
    """Shares: walkable cells within 3 cm of the truth; blocked ones that are walkable; free ones that are."""
    points = places(ground)
    true = world.ground.height(np.insert(points, 1, 0.0, axis=-1))
    near = np.abs(ground.heights - true) < 0.03
    free = free_of_obstacles(world, points, 0.3, 0.3)
    return near[ground.walkable].mean(), ground.walkable[world.blocked(points)].mean(), ground.walkable[free].mean()


@pytest.mark.parametrize(("kind", "spacing"), KINDS)
def test_the_ground_of_a_made_world_comes_back_from_noise_and_floaters(kind: str, spacing: float) -> None:
    near, blocked, free = judged(*recovered(kind, 1, spacing))
    assert near > 0.99
    assert blocked < 0.005
    assert free > 0.96  # below crowns of trees nobody can stand


@pytest.mark.slow
@pytest.mark.parametrize("kind", WORLDS)
@pytest.mark.parametrize("seed", range(5))
def test_the_ground_of_every_made_world_comes_back(kind: str, seed: int) -> None:
    near, blocked, free = judged(*recovered(kind, seed))
    assert near > 0.99
    assert blocked < 0.005
    assert free > 0.96


def test_the_ground_is_one_for_controllers() -> None:
    world, ground = recovered("hills", 1)
    points = np.random.default_rng(0).uniform((-9, 0, -9), (9, 0, 9), (400, 3))
    points = points[ground.walkable_at(points[:, [0, 2]])]
    assert np.sqrt(np.mean((ground.height(points) - world.ground.height(points)) ** 2)) < 0.01
    angles = np.degrees(np.arccos(np.clip((ground.normal(points) * world.ground.normal(points)).sum(-1), -1, 1)))
    assert np.median(angles) < 6.0
    outside = np.asarray([[400.0, 0.0, 0.0]])
    assert is_void(ground.height(outside)).all()
    assert not ground.walkable_at(outside[:, [0, 2]]).any()


def test_cells_and_points_belong_to_each_other() -> None:
    _, ground = recovered("room", 1)
    cells = np.moveaxis(np.indices(ground.walkable.shape), 0, -1)
    np.testing.assert_array_equal(ground.cells_of(places(ground)), cells)
    np.testing.assert_array_equal(ground.walkable_at(places(ground)), ground.walkable)


def test_gaussians_without_a_smallest_axis_do_too() -> None:
    ground = recover_ground(yard(0).joined(yard(1)).joined(yard(2)).joined(yard(3)))
    points = np.asarray([[0.0, 0.0], [-4.0, 4.0], [0.0, -2.0], [1.5, 1.5]])
    assert ground.walkable_at(points).tolist() == [True, True, False, False]  # floor, floor, wall, table
    assert np.abs(ground.heights[ground.walkable]).mean() < 0.02


def test_one_gaussian_covers_all_cells_that_it_is_seen_in() -> None:
    floor = scene_of()
    centres = np.stack(np.meshgrid(np.arange(-3, 3.1), np.arange(-3, 3.1)), axis=-1).reshape(-1, 2)
    few = floor.taken(np.zeros(len(centres), np.int64))
    few = replace(
        few,
        means=np.insert(centres, 1, 0.0, axis=1).astype(np.float32),
        quaternions=np.tile(np.asarray([[1, 0, 0, 0]], np.float32), (len(centres), 1)),
        log_scales=np.log(np.tile(np.asarray([[0.7, 0.01, 0.7]], np.float32), (len(centres), 1))),
    )
    ground = recover_ground(few)
    points = np.random.default_rng(0).uniform(-2.5, 2.5, (500, 2))
    assert ground.walkable_at(points).all()


def test_stairs_are_walked_up_and_a_platform_without_them_is_not() -> None:
    steps = [slab((-1, 0.17 * k, 0.3 * k), (1, 0.17 * (k + 1), 3.0)) for k in range(5)]
    ground = recover_ground(scene_of(*steps))
    assert ground.walkable_at(np.asarray([0.0, 2.0]))
    assert ground.height(np.asarray([0.0, 0.0, 2.0])) == pytest.approx(0.85, abs=0.02)
    assert ground.walkable_at(np.asarray([[0.0, 0.15 + 0.3 * k] for k in range(4)])).all()
    alone = recover_ground(scene_of(slab((-1, 0, 1.2), (1, 0.85, 3.0))))
    assert not alone.walkable_at(np.asarray([0.0, 2.0]))
    assert alone.walkable_at(np.asarray([0.0, 0.0]))


def test_it_takes_headroom_to_walk_below_something_and_less_for_a_small_body() -> None:
    scene = scene_of(slab((-1, 1.4, -1), (1, 1.5, 1)), slab((-0.1, 0, -0.1), (0.1, 1.4, 0.1)))
    below = np.asarray([0.6, 0.6])
    tall, small = recover_ground(scene), recover_ground(scene, height=1.2)
    assert not tall.walkable_at(below)
    assert small.walkable_at(below)
    assert tall.height(np.asarray([0.6, 0.0, 0.6])) == pytest.approx(0.0, abs=0.02)
    assert tall.confidence[tuple(tall.cells_of(below))] > 0.5


def test_a_ceiling_is_no_ground_though_nothing_stands_on_it() -> None:
    furniture = [slab((x, 0, -3), (x + 0.5, 0.8, 2)) for x in (-2.5, -1.0, 0.5, 2.0)]
    ceiling, below = slab((-3.2, 2.5, -3.2), (3.2, 2.6, 3.2)), slab((-3, -0.3, -3), (3, -0.25, 3))
    ground = recover_ground(scene_of(ceiling, below, *furniture))
    assert ground.walkable.any()
    assert (np.abs(ground.heights[ground.walkable]) < 0.03).mean() > 0.9


def test_a_hole_is_filled_without_confidence_and_not_walked_on() -> None:
    scene = scene_of()
    hole = np.linalg.norm(scene.means[:, [0, 2]], axis=-1) < 0.5
    ground = recover_ground(scene.taken(~hole))
    middle = tuple(ground.cells_of(np.zeros(2)))
    assert abs(ground.heights[middle]) < 0.02
    assert ground.confidence[middle] == 0.0
    assert not ground.walkable[middle]


def test_thick_gaussians_are_a_surface_in_their_middle() -> None:
    rng = np.random.default_rng(0)
    count = 1500
    floor = scene_of().taken(np.zeros(count, np.int64))
    middles = rng.uniform(-3, 3, (count, 3)) * [1, 0, 1] + rng.normal(0, 0.01, (count, 3)) * [0, 1, 0]
    tilts = np.concatenate([np.ones((count, 1)), rng.normal(0, 0.02, (count, 3))], axis=1)
    wide, thick = rng.uniform(0.15, 0.25, (count, 2)), rng.uniform(0.06, 0.1, count)
    thick_floor = replace(
        floor,
        means=middles.astype(np.float32),
        quaternions=tilts.astype(np.float32),
        log_scales=np.log(np.stack([wide[:, 0], thick, wide[:, 1]], axis=1)).astype(np.float32),
        logits=np.zeros(count, np.float32),
    )
    ground = recover_ground(thick_floor)
    inner = (np.abs(places(ground)) < 2.7).all(axis=-1)
    assert ground.walkable[inner].mean() > 0.99
    assert (np.abs(ground.heights[inner]) < 0.03).mean() > 0.99


def test_gaps_in_a_slope_go_on_as_it_does() -> None:
    rise = 0.3
    corners = np.asarray([[-3, -3 * rise, -3], [-3, -3 * rise, 3], [3, 3 * rise, 3], [3, 3 * rise, -3]])
    slope = surfels(ColouredSurface.of(corners, np.asarray([[0, 1, 2], [0, 2, 3]]), GREY), 0.08)
    x, _, z = slope.means.T
    ground = recover_ground(slope.taken(~((x > 2.2) & (z > 2.2)) & (np.hypot(x, z) > 0.5)))
    points = places(ground)
    off = np.abs(ground.heights - rise * points[..., 0])
    corner = ((points > 2.3) & (points < 2.9)).all(axis=-1)
    hole = np.linalg.norm(points, axis=-1) < 0.4
    assert not ground.confidence[corner].any() and off[corner].max() < 0.03
    assert not ground.confidence[hole].any() and off[hole].max() < 0.03


def test_a_ramp_one_sample_wide_is_walked_up_and_level_across() -> None:
    line, post = slab((-3, 0, -0.02), (3, 0.001, 0.02)), slab((-0.3, 0, 2), (0.3, 0.01, 2.5))
    scene = surfels(line, 0.02).joined(surfels(post, 0.05))
    means = scene.means.copy()
    means[:, 1] += 0.2 * means[:, 0] + np.random.default_rng(0).normal(0.0, 0.01, len(scene))
    ground = recover_ground(replace(scene, means=means))
    known, points = ground.confidence > 0.0, places(ground)
    assert known[0].sum() > 50 and ground.walkable[0].sum() == known[0].sum()
    beside = ~known & ~is_void(ground.heights) & (points[..., 1] < 0.9)
    assert beside.sum() > 500 and np.abs(ground.heights - 0.2 * points[..., 0])[beside].max() < 0.03


def test_a_steep_slope_and_a_stone_are_not_walked_on_and_a_gentle_slope_is() -> None:
    def ramp(rise: float) -> ColouredSurface:
        corners = np.asarray([[-1, 0, 0], [1, 0, 0], [1, rise, 2], [-1, rise, 2]])
        return ColouredSurface.of(corners, np.asarray([[0, 2, 1], [0, 3, 2]]), GREY)

    middle = np.asarray([0.0, 0.6])
    assert recover_ground(scene_of(ramp(1.0))).walkable_at(middle)
    assert not recover_ground(scene_of(ramp(2.6))).walkable_at(middle)
    stone = recover_ground(scene_of(ball((0, 0.12, 0), (0.3, 0.22, 0.3), GREY)))
    assert not stone.walkable_at(np.zeros(2))
    assert stone.walkable_at(np.asarray([0.0, 0.6]))


def test_what_small_things_hang_in_the_air_stop_nobody_and_what_stands_does() -> None:
    speck = slab((0.5, 1.2, 0.5), (0.54, 1.24, 0.54))
    post = slab((-0.6, 0, -0.6), (-0.5, 1.5, -0.5))
    ground = recover_ground(scene_of(speck, post))
    assert ground.walkable_at(np.asarray([[0.55, 0.55], [-0.55, -0.55]])).tolist() == [True, False]


def test_what_cannot_be_is_said() -> None:
    scene = captured(recovered("room", 1)[0], 0.2)
    for cell, step, height in ((0.0, 0.35, 1.8), (0.1, 2.0, 1.8), (0.1, 0.35, np.inf)):
        with pytest.raises(SceneError, match="a cell, a step and a height"):
            recover_ground(scene, cell=cell, step=step, height=height)
    with pytest.raises(SceneError, match="use larger cells"):
        recover_ground(scene.moved(scale=1000.0))
    with pytest.raises(SceneError, match="nothing that can be seen"):
        recover_ground(replace(scene, logits=np.full(len(scene), -9.0, np.float32)))
    wall = surfels(slab((-3, 0, 0), (3, 2, 0.01)), 0.08)
    upright = wall.taken(np.abs(wall.means[:, 1] - 1.0) < 0.8)
    with pytest.raises(SceneError, match="nothing level"):
        recover_ground(upright)
