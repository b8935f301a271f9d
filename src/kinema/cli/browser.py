"""Options of the commands that show something in the browser."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from kinema.cli import common

if TYPE_CHECKING:
    from kinema.session.log import Log
    from kinema.session.session import Session


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


def open_browser(
    args: argparse.Namespace, make: Callable[[Log], Session], more: Mapping[str, Any] | None = None
) -> int:
    """Show the session that `make` makes until Ctrl+C or `--seconds`; prints a report, and `more`, with `--json`."""
    from kinema.session.log import Log
    from kinema.viewer.browser import show

    log, urls = Log(lambda line: common.note(f"kinema: {line}")), []

    def opened(url: str) -> None:
        urls.append(url)
        announce(args, url)

    session = make(log)
    try:
        report = show(session, args.host, args.port, args.seconds, opened)
    except KeyboardInterrupt:
        common.note("stopped")
        return 0
    if args.json:
        common.print_json(
            {
                "url": urls[0],
                "seconds": report.wall_seconds,
                "steps": report.steps,
                "ms_per_step": sum(row.mean_ms for row in session.world.profiler.rows()),
                "dropped_seconds": report.dropped_seconds,
                "problems": [line.text for line in log.lines if line.level == "error"],
                **(more or {}),
            }
        )
    return 0
