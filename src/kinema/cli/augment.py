"""`kinema augment`: drives of a controller as a motion database."""

from __future__ import annotations

import argparse

import kinema
from kinema.cli import common

HELP = """
Drive a controller under balanced commands, and keep what it does as a motion database. Captured takes hold few sharp
turns, stops or side steps; networks that are trained on drives have seen them all, with feet that stay where they are.
One clip is one minute on one of the tracks that `kinema evaluate` uses, under commands of its own.

examples:
  kinema augment walk.db -o driven.db --minutes 180
  kinema augment walk.db -o driven.db --minutes 60 --seed 7 --styles normal proud
  kinema augment walk.db -o climbing.db --minutes 120 --terrain flat stairs slopes hills
  kinema augment walk.db -o driven.db --held-out 0.15
  kinema augment walk.db my_family.py:MyFamily -o driven.db
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", metavar="DB", help="folder of the database")
    common.add_family(parser, "family", nargs="?", styled=False)
    parser.add_argument(
        "--styles",
        nargs="+",
        default=(),
        metavar="WORD",
        help="in which they move, by turns (default: all of which there is at least a minute; normal is none)",
    )
    parser.add_argument("-o", "--output", required=True, metavar="DRIVEN", help="folder of the new database")
    parser.add_argument("--minutes", type=common.positive_float, default=60.0, metavar="N", help="in all (default 60)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="chooses the commands (default 0)")
    parser.add_argument(
        "--terrain",
        nargs="+",
        default=[],
        metavar="NAME",
        help="courses to drive over by turns: flat, stairs, slopes, hills (default: level ground)",
    )
    common.add_held_out(parser)
    common.add_force(parser)


def run(args: argparse.Namespace) -> int:
    with common.progress_of("driving") as advance:
        driven = kinema.augment(**common.options(args, kinema.augment), progress=advance)
    if args.json:
        tracks = {tag: sum(tag in clip.tags for clip in driven.clips) for tag in sorted(_tracks(driven))}
        common.print_json(
            {
                "clips": len(driven.clips),
                "frames": driven.frames,
                "seconds": driven.seconds,
                "tracks": tracks,
                "outputs": [args.output],
            }
        )
    else:
        print(f"{args.output}: {len(driven.clips)} clips, {driven.seconds / 60:.0f} minutes at {driven.fps:g} frames/s")
    return 0


def _tracks(driven: kinema.MotionDatabase) -> set[str]:
    return {clip.tags[0] for clip in driven.clips}
