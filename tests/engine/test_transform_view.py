"""The Transform of one entity writes through."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.engine import Transform, World
from kinema.engine.transform_view import TransformView
from kinema.errors import WorldError


def test_it_reads_and_writes_the_columns():
    world = World()
    parent = world.spawn(Transform((0, 1, 0)))
    entity = world.spawn(Transform((1, 0, 0), parent=parent))
    placed = world.get(entity, Transform)
    assert isinstance(placed, TransformView) and placed.parent == parent
    placed.position = (2, 0, 0)
    placed.position[2] += 5
    placed.rotation = (2, 0, 0, 0)
    placed.scale = 3
    for _ in range(50):  # the columns grow and move
        world.spawn(Transform())
    row = world.columns(Transform).row(entity)
    np.testing.assert_array_equal(world.columns(Transform).positions[row], [2, 0, 5])
    np.testing.assert_array_equal(placed.position, [2, 0, 5])
    np.testing.assert_array_equal(placed.rotation, [1, 0, 0, 0])
    assert placed.scale == 3
    np.testing.assert_array_equal(placed.global_position, [2, 1, 5])
    np.testing.assert_array_equal(placed.global_rotation, [1, 0, 0, 0])


def test_nonsense_is_refused_and_the_dead_are_told():
    world = World()
    entity = world.spawn(Transform())
    placed = world.get(entity, Transform)
    far = (1e39, 0, 0)
    for name, value in (("position", far), ("position", "abc"), ("rotation", (0, 0, 0, 0)), ("scale", -1)):
        with pytest.raises(WorldError):
            setattr(placed, name, value)
    world.despawn(entity)
    with pytest.raises(WorldError, match="has no Transform"):
        placed.position  # noqa: B018
