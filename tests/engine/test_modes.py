"""Ways to run a world."""

from __future__ import annotations

import itertools

import pytest

from kinema.engine import Name, Surface, World, run_headless, run_standalone, system
from kinema.engine import modes as modes_module
from kinema.errors import WorldError


class Time:
    """A clock that goes only when someone sleeps or works."""

    def __init__(self, overhead: float = 0.0):
        self.now, self.slept, self.overhead = 100.0, 0.0, overhead

    def __call__(self):
        self.now += self.overhead
        return self.now

    def sleep(self, seconds):
        assert seconds >= 0
        self.now += seconds
        self.slept += seconds


def test_it_ends_at_a_time_a_frame_or_a_condition():
    world = World(step=0.1)
    report = run_headless(world, seconds=2.0)
    assert (report.steps, report.ended_by, world.steps) == (20, "seconds", 20)
    assert report.seconds == pytest.approx(2.0) and report.steps_per_second > 0
    assert run_headless(world, frames=7).ended_by == "frames"
    assert world.steps == 27
    report = run_headless(world, until=lambda world: world.steps == 30)
    assert (report.steps, report.ended_by) == (3, "condition")
    report = run_headless(world, seconds=5.0, frames=2, until=lambda world: False)
    assert (report.steps, report.ended_by) == (2, "frames")
    report = run_headless(world, seconds=0.2, frames=100, until=lambda world: False)
    assert (report.steps, report.ended_by) == (2, "seconds")
    assert run_headless(world, frames=0).steps == 0


def test_it_refuses_to_run_without_an_end(monkeypatch):
    world = World(step=0.1)
    with pytest.raises(WorldError, match="needs an end: give seconds, frames or until"):
        run_headless(world)
    for wrong in ({"seconds": -1.0}, {"seconds": float("nan")}, {"seconds": float("inf")}, {"frames": -1}):
        with pytest.raises(WorldError, match="at least 0"):
            run_headless(world, **wrong)
    assert world.steps == 0
    monkeypatch.setattr(modes_module, "LONGEST", 3.0)
    with pytest.raises(WorldError, match="did not come true in 3 s"):
        run_headless(world, until=lambda world: False)
    assert world.steps == 30


def test_on_frame_sees_every_step():
    seen = []
    world = World()
    run_headless(world, frames=4, on_frame=lambda world: seen.append(world.steps), until=lambda world: len(seen) == 3)
    assert seen == [1, 2, 3]


def test_real_time_waits_for_its_steps():
    time = Time()
    report = run_headless(World(step=0.1), seconds=3.0, real_time=True, clock=time, sleep=time.sleep)
    assert report.steps == 30 and time.slept == pytest.approx(2.9, abs=0.01) and report.dropped_seconds == 0


def test_real_time_lets_go_what_it_cannot_make_up_for():
    time = Time()

    @system(phase="late")
    def stall(world, dt):
        time.now += 2.0 if world.steps == 5 else 0.0

    world = World(step=0.1)
    world.systems.add(stall)
    report = run_headless(world, frames=20, real_time=True, clock=time, sleep=time.sleep)
    assert report.steps == 20 and report.dropped_seconds == pytest.approx(1.6, abs=0.11)
    assert report.wall_seconds == pytest.approx(1.9 + report.dropped_seconds, abs=0.11)


def test_real_time_makes_the_same_bytes():
    def make():
        world = World(seed=3, step=0.01)
        world.spawn(Name("a"))
        world.systems.add(system(phase="late", name="roll")(lambda world, dt: world.random.random()))
        return world

    quick, real, time = make(), make(), Time(0.013)
    run_headless(quick, frames=100)
    run_headless(real, frames=100, real_time=True, clock=time, sleep=time.sleep)
    assert quick.digest() == real.digest()


class Screen:
    """A display of a rate that is closed after some pictures."""

    def __init__(self, time, rate, pictures):
        self.time, self.rate, self.left = time, rate, pictures
        self.shown, self.waited = [], []

    def poll(self):
        self.left -= 1
        return self.left >= 0

    def present(self, world):
        self.shown.append(world.steps + world.alpha)
        self.time.now += 1 / self.rate

    def wait(self, seconds):
        self.waited.append(seconds)


@pytest.mark.parametrize("rate", [30, 60, 144, 500])
def test_motion_is_even_on_a_display_of_any_rate(rate):
    time = Time()
    screen: Surface = Screen(time, rate, 2 * rate)
    world, drawn = World(step=1 / 60), []
    world.systems.add(system(phase="present", name="draw")(lambda world, dt: drawn.append(dt)))
    report = run_standalone(world, screen, clock=time)
    gaps = [60 / rate * (after - before) for before, after in zip(screen.shown[1:], screen.shown[2:], strict=False)]
    assert gaps == pytest.approx([60 / rate * 60 / rate] * len(gaps), abs=1e-6)
    assert (report.frames, report.ended_by) == (2 * rate, "closed")
    assert report.steps == pytest.approx(120, abs=3) and report.dropped_seconds == 0
    assert drawn[1:] == pytest.approx([1 / rate] * (2 * rate - 1)) and len(screen.waited) == 2 * rate


def test_a_closed_surface_is_not_drawn_on_and_time_may_end_it():
    time = Time()
    screen = Screen(time, 60, 0)
    assert run_standalone(World(), screen, clock=time).frames == 0 and screen.shown == []
    screen = Screen(time, 60, 10_000)
    report = run_standalone(World(), screen, seconds=1.0, clock=time)
    assert report.ended_by == "seconds" and report.frames == pytest.approx(60, abs=1)


def test_a_stall_of_the_display_never_becomes_a_burst():
    time = Time()
    screen = Screen(time, 60, 20)

    def stall(world, dt):
        if world.steps == 10:
            time.now += 5.0

    world = World()
    world.systems.add(system(phase="present")(stall))
    report = run_standalone(world, screen, clock=time)
    steps = [int(shown) for shown in screen.shown]
    assert max(after - before for before, after in itertools.pairwise(steps)) <= 5
    assert report.dropped_seconds > 4.5
