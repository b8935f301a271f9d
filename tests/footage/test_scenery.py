"""What is around clips: what is free is known, and light is that of the scene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema.errors import SceneError
from kinema.footage import scenery
from kinema.footage.scenery import PLAIN, backdrop, captured, made
from kinema.rendering.splats.light import light_of
from kinema.worlds.grounding import recover_ground
from kinema.worlds.made import make_world


@pytest.mark.parametrize("kind", ["room", "park"])
def test_room_of_a_made_world_is_that_of_its_obstacles(kind: str) -> None:
    around, world = made(kind, 2, 64), make_world(kind, 2)
    points = np.random.default_rng(0).uniform(world.low, world.high, (500, 2))
    room = around.room_at(points)
    assert not world.blocked(points[room > 0.2]).any()
    assert (room[world.blocked(points, -0.15)] <= 0.1).all()
    assert (around.room_at(points + 1000.0) == 0).all()


def test_cameras_stay_within_a_world() -> None:
    around = made("room", 2, 64)
    assert around.within(np.asarray([[0.0, 9.0, 0.0]])).all()
    assert not around.within(np.asarray([[50.0, 1.0, 0.0]])).any()


def test_the_light_of_made_worlds_is_what_is_found_in_their_scenes() -> None:
    around = made("room", 1, 64)
    assert around.scene is not None
    found, _ = light_of(around.scene)
    ours, theirs = (np.asarray(sun.toward) / np.linalg.norm(sun.toward) for sun in (around.sun, found))
    assert ours @ theirs > np.cos(np.radians(2.0))
    ours, theirs = (sun.intensity * np.asarray(sun.color) for sun in (around.sun, found))
    np.testing.assert_allclose(ours, theirs, rtol=0.12)


def test_backdrops_differ_and_are_free_everywhere() -> None:
    around = [backdrop(np.random.default_rng(seed)) for seed in range(12)]
    assert {one.name for one in around} == {"plain", "graded"}
    plain = next(one for one in around if one.name == PLAIN)
    assert plain.scene is None and plain.blocks is None and plain.floor is not None
    assert np.isinf(plain.room_at(np.zeros((3, 2)))).all() and plain.within(np.full((2, 3), 1e4)).all()


def test_a_captured_scene_has_its_ground() -> None:
    world = make_world("room", 4)
    around = captured(world.scene(0.12), "my room")
    assert around.kind == "captured" and around.name == "my room" and around.room is not None
    points = np.random.default_rng(0).uniform(world.low, world.high, (300, 2))
    free = points[around.room_at(points) > 0.5]
    assert len(free) > 20 and not world.blocked(free).any()


def test_a_scene_where_nobody_can_walk_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = make_world("room", 4).scene(0.3)
    ground = recover_ground(scene)
    monkeypatch.setattr(scenery, "recover_ground", lambda _: replace(ground, walkable=ground.walkable & False))
    with pytest.raises(SceneError, match="wall: nobody can walk"):
        captured(scene, "wall")
