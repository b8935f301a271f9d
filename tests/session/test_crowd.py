"""Systems of the played world."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.engine import Command, Transform, World
from kinema.session.crowd import RADIUS, Steer, Steered, Wanders, start_positions, steer, wander
from kinema.session.steering import InputState


@pytest.fixture
def world() -> World:
    world = World(seed=1, strict=True)
    world.resources.add(Steer())
    for entry in (steer, wander):
        world.systems.add(entry)
    return world


def test_keys_and_sticks_become_commands(world: World):
    hero = world.spawn(Transform(), Command(), Steered())
    held = world.resources[Steer]
    held.state, held.heading = InputState(frozenset({"KeyW"})), np.pi / 2
    world.step()
    np.testing.assert_allclose(world.get(hero, Command).velocity, [held.steering.walk, 0, 0], atol=1e-6)
    held.state = InputState(move=(0.0, 1.0))
    world.step()
    assert np.linalg.norm(world.get(hero, Command).velocity) == pytest.approx(held.steering.run)
    held.state = InputState(look=(1.0, 0.0))
    world.step()
    facing = world.get(hero, Command).facing
    assert facing is not None and np.linalg.norm(facing) == pytest.approx(1.0)


def test_wanderers_change_their_minds_and_come_after(world: World):
    world.spawn(Transform(), Command(), Steered())
    one = world.spawn(Transform((1, 0, 0)), Command(), Wanders())
    velocities = set()
    for _ in range(1200):
        world.step()
        velocities.add(tuple(np.round(world.get(one, Command).velocity, 3)))
    assert 4 < len(velocities) < 25
    world.get(one, Transform).position = (0.0, 0.0, 3 * RADIUS)
    world.get(one, Wanders).until = 0.0
    world.step()
    assert world.get(one, Command).velocity[2] < -1.5


def test_the_same_seed_wanders_the_same_way():
    ways = []
    for _ in range(2):
        world = World(seed=5)
        world.resources.add(Steer())
        for entry in (steer, wander):
            world.systems.add(entry)
        one = world.spawn(Transform(), Command(), Wanders())
        world.step()
        ways.append(tuple(world.get(one, Command).velocity))
    assert ways[0] == ways[1]


def test_places_are_apart():
    points = np.array([(0.0, 0.0), *start_positions(60)])
    apart = np.linalg.norm(points[:, None] - points, axis=-1) + 9 * np.eye(len(points))
    assert apart.min() > 1.0 and np.abs(points).max() < 20
