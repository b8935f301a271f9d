from __future__ import annotations

import numpy as np
import pytest

import kinema
from kinema.errors import SceneError
from kinema.mocap.procedural import Segment
from kinema.motion import Motion
from kinema.terrain import VOID, Heightmap, Plane
from kinema.worlds.placing import placed


@pytest.fixture(scope="module")
def walk() -> Motion:
    return kinema.perform(script=[Segment("walk", 2.0)])


def test_a_motion_begins_where_it_is_put_and_goes_where_it_faces(walk: Motion) -> None:
    made = placed(walk, Plane(0.5), (3.0, -2.0), np.pi / 2)
    (before, _), (after, _) = walk.root_frame(), made.root_frame()
    np.testing.assert_allclose(after[0], [3.0, after[0, 1], -2.0], atol=1e-4)
    way = after[-1] - after[0]
    assert way[0] > 0.95 * np.linalg.norm(before[-1] - before[0])
    assert abs(way[2]) < 0.1 * way[0]
    rises = made[:].global_positions[..., 1] - walk[:].global_positions[..., 1]
    np.testing.assert_allclose(rises, 0.5, atol=1e-4)
    assert made.labels.keys() == walk.labels.keys()


def test_without_a_heading_it_keeps_its_own(walk: Motion) -> None:
    made = placed(walk, Plane(), (1.0, 2.0))
    (before, _), (after, _) = walk.root_frame(), made.root_frame()
    np.testing.assert_allclose(after - after[0], before - before[0], atol=1e-4)


def test_it_follows_the_ground_from_its_own_floor(walk: Motion) -> None:
    slope = Heightmap.from_function(lambda x, z: 0.1 * z, (40.0, 40.0), 0.2)
    raised = placed(walk, Plane(1.0))
    made = placed(raised, slope, (0.0, 0.0), 0.0, floor=1.0)
    places, _ = made.root_frame()
    hips = made[:].global_positions[:, 0, 1] - walk[:].global_positions[:, 0, 1]
    np.testing.assert_allclose(hips[20:-20], 0.1 * places[20:-20, 2], atol=0.02)
    assert hips[-1] > 0.1


def test_where_there_is_no_ground_is_said(walk: Motion) -> None:
    hole = Heightmap(np.full((5, 5), VOID, np.float32), 1.0)
    with pytest.raises(SceneError, match="no ground at 1, 1"):
        placed(walk, hole, (1.0, 1.0))
    with pytest.raises(SceneError, match="x and z"):
        placed(walk, Plane(), (1.0, np.nan))
