"""`kinema play`: steer a character in the browser or in a window."""

import argparse

from kinema.cli import common
from kinema.cli.view import add_server_arguments, announce
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


def run(args: argparse.Namespace) -> int:
    if args.window:
        from kinema.window.casting import caster
        from kinema.window.playing import PlayMode

        return open_window(args, "Kinema play", lambda log: PlayMode(caster(args.data, args.character), log))

    from kinema.control.presets import motion_matching_controller
    from kinema.control.subject import open_subject
    from kinema.control.worn import actor, bodily, wear
    from kinema.retargeting.retargeter import target_skeleton
    from kinema.viewer.front import listen
    from kinema.viewer.page import open_viewer
    from kinema.viewer.player import LiveSession

    listen(args.host, args.port).close()  # a port in use is said at once, not after the motion has been read
    file = actor(args.character) if args.character else None
    skeleton = None if file is None else bodily(target_skeleton(file))
    with open_subject(args.data, skeleton, common.note) as database:
        controller = motion_matching_controller(database)
        played = controller if file is None else wear(controller, database, file)
        with open_viewer(args.host, args.port, "play", "Kinema play") as viewer:
            session = LiveSession(played, viewer, None if file is None else file.character)
            try:
                announce(args, viewer.url)
                summary = session.run(args.seconds)
            except KeyboardInterrupt:
                common.note("stopped")
                return 0
    if args.json:
        common.print_json({"url": viewer.url, **summary})
    return 0
