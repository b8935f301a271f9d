"""`kinema scene`: captured scenes of Gaussian splats."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kinema
from kinema.cli import common, screens
from kinema.errors import UsageError, reason

HELP = """
Work with captured scenes: Gaussian splats in .ply, .compressed.ply, .splat, .spz and .sog files, with Y up and in
metres. Wherever a scene is read, a world made by rules (street, room, park, hills) or a file with meshes, such as a
.glb, will do, too.

examples:
  kinema scene info garden.ply
  kinema scene convert garden.ply garden.spz --clean --level
  kinema scene make street -o street.ply --seed 3
  kinema scene render garden.spz -o garden.mp4
  kinema scene fit pictures -o garden.ply
  kinema scene view garden.ply
"""

INFO = """
Show what is in files of scenes: how many splats, the degree of their colours, how large the scene is, all of it and
98 of 100 splats on each axis ("core"), and the medians of opacity and size. A file that cannot be read is listed with
the reason, and the exit code is 1.

examples:
  kinema scene info garden.ply
  kinema scene info *.spz --json
"""

CONVERT = """
Write a scene in another format, or change it. The suffix of OUT is the format: .ply, .compressed.ply, .splat or .spz.
Changes are made in the order of the options below: what is left out first, then the ground, the box, the scale about
the origin, the turn about the vertical, the move, and last the colours.

examples:
  kinema scene convert garden.ply garden.spz
  kinema scene convert garden.ply clean.ply --clean --level --crop -5,-1,-5,5,4,5
  kinema scene convert garden.ply turned.ply --scale 0.5 --turn 90 --move -1,0,2
  kinema scene convert garden.ply small.splat --degree 0
"""

MAKE = """
Make a scene by rules, a street, a room, a park or hills, or cover the meshes of a file with discs in their own colours.
The same seed makes the same scene.

examples:
  kinema scene make street -o street.ply --seed 3
  kinema scene make park -o park.spz --spacing 0.1
  kinema scene make room.glb -o room.ply
"""

RENDER = """
Draw a picture of a scene (.png), or a film of a turn around it (.mp4, .webm, .gif). The camera stands where little
hides what is behind it; in a closed room it looks around. --eye and --target choose another place; a film turns
around the target from there. No graphics card is needed.

examples:
  kinema scene render garden.ply -o garden.png
  kinema scene render garden.ply -o garden.mp4 --seconds 12
  kinema scene render street -o street.png --eye 0,1.7,-8 --target 0,1.5,10
"""

FIT = """
Fit a scene to pictures whose cameras are known. FOLDER has what COLMAP made of them (sparse/0/cameras.bin, images.bin
and points3D.bin, or .txt, and the pictures in images), or a transforms.json of nerfstudio or instant-ngp. The
processor does it, one picture a step. Ctrl+C ends it early, and writes what there is by then; the same command with
--resume goes on, also after a crash, since where it stands is kept each minute (OUT.partial). Cameras of COLMAP have
no vertical and no metres: kinema scene convert --level --scale gives them.

examples:
  kinema scene fit pictures -o garden.ply
  kinema scene fit pictures -o garden.ply --size 400 --splats 100000 --steps 8000 --holdout 8
  kinema scene fit pictures -o garden.ply --size 400 --splats 100000 --steps 8000 --holdout 8 --resume
"""

VIEW = """
Fly around in scenes, in the browser or in a window; N shows the next one.

examples:
  kinema scene view garden.ply
  kinema scene view street park --window
"""

COLUMNS = ("path", "splats", "degree", "extent m", "core m", "opacity", "scale m", "megabytes", "notes")


@dataclass(frozen=True)
class Part:
    """A sub-command: a line on it, its help, its arguments and what it does."""

    summary: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART", title="parts")
    for name, part in PARTS.items():
        inner = parts.add_parser(
            name,
            help=part.summary,
            description=part.help.strip(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        part.add_arguments(inner)
        common.add_common(inner, inner=True)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    if args.part == "view":
        return screens.packages(args.window)
    moving = args.part == "render" and Path(args.output).suffix.lower() in (".mp4", ".mov", ".webm", ".gif")
    return ("av",) if moving else ()


def run(args: argparse.Namespace) -> int:
    return PARTS[args.part].run(args)


def _add_info(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="files of scenes")


def _info(args: argparse.Namespace) -> int:
    rows: list[dict[str, Any]] = []
    with common.progress("reading", len(args.files)) as advance:
        for path in args.files:
            try:
                rows.append(kinema.scene_facts(path).row)
            except Exception as error:  # no error of one file may hide the others
                rows.append({"path": path, "error": reason(error, path)})
            advance()
    refused = [row for row in rows if "error" in row]
    if args.json:
        common.print_json(rows)
        return 1 if refused else 0
    for row in refused:
        common.note(f"refused: {row['error']}")
    read = [row for row in rows if "error" not in row]
    if read:
        common.print_table(COLUMNS, [_cells(row) for row in read])
    for row in read:
        for line in row["notes"]:
            print(f"{row['path']}: {line}")
    return 1 if refused else 0


def _cells(row: dict[str, Any]) -> list[object]:
    extent = [high - low for low, high in zip(row["low_m"], row["high_m"], strict=True)]
    sizes = [" x ".join(f"{length:.3g}" for length in lengths) for lengths in (extent, row["core_m"])]
    return [row["path"], row["splats"], row["degree"], *sizes, row["opacity"], row["scale_m"], row["megabytes"],
            len(row["notes"])]  # fmt: skip


def _add_convert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help="a file of a scene, a made world, or a file with meshes")
    parser.add_argument("output", metavar="OUT", help="the file to write: .ply, .compressed.ply, .splat or .spz")
    common.add_force(parser)
    steps = parser.add_argument_group("changes, in this order")
    steps.add_argument("--clean", action="store_true", help="leave out what is faint, fog, and what floats alone")
    steps.add_argument("--level", action="store_true", help="make the ground level, at height 0")
    steps.add_argument("--crop", type=_numbers(6), metavar="X0,Y0,Z0,X1,Y1,Z1", help="keep what is in a box, metres")
    steps.add_argument("--scale", type=common.positive_float, default=1.0, metavar="S", help="factor about the origin")
    steps.add_argument("--turn", type=_degrees, default=0.0, metavar="DEG", help="about the vertical, from +Z to +X")
    steps.add_argument("--move", type=_numbers(3), default=(0.0,) * 3, metavar="X,Y,Z", help="metres")
    steps.add_argument(
        "--degree", type=int, choices=range(4), metavar="N", help="of colours, 0 to 3: 0 is the same from all sides"
    )


def _convert(args: argparse.Namespace) -> int:
    return _write(args, clean=args.clean, level=args.level, crop=args.crop, scale=args.scale, turn=args.turn,
                  move=args.move, degree=args.degree)  # fmt: skip


def _add_make(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="KIND_OR_MESH", help="street, room, park, hills, or a file with meshes")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the file to write")
    parser.add_argument(
        "--seed", type=common.number("a whole number from 0 on", 0, whole=True), default=0, metavar="N",
        help="another one makes another world (default: 0)",
    )  # fmt: skip
    parser.add_argument(
        "--spacing", type=common.positive_float, metavar="M",
        help="metres between discs (default: 0.05 for worlds, about 150,000 discs on meshes)",
    )  # fmt: skip
    common.add_force(parser)


def _make(args: argparse.Namespace) -> int:
    from kinema.worlds.files import is_scene_file

    if is_scene_file(args.source):
        raise UsageError(f"{args.source} is a scene already; `kinema scene convert` writes it in another format")
    return _write(args, seed=args.seed, spacing=args.spacing)


def _write(args: argparse.Namespace, **options: Any) -> int:
    """Write a scene and say what was done on the way."""
    from kinema.worlds.files import check_written
    from kinema.worlds.obstacles import read_things, things_path

    check_written(args.output)
    common.refuse_existing(args.output, args.force)
    source = kinema.scene(args.source, **{name: options.pop(name) for name in ("seed", "spacing") if name in options})
    common.make_parent(args.output)
    steps: list[str] = []

    def note(line: str) -> None:
        steps.append(line)
        common.note(line)

    for line in source.notes:
        note(line)
    written = kinema.changed_scene(source, note=note, **options)
    beside = things_path(args.output)
    if written.things and not args.force and beside.is_file() and read_things(beside) != written.things:
        common.refuse_existing(beside, args.force)
    kinema.convert_scene(written, args.output)
    if args.json:
        common.print_json({"splats": len(written), "degree": written.degree, "steps": steps, "outputs": [args.output]})
    else:
        print(args.output)
        common.note(f"{len(written):,} splats, {Path(args.output).stat().st_size / 1e6:.1f} MB")
    return 0


def _add_render(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help="a file of a scene, a made world, or a file with meshes")
    parser.add_argument(
        "-o", "--output", required=True, metavar="OUT", help="picture (.png) or film (.mp4, .webm, .gif)"
    )
    common.add_force(parser)
    parser.add_argument("--size", type=common.size(16), metavar="WxH", help="pixels (default: 1280x720, a GIF 640x360)")
    parser.add_argument("--seconds", type=common.positive_float, metavar="S", help="of a film (default: 8)")
    parser.add_argument("--fps", type=common.rate, metavar="N", help="frames per second (default: 30, GIF 25)")
    parser.add_argument("--eye", type=_numbers(3), metavar="X,Y,Z", help="where the camera is, metres")
    parser.add_argument("--target", type=_numbers(3), metavar="X,Y,Z", help="what it looks at, with --eye")
    parser.add_argument("--fov", type=_view, metavar="DEG", help="vertical angle of view (default: 46)")


def _render(args: argparse.Namespace) -> int:
    if (args.eye is None) != (args.target is None):
        raise UsageError("--eye and --target go together: where the camera is, and what it looks at")
    common.refuse_existing(args.output, args.force)
    source = kinema.scene(args.source)
    common.make_parent(args.output)
    with common.progress_of("drawing") as advance:
        options: dict[str, Any] = {**common.options(args, kinema.render_scene), "source": source, "progress": advance}
        report = kinema.render_scene(**options)
    if args.json:
        facts = {"renderer": report.renderer, "passes": report.passes, "outputs": report.outputs}
        common.print_json({**common.totals([report]), **facts})
        return 0
    print("\n".join(report.outputs))
    if report.frames > 1:
        common.note(f"{report.frames:,} pictures in {report.wall_seconds:.1f} s")
    return 0


def _add_fit(parser: argparse.ArgumentParser) -> None:
    def whole(least: int) -> Callable[[str], int]:
        return common.number(f"a whole number from {least} on", least, whole=True)

    parser.add_argument("folder", metavar="FOLDER", help="pictures and cameras, or a transforms.json")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the file to write")
    common.add_force(parser)
    parser.add_argument("--resume", action="store_true", help="go on with a fit that was interrupted")
    degree = "of colours (default: 0, the same from all sides)"
    holdout = "keep back every Nth picture, and measure how well it is foretold"
    for name, least, value, text in (
        ("steps", 1, 3000, "pictures that are compared (default: 3000)"),
        ("size", 16, 256, "pixels to the longer side, at most (default: 256)"),
        ("splats", 1, 30_000, "at most (default: 30000)"),
        ("holdout", 2, 0, holdout),
        ("seed", 0, 0, "another one begins elsewhere (default: 0)"),
    ):
        parser.add_argument(f"--{name}", type=whole(least), default=value, metavar="N", help=text)
    parser.add_argument("--degree", type=int, choices=range(4), default=0, help=degree)


def _fit(args: argparse.Namespace) -> int:
    from kinema.worlds.files import check_written

    check_written(args.output)
    common.refuse_existing(args.output, args.force or args.resume)
    common.make_parent(args.output)
    with common.progress_of("fitting", detailed=True) as advance:
        options = {**common.options(args, kinema.fit_scene), "progress": advance, "note": common.note}
        fit = kinema.fit_scene(**options)
    if fit.stopped:
        common.note(
            f"stopped after {fit.steps} steps; what was fitted until then is written, and the same command with "
            "--resume goes on"
        )
    if args.json:
        common.print_json(fit.row)
        return 0
    print("\n".join(fit.outputs))
    unseen = "" if fit.unseen_db is None else f", {fit.unseen_db:.1f} dB unseen (mean colour {fit.baseline_db:.1f})"
    common.note(f"{fit.splats:,} splats, {fit.seen_db:.1f} dB seen{unseen}, {fit.wall_seconds:.0f} s")
    return 0


def _add_view(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="files of scenes, made worlds, or files with meshes")
    common.add_force(parser)
    screens.add_arguments(parser)


def _view_scenes(args: argparse.Namespace) -> int:
    return screens.report(args, kinema.view_scene(*args.files, **screens.chosen(args)))


def _numbers(count: int) -> Callable[[str], Sequence[float]]:
    """An argparse type: numbers with commas between them."""
    number = common.number("a number of metres", -math.inf)

    def parse(text: str) -> tuple[float, ...]:
        parts = text.split(",")
        if len(parts) != count:
            example = ",".join(str(each) for each in (-1, 0, 2, 3, 2, 4)[:count])
            raise argparse.ArgumentTypeError(f"{text!r} is not {count} numbers of metres such as {example}")
        return tuple(number(part) for part in parts)

    return parse


def _degrees(text: str) -> float:
    return math.radians(common.number("a number of degrees", -math.inf)(text))


def _view(text: str) -> float:
    return math.radians(common.number("an angle from 1 to 170 degrees", 1, 170)(text))


PARTS = {
    "info": Part("what is in files: splats, colours, size", INFO, _add_info, _info),
    "convert": Part("another format; clean, level, crop, scale, turn, move", CONVERT, _add_convert, _convert),
    "make": Part("a street, room, park or hills by rules, or of meshes", MAKE, _add_make, _make),
    "render": Part("a picture, or a film of a turn around it", RENDER, _add_render, _render),
    "fit": Part("from pictures whose cameras are known", FIT, _add_fit, _fit),
    "view": Part("fly around in it, in the browser or a window", VIEW, _add_view, _view_scenes),
}
"""To add a sub-command, add a part here."""
