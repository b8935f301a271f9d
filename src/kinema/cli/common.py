"""Shared by the commands: options that repeat, JSON on standard output, notes on standard error."""

import argparse
import inspect
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.cli.progress import progress as progress
from kinema.cli.progress import progress_of as progress_of
from kinema.cli.tables import format_cell as format_cell
from kinema.cli.tables import print_metrics as print_metrics
from kinema.cli.tables import print_table as print_table
from kinema.errors import KinemaError, one_line
from kinema.rates import HIGHEST_RATE, LOWEST_RATE, RATES

if TYPE_CHECKING:
    from kinema.face.files import ProfileChoice
    from kinema.terrain import Ground


def add_common(parser: argparse.ArgumentParser, inner: bool = False) -> None:
    """Add what every command has, `--json` and `--debug`; `inner` for a sub-command of one that has them."""
    group = parser.add_argument_group("every command")
    options = {
        "json": "print JSON on standard output and nothing else there",
        "debug": "show the full traceback of an error",
    }
    for name, text in options.items():
        default = argparse.SUPPRESS if inner else False  # what was given before the sub-command stays
        group.add_argument(f"--{name}", action="store_true", default=default, help=text)


def add_force(parser: argparse.ArgumentParser) -> None:
    """Add `--force`, without which nothing that exists is overwritten."""
    parser.add_argument("--force", action="store_true", help="overwrite outputs that exist")


def add_held_out(parser: argparse.ArgumentParser) -> None:
    """Add `--held-out SHARE` of the takes of a database."""
    parser.add_argument(
        "--held-out",
        type=positive_float,
        default=0.0,
        metavar="SHARE",
        help="share of the takes that are held out, such as 0.15; the same takes for the same share (default: none)",
    )


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


def add_applied_edits(parser: argparse.ArgumentParser) -> None:
    """Add `--edits`, which applies the edits of motion files, and `--edits-folder`."""
    parser.add_argument("--edits", action="store_true", help="apply the edits made in kinema view: one clip per piece")
    add_edits(parser)


def note_edits(args: argparse.Namespace, paths: Iterable[str]) -> None:
    """Note edits of these files that were not asked for."""
    from kinema.formats import open_source
    from kinema.mocap.edits import edits_path

    kept = [] if args.edits else [edits_path(open_source(path)) for path in paths]
    count = sum(path is not None and path.is_file() for path in kept)
    if count:
        note(f"{count} of the files have edits beside them; --edits applies them")


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


def profile(args: argparse.Namespace) -> "ProfileChoice":
    """What the options of `add_profile` ask for."""
    from kinema.face.files import ProfileChoice

    return ProfileChoice(args.program, args.names, args.root_motion)


def add_family(parser: argparse.ArgumentParser, flag: str = "--family", *, styled: bool = True, **options: Any) -> None:
    """Add the controller family, `--features NAME`, what it sees, and `--style WORD` if it is `styled`."""
    named = "FILE.py:NAME, package.module:NAME or an installed one"
    known = "motion-matching (default), a network that comes with Kinema, the folder of one (kinema train)"
    parser.add_argument(flag, default="motion-matching", help=f"{known}, or {named}", **options)
    parser.add_argument("--features", metavar="NAME", help=f"function that says what the family sees: {named}")
    if styled:
        add_style(parser)


def add_style(parser: argparse.ArgumentParser) -> None:
    """Add `--style WORD`, how characters move."""
    parser.add_argument(
        "--style",
        metavar="WORD",
        help="how they move: a tag of clips, such as old, or for networks a mix: old:0.3+proud:0.7, or, if they are "
        "guided by poses, a motion file",
    )


def add_terrain(parser: argparse.ArgumentParser) -> None:
    """Add `--terrain NAME`, what characters walk on, with `--terrain-cell N` and `--terrain-relief N`."""
    from kinema.terrain import IMAGES, NAMED

    kinds = " ".join((*IMAGES, ".npy", ".npz", ".glb"))
    parser.add_argument("--terrain", metavar="NAME", help=f"what to walk on: {', '.join(NAMED)}, or a file ({kinds})")
    positive = number("a number above zero", 1e-6)
    parser.add_argument(
        "--terrain-cell",
        type=positive,
        metavar="N",
        help="metres a pixel of an image or between the numbers of an array (default: 0.1), or between the samples of "
        "a mesh (default: 0.05)",
    )
    parser.add_argument(
        "--terrain-relief", type=positive, metavar="N", help="metres from black to white of an image (default: 2)"
    )


def terrain(args: argparse.Namespace) -> "Ground | None":
    """The ground that the options of `add_terrain` ask for."""
    from kinema.errors import UsageError
    from kinema.terrain import open_ground

    if args.terrain is not None:
        return open_ground(args.terrain, args.terrain_cell, args.terrain_relief)
    if args.terrain_cell is not None or args.terrain_relief is not None:
        raise UsageError("--terrain-cell and --terrain-relief need --terrain FILE")
    return None


def add_data(parser: argparse.ArgumentParser) -> None:
    """Add `--data PATH ...`, the motion to control with, and the options of `add_reading`."""
    parser.add_argument("--data", nargs="+", default=[], metavar="PATH", help="a database, or motion files")
    add_reading(parser)


def add_creature(parser: argparse.ArgumentParser) -> None:
    """Add `--creature NAME`, whose motion is generated."""
    parser.add_argument(
        "--creature", metavar="NAME", help="a creature or body plan that walks: horse, spider, bird, ..."
    )


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add `--skeleton FILE`, `--rate N`, `--unit UNIT`, `--up AXIS` and `--forward AXIS`: what files do not say or say
    wrongly."""
    parser.add_argument(
        "--skeleton",
        metavar="FILE",
        help="of motion files that hold none: the robot (.urdf, .xml) of joint angles (.csv), the .asf of an .amc",
    )
    parser.add_argument(
        "--rate",
        type=rate,
        metavar="N",
        help="frames per second of motion files that do not state it (.csv, .amc)",
    )
    parser.add_argument(
        "--unit",
        metavar="UNIT",
        help="length unit of files that do not state it (.bvh, .c3d, .amc), if the guess is wrong: m, cm, mm, in, cmu, "
        "or metres per unit",
    )
    for option, which in (("--up", "up"), ("--forward", "ahead")):
        parser.add_argument(
            option,
            type=_axis,
            metavar="AXIS",
            help=f"axis that is {which} in the files, if they are read wrongly: x, y, z, or -x, -y, -z as {option}=-z",
        )


def _axis(text: str) -> str:
    """An argparse type: the name of an axis."""
    from kinema.formats.axes import axis_of

    try:
        axis_of(text)
    except KinemaError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def place(text: str) -> tuple[float, float]:
    """x and z of a place in a scene, metres."""
    metres = number("a number of metres", -math.inf)
    parts = text.split(",")
    if len(parts) != 2:
        raise argparse.ArgumentTypeError(f"{text!r} is no place such as 2.5,-1: x and z in metres")
    return metres(parts[0]), metres(parts[1])


def places(text: str) -> list[tuple[float, float]]:
    """Places in a scene, with spaces between them."""
    return [place(part) for part in text.split()]


def reading(args: argparse.Namespace) -> dict[str, Any]:
    """What `add_reading` was given, as options of `formats.load`; `formats.accepted` picks those a file takes."""
    from kinema.face.files import checked_unit

    stated = {"up": args.up, "forward": args.forward, "unit": checked_unit(args.unit)}
    return {"skeleton": args.skeleton, "fps": args.rate, **stated}


def file_packages(output: str, to: str | None, program: str | None) -> tuple[str, ...]:
    """Packages that writing motion and character files needs."""
    from kinema.formats.profiles import PROFILES

    usual = PROFILES[program].suffix if program is not None else ""
    suffix = f".{to.lower().removeprefix('.')}" if to is not None else Path(output).suffix.lower() or usual
    return ("pxr",) if suffix in (".usd", ".usda", ".usdc", ".usdz") else ()


def film_packages(output: str | None) -> tuple[str, ...]:
    """Packages that writing a picture or film needs."""
    if output is None:
        return ()
    return ("moderngl", "av") if Path(output).suffix.lower() in (".mp4", ".mov", ".webm", ".gif") else ("moderngl",)


def number(what: str, low: float, high: float = math.inf, whole: bool = False) -> Callable[[str], Any]:
    """An argparse type: a finite number from `low` to `high`; `what` says so in the error."""

    def parse(text: str) -> float:
        try:
            value = float(text) if not whole else int(text) if text.isascii() and text.isdigit() else math.nan
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and low <= value <= high):
            raise argparse.ArgumentTypeError(f"{text!r} is not {what}")
        return value

    return parse


positive_int = number("a whole number of at least 1", 1, whole=True)
positive_float = number("a number above 0", math.ulp(0.0))
rate = number(f"a number of frames per second, {RATES}", LOWEST_RATE, HIGHEST_RATE)


def size(least: int) -> Callable[[str], tuple[int, int]]:
    """An argparse type: width and height in pixels, such as `1280x800`, each at least `least`."""

    def parse(text: str) -> tuple[int, int]:
        match = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", text.lower())
        width, height = (int(match[1]), int(match[2])) if match else (0, 0)
        if not (least <= min(width, height) and max(width, height) <= 16_384):
            raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 1280x720, {least} to 16384 pixels a side")
        return width, height

    return parse


def options(args: argparse.Namespace, function: Callable[..., Any]) -> dict[str, Any]:
    """The arguments of a command that a function takes under the same names."""
    return {name: value for name, value in vars(args).items() if name in inspect.signature(function).parameters}


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


def totals(reports: Sequence[Any]) -> dict[str, float]:
    """Frames, time and speed of all reports together."""
    frames, wall = sum(report.frames for report in reports), sum(report.wall_seconds for report in reports)
    return {"frames": frames, "wall_seconds": wall, "frames_per_second": frames / wall if wall > 0 else 0.0}


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
