"""Options of the commands that can open a desktop window."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.cli import common

if TYPE_CHECKING:
    from kinema.session.log import Log
    from kinema.session.session import Session


def add_window_arguments(parser: argparse.ArgumentParser) -> None:
    """`--window` and what goes with it."""
    group = parser.add_argument_group("window")
    group.add_argument("--window", action="store_true", help="open a window on this machine instead of a page")
    group.add_argument("--screenshot", metavar="PNG", help="write the window's last picture to a file")
    group.add_argument("--size", type=size, default=(1280, 800), metavar="WxH", help="of the window (default 1280x800)")
    group.add_argument("--light", action="store_true", help="the light theme")
    group.add_argument("--text", type=common.positive_float, default=1.0, metavar="X", help="size of text, 1 is usual")
    group.add_argument("--live-shaders", action="store_true", help="compile shaders again when their files change")
    group.add_argument("--quality", choices=("draft", "standard", "high"), default="standard", help="of the picture")


def size(text: str) -> tuple[int, int]:
    """An argparse type: `1280x800`."""
    width, _, height = text.lower().partition("x")
    if not (width.isascii() and width.isdigit() and height.isascii() and height.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 1280x800")
    if not (1 <= int(width) <= 16_384 and 1 <= int(height) <= 16_384):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size from 1x1 to 16384x16384")
    return int(width), int(height)


def open_window(args: argparse.Namespace, title: str, make: Callable[[Log], Session]) -> int:
    """Run a window around the session that `make` makes; prints the report with `--json`."""
    if args.screenshot:
        common.refuse_existing(args.screenshot, getattr(args, "force", False))
    from kinema.rendering.renderer import Renderer
    from kinema.session.log import Log
    from kinema.window import theme
    from kinema.window.shell import Window

    log = Log(lambda line: common.note(f"kinema: {line}"))

    def renderer(context: Any, width: int, height: int) -> Renderer:
        return Renderer(width, height, quality=args.quality, context=context, live_shaders=args.live_shaders)

    look = theme.LIGHT if args.light else theme.DARK
    window = Window(make(log), renderer, title, args.size, look, args.text)
    try:
        report = window.run(args.seconds, Path(args.screenshot) if args.screenshot else None)
    except KeyboardInterrupt:
        common.note("stopped")
        return 0
    if args.json:
        common.print_json(
            {
                "seconds": report.wall_seconds,
                "pictures": report.frames,
                "steps": report.steps,
                "dropped_seconds": report.dropped_seconds,
                "outputs": [args.screenshot] * bool(args.screenshot),
                "problems": [line.text for line in log.lines if line.level == "error"],
            }
        )
    return 0
