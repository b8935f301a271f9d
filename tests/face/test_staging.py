"""Bodies in scenes: placed, walking, filmed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema.errors import SceneError, UsageError
from kinema.face.staging import Staging, around_origin, routed, staged
from kinema.mocap.procedural import Segment
from kinema.rendering.film.performance import Shot
from kinema.worlds.grounding import SceneGround, recover_ground
from kinema.worlds.made import MadeWorld, make_world


@pytest.fixture(scope="module")
def street() -> MadeWorld:
    return make_world("street", 3)


@pytest.fixture(scope="module")
def captured(street: MadeWorld):
    return street.scene(0.16)


@pytest.fixture(scope="module")
def ground(captured) -> SceneGround:
    return recover_ground(captured)


def test_a_route_goes_around_what_is_in_the_way(street: MadeWorld, ground: SceneGround) -> None:
    car = next(each for each in street.obstacles if (each.width, each.depth) == (1.8, 4.2))
    ends = [(car.x, car.z - 4.0), (car.x, car.z + 4.0)]
    route = routed(ground, ends)
    assert np.hypot(*(route[0] - ends[0])) < 0.2 and np.hypot(*(route[-1] - ends[1])) < 0.2
    steps = np.concatenate([np.linspace(a, b, 20) for a, b in pairwise(route)])
    assert not street.blocked(steps, 0.1).any()
    assert street.blocked(np.linspace(*ends, 50)).any(), "straight on is a car"
    with pytest.raises(UsageError, match="two places"):
        routed(ground, ends[:1])


def test_motions_are_put_on_the_ground(captured) -> None:
    motion = kinema.perform(script=[Segment("walk", 1.0)])
    (shot,) = staged([Shot("walk", motion.skeleton, motion)], Staging(captured, (1.0, -3.0), 0.5), print)
    assert shot.scene is captured and shot.motion is not None
    places, _ = shot.motion.root_frame()
    np.testing.assert_allclose(places[0, [0, 2]], (1.0, -3.0), atol=0.02)
    assert abs(shot.motion[:].global_positions[..., 1].min()) < 0.05


@pytest.mark.slow
def test_a_person_walks_where_nobody_was_given(captured, street: MadeWorld) -> None:
    (shot,) = staged([], Staging(captured, way=[(0.0, -6.0), (0.0, -3.0)]), lambda line: None)
    assert shot.motion is not None
    places, _ = shot.motion.root_frame()
    assert np.hypot(*(places[-1, [0, 2]] - (0.0, -3.0))) < 0.4
    assert not street.blocked(places[:, [0, 2]]).any()


def test_what_does_not_go_together_is_refused(captured) -> None:
    with pytest.raises(UsageError, match="a way, or a place"):
        Staging(captured, at=(0, 0), way=[(0, 0), (1, 1)])
    motion = kinema.perform(script=[Segment("walk", 0.5)])
    with pytest.raises(SceneError, match="no ground at 500"):
        staged([Shot("walk", motion.skeleton, motion)], Staging(captured, (500.0, 0.0)), print)


def test_a_scene_begins_in_a_roomy_place(street: MadeWorld, captured) -> None:
    moved, found = around_origin(captured)
    assert abs(float(found.height(np.zeros((1, 3), np.float32))[0])) < 0.03
    shift = (captured.means - moved.means)[0]
    assert not street.blocked(shift[[0, 2]][None], 1.0).any()


def test_a_film_in_a_scene(captured, tmp_path: Path) -> None:
    out = tmp_path / "walk.png"
    motion = kinema.perform(script=[Segment("walk", 1.0)])
    kinema.render(motion, out, size=(96, 64), still=0.5, quality="draft", staging=Staging(captured))
    assert out.stat().st_size > 2000
