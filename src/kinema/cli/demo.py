"""`kinema demo`: the main job end to end, unattended."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import kinema
from kinema.cli import common
from kinema.errors import MissingError

if TYPE_CHECKING:
    from kinema.demonstration import DemoReport

HELP = """
Drive a character for 20 seconds along a harsh, seeded track of commands, without a window. Motion is generated, or
taken from a database or motion files. The results are a GLB, a BVH, a picture, metrics and a film.

examples:
  kinema demo
  kinema demo --data walk.db -o out/walk
  kinema demo --data takes.zip more_takes/ --seconds 60
  kinema demo --character person.glb
  kinema demo --terrain hills
  kinema demo --data walks.zip --style proud
  kinema demo --family perceptron
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_data(parser)
    parser.add_argument("--character", metavar="FILE", help="the character: any file with a body (.glb, .fbx, .vrm)")
    common.add_family(parser, metavar="NAME")
    common.add_terrain(parser)
    parser.add_argument("-o", "--output", default="kinema-demo", metavar="DIR", help="folder of the results")
    parser.add_argument("--seconds", type=common.positive_float, default=20.0, metavar="N", help="length (default: 20)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the commands (default: 1)")
    parser.add_argument("--no-video", action="store_true", help="make no film")
    common.add_force(parser)


def run(args: argparse.Namespace) -> int:
    from kinema.demonstration import FILES, VIDEO, missing_pictures

    for name in FILES if not args.no_video else FILES[:-1]:
        common.refuse_existing(Path(args.output) / name, args.force)
    reason = None if args.no_video else missing_pictures(True).get(VIDEO)
    if reason is not None:
        raise MissingError(f"no film can be made: {reason}; --no-video makes everything else")
    with common.progress_of("demo", detailed=True) as advance:
        report = kinema.demo(
            args.output,
            args.data,
            args.character,
            common.terrain(args),
            seconds=args.seconds,
            seed=args.seed,
            note=common.note,
            progress=advance,
            video=not args.no_video,
            reading=common.reading(args),
            style=args.style,
            family=args.family,
            features=args.features,
        )
    if args.json:
        failed = [{"path": path, "reason": reason} for path, reason in report.left_out]
        common.print_json({"rows": report.rows, "outputs": report.outputs, "failed": failed})
    else:
        _print(report)
    return 0


def _print(report: DemoReport) -> None:
    from kinema.metrics import COLUMNS

    common.print_metrics(report.rows, COLUMNS[1:])
    for path in report.outputs:
        print(path)
