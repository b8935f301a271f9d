"""The suite `engine`: steps of a world with many entities, and poses of a crowd up to the renderer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.benchmarks import data
from kinema.benchmarks.measure import Row, best_seconds
from kinema.character import Character, Mesh
from kinema.control.command import Commands
from kinema.control.presets import motion_matching_controller
from kinema.engine import Command, Controlled, Figure, Figures, Playing, Transform, World, system
from kinema.engine.transforms import TransformColumns
from kinema.errors import MissingError
from kinema.mocap.database import MotionDatabase
from kinema.rendering.camera import Camera
from kinema.rendering.context import create_context
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rendering.present import present
from kinema.rendering.scene import GpuScene
from kinema.rendering.view import View
from kinema.skeleton import Skeleton

ENTITIES = 1000
CHARACTERS = 256
CLIP_FRAMES = 1800  # frames of generated motion behind the steered crowd
BRANCHES = 4  # children per entity; 1,000 entities are five levels deep

_CAMERA = Camera.look_at((0, 2, 8), (0, 1, 0))


def world_step() -> Row:
    """One fixed step of a world with a thousand entities in a tree, all of which rotate."""
    world = _tree(ENTITIES)

    @system(phase="animate", writes=(Transform,))
    def turn(world: World, dt: float) -> None:
        world.columns(Transform).rotations[:] = rotations.from_yaw(np.full(ENTITIES, world.time, np.float32))

    world.systems.add(turn)
    nodes = [(k, (k - 1) // BRANCHES if k else -1) for k in range(ENTITIES)]
    return Row(
        f"world step, {ENTITIES:,} entities in a tree",
        1e3 * best_seconds(world.step),
        "ms",
        1.0,
        1e3 * best_seconds(lambda: _matrices(nodes)),
        "a NumPy product of 4x4 matrices per entity",
        better="lower",
    )


def crowd_poses() -> Row:
    """Poses of 256 mannequins: global poses, interpolated between two steps, and written to the renderer's texture.

    Includes the poses of the previous picture, for motion vectors. Without graphics the last part is left out.
    """
    world = _players(CHARACTERS, build_mannequin(data.body()))
    batch = world.poses.batches[0]
    before = present(world, _CAMERA, alpha=0.2)

    with _writer() as write:

        def frame() -> None:
            world.poses.place(world.columns(Transform))
            write(present(world, _CAMERA, alpha=0.4, previous=before))

        seconds = best_seconds(frame)
    return Row(
        f"poses to the renderer, {CHARACTERS} x {batch.character.skeleton.joint_count} joints",
        1e3 * seconds,
        "ms",
        2.0,
        1e3 * best_seconds(lambda: _one_by_one(world.columns(Transform), batch)),
        "transforming and interpolating in NumPy, one character after another",
        better="lower",
    )


@contextmanager
def _writer() -> Iterator[Callable[[View], object]]:
    """A function that writes a view's poses to the graphics memory. Does nothing without graphics."""
    try:
        context = create_context()
    except MissingError:
        yield lambda view: None
        return

    def write(view: View) -> None:
        scene.fill(view, motion=True)
        context.finish()

    with context:  # restores the thread's current context afterwards, for an open window
        scene = GpuScene(context)
        yield write
        scene.release()
    context.release()


def crowd_clips() -> Row:
    """A whole step of 256 characters that each play a clip at its own time: sampled, posed and placed in the world."""
    world = _players(CHARACTERS)
    players = [player for _, (player,) in world.query(Playing)]

    def sample_each() -> None:
        for player in players:
            _ = player.motion.sample([player.time])[:].global_positions

    return Row(
        f"world step, {CHARACTERS} clip players",
        1e3 * best_seconds(world.step),
        "ms",
        4.0,
        1e3 * best_seconds(sample_each, repeats=1),
        "sampling one clip after another",
        better="lower",
    )


def crowd_steered() -> Row:
    """A whole step of 256 characters under one controller, each with ten searches per second."""
    database = MotionDatabase.from_motions(data.locomotion(CLIP_FRAMES))
    world = World()
    world.groups.add("crowd", motion_matching_controller(database))
    figure = Figure(_body(database.skeleton))
    rng = np.random.default_rng(1)
    for x, z in rng.uniform(-20, 20, (CHARACTERS, 2)):
        world.spawn(Transform((x, 0, z)), figure, Controlled("crowd"), Command((0, 0, float(rng.uniform(0, 3)))))
    alone = motion_matching_controller(database)
    ahead = Commands.create(np.array([0, 0, 1.4]))

    def one_by_one() -> None:
        for _ in range(CHARACTERS):
            alone.step(ahead, world.step_seconds)

    for _ in range(30):
        world.step()
    return Row(
        f"world step, {CHARACTERS} steered characters",
        1e3 * _mean_seconds(world.step, 60),
        "ms",
        16.0,
        1e3 * _mean_seconds(one_by_one, 2),
        "one controller step per character",
        better="lower",
    )


ROWS: tuple[Callable[[], Row], ...] = (world_step, crowd_poses, crowd_clips, crowd_steered)


def run() -> Iterator[Row]:
    """Measure all rows, one by one."""
    for row in ROWS:
        yield row()


def _tree(count: int) -> World:
    world, ids = World(), []
    for k in range(count):
        ids.append(world.spawn(Transform((0, 0, 1), parent=ids[(k - 1) // BRANCHES] if k else None)))
    return world


def _body(skeleton: Skeleton) -> Character:
    corners = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]], np.float32)
    mesh = Mesh("mark", corners, np.eye(3, dtype=np.float32)[[2, 2, 2]], np.array([[0, 1, 2]], np.uint32), joint=0)
    return Character("body", skeleton, (mesh,))


def _players(count: int, character: Character | None = None) -> World:
    motion = data.wander(600)
    world, figure = World(), Figure(character or _body(motion.skeleton))
    rng = np.random.default_rng(2)
    for x, z, start in rng.uniform(0, 10, (count, 3)):
        world.spawn(Transform((x, 0, z)), figure, Playing(motion, float(start)))
    world.step()
    return world


def _matrices(nodes: list[tuple[int, int]]) -> list[NDArray[np.float32]]:
    """The tree as a typical scene graph in Python: one matrix per entity, multiplied from the root down."""
    local = np.eye(4, dtype=np.float32)
    matrices: list[NDArray[np.float32]] = []
    for _, parent in nodes:
        matrices.append(matrices[parent] @ local if parent >= 0 else local)
    return matrices


def _one_by_one(columns: TransformColumns, batch: Figures) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    made = []
    model_rotations, model_positions = batch.pose.model_rotations, batch.pose.model_positions
    old_rotations, old_positions = batch.previous.global_rotations, batch.previous.global_positions
    for row, character in enumerate(columns.rows(batch.ids)):
        turn, place = columns.global_rotations[character], columns.global_positions[character]
        rotation = rotations.multiply(turn, model_rotations[row])
        position = place + rotations.rotate(turn, model_positions[row])
        before = old_positions[row]
        made.append((rotations.slerp(old_rotations[row], rotation, 0.4), before + 0.4 * (position - before)))
    return made


def _mean_seconds(function: Callable[[], object], times: int) -> float:
    began = time.process_time()
    for _ in range(times):
        function()
    return (time.process_time() - began) / times
