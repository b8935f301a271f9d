from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.ndimage import distance_transform_edt, label

from kinema.errors import SceneError
from kinema.worlds import paths
from kinema.worlds.grounding import SceneGround
from kinema.worlds.made import WORLDS, MadeWorld
from kinema.worlds.paths import find_path, path_length

from .captured import free_of_obstacles, places, recovered

RADIUS = 0.3


def plan(*rows: str) -> SceneGround:
    """A ground of half a metre a cell; dots can be walked on. The first row is at z = 0."""
    walkable = np.asarray([[sign == "." for sign in row] for row in rows])
    still = np.zeros(walkable.shape, np.float32)
    return SceneGround(still, still + 1, walkable, 0.5, (0.0, 0.0))


def sampled(path: np.ndarray) -> np.ndarray:
    """Points of a path, 5 cm apart or nearer."""
    parts = [path[:1]]
    for a, b in pairwise(path):
        shares = np.linspace(0, 1, int(np.ceil(np.linalg.norm(b - a) / 0.05)) + 2)
        parts.append(a + shares[:, None] * (b - a))
    return np.concatenate(parts)


def pairs(world: MadeWorld, ground: SceneGround, count: int, seed: int) -> list[np.ndarray]:
    """Random places `[2, 2]` that a body can go between in truth."""
    points = places(ground)
    found = distance_transform_edt(np.pad(free_of_obstacles(world, points), 1))
    assert isinstance(found, np.ndarray)
    free = found[1:-1, 1:-1] * ground.cell >= RADIUS
    found = label(free)
    assert isinstance(found, tuple)
    parts = np.asarray(found[0])
    cells, rng = np.argwhere(free), np.random.default_rng(seed)
    drawn = (cells[rng.integers(len(cells), size=2)] for _ in range(10 * count))
    return [points[tuple(two.T)] for two in drawn if len(set(parts[tuple(two.T)])) == 1][:count]


def check(kind: str, seed: int, count: int) -> int:
    """Finds paths in a world, none of which may touch an obstacle; how many do not arrive."""
    world, ground = recovered(kind, seed)
    missed = 0
    for start, goal in pairs(world, ground, count, seed):
        try:
            path = find_path(ground, start, goal, radius=RADIUS)
        except SceneError:
            missed += 1
            continue
        missed += bool(np.linalg.norm(path[[0, -1]] - [start, goal], axis=-1).max() > 1.0)
        assert not world.blocked(sampled(path), 0.15).any()
        assert ground.walkable_at(sampled(path)).all()
    return missed


@pytest.mark.parametrize("kind", ["room", "park"])
def test_paths_arrive_and_touch_nothing(kind: str) -> None:
    assert check(kind, 1, 10) == 0


@pytest.mark.slow
def test_two_hundred_paths_arrive_and_touch_nothing() -> None:
    missed = [check(kind, seed, 10) for kind in WORLDS for seed in range(5)]
    assert len(missed) * 10 == 200
    assert sum(missed) <= 10


def test_a_free_way_is_straight() -> None:
    _, ground = recovered("park", 1)
    clear = plan(*["." * 20] * 20)
    path = find_path(clear, (2.0, 2.0), (7.2, 4.1))
    np.testing.assert_allclose(path, [[2.0, 2.0], [7.2, 4.1]])
    assert len(find_path(ground, (0.0, 0.0), (0.0, 0.0))) >= 1


def test_a_way_round_a_wall_is_short_and_keeps_away_and_its_corners_are_cut() -> None:
    wall = plan(*["." * 24] * 10, "." * 4 + "#" * 16 + "." * 4, *["." * 24] * 10)
    path = find_path(wall, (6.0, 3.0), (6.0, 7.0), radius=0.4)
    assert 5.0 + 2 * 2.0 < path_length(path) < 13.0
    away = np.hypot(
        np.maximum(np.abs(sampled(path)[:, 0] - 5.75) - 3.75, 0.0), np.maximum(np.abs(sampled(path)[:, 1] - 5.0), 0.0)
    )
    assert away.min() > 0.4 - 1e-6
    ways = np.diff(path, axis=0)
    turns = np.degrees(np.abs(np.diff(np.unwrap(np.arctan2(ways[:, 0], ways[:, 1])))))
    assert turns.max() < 45.0


def test_corners_are_not_cut_where_that_would_leave_too_little_room() -> None:
    pillar = plan(*["." * 9] * 4, "....#....", *["." * 9] * 4)
    corner = np.asarray([[0.9, 1.9], [1.1, 0.9], [2.1, 0.6]])  # 1.42 m from the pillar, nearer if cut
    clearance = np.linalg.norm(places(pillar) - [2.0, 2.0], axis=-1)
    assert len(paths._rounded(pillar, clearance, corner, 0.5)) > 3
    kept = paths._rounded(pillar, clearance, corner, 1.35)
    np.testing.assert_allclose(kept, corner)


def test_a_wide_body_goes_round_and_a_narrow_one_through_the_gap() -> None:
    rows = ["." * 15] * 6 + ["#" * 7 + "." + "#" * 5 + ".."] + ["." * 15] * 6
    rows = [*rows[:6], "#" * 6 + "." + "#" * 4 + "." * 4, *rows[7:]]
    gap = plan(*rows)
    narrow, wide = (find_path(gap, (3.0, 1.0), (3.0, 5.0), radius=radius) for radius in (0.3, 0.8))
    assert path_length(narrow) == pytest.approx(4.0)
    assert path_length(wide) > 6.0
    assert wide[:, 0].max() > 5.5
    with pytest.raises(SceneError, match=r"no path for a body of 1\.2 m"):
        find_path(gap, (3.0, 1.0), (3.0, 5.0), radius=1.2)


def test_no_way_leads_between_two_cells_that_touch_at_a_corner() -> None:
    with pytest.raises(SceneError, match="no path"):
        find_path(plan("..##", "..##", "##..", "##.."), (0.0, 0.0), (1.5, 1.5), radius=0.0)


def test_places_nearby_are_taken_and_those_far_away_are_named() -> None:
    half = plan(*["." * 10 + "#" * 10] * 10)
    path = find_path(half, (1.0, 2.0), (4.9, 2.0))
    np.testing.assert_allclose(path, [[1.0, 2.0], [4.5, 2.0]])
    with pytest.raises(SceneError, match=r"goal \(8.00, 2.00\); the nearest place is \(4.50, 2.00\)"):
        find_path(half, (1.0, 2.0), (8.0, 2.0))
    with pytest.raises(SceneError, match=r"start \(-3.00, 2.00\)"):
        find_path(half, (-3.0, 2.0), (1.0, 2.0))


def test_what_is_no_place_is_said() -> None:
    clear = plan(*["." * 6] * 6)
    with pytest.raises(SceneError, match="a goal is x and z"):
        find_path(clear, (1.0, 1.0), (np.nan, 1.0))
    with pytest.raises(SceneError, match="not negative"):
        find_path(clear, (1.0, 1.0), (2.0, 1.0), radius=-1.0)
    nowhere = replace(clear, walkable=np.zeros_like(clear.walkable))
    with pytest.raises(SceneError, match="nowhere"):
        find_path(nowhere, (1.0, 1.0), (2.0, 1.0))
