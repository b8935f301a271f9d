"""Events of one step."""

from dataclasses import dataclass

from kinema.engine import World, system
from kinema.engine.events import Events


@dataclass
class Hit:
    who: int


def test_events_live_for_one_step():
    events = Events()
    events.emit(Hit(1))
    assert events.of(Hit) == []
    events.begin()
    events.emit(Hit(2))
    assert events.of(Hit) == [Hit(1), Hit(2)] and events.of(int) == []
    events.end()
    assert events.of(Hit) == [Hit(1), Hit(2)]
    events.begin()
    assert events.of(Hit) == []


def test_handlers_are_called_at_once_and_in_order():
    events, seen = Events(), []
    off = events.on(Hit, lambda hit: seen.append(("a", hit.who)))
    events.on(Hit, lambda hit: seen.append(("b", hit.who)))
    events.emit(Hit(1))
    off()
    off()
    events.emit(Hit(2))
    assert seen == [("a", 1), ("b", 1), ("b", 2)]


def test_systems_that_run_later_see_what_earlier_ones_emit():
    world, seen = World(), []
    world.systems.add(system(phase="late", name="listen")(lambda world, dt: seen.append(world.events(Hit))))
    world.systems.add(system(phase="input", name="tell")(lambda world, dt: world.emit(Hit(world.steps))))
    world.step()
    world.emit(Hit(99))
    world.step()
    assert seen == [[Hit(0)], [Hit(99), Hit(1)]]
