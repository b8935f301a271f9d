"""Options of the commands that show something in the browser."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from kinema.cli import common

if TYPE_CHECKING:
    from kinema.session.log import Log
    from kinema.session.session import Session
    from kinema.viewer.page import Mode


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of every command that opens a viewer."""
    group = parser.add_argument_group("viewer")
    group.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 lets other machines in")
    group.add_argument("--port", type=port_number, default=8080, metavar="N", help="port of the page; 0: any free one")
    group.add_argument("--seconds", type=common.positive_float, metavar="S", help="end by itself after so long")
    group.add_argument("--open", action="store_true", help="open the page in this machine's browser")


def port_number(text: str) -> int:
    """An argparse type: a port, or 0 for any."""
    value = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= value <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 1 to 65535")
    return value


def announce(args: argparse.Namespace, url: str) -> None:
    """Say where the page is, on standard error, and open it if asked."""
    common.note(f"{url}  (Ctrl+C ends)")
    if args.open:
        import webbrowser

        webbrowser.open(url)


def open_browser(args: argparse.Namespace, mode: Mode, make: Callable[[Log], Session]) -> int:
    """Show the session that `make` makes until Ctrl+C or `--seconds`; prints a report with `--json`."""
    from kinema.session.log import Log
    from kinema.viewer.browser import Browser
    from kinema.viewer.page import open_viewer

    log = Log(lambda line: common.note(f"kinema: {line}"))
    with open_viewer(args.host, args.port, mode, f"Kinema {mode}") as viewer:
        browser = Browser(make(log), viewer)
        announce(args, viewer.url)
        try:
            report = browser.run(args.seconds)
        except KeyboardInterrupt:
            common.note("stopped")
            return 0
    if args.json:
        common.print_json(
            {
                "url": viewer.url,
                "seconds": report.wall_seconds,
                "steps": report.steps,
                "pictures": report.frames,
                "ms_per_step": sum(row.mean_ms for row in browser.session.world.profiler.rows()),
                "busy_share": browser.busy / max(report.wall_seconds, 1e-9),
                "dropped_seconds": report.dropped_seconds,
                "problems": [line.text for line in log.lines if line.level == "error"],
            }
        )
    return 0
