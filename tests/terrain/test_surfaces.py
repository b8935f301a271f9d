"""The triangles of grounds: they lie where the heights are."""

import gc

import numpy as np
import pytest

from kinema import rotations
from kinema.terrain import VOID, Ground, Heightmap, Placed, Plane, Union, block, hills, is_void, relief, slope, stairs
from kinema.terrain.surfaces import _kept

CENTRE = np.zeros(3)


def triangles(shape):
    """Corners `[K, 3, 3]` of all triangles in the world, and the normals `[K, 3, 3]` there."""
    corners, normals = [], []
    for one in shape.surfaces:
        turn = rotations.from_yaw(np.float64(one.heading))
        placed = rotations.rotate(turn, one.surface.vertices) + one.position
        corners.append(placed[one.surface.triangles])
        normals.append(rotations.rotate(turn, one.surface.normals)[one.surface.triangles])
    return np.concatenate(corners), np.concatenate(normals)


def flat_area(corners):
    """Area seen from above of triangles `[K, 3, 3]`."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    return 0.5 * np.abs(first[:, 0] * second[:, 2] - first[:, 2] * second[:, 0])


GROUNDS = {
    "stairs": stairs(),
    "slope": slope(down=False),
    "block": block(1.0, 2.0, 0.0),
    "hills": hills(1),
    "island": Heightmap.from_function(lambda x, z: 0.1 * x + 0.2 * z, (3.0, 4.0), 0.05, edge="open"),
    "endless": Heightmap.from_function(lambda x, z: 0.1 * np.sin(x) + z, (3.0, 4.0), 0.1),
    "placed": Placed(slope(), (1.0, 0.5, -2.0), 0.8),
}


@pytest.mark.parametrize("name", GROUNDS)
def test_tops_of_triangles_are_at_the_height_of_the_ground(name):
    ground = GROUNDS[name]
    corners, normals = triangles(relief(ground, CENTRE, 6.0))
    middle, facing = corners.mean(1), normals.mean(1)
    heights = ground.height(middle)
    top = (facing[:, 1] > 0.3) & (flat_area(corners) > 1e-6)
    assert top.any() and not is_void(heights[top]).any()
    skirt = np.abs(middle[:, 1] - heights) > 0.05  # the rims of squares hang down
    assert (skirt & top).mean() < 0.2
    assert np.abs(middle[:, 1] - heights)[top & ~skirt].max() < 0.03


@pytest.mark.parametrize("name", ["stairs", "slope", "block", "placed", "island"])
def test_all_of_a_ground_is_drawn_once(name):
    """The area seen from above is that of the ground."""
    ground = GROUNDS[name]
    corners, normals = triangles(relief(ground, CENTRE, 30.0))
    x, z = np.meshgrid(np.arange(-9, 9, 0.04), np.arange(-9, 9, 0.04))
    covered = (~is_void(ground.height(np.stack([x, 0 * x, z], -1)))).sum() * 0.04**2
    area = flat_area(corners)[normals[:, 0, 1] > 0.1].sum()
    assert area == pytest.approx(covered, rel=0.04)


def test_stairs_have_their_risers():
    ground = stairs(steps=3, rise=0.2, tread=0.25, landing=1.0)
    corners, normals = triangles(relief(ground, CENTRE, 6.0))
    risers = np.abs(normals[:, 0, 2]) > 0.99
    for z in (0.0, 0.25, 0.5, 1.5, 1.75, 2.0):
        here = risers & (np.abs(corners[..., 2] - z) < 1e-6).all(1)
        assert here.any() and np.ptp(corners[here, :, 1]) == pytest.approx(0.2, abs=1e-5)
    up = normals[risers & (corners[:, 0, 2] < 1), 0, 2]
    assert (up < 0).all(), "risers of the way up face the climber"


def test_a_plane_is_a_level_and_a_union_has_all_parts():
    assert relief(Plane(0.4), CENTRE, 5.0).level == 0.4
    shape = relief(Placed(Union((Plane(0.4), Plane(-1.0), stairs(), slope())), (0, 1, 0)), CENTRE, 5.0)
    assert shape.level == pytest.approx(1.4) and len(shape.surfaces) == 2
    assert relief(stairs(), CENTRE, 5.0).level is None


def test_holes_are_left_out():
    heights = np.zeros((61, 61))
    heights[20:41, 20:41] = VOID
    corners, _ = triangles(relief(Heightmap(heights, 0.1, edge="open"), CENTRE, 9.0))
    assert np.abs(corners.mean(1)[:, [0, 2]]).max(-1).min() > 0.99


def test_surfaces_stay_the_same_objects_while_the_ground_lives():
    ground = hills(2)
    key = id(ground)
    first = {id(one.surface) for one in relief(ground, CENTRE, 6.0).surfaces}
    moved = {id(one.surface) for one in relief(ground, CENTRE + 0.3, 6.0).surfaces}
    assert len(first & moved) > 0.7 * len(first)
    assert key in _kept
    del ground
    gc.collect()
    assert key not in _kept


def test_fine_maps_are_coarse_far_away():
    ground = Heightmap(np.zeros((2001, 2001)), 0.02)
    near, far = relief(ground, CENTRE, 4.0), relief(ground, CENTRE, 18.0)
    count = [sum(len(one.surface.triangles) for one in shape.surfaces) for shape in (near, far)]
    assert count[1] < 3 * count[0] and count[1] < 400_000


def test_only_what_is_near_is_drawn():
    corners, _ = triangles(relief(hills(), np.array([100.0, 0, -50.0]), 6.0))
    away = np.linalg.norm((corners - [100.0, 0, -50.0])[..., [0, 2]], axis=-1)
    assert away.max() < 6.0 + 5.0 * 2**0.5 + 0.2
    x, z = 100 + 5.9 * np.sin(np.arange(9)), -50 + 5.9 * np.cos(np.arange(9))
    middle = corners.mean(1)
    assert all(np.hypot(middle[:, 0] - a, middle[:, 2] - b).min() < 0.3 for a, b in zip(x, z, strict=True))


def test_a_ground_of_ones_own_is_sampled():
    class Wave(Ground):
        def height(self, points):
            return (0.2 * np.sin(points[..., 0])).astype(np.float32)

        def normal(self, points):
            return np.broadcast_to(np.float32([0, 1, 0]), points.shape)

    corners, _ = triangles(relief(Wave(), CENTRE, 3.0))
    top = corners[flat_area(corners) > 1e-6]
    np.testing.assert_allclose(top[..., 1], 0.2 * np.sin(top[..., 0]), atol=1e-4)
