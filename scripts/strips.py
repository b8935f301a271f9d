"""Strips of steered drives, from the side, a picture every 0.1 s: stops, turns and stairs as a character takes them.

    .venv/bin/python scripts/strips.py [FOLDER] [NAME ...] [--database DATABASE] [--family FAMILY] [--bare]

FOLDER is docs/images/strips unless it is given; names choose manoeuvres. The motion is generated, unless there is a
database. A dark pin marks where a planted foot came down: a foot that slides leaves its pin.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from kinema.arrays import Bools, Reals
from kinema.control.command import CommandTrack
from kinema.control.drive import drive
from kinema.control.presets import controller_maker
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.pose import Pose
from kinema.rendering.camera import Camera
from kinema.rendering.draw import Draw
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rendering.renderer import Renderer
from kinema.rendering.sheet.charts import INK, MUTED, shade
from kinema.rendering.sheet.page import Page
from kinema.rendering.tracking import view_rotation
from kinema.rendering.view import Floor, Instances, Sun, View
from kinema.terrain import Ground, Placed, Plane, Union, stairs

ROOT = Path(__file__).parents[1]
FPS, EVERY, COLUMNS = 60, 0.1, 8
WIDTH, HEIGHT = 180, 236  # pixels, of one picture
TALL = 2.15  # metres that one picture shows from top to bottom
PIN = np.array([0.0, 0.13, 0.0])
FROM_THE_SIDE, FROM_THE_FRONT = np.pi / 2, np.pi  # +Z is to the right; +X is to the right

LEVEL = Plane()

Step = tuple[float, tuple[float, float], tuple[float, float] | None]
"""Seconds, velocity along x and z in m/s, and facing (None: along the velocity)."""


@dataclass(frozen=True)
class Manoeuvre:
    """What is commanded, on which ground, and what is shown of it: `shown` seconds from `begin` on.

    In the last step the character is sent to `goal`, x and z in metres and the facing there, if there is one.
    """

    title: str
    steps: tuple[Step, ...]
    begin: float
    ground: Ground = LEVEL
    azimuth: float = FROM_THE_SIDE
    shown: float = 2.4
    goal: tuple[float, float, float, float] | None = None

    @property
    def track(self) -> CommandTrack:
        """The commands over time."""
        seconds = np.array([step[0] for step in self.steps])
        velocities = np.array([(x, 0, z) for _, (x, z), _ in self.steps], np.float32)
        facings = [(np.nan,) * 3 if facing is None else (facing[0], 0, facing[1]) for *_, facing in self.steps]
        times = np.cumsum(seconds) - seconds
        x, z, right, ahead = (np.nan,) * 4 if self.goal is None else self.goal
        none = [(np.nan,) * 3] * (len(self.steps) - 1)
        goals, turns = (np.array([*none, point], np.float32) for point in ((x, 0, z), (right, 0, ahead)))
        return CommandTrack(
            times, velocities, np.array(facings, np.float32), float(seconds.sum()), goals=goals, goal_facings=turns
        )


def flight(rise: float) -> Ground:
    """Six steps up and down, treads 28 cm, 1.5 m ahead of the start."""
    return Union((Plane(), Placed(stairs(6, rise, 0.28, landing=1.6, width=0.9), (0.0, 0.0, 1.5))))


STAND, WALK, CLIMB = (0.0, 0.0), (0.0, 1.4), (0.0, 0.9)
AHEAD, BACK = (0.0, 1.0), (0.0, -1.0)
MANOEUVRES = {
    "start": Manoeuvre("A start, 1.4 m/s", ((1.0, STAND, AHEAD), (3.0, WALK, None)), 0.9),
    "stop": Manoeuvre("A stop from 1.4 m/s", ((3.0, WALK, None), (3.0, STAND, None)), 2.9),
    "reversal": Manoeuvre("A reversal at 1.4 m/s", ((3.0, WALK, None), (3.0, (0.0, -1.4), None)), 2.9),
    "pivot": Manoeuvre("Half a turn on the spot", ((1.5, STAND, AHEAD), (3.0, STAND, BACK)), 1.4),
    "strafe": Manoeuvre(
        "A strafe, 1 m/s", ((1.0, STAND, AHEAD), (3.0, (1.0, 0.0), AHEAD)), 0.9, azimuth=FROM_THE_FRONT
    ),
    "goal": Manoeuvre(
        "To a place 3 m ahead and 1 m aside, facing back",
        ((1.0, STAND, AHEAD), (5.0, WALK, None)),
        2.0,
        shown=3.2,
        goal=(-1.0, 3.0, 0.0, -1.0),
    ),
    "stairs_up_15": Manoeuvre("Up steps of 15 cm, 0.9 m/s", ((8.0, CLIMB, None),), 1.6, flight(0.15)),
    "stairs_down_15": Manoeuvre("Down steps of 15 cm, 0.9 m/s", ((8.0, CLIMB, None),), 4.8, flight(0.15)),
    "stairs_up_20": Manoeuvre("Up steps of 20 cm, 0.9 m/s", ((8.0, CLIMB, None),), 1.6, flight(0.20)),
    "stairs_down_20": Manoeuvre("Down steps of 20 cm, 0.9 m/s", ((8.0, CLIMB, None),), 4.8, flight(0.20)),
}


def footprints(toes: Reals, planted: Bools) -> Reals:
    """Where each foot came down `[F, C, 3]`; NaN while it is not planted.

    Args:
        toes: `[F, C, 3]`, metres. planted: `[F, C]`.
    """
    frames = np.arange(len(planted))[:, None]
    fresh = planted & ~np.roll(planted, 1, axis=0)
    fresh[0] = planted[0]
    began = np.maximum.accumulate(np.where(fresh, frames, 0), axis=0)
    return np.where(planted[..., None], np.take_along_axis(toes, began[..., None], axis=0), np.nan)


def strip(manoeuvre: Manoeuvre, pose: Pose, roots: Reals, prints: Reals) -> Image.Image:
    """The sheet of one drive.

    Args:
        pose: `[F]`. roots: `[F, 3]`, metres, where the character is. prints: `[F, C, 3]`, see `footprints`.
    """
    begin = round(manoeuvre.begin * FPS)
    frames = np.arange(begin, min(begin + round(manoeuvre.shown * FPS), len(roots)), round(EVERY * FPS))
    character, ground = build_mannequin(pose.skeleton), manoeuvre.ground
    header = 40
    page = Page(COLUMNS * WIDTH, header + HEIGHT * -(-len(frames) // COLUMNS), (249, 249, 247), 1.0)
    page.text(14, header / 2, manoeuvre.title, 18, INK, "lm")
    rotation = np.asarray(view_rotation(manoeuvre.azimuth, 0.12), np.float64)
    with Renderer(WIDTH, HEIGHT, quality="high") as renderer:
        for number, frame in enumerate(frames.tolist()):
            root = roots[frame].astype(np.float64)
            aim = Camera(root, rotation, height=TALL)
            camera = Camera(root + 0.88 * np.array([0, 1, 0]) - 6.0 * aim.ahead, rotation, height=TALL)
            marks = Draw()
            marks.spheres(prints[frame], 0.024, shade(INK), on_top=True)
            marks.segments(prints[frame], prints[frame] - PIN, shade(INK), 0.016, on_top=True)
            view = View(
                camera,
                (Instances(character, pose[frame]),),
                Sun.behind(camera),
                floor=Floor().over(ground, root),
                draw=marks,
            )
            color = renderer.render(view).color
            assert color is not None
            left, top = number % COLUMNS * WIDTH, header + number // COLUMNS * HEIGHT
            page.paste(color[..., :3], left, top)
            page.text(left + 8, top + 8, f"{frame / FPS:.1f} s", 13, MUTED)
    return page.image()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs/images/strips")
    parser.add_argument("names", nargs="*", help=f"manoeuvres: {', '.join(MANOEUVRES)}")
    parser.add_argument("--database", type=Path)
    parser.add_argument("--family", default="motion-matching")
    parser.add_argument("--bare", action="store_true", help="without the stages behind it, such as the foot lock")
    options = parser.parse_args()
    database = (
        MotionDatabase.from_motions(locomotion_set(minutes=5, seed=3))
        if options.database is None
        else MotionDatabase.open(options.database)
    )
    controller = controller_maker(options.family)(database)
    if options.bare:
        controller.stages.clear()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or MANOEUVRES:
        manoeuvre = MANOEUVRES[name]
        controller.ground = manoeuvre.ground
        driven = drive(controller, manoeuvre.track, FPS)
        pose = driven.motion[:]
        rollout = driven.rollout
        held = rollout.contacts if rollout.locked is None else rollout.locked
        planted = np.asarray(held) > 0.5
        prints = footprints(pose.global_positions[:, database.contact_joints], planted)
        sheet = strip(manoeuvre, pose, rollout.root_positions, prints)
        sheet.save(options.folder / f"{name}.webp", quality=80, method=6)


if __name__ == "__main__":
    main()
