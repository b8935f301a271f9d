"""`kinema play`: steer a character in the browser or in a window."""

import argparse

from kinema.cli import common
from kinema.cli.browser import add_server_arguments, open_browser
from kinema.cli.window import add_window_arguments, open_window

HELP = """
Steer a character in the browser with keys (WASD, Shift, Alt, Q, E, Space), a gamepad, or the stick on the page;
or in a window with its controller laid open (--window).
Without --data motion is generated; with it the character moves as in a database or in motion files. A character with
other joints than the data obeys as well: each pose is retargeted to it.

examples:
  kinema play
  kinema play --window
  kinema play --data walk.db
  kinema play --character person.vrm --port 8090
  kinema play --data walk.db --character robot.xml
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", nargs="+", default=[], metavar="PATH", help="a database, or motion files")
    parser.add_argument("--character", metavar="FILE", help="who obeys: any file with a body (.glb, .fbx, .vrm)")
    add_server_arguments(parser)
    add_window_arguments(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return common.screen_packages(args.window)


def run(args: argparse.Namespace) -> int:
    from kinema.session.play import PlaySession
    from kinema.session.playable import from_files

    make = from_files(args.data, args.character)
    if args.window:
        return open_window(args, "Kinema play", lambda log: PlaySession(make, log))
    return open_browser(args, lambda log: PlaySession(make, log))
