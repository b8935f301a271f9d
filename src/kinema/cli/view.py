"""`kinema view`: look at motion and character files in the browser or in a window."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from kinema.cli import common
from kinema.cli.browser import add_server_arguments, open_browser
from kinema.cli.window import add_window_arguments, open_window
from kinema.errors import KinemaError

if TYPE_CHECKING:
    from kinema.session.library import LibraryClip, LibraryFile

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
    add_server_arguments(parser)
    add_window_arguments(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return common.screen_packages(args.window and not args.html)


def run(args: argparse.Namespace) -> int:
    from kinema.session.clips import ClipSession
    from kinema.session.library import find_files

    found = find_files(args.files, common.reading(args))
    if args.window and not args.html:
        return open_window(args, "Kinema view", lambda log: ClipSession(found, log, args.edits_folder))
    problems: list[str] = []
    # Files named one by one are checked now, so that a bad one is named here; a large folder is read as it is browsed.
    if len(found) <= 12:
        found = [file for file in (_checked(file, problems) for file in found) if file is not None]
        if not found:
            raise KinemaError(problems[0])
    for problem in problems:
        common.note(f"kinema: left out: {problem}")
    if args.html:
        return max(_export(args, found[0].read()[0]), int(bool(problems)))
    report = {"files": len(found), "problems": problems}
    return max(open_browser(args, lambda log: ClipSession(found, log, args.edits_folder), report), int(bool(problems)))


def _checked(file: LibraryFile, problems: list[str]) -> LibraryFile | None:
    """A file with its clips read; None, and why, where they cannot be."""
    try:
        clips = file.read()
    except KinemaError as error:
        problems.append(str(error))
        return None
    return replace(file, read=lambda: clips)


def _export(args: argparse.Namespace, clip: LibraryClip) -> int:
    from kinema.viewer.export import write_html

    common.refuse_existing(args.html, args.force)
    size = write_html(clip, args.html)
    if args.json:
        common.print_json({"outputs": [args.html], "bytes": size})
    else:
        common.note(f"{args.html}: {size / 1e6:.1f} MB")
    return 0
