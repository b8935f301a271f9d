"""`kinema play`: steer a character in the browser or in a window."""

import argparse

import kinema
from kinema.cli import common, screens

HELP = """
Steer a character in the browser with keys (WASD, Shift, Alt, Q, E, Space), a gamepad, or the stick on the page;
or in a window with its controller laid open (--window).
Without --data motion is generated; with it the character moves as in a database or in motion files. A character
whose joints differ from those of the data obeys as well: each pose is retargeted to it.
With --creature it is an animal: a horse, a spider, a bird, whose motion is generated; so is that of animals in files.
Several families get the same commands, side by side.
With --terrain it walks on stairs, hills, or the heights of an image, an array or a mesh.

examples:
  kinema play
  kinema play --window
  kinema play --data walk.db
  kinema play --creature horse
  kinema play --character person.vrm --port 8090
  kinema play --character wolf.glb
  kinema play --data walk.db --character robot.xml
  kinema play --data walk.db --family my_family.py:MyFamily
  kinema play --data walk.db --family motion-matching runs/mann
  kinema play --family mann --style stealth:0.5
  kinema play --terrain stairs
  kinema play --data walk.db --style proud
  kinema play --terrain island.png --terrain-cell 0.2 --terrain-relief 5
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_data(parser)
    parser.add_argument("--character", metavar="FILE", help="who obeys: any file with a body (.glb, .fbx, .vrm)")
    common.add_creature(parser)
    common.add_family(parser, metavar="NAME", nargs="+")
    common.add_terrain(parser)
    screens.add_arguments(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return screens.packages(args.window)


def run(args: argparse.Namespace) -> int:
    own, shown = common.options(args, kinema.play), screens.chosen(args)
    own["terrain"] = common.terrain(args)
    return screens.report(args, kinema.play(**own, reading=common.reading(args), **shown))
