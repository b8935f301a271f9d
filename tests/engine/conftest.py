"""Small bodies, clips and controllers, shared by the tests of the world."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.character import Character, Mesh
from kinema.control.controller import Controller
from kinema.control.presets import motion_matching_controller
from kinema.engine import Controlled, Figure, Transform, World
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set


@pytest.fixture(scope="session")
def database() -> MotionDatabase:
    """A minute of generated locomotion and its mirror image."""
    return MotionDatabase.from_motions(locomotion_set(minutes=1))


@pytest.fixture
def steered(database) -> Callable[[], Controller]:
    """Makes controllers."""
    return lambda: motion_matching_controller(database)


@pytest.fixture(scope="session")
def person(database) -> Character:
    """A body of one triangle on the joints of the database."""
    return Character("person", database.skeleton, (triangle(),))


@pytest.fixture(scope="session")
def arm() -> Character:
    """Two joints, half a metre apart."""
    skeleton = Skeleton.create(["upper", "lower"], [-1, 0], [[0, 1, 0], [0.5, 0, 0]])
    return Character("arm", skeleton, (triangle(),))


@pytest.fixture(scope="session")
def swing(arm) -> Motion:
    """The lower joint turns by a radian a second about +Y, the upper one rises by a metre a second; two seconds."""
    times = np.arange(61, dtype=np.float32) / 30
    turned = rotations.identity((61, 2), times)
    turned[:, 1] = rotations.from_yaw(times)
    moved = np.tile(arm.skeleton.rest_translations, (61, 1, 1))
    moved[:, 0, 1] += times
    return Motion.create(arm.skeleton, turned, moved, fps=30.0, name="swing")


def triangle() -> Mesh:
    corners = np.float32([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]])
    normals = np.tile(np.float32([0, 0, 1]), (3, 1))
    return Mesh("triangle", corners, normals, np.uint32([[0, 1, 2]]), joint=0)


@pytest.fixture
def crowd(person, steered) -> Callable[..., tuple[World, list[int]]]:
    """Makes worlds with controlled characters, a metre apart, each turned further to the left."""

    def make(count: int = 3, **options) -> tuple[World, list[int]]:
        world = World(**options)
        world.groups.add("crowd", steered())
        places = [Transform((float(k), 0, 0), rotations.from_yaw(np.float32(0.5 * k))) for k in range(count)]
        ids = [world.spawn(place, Figure(person), Controlled("crowd")) for place in places]
        return world, ids

    return make
