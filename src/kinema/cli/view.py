"""`kinema view`: look at motion and character files in the browser or in a window."""

from __future__ import annotations

import argparse

import kinema
from kinema.cli import common, screens

HELP = """
Look at motion and character files in the browser: clips, timeline, contacts, bones. Files, folders, zip archives and
databases can be given; a skeleton without a mesh gets a body. The page can cut clips, label them, correct contacts and
check mirroring; this is kept in small files beside the clips (walk.bvh.edits.json), which `kinema build` applies.

examples:
  kinema view walk.bvh
  kinema view character.glb takes.zip --port 8090
  kinema view takes.zip --window
  kinema view walk.bvh --html walk.html
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="file, folder, zip archive or database")
    parser.add_argument("--html", metavar="OUT", help="write the first clip into one HTML file to share, and exit")
    common.add_reading(parser)
    common.add_edits(parser)
    common.add_force(parser)
    screens.add_arguments(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return screens.packages(args.window and not args.html)


def run(args: argparse.Namespace) -> int:
    if args.html:
        return _export(args)
    own = {"reading": common.reading(args), "edits_folder": args.edits_folder}
    return screens.report(args, kinema.view(*args.files, **own, **screens.chosen(args)))


def _export(args: argparse.Namespace) -> int:
    from kinema.face.films import library
    from kinema.face.screens import readable
    from kinema.viewer.export import write_html

    files, problems = readable(library(args.files, common.reading(args)), screens.note)
    common.refuse_existing(args.html, args.force)
    size = write_html(files[0].read()[0], args.html)
    if args.json:
        common.print_json({"outputs": [args.html], "bytes": size})
    else:
        common.note(f"{args.html}: {size / 1e6:.1f} MB")
    return 1 if problems else 0
