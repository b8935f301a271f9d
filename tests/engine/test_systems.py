"""Systems and their order."""

from __future__ import annotations

import pytest

from kinema.engine import PHASES, STANDARD, Name, Transform, World, system
from kinema.engine.systems import Systems
from kinema.errors import WorldError


def named(name, phase, log=None, **options):
    return system(phase=phase, name=name, **options)(lambda world, dt: log is None or log.append((name, dt)))


def test_phases_come_in_order_and_systems_as_they_were_added():
    log = []
    world = World(step=0.01, systems=())
    for phase in reversed(PHASES):
        for copy in "ab":
            world.systems.add(named(f"{phase}.{copy}", phase, log))
    world.step()
    assert [name for name, _ in log] == [f"{phase}.{copy}" for phase in PHASES[:-1] for copy in "ab"]
    assert {dt for _, dt in log} == {0.01}
    log.clear()
    world.run_present(0.3)
    assert log == [("present.a", 0.3), ("present.b", 0.3)]
    assert {row.name for row in world.profiler.rows()} >= {f"{phase}.{copy}" for phase in PHASES for copy in "ab"}


def test_the_name_of_the_function_is_the_name_of_the_system():
    @system(phase="late", reads=(Name,), writes=(Transform,))
    def settle(world, dt):
        world.resources.add([dt])

    assert (settle.name, settle.reads, settle.writes) == ("settle", (Name,), (Transform,))
    world = World()
    settle(world, 0.5)
    assert world.resources[list] == [0.5]


def test_what_is_no_system_is_refused():
    systems = Systems(STANDARD)
    for wrong in (lambda world, dt: None, None, "late"):
        with pytest.raises(WorldError, match="decorate the function"):
            systems.add(wrong)
    with pytest.raises(WorldError, match="the phases are input, control"):
        system(phase="sometime")
    with pytest.raises(WorldError, match="reads and writes types"):
        system(phase="late", reads=("Transform",))
    with pytest.raises(WorldError, match="there is a system 'play_clips' already"):
        systems.add(named("play_clips", "late"))
    with pytest.raises(WorldError, match="there is no system 'x' to remove"):
        systems.remove(named("x", "late"))


def test_two_writers_of_one_thing_must_say_who_comes_last():
    first = named("first", "late", writes=(Name, Transform))
    systems = Systems([first, named("other", "physics", writes=(Name,)), named("third", "late", reads=(Name,))])
    systems.check()
    second = systems.add(named("second", "late", writes=(Name,)))
    with pytest.raises(WorldError, match=r"'first' and 'second' both write Name in late"):
        systems.check()
    systems.remove(second)
    systems.add(named("second", "late", writes=(Name,), after=(first,)))
    systems.check()
    with pytest.raises(WorldError, match=r"runs after 'first'; add that"):
        Systems().add(named("early", "late", after=(first,)))


def test_removed_systems_run_no_more():
    log = []
    world = World(systems=())
    entry = world.systems.add(named("it", "late", log))
    world.step()
    world.systems.remove(entry)
    world.step()
    assert len(log) == 1 and list(world.systems) == []
