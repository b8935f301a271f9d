"""The world: time, determinism, and that worlds do not know of each other."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.engine import Command, Figure, Name, Playing, Transform, World, run_headless, system
from kinema.errors import WorldError
from kinema.pose import Pose


@system(phase="input", writes=(Command,))
def wander(world, dt):
    """A new way for everybody now and then, by the world's own chance."""
    if world.steps % 20 == 0:
        for _, (command,) in world.query(Command):
            angle = world.random.uniform(-np.pi, np.pi)
            command.velocity = world.random.choice([0, 1.4, 3.0]) * np.array([np.sin(angle), 0, np.cos(angle)])


@system(phase="late", writes=(Transform,))
def spin(world, dt):
    columns = world.columns(Transform)
    shiver = world.random.standard_normal(len(columns)).astype(np.float32)
    columns.positions[:, 1] += 0.001 * shiver * (columns.parents > 0)


@pytest.fixture
def lively(crowd, person, database):
    """Makes worlds of controlled characters with things in their hands, a clip player and chance."""

    def make(seed=4):
        world, ids = crowd(3, seed=seed)
        for entity in ids:
            world.add(entity, Command())
            world.spawn(Transform((0, 1, 0), parent=entity), Name("thing"))
        world.spawn(Transform((0, 0, 5)), Figure(person), Playing(database.clip_motion(0)))
        world.systems.add(wander)
        world.systems.add(spin)
        return world

    return make


@pytest.mark.slow
def test_a_thousand_steps_twice_and_interleaved_are_the_same_bytes(lively):
    alone = lively()
    report = run_headless(alone, frames=1000)
    assert report.steps == 1000
    first, second, other = lively(), lively(), lively(seed=5)
    middle = None
    for step in range(1000):
        first.step()
        second.step()
        if step % 3 == 0:
            other.step()
        if step == 500:
            middle = first.digest()
            assert second.digest() == middle
    assert alone.digest() == first.digest() == second.digest() != middle
    assert other.digest() != middle
    for batch, twin in zip(alone.poses.batches, second.poses.batches, strict=True):
        assert batch.shown.global_positions.tobytes() == twin.shown.global_positions.tobytes()
        assert batch.shown.global_rotations.tobytes() == twin.shown.global_rotations.tobytes()
        assert np.isfinite(batch.shown.global_positions).all()
    places = alone.columns(Transform).positions
    assert np.abs(places[:3] - np.float32([[0, 0, 0], [1, 0, 0], [2, 0, 0]])).max() > 1


def test_the_digest_tells_every_change(arm):
    def make():
        world = World(seed=1)
        world.spawn(Transform((1, 2, 3)), Figure(arm), Name("a"))
        world.spawn(Transform(parent=1), Name("b"))
        world.step()
        return world

    seen = {make().digest()}
    assert make().digest() in seen
    for change in (
        lambda world: world.step(),
        lambda world: setattr(world.get(2, Name), "value", "c"),
        lambda world: world.columns(Transform).positions.__setitem__((1, 0), 1e-6),
        lambda world: world.reparent(2, None),
        lambda world: world.enable(2, False),
        lambda world: world.random.random(),
        lambda world: world.spawn(),
        lambda world: world.poses.write(np.array([1]), Pose(arm.skeleton, np.float32([[[0, 1, 0, 0], [1, 0, 0, 0]]]))),
    ):
        world = make()
        change(world)
        assert world.digest() not in seen
        seen.add(world.digest())


def test_steps_of_any_length_are_cut_into_fixed_ones():
    world = World(step=0.1)
    assert world.alpha == 1.0
    assert world.step(0.25) == 2 and world.steps == 2 and world.alpha == pytest.approx(0.5)
    assert world.step(0.04) == 0 and world.alpha == pytest.approx(0.9)
    assert world.step(0.02) == 1 and world.alpha == pytest.approx(0.1)
    assert world.step() == 1 and world.alpha == 1.0 and world.time == pytest.approx(0.4)
    assert world.step(0.0) == 0
    assert world.step(100.0) == 8 and world.dropped == pytest.approx(99.2, abs=0.2)
    world.advance(0, 0.7)
    assert world.alpha == 0.7


def test_times_and_seeds_that_are_none_are_refused():
    for wrong in (0, -1, float("nan"), float("inf")):
        with pytest.raises(WorldError, match="must be positive"):
            World(step=wrong)
    with pytest.raises(WorldError, match="at least 0, not -1"):
        World(seed=-1)
    for wrong in (-0.1, float("nan")):
        with pytest.raises(WorldError, match="at least 0 s"):
            World().step(wrong)


def test_settling_shows_what_was_just_built(arm):
    world = World()
    parent = world.spawn(Transform((1, 0, 0)))
    entity = world.spawn(Transform((0, 0, 1), parent=parent), Figure(arm))
    world.settle()
    np.testing.assert_allclose(world.poses.of(entity).global_positions[0], [1, 1, 1])
    assert world.steps == 0


def test_a_step_that_fails_can_be_taken_again():
    world = World()

    @system(phase="late")
    def fail(world, dt):
        raise ZeroDivisionError

    world.systems.add(fail)
    with pytest.raises(ZeroDivisionError):
        world.step()
    world.systems.remove(fail)
    world.emit(Name("early"))
    assert world.events(Name) == []
    world.step()
    assert world.steps == 1 and len(world.events(Name)) == 1


def test_a_system_cannot_step_its_own_world():
    world = World()
    world.systems.add(system(phase="late", name="again")(lambda world, dt: world.step()))
    with pytest.raises(WorldError, match="cannot step the world that runs it"):
        world.step()


def test_the_profiler_names_the_systems(lively):
    world = lively()
    for _ in range(5):
        world.step()
    rows = {row.name: row for row in world.profiler.rows()}
    assert set(rows) == {"step_groups", "play_clips", "wander", "spin", "places and poses"}
    assert all(row.calls == 5 and row.mean_ms > 0 for row in rows.values())
