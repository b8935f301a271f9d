"""`kinema edit`: a part of a motion made anew."""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Any

import kinema
from kinema.cli import common
from kinema.cli.generate import add_sampling
from kinema.formats import Asset

HELP = """
Make a part of a motion anew, for any skeleton: fill a gap, replace some joints, go on where it ends, or keep nothing
but key poses. What is kept stays exactly as it is. Words or numbers say what the new part is to do.

examples:
  kinema edit walk.bvh --between 1.5 3.0 -o mended.bvh
  kinema edit horse.glb --clip Walk --more 4 --text "gallops" -o longer.glb
  kinema edit walk.bvh --joints left_upper_arm --text "waves about" -o arm.bvh
  kinema edit dance.bvh --keys 0 1.2 2.5 4 -o inbetween.bvh
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help="a motion file")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="a motion file; several are numbered")
    parser.add_argument("--clip", metavar="NAME", help="name or number (from 0) of the clip")
    what = parser.add_argument_group("what is new")
    what.add_argument("--between", nargs=2, type=float, metavar=("A", "B"), help="all between two times, in seconds")
    what.add_argument(
        "--joints", nargs="+", default=[], metavar="NAME", help="joints, by name or role, with their branches"
    )
    what.add_argument("--more", type=common.positive_float, default=0.0, metavar="S", help="seconds to append")
    what.add_argument("--keys", nargs="+", type=float, default=[], metavar="T", help="all but the poses at these times")
    add_sampling(parser)
    common.add_force(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return ("torch", "safetensors")


def run(args: argparse.Namespace) -> int:
    from kinema.face.generation import edit
    from kinema.formats import format_for

    path, began = Path(args.output), time.monotonic()
    outputs = [path] if args.count == 1 else [path.with_stem(f"{path.stem}_{n + 1}") for n in range(args.count)]
    for each in outputs:
        common.refuse_existing(each, args.force)
    format_for(path)  # before minutes of work
    clip = int(args.clip) if args.clip is not None and args.clip.isdigit() else args.clip
    asked: dict[str, Any] = common.options(args, edit) | {"clip": clip}
    asked |= {"between": None if args.between is None else tuple(args.between)}
    asked |= {"turn": None if args.turn is None else math.radians(args.turn)}
    with common.progress_of("generating") as progress:
        motions = edit(**asked, progress=progress)
    common.make_parent(path)
    body = kinema.load(args.source).character
    for each, motion in zip(outputs, motions, strict=True):
        for line in kinema.save(Asset(args.source, "", motion.skeleton, (motion,), body), each):
            common.note(line)
    names, wall = [str(each) for each in outputs], time.monotonic() - began
    if args.json:
        seconds = sum(motion.seconds for motion in motions)
        common.print_json({"outputs": names, "seconds_generated": seconds, "wall_seconds": wall, "steps": args.steps})
    else:
        print(f"{', '.join(names)}: {len(motions)} x {motions[0].seconds:.1f} s in {wall:.1f} s")
    return 0
