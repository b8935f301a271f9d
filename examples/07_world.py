"""A world: characters that hold things, a system of your own, events, a picture's description, a scene in a file.

python examples/07_world.py
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kinema.character import Character
from kinema.control.presets import motion_matching_controller
from kinema.engine import Command, Controlled, Eye, Figure, Name, Transform, World, run_headless, system
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set


@dataclass
class Patrol:
    """Walk round these places `(x, z)`, in metres."""

    places: list[tuple[float, float]]
    next: int = 0


@dataclass
class Arrived:
    entity: int


@system(phase="input", reads=(Transform,), writes=(Patrol, Command))
def patrol(world: World, dt: float) -> None:
    for entity, (route, place, command) in world.query(Patrol, Transform, Command):
        way = np.array(route.places[route.next]) - place.position[[0, 2]]
        distance = float(np.linalg.norm(way))
        if distance < 0.5:
            route.next = (route.next + 1) % len(route.places)
            world.emit(Arrived(entity))
        command.velocity = (1.4 * way[0] / max(distance, 0.1), 0.0, 1.4 * way[1] / max(distance, 0.1))


def build(database: MotionDatabase) -> World:
    world = World(seed=7)
    world.groups.add("guards", motion_matching_controller(database))
    figure = Figure(Character("guard", database.skeleton))  # a bare skeleton; files bring meshes along
    for number in range(3):
        square = [(2.0 * number, 0.0), (2.0 * number, 3.0), (2.0 * number + 1, 3.0), (2.0 * number + 1, 0.0)]
        guard = world.spawn(
            Transform((2.0 * number, 0, 0)),
            Name(f"guard {number}"),
            figure,
            Controlled("guards"),
            Command(),
            Patrol(square, next=1),
        )
        world.spawn(Transform((0.4, 1.2, 0.2), parent=guard), Name("lantern"))
    world.spawn(Transform((2, 3, -8)), Eye(), Name("camera"))
    world.systems.add(patrol)
    return world


def main() -> None:
    database = MotionDatabase.from_motions(locomotion_set(minutes=2, seed=3))
    world = build(database)
    seen: list[Arrived] = []
    world.on(Arrived, seen.append)
    report = run_headless(world, seconds=60, until=lambda world: len(seen) >= 6)
    print(f"{report.steps} steps, {report.steps_per_second:.0f} a second; {len(seen)} arrivals")
    for entity, (name, _) in world.query(Name, Transform):
        print(f"{entity} {name.value}: at {world.columns().global_of(entity)[0].round(2)}")
    for row in world.profiler.rows():
        print(f"{row.name:16} {row.calls:5} calls, {row.mean_ms:.3f} ms, {100 * row.share:.0f} %")

    again = build(database)
    run_headless(again, frames=report.steps)
    assert again.digest() == world.digest()  # the same seed makes the same bytes

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "guards.json"
        world.save(path)
        loaded = World.load(path, components=[Patrol])
        assert loaded.digest() == world.digest()
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} kB, {len(loaded.entities)} entities")


if __name__ == "__main__":
    main()
