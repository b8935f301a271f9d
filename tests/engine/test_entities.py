"""Entities, components, queries and the tree of who hangs on whom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from kinema import rotations
from kinema.engine import Figure, Name, Transform, World
from kinema.errors import WorldError


@dataclass
class Health:
    points: int = 3


def test_numbers_are_never_used_again():
    world = World()
    first = world.spawn(Name("a"))
    world.despawn(first)
    assert world.spawn(Name("b")) == first + 1 == 2
    assert world.entities == (2,)
    with pytest.raises(WorldError, match="entity 1 was removed"):
        world.get(1, Name)
    for wrong in (9, -1, "x"):
        with pytest.raises(WorldError, match="does not exist"):
            world.add(wrong, Name("c"))


def test_components_come_and_go():
    world = World()
    entity = world.spawn(Name("a"))
    assert not world.has(entity, Health) and world.find(entity, Health) is None
    world.add(entity, Health())
    world.add(entity, Health(5))
    assert world.get(entity, Health).points == 5
    assert world.components(entity) == (Health(5), Name("a"))
    world.remove(entity, Health)
    with pytest.raises(WorldError, match="entity 1 has no Health; it has Name"):
        world.get(entity, Health)
    for what in (Health, 3, "name"):
        with pytest.raises(WorldError, match="instance of a dataclass"):
            world.add(entity, what)


def test_only_changes_of_who_has_what_are_changes_of_structure(arm):
    world = World()
    entity, other = world.spawn(Transform(), Name("a"), Figure(arm)), world.spawn(Transform())
    before = world.structure
    world.add(entity, Name("b"))
    world.add(entity, Transform((1, 0, 0)))
    world.get(entity, Transform).position = (2, 0, 0)
    world.step()
    assert world.structure == before
    for change in (Transform(parent=other), Transform(), Health(), Figure(arm)):
        world.add(entity, change)
        assert world.structure > before
        before = world.structure


def test_a_spawn_that_fails_leaves_nothing_behind():
    world = World()
    with pytest.raises(WorldError):
        world.spawn(Name("a"), Transform((0, 0)))
    assert world.entities == () and list(world.query(Name)) == []


def test_queries_are_in_order_and_see_only_what_is_enabled():
    world = World()
    ids = [world.spawn(Transform(), *([Health(k)] if k % 2 else [])) for k in range(6)]
    world.add(ids[0], Health(0))  # late, but the lowest
    assert [entity for entity, _ in world.query(Health)] == [1, 2, 4, 6]
    assert [health.points for _, (health, _) in world.query(Health, Transform)] == [0, 1, 3, 5]
    assert list(world.query(Name)) == [] and list(world.query(Name, Health)) == []
    world.enable(ids[1], False)
    assert [entity for entity, _ in world.query(Health)] == [1, 4, 6]
    world.enable(ids[1])
    assert len(list(world.query(Health))) == 4
    assert world.first(Health) == (1, Health(0)) and world.first(Name) is None


def test_the_world_may_change_during_a_query():
    world = World()
    for _ in range(4):
        world.spawn(Health())
    seen = []
    for entity, _ in world.query(Health):
        seen.append(entity)
        if entity == 1:
            world.despawn(2)
            world.remove(3, Health)
            world.spawn(Health())
    assert seen == [1, 4]
    assert [entity for entity, _ in world.query(Health)] == [1, 4, 5]


def family(world):
    top = world.spawn(Transform(), Name("top"))
    middle = world.spawn(Transform(parent=top), Name("middle"))
    leaf = world.spawn(Transform(parent=middle), Name("leaf"))
    other = world.spawn(Transform(), Name("other"))
    return top, middle, leaf, other


def test_disabling_takes_the_subtree_along_and_keeps_what_was_off_before():
    world = World()
    top, middle, leaf, other = family(world)
    world.enable(leaf, False)
    world.enable(top, False)
    assert [entity for entity, _ in world.query(Name)] == [other]
    assert not world.enabled(middle) and not world.disabled_itself(middle)
    world.enable(top)
    assert [entity for entity, _ in world.query(Name)] == [top, middle, other]
    world.reparent(other, leaf)
    assert not world.enabled(other)


def test_despawning_takes_the_children_along():
    world = World()
    top, middle, leaf, other = family(world)
    world.despawn(middle)
    assert world.entities == (top, other)
    for gone in (middle, leaf):
        with pytest.raises(WorldError, match="was removed"):
            world.enabled(gone)
    assert len(world.columns(Transform)) == 2


def test_reparenting():
    world = World()
    top, middle, leaf, other = family(world)
    with pytest.raises(WorldError, match="would form a cycle"):
        world.reparent(top, leaf)
    turned = world.get(other, Transform)
    turned.position, turned.rotation, turned.scale = (1, 2, 3), rotations.from_yaw(np.float32(0.7)), 2.0
    world.get(leaf, Transform).position = (0, 0, 4)
    place = world.get(leaf, Transform).global_position
    world.reparent(leaf, other, keep_place=True)
    assert world.children(other) == (leaf,) and world.children(middle) == ()
    np.testing.assert_allclose(world.get(leaf, Transform).global_position, place, atol=1e-5)
    world.reparent(leaf, None)
    assert world.get(leaf, Transform).parent is None
    world.reparent(leaf, other)
    with pytest.raises(WorldError, match=f"entity {leaf} is its child"):
        world.remove(other, Transform)
    world.remove(leaf, Transform)
    world.remove(other, Transform)
    with pytest.raises(WorldError, match="has no Transform"):
        world.reparent(other, top)


def test_only_transforms_lie_in_columns():
    world = World()
    with pytest.raises(WorldError, match="Name is not stored in columns"):
        world.columns(Name)


def test_many_come_and_go(rng):
    """Against a plain dictionary."""
    world, there = World(), {}
    for _ in range(300):
        if there and rng.random() < 0.4:
            entity = int(rng.choice(list(there)))
            world.despawn(entity)
            hung = {entity}
            while more := {child for child, parent in there.items() if parent in hung} - hung:
                hung |= more
            there = {child: parent for child, parent in there.items() if child not in hung}
        else:
            parent = int(rng.choice(list(there))) if there and rng.random() < 0.5 else None
            there[world.spawn(Transform(parent=parent))] = parent
        assert list(world.entities) == list(there) == world.columns(Transform).ids.tolist()
    for entity, (placed,) in world.query(Transform):
        assert placed.parent == there[entity]
