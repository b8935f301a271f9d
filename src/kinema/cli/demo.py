"""`kinema demo`: the main job end to end, unattended."""

from __future__ import annotations

import argparse
from pathlib import Path

from kinema.cli import common

HELP = """
Drive a character for 20 seconds through a harsh, seeded track of commands, without a window: motion is generated, or
taken from a database or motion files; the result is written as GLB, BVH, a picture, metrics and a film.

examples:
  kinema demo
  kinema demo --data walk.db -o out/walk
  kinema demo --data takes.zip more_takes/ --seconds 60
  kinema demo --character person.glb
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", nargs="+", default=[], metavar="PATH", help="a database, or motion files")
    parser.add_argument("--character", metavar="FILE", help="who is driven: any file with a body (.glb, .fbx, .vrm)")
    parser.add_argument("-o", "--output", default="kinema-demo", metavar="DIR", help="folder of the results")
    parser.add_argument("--seconds", type=common.positive_float, default=20.0, metavar="N", help="length (default: 20)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the commands (default: 1)")
    parser.add_argument("--no-video", action="store_true", help="no film; without this it must be possible")
    common.add_force(parser)


def run(args: argparse.Namespace) -> int:
    from kinema.control.worn import actor
    from kinema.demonstration import FILES, VIDEO, run_demo
    from kinema.metrics import COLUMNS

    for name in FILES if not args.no_video else FILES[:-1]:
        common.refuse_existing(Path(args.output) / name, args.force)
    character = actor(args.character) if args.character else None
    with common.progress_of("demo", told=True) as advance:
        report = run_demo(
            args.output, args.data, character, args.seconds, args.seed, common.note, advance, not args.no_video
        )
    video_failed = any(path.endswith(VIDEO) for path, _ in report.left_out)
    code = 1 if video_failed else 0
    if args.json:
        failed = [{"path": path, "reason": reason} for path, reason in report.left_out]
        common.print_json({"rows": report.rows, "outputs": report.outputs, "failed": failed})
        return code
    names = [row["name"] for row in report.rows]
    table = [[column, *(row[column] for row in report.rows)] for column in COLUMNS if column != "name"]
    common.print_table(["metric", *names], table)
    for path in report.outputs:
        print(path)
    for path, reason in report.left_out:
        remedy = " (or leave it out with --no-video)" if path.endswith(VIDEO) else ""
        common.note(f"failed: {path}: {reason}{remedy}")
    return code
