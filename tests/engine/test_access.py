"""What a strict world finds."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.engine import Command, Eye, Name, Playing, Poses, Transform, World, system
from kinema.errors import WorldError


def run(function, strict=True, **declared):
    world = World(strict=strict)
    world.spawn(Transform(), Name("a"))
    world.spawn(Transform())
    world.systems.add(system(phase="late", **declared)(function))
    world.step()
    return world


CASES = {
    "get": (lambda world, dt: world.get(1, Name), "reads Name"),
    "query": (lambda world, dt: list(world.query(Transform)), "reads Transform"),
    "has": (lambda world, dt: world.has(1, Name), "reads Name"),
    "columns": (lambda world, dt: world.columns(Transform), "reads Transform"),
    "resource": (lambda world, dt: world.poses, "reads Poses"),
    "add": (lambda world, dt: world.add(1, Eye()), "writes Eye"),
    "spawn": (lambda world, dt: world.spawn(Name("b")), "writes Name"),
    "remove": (lambda world, dt: world.remove(1, Name), "writes Name"),
    "reparent": (lambda world, dt: world.reparent(1, 2), "writes Transform"),
}


@pytest.mark.parametrize("case", CASES)
def test_undeclared_access_is_found(case):
    function, said = CASES[case]
    with pytest.raises(WorldError, match=f"system '<lambda>' {said}"):
        run(function)
    run(function, strict=False)


def rename(world, dt):
    world.get(1, Name).value = "b"


def move(world, dt):
    world.columns(Transform).positions[1] += 1


def test_changing_what_is_only_read_is_found():
    with pytest.raises(WorldError, match=r"'rename' changed Name of entity 1; declare writes=\(Name,\)"):
        run(rename, reads=(Name,))
    with pytest.raises(WorldError, match="'move' changed Transform of entity 2"):
        run(move, reads=(Transform,))
    assert run(rename, writes=(Name,)).get(1, Name).value == "b"
    assert run(move, writes=(Transform,)).get(2, Transform).position[0] == 1
    run(lambda world, dt: world.poses, reads=(Poses,))


def test_a_system_that_fails_leaves_the_world_usable():
    def fail(world, dt):
        raise KeyError("mine")

    world = World(strict=True)
    entry = world.systems.add(system(phase="late")(fail))
    with pytest.raises(KeyError):
        world.step()
    world.systems.remove(entry)
    world.spawn(Name("a"))
    world.step()
    assert world.first(Name)


def test_outside_of_systems_everything_may_be_touched():
    world = World(strict=True)
    entity = world.spawn(Transform(), Name("a"))
    world.step()
    world.get(entity, Name).value = "b"
    world.despawn(entity)


def test_the_standard_systems_declare_what_they_do(crowd, person, database):
    world, ids = crowd(2, strict=True)
    world.add(ids[0], Command((0, 0, 1)))
    world.spawn(
        Transform(),
        *[part for part in world.components(ids[0]) if type(part).__name__ == "Figure"],
        Playing(database.clip_motion(0)),
    )
    for _ in range(3):
        world.step()
    assert np.isfinite(world.poses.batches[0].shown.global_positions).all()
