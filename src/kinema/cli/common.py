"""Shared by the commands: options that repeat, JSON on standard output, notes on standard error."""

import argparse
import functools
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.cli.progress import progress as progress
from kinema.cli.progress import progress_of as progress_of
from kinema.cli.tables import format_cell as format_cell
from kinema.cli.tables import print_metrics as print_metrics
from kinema.cli.tables import print_table as print_table
from kinema.errors import KinemaError, one_line

if TYPE_CHECKING:
    from kinema.formats import Asset


class UsageError(KinemaError):
    """The arguments do not fit together; the program ends with exit code 2."""


def add_force(parser: argparse.ArgumentParser) -> None:
    """Add `--force`, without which nothing that exists is overwritten."""
    parser.add_argument("--force", action="store_true", help="overwrite outputs that exist")


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add `--workers N`, the number of processes; None when not given."""
    parser.add_argument(
        "--workers",
        type=positive_int,
        metavar="N",
        help="processes to use (default: one a core, one in all for little work)",
    )


def add_edits(parser: argparse.ArgumentParser) -> None:
    """Add `--edits-folder DIR`, where the edits of motion files are kept if not beside them."""
    parser.add_argument("--edits-folder", metavar="DIR", help="folder of the edits (default: beside each file)")


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Add `--for PROGRAM` and what can be chosen of it."""
    from kinema.formats.profiles import PROFILES

    parser.add_argument(
        "--for",
        dest="program",
        choices=tuple(PROFILES),
        metavar="PROGRAM",
        help=f"axes, units, root motion and names for a program: {', '.join(PROFILES)}",
    )
    parser.add_argument(
        "--names",
        choices=("keep", "standard"),
        help="with --for: keep joint names, or give those of the program's own humanoid (default: keep)",
    )
    parser.add_argument(
        "--root-motion",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="with --for: put the travel into a joint on the ground (default: where the program expects one)",
    )


def profile(
    args: argparse.Namespace,
) -> tuple["Callable[[Asset], Asset] | None", Mapping[str, Mapping[str, Any]]]:
    """What the options of `add_profile` ask for: a change of the asset, and options of the writers by suffix."""
    from kinema.formats.profiles import PROFILES, prepare

    if args.program is None:
        if args.names or args.root_motion is not None:
            raise UsageError("--names and --root-motion belong to --for PROGRAM")
        return None, {}
    entry = PROFILES[args.program]
    change = functools.partial(prepare, profile=args.program, names=args.names or "keep", root_motion=args.root_motion)
    return change, entry.options


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add `--skeleton FILE` and `--rate N`, which some files cannot be read without."""
    parser.add_argument(
        "--skeleton",
        metavar="FILE",
        help="of motion files that hold none: the robot (.urdf, .xml) of joint angles (.csv), the .asf of an .amc",
    )
    parser.add_argument(
        "--rate", type=positive_float, metavar="N", help="frames a second of motion files that do not say (.csv, .amc)"
    )


def reading(args: argparse.Namespace) -> dict[str, Any]:
    """What `add_reading` was given, as options of `formats.load`; `formats.accepted` picks those a file takes."""
    return {"skeleton": args.skeleton, "fps": args.rate}


def film_packages(output: str | None) -> tuple[str, ...]:
    """Packages that writing a picture or film needs."""
    if output is None:
        return ()
    return ("moderngl", "av") if Path(output).suffix.lower() in (".mp4", ".mov", ".webm", ".gif") else ("moderngl",)


def screen_packages(window: bool) -> tuple[str, ...]:
    """Packages that a window, or else a page in the browser, needs."""
    return ("moderngl", "glfw", "imgui_bundle") if window else ("viser", "websockets")


def positive_int(text: str) -> int:
    """An argparse type: an integer of at least 1."""
    value = int(text) if text.isascii() and text.isdigit() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return value


def positive_float(text: str) -> float:
    """An argparse type: a finite number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def refuse_existing(path: str | Path, force: bool) -> None:
    """Raise `KinemaError` if `path` exists and `--force` was not given."""
    if not force and os.path.lexists(path):
        raise KinemaError(f"{path} exists; give --force to overwrite it")


def make_parent(path: str | Path) -> None:
    """Make the folder that an output goes into, if it does not exist."""
    folder = Path(path).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KinemaError(f"{folder}: cannot make this folder: {error.strerror or error}") from None


def print_json(value: Any) -> None:
    """Print `value` as one JSON document. NumPy values become plain ones; NaN and infinities become null."""
    json.dump(_plain(value), sys.stdout, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # NumPy arrays and scalars
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Path):
        return str(value)
    return value


def note(message: str) -> None:
    """Print one line for the person watching, on standard error."""
    print(one_line(message), file=sys.stderr)


def grouped(warnings: Iterable[str]) -> list[str]:
    """Warnings without those that differ from an earlier one in file and numbers only; these are counted."""
    groups: dict[str, list[str]] = {}
    for line in warnings:
        _, _, said = line.partition(": ")
        groups.setdefault(re.sub(r"[\d.]+", "0", said), []).append(line)
    return [lines[0] + (f" (and {len(lines) - 1} more like it)" if len(lines) > 1 else "") for lines in groups.values()]
