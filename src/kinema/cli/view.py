"""`kinema view`: look at motion and character files in the browser or in a window."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from kinema.cli import common
from kinema.cli.browser import add_server_arguments, announce
from kinema.cli.window import add_window_arguments, open_window
from kinema.errors import KinemaError

if TYPE_CHECKING:
    from kinema.session.library import Clip

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
    from kinema.session.library import Document, documents

    found = documents(args.files, common.reading(args))
    if args.window and not args.html:
        from kinema.window.viewing import ViewMode

        return open_window(args, "Kinema view", lambda log: ViewMode(found, log, args.edits_folder))
    problems: list[str] = []
    # Files named one by one are checked now, so that a bad one is said here; a big folder is read as it is browsed.
    if len(found) <= 12:
        readable: list[Document] = []
        for document in found:
            try:
                document.read()
                readable.append(document)
            except KinemaError as error:
                problems.append(str(error))
        if not readable:
            raise KinemaError(problems[0])
        found = readable
    for problem in problems:
        common.note(f"kinema: left out: {problem}")
    if args.html:
        return max(_export(args, found[0].read()[0]), int(bool(problems)))

    from kinema.viewer.page import open_viewer
    from kinema.viewer.timeline import ClipViewer

    with open_viewer(args.host, args.port, "view", "Kinema view") as viewer:
        clips = ClipViewer(viewer, found, edits_folder=args.edits_folder)
        try:
            announce(args, viewer.url)
            clips.run(args.seconds)
        except KeyboardInterrupt:
            common.note("stopped")
        for title in clips.editor.unsaved:
            common.note(f"kinema: {title}: the last edits were not saved")
    if args.json:
        common.print_json({"url": viewer.url, "files": len(found), "problems": problems})
    return 1 if problems else 0


def _export(args: argparse.Namespace, clip: Clip) -> int:
    from kinema.viewer.export import write_html

    common.refuse_existing(args.html, args.force)
    size = write_html(clip, args.html)
    if args.json:
        common.print_json({"outputs": [args.html], "bytes": size})
    else:
        common.note(f"{args.html}: {size / 1e6:.1f} MB")
    return 0
