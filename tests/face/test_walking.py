from __future__ import annotations

import numpy as np
import pytest

import kinema
from kinema import rotations
from kinema.errors import ControlError, UsageError
from kinema.motion import Motion
from kinema.terrain import Heightmap

WAY = [(2.0, 1.0), (5.0, 1.0), (5.0, 4.0)]


@pytest.fixture(scope="module")
def along() -> Motion:
    return kinema.walk(WAY)


def test_somebody_walks_along_a_way_and_stops(along: Motion) -> None:
    places, headings = along.root_frame()
    assert np.hypot(*(places[0, [0, 2]] - WAY[0])) < 0.15
    assert np.hypot(*(places[-1, [0, 2]] - WAY[-1])) < 0.4
    corner = np.hypot(places[:, 0] - 5.0, places[:, 2] - 1.0).min()
    assert corner < 0.5
    ahead = np.asarray([0, 0, 1], np.float32)
    first = rotations.rotate(headings[0], ahead)
    assert first[0] > 0.9, "it faces where the way begins to go"
    assert np.linalg.norm(np.diff(places[-20:], axis=0), axis=1).max() * along.fps < 0.2


@pytest.mark.slow
def test_it_walks_on_the_ground(along: Motion) -> None:
    slope = Heightmap.from_function(lambda x, z: 0.08 * x, (30.0, 30.0), 0.2)
    made = kinema.walk(WAY, ground=slope)
    feet = made[:].global_positions[..., 1].min(axis=1)
    places, _ = made.root_frame()
    np.testing.assert_allclose(feet, 0.08 * places[:, 0], atol=0.12)
    assert feet[-1] - feet[0] > 0.15


@pytest.mark.slow
def test_a_character_of_another_size_walks_its_own_way() -> None:
    person = kinema.perform().skeleton
    small = kinema.Skeleton.create(person.names, person.parents, 0.5 * person.rest_translations)
    made = kinema.walk([(0.0, 0.0), (0.0, 2.0)], character=kinema.Character("small", small), speed=0.6)
    places, _ = made.root_frame()
    assert np.hypot(*(places[-1, [0, 2]] - (0.0, 2.0))) < 0.3
    assert made.skeleton.height == pytest.approx(small.height, rel=0.01)


def test_what_is_no_way_is_refused() -> None:
    with pytest.raises(UsageError, match="x and z of corners"):
        kinema.walk([1.0, 2.0, 3.0])
    with pytest.raises(ControlError, match="two different points"):
        kinema.walk([(1.0, 1.0), (1.0, 1.0)])
    with pytest.raises(ControlError, match="above 0"):
        kinema.walk(WAY, speed=0.0)
