"""A world made by a script: a crowd of 50 that strolls, and a dog on a skeleton of its own.

python examples/12_a_crowd_and_a_dog.py            # step it without a screen
python examples/12_a_crowd_and_a_dog.py browser    # watch it in the browser
python examples/12_a_crowd_and_a_dog.py window     # watch it in a window
python examples/12_a_crowd_and_a_dog.py play       # steer a character among them, in the browser
"""

import sys

import numpy as np

import kinema
from kinema import Motion, Skeleton, rotations
from kinema.control.presets import motion_matching_controller
from kinema.engine import Command, Controlled, Figure, Playing, Tint, Transform, World, system
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.rendering.mannequin.build import build_mannequin

RADIUS, SECONDS = 2.5, 12  # of the dog's round, metres and seconds
X_AXIS = np.array([1, 0, 0], np.float32)


def dog() -> Skeleton:
    """A skeleton with four legs of two bones each."""
    rows = [("hips", -1, (0, 0.5, -0.3)), ("chest", 0, (0, 0.02, 0.6)), ("neck", 1, (0, 0.12, 0.14))]
    rows += [("head", 2, (0, 0.1, 0.08)), ("nose", 3, (0, -0.03, 0.16)), ("tail", 0, (0, 0.06, -0.16))]
    for end, parent in (("front", 1), ("hind", 0)):
        for side, x in (("left", 0.1), ("right", -0.1)):
            rows += [(f"{side}_{end}_upper", parent, (x, -0.06, 0)), (f"{side}_{end}_lower", len(rows), (0, -0.22, 0))]
            rows += [(f"{side}_{end}_foot", len(rows) - 1, (0, -0.2, 0))]
    return Skeleton.create([name for name, _, _ in rows], [row[1] for row in rows], [row[2] for row in rows])


def trot(skeleton: Skeleton, fps: float = 30.0) -> Motion:
    """A trot in a circle: diagonal legs swing together. The end meets the beginning, so it can be looped."""
    frames = round(SECONDS * fps) + 1
    angle = np.linspace(0, 2 * np.pi, frames, dtype=np.float32)
    stride = 24 * angle
    local = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    for end, side, sign in (("front", "left", 1), ("front", "right", -1), ("hind", "left", -1), ("hind", "right", 1)):
        swing = 0.45 * sign * np.sin(stride)
        bend = 0.4 * np.maximum(sign * np.cos(stride), 0) * (-1 if end == "front" else 1)
        for joint, turn in (("upper", swing), ("lower", bend)):
            index = skeleton.index(f"{side}_{end}_{joint}")
            local[:, index] = rotations.from_axis_angle(X_AXIS, turn)
    local[:, 0] = rotations.from_yaw(angle)
    moved = np.tile(skeleton.rest_translations, (frames, 1, 1))
    moved[:, 0, 0] -= RADIUS * np.cos(angle)
    moved[:, 0, 2] += RADIUS * np.sin(angle) + 0.3
    moved[:, 0, 1] += 0.015 * np.cos(2 * stride)
    return Motion.create(skeleton, local, moved, fps=fps, name="trot")


@system(phase="input", reads=(Controlled, Transform), writes=(Command,))
def stroll(world: World, dt: float) -> None:
    """The crowd walks around the origin."""
    for _, (member, place, command) in world.query(Controlled, Transform, Command):
        if member.group == "crowd":
            heading = np.arctan2(place.position[0], place.position[2]) + 1.65
            command.velocity = (1.2 * np.sin(heading), 0.0, 1.2 * np.cos(heading))


def populate(world: World, database: MotionDatabase) -> None:
    """Spawn the crowd and the dog."""
    world.groups.add("crowd", motion_matching_controller(database))
    world.systems.add(stroll)
    person = Figure(build_mannequin(database.skeleton))
    for number in range(50):
        away, angle = 4.5 + 0.1 * number, np.float32(2.4 * number)
        place = Transform((away * np.sin(angle), 0, away * np.cos(angle)), rotations.from_yaw(angle + np.pi / 2))
        world.spawn(place, person, Controlled("crowd"), Command())
    motion = trot(dog())
    world.spawn(Transform(), Figure(build_mannequin(motion.skeleton)), Playing(motion), Tint((0.75, 0.42, 0.22, 1)))


def main(screen: str = "") -> None:
    database = MotionDatabase.from_motions(locomotion_set(minutes=2, seed=3))
    if screen == "play":
        kinema.play(database, setup=lambda world: populate(world, database))
        return
    world = World(seed=5)
    populate(world, database)
    if screen:
        kinema.view(world, window=screen == "window")
        return
    world.step()
    begun = [batch.shown.global_positions[:, 0] for batch in world.poses.batches]
    for _ in range(180):
        world.step()
    for batch, before in zip(world.poses.batches, begun, strict=True):
        moved = np.linalg.norm(batch.shown.global_positions[:, 0] - before, axis=-1)
        joints = batch.character.skeleton.joint_count
        print(f"{len(batch.ids)} with {joints} joints moved {moved.mean():.2f} m in 3 s")


if __name__ == "__main__":
    main(*sys.argv[1:2])
