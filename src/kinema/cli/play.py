"""`kinema play`: steer a character in the browser or in a window."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import kinema
from kinema.cli import common, screens
from kinema.errors import UsageError

if TYPE_CHECKING:
    from kinema.face.screens import Shown

HELP = """
Steer a character in the browser with keys (WASD, Shift, Alt, Q, E, Space), a gamepad, or the stick on the page;
or in a window with its controller laid open (--window).
Without --data motion is generated; with it the character moves as in a database or in motion files. A character
whose joints differ from those of the data obeys as well: each pose is retargeted to it.
With --creature it is an animal: a horse, a spider, a bird, whose motion is generated; so is that of animals in files.
With --generate --rig FILE the motion of any skeleton is generated while it moves, from its rest pose alone: choose or
type what it does, and steer it. With --samples N, N samples are shown side by side, with sliders for what is asked.
Several families get the same commands, side by side.
With --terrain it walks on stairs, hills, or the heights of an image, an array or a mesh.

examples:
  kinema play
  kinema play --window
  kinema play --data walk.db
  kinema play --creature horse
  kinema play --character person.vrm --port 8090
  kinema play --character wolf.glb
  kinema play --generate --rig wolf.glb
  kinema play --generate --rig horse --say "trots, then jumps" --samples 4
  kinema play --data walk.db --character robot.xml
  kinema play --data walk.db --family my_family.py:MyFamily
  kinema play --data walk.db --family motion-matching runs/mann
  kinema play --family mann --style stealth:0.5
  kinema play --terrain stairs
  kinema play --scene garden.ply
  kinema play --scene street --say "walk to the car, wave, then run back"
  kinema play --data walk.db --style proud
  kinema play --terrain island.png --terrain-cell 0.2 --terrain-relief 5
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_data(parser)
    parser.add_argument("--character", metavar="FILE", help="who obeys: any file with a body (.glb, .fbx, .vrm)")
    common.add_creature(parser)
    common.add_family(parser, metavar="NAME", nargs="+")
    common.add_terrain(parser)
    parser.add_argument(
        "--scene", metavar="FILE", help="a captured scene to walk in: a file of splats, or street, room, park, hills"
    )
    add_generated(parser)
    screens.add_arguments(parser)


def add_generated(parser: argparse.ArgumentParser) -> None:
    """Add what is said of generated motion."""
    group = parser.add_argument_group("generated motion")
    group.add_argument("--generate", action="store_true", help="generate the motion of --rig while it moves")
    group.add_argument("--rig", metavar="FILE", help="a file with a skeleton, or a creature: horse, ...")
    group.add_argument(
        "--say",
        default="",
        metavar="WORDS",
        help='what it does first: "walks slowly, then jumps"; in a --scene: "walk to the tree, wave"',
    )
    count = common.number("a number of 1 or more", 1, whole=True)
    group.add_argument("--samples", type=count, metavar="N", help="show N samples side by side")
    group.add_argument("--seed", type=common.number("a whole number", 0, whole=True), default=0, metavar="N")
    group.add_argument("--model", metavar="RUN", help="a model of your own (kinema train any-skeleton)")


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return (*screens.packages(args.window), *(("torch", "safetensors") if args.generate else ()))


def _generated(args: argparse.Namespace) -> Shown:
    others = {
        "--data": args.data,
        "--character": args.character,
        "--creature": args.creature,
        "--terrain": args.terrain,
        "--scene": args.scene,
    }
    for name, value in others.items():
        if value:
            raise UsageError(f"generated motion is that of --rig alone, on level ground; leave out {name}")
    if args.rig is None:
        raise UsageError("--generate needs --rig: a file with a skeleton, or a creature such as horse")
    show = kinema.play_generated if args.samples is None else kinema.view_generated
    shown = screens.chosen(args)
    return show(**common.options(args, show) | {"text": args.say, "text_size": shown.pop("text")}, **shown)


def run(args: argparse.Namespace) -> int:
    if args.generate:
        return screens.report(args, _generated(args))
    if args.rig is not None or args.samples is not None:
        raise UsageError("--rig and --samples need --generate")
    if args.say and args.scene is None:
        raise UsageError("--say needs --generate, for what a body does, or --scene, for what it does there")
    own, shown = common.options(args, kinema.play), screens.chosen(args)
    own["terrain"] = common.terrain(args)
    return screens.report(args, kinema.play(**own, reading=common.reading(args), **shown))
