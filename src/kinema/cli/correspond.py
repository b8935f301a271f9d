"""`kinema correspond`: which joint and which moment of one body is which of another."""

from __future__ import annotations

import argparse

import kinema
from kinema.cli import common

HELP = """
Match the joints of two skeletons, whatever they are called and however many there are: limbs with limbs by where they
hang, lead and end, joints in order along them, left with left. Names help where there are any. With --motions, the
frames of the first clips are matched, too. A picture shows both skeletons; joints that are the same have the same
colour.

examples:
  kinema correspond horse fox.glb -o same.png
  kinema correspond spider.glb rig.fbx --nameless --json
  kinema correspond dog_walk.bvh cat_walk.glb --motions -o walks.png
"""

COLUMNS = ("first", "second")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="A", help="a file with a skeleton, or a creature: horse, spider, ...")
    parser.add_argument("second", metavar="B", help="another")
    parser.add_argument("-o", "--output", metavar="OUT", help="a picture (.png) of both")
    parser.add_argument("--nameless", action="store_true", help="withhold names: shape alone decides")
    parser.add_argument(
        "--motions", dest="moments", action="store_true", help="match the frames of the first clips, too"
    )
    parser.add_argument("--model", metavar="RUN", help="a model whose features are heeded, too")
    common.add_force(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return ("torch", "safetensors") if args.model else ()


def run(args: argparse.Namespace) -> int:
    if args.output:
        common.refuse_existing(args.output, args.force)
        common.make_parent(args.output)
    found = kinema.correspond(**common.options(args, kinema.correspond))
    names = found.names
    frames = None if found.frames is None else found.frames.tolist()
    if args.json:
        outputs = [args.output] if args.output else []
        common.print_json({"joints": names, "frames": frames, "outputs": outputs})
        return 0
    common.print_table(COLUMNS, list(names.items()))
    matched = sum(other is not None for other in names.values())
    print(f"{matched} of {len(names)} joints matched")
    if frames is not None and found.motions is not None:
        one, two = found.motions
        moments = [f"{at / one.fps:.1f} s: {frames[at] / two.fps:.1f} s" for at in range(0, one.frames, round(one.fps))]
        print("moments: " + ", ".join(moments))
    if args.output:
        print(args.output)
    return 0
