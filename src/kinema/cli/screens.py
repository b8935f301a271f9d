"""Options of the commands that show something in the browser or in a window."""

from __future__ import annotations

import argparse
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from kinema.cli import common

if TYPE_CHECKING:
    from kinema.face.screens import Shown


SIZE = common.size(1)
PORT = common.number("a port from 1 to 65535", 0, 65_535, whole=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the page and of the window."""
    group = parser.add_argument_group("viewer")
    add_page_arguments(group)
    group.add_argument("--seconds", type=common.positive_float, metavar="S", help="end by itself after so long")
    group = parser.add_argument_group("window")
    group.add_argument("--window", action="store_true", help="open a window on this machine instead of a page")
    group.add_argument("--screenshot", metavar="PNG", help="write the window's last picture to a file")
    group.add_argument("--size", type=SIZE, default=(1280, 800), metavar="WxH", help="of the window (default 1280x800)")
    group.add_argument("--light", action="store_true", help="the light theme")
    group.add_argument("--text", type=common.positive_float, default=1.0, metavar="X", help="size of text, 1 is usual")
    group.add_argument("--live-shaders", action="store_true", help="compile shaders again when their files change")
    group.add_argument("--quality", choices=("draft", "standard", "high"), default="standard", help="of the picture")


def add_page_arguments(group: argparse._ArgumentGroup) -> None:
    """Where the page is."""
    group.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 lets other machines in")
    group.add_argument("--port", type=PORT, default=8080, metavar="N", help="port of the page; 0: any free one")
    group.add_argument("--open", action="store_true", help="open the page in this machine's browser")


def packages(window: bool) -> tuple[str, ...]:
    """Packages that a window, or else a page in the browser, needs."""
    return ("moderngl", "glfw", "imgui_bundle") if window else ("viser", "websockets")


def chosen(args: argparse.Namespace) -> dict[str, Any]:
    """The options of `kinema.face.screens.Screen`."""
    from kinema.face.screens import Screen

    if args.screenshot:
        common.refuse_existing(args.screenshot, getattr(args, "force", False))
    names = [field.name for field in fields(Screen) if field.name != "note"]
    return {"note": note, **{name: getattr(args, name) for name in names}}


def note(line: str) -> None:
    """Print the address of the page, or a problem, on standard error."""
    common.note(line if line.startswith("http") else f"kinema: {line}")


def report(args: argparse.Namespace, shown: Shown) -> int:
    """Say what was shown; the exit code is 1 if a file was left out."""
    if shown.interrupted:
        common.note("stopped")
    elif args.json:
        common.print_json(asdict(shown))
    return 1 if shown.left_out else 0
