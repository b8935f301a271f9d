"""`kinema render`: films and pictures of motion and character files, without a window."""

from __future__ import annotations

import argparse
import math
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.cli import common
from kinema.errors import FormatError, KinemaError, one_line

if TYPE_CHECKING:
    from kinema.rendering.film.film import FilmSettings
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.film.shoot import RenderOptions, RenderReport
    from kinema.session.library import LibraryFile

HELP = """
Make films and pictures of motion and character files. The suffix of OUT decides: .mp4, .webm or .gif for a film, .png
for one picture, a folder or a name with a number such as walk_%04d.png for a sequence. A skeleton without a mesh gets
a body, a character without motion is shown from all sides. Several inputs are shown side by side, or go into a folder
with --to; outputs that exist already are skipped, so that an interrupted run can be repeated.

examples:
  kinema render walk.bvh -o walk.mp4
  kinema render walk.bvh --character person.glb -o walk.gif --size 640x360
  kinema render walk.bvh run.bvh --side-by-side -o both.mp4
  kinema render walk.bvh -o poses.png --sheet 12
  kinema render takes.zip -o films --to mp4 --quality draft
  kinema render walk.bvh -o data --buffers depth,normals,parts --transparent
"""

_COLORS = {"white": "#ffffff", "black": "#000000", "grey": "#808080", "gray": "#808080", "paper": "#f9f9f7"}
_SHEET_TILE = (480, 360)
_GIF_SIZE, _SIZE = (640, 360), (1280, 720)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="IN", help="files, folders, zip archives or databases")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the file or folder to write")
    parser.add_argument("--to", choices=("mp4", "webm", "gif", "png"), help="one file per input, into the folder OUT")
    parser.add_argument("--side-by-side", action="store_true", help="show all inputs in one picture")
    parser.add_argument("--clip", metavar="NAME", help="name or number (from 0) of the clip (default: the first)")
    parser.add_argument("--character", metavar="FILE", help="the character to show; its joints are those of the motion")
    common.add_reading(parser)
    common.add_force(parser)
    what = parser.add_argument_group("range")
    what.add_argument("--start", type=_seconds, default=0.0, metavar="S", help="first second (default: 0)")
    what.add_argument("--stop", type=_seconds, metavar="S", help="last second (default: the end)")
    what.add_argument("--seconds", type=common.positive_float, metavar="S", help="length from the start")
    what.add_argument("--still", type=_seconds, metavar="S", help="one picture of this second, as a .png")
    what.add_argument("--sheet", type=common.positive_int, metavar="N", help="N pictures in a grid, as a .png")
    look = parser.add_argument_group("appearance")
    look.add_argument("--size", type=_size, metavar="WxH", help="pixels (default: 1280x720, a GIF 640x360)")
    look.add_argument("--fps", type=common.positive_float, metavar="N", help="pictures a second (default: 30, GIF 25)")
    look.add_argument(
        "--quality", choices=("draft", "standard", "high"), default="standard", help="(default: standard)"
    )
    look.add_argument(
        "--camera",
        choices=("follow", "orbit", "fixed", "third", "front", "side", "top"),
        help="(default: follow; orbit without motion)",
    )
    look.add_argument("--azimuth", type=_degrees, metavar="DEG", help="angle of the camera from the front to the left")
    look.add_argument("--elevation", type=_degrees, metavar="DEG", help="angle of the camera above the horizon")
    look.add_argument("--background", type=_color, metavar="COLOR", help="#rrggbb, white, black, grey or paper")
    look.add_argument("--transparent", action="store_true", help="no floor, only shadows (.webm .gif .png, folders)")
    look.add_argument("--show", type=_names, default=(), metavar="A,B", help="skeleton, contacts, trajectory, names")
    look.add_argument("--crf", type=_rate_factor, metavar="N", help="of .mp4 and .webm: lower is better and larger")
    data = parser.add_argument_group("training data")
    data.add_argument(
        "--buffers",
        type=_names,
        default=(),
        metavar="A,B",
        help="depth, normals, entities, parts, motion; into a folder beside OUT",
    )
    data.add_argument("--buffers-as", choices=("npz", "png"), default="npz", help="(default: npz)")


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return common.film_packages(f"x.{args.to}" if args.to else args.output)


def run(args: argparse.Namespace) -> int:
    from kinema.formats import load_character
    from kinema.rendering.film.writers import check_name
    from kinema.session.library import find_files

    if args.to and args.side_by_side:
        raise common.UsageError("--side-by-side makes one file, --to one for each input; choose one")
    suffix = f".{args.to}" if args.to else Path(args.output).suffix.lower()
    check_name(f"x{suffix}" if args.to else args.output, args.transparent)
    found = find_files(args.inputs, common.reading(args))
    if len(found) > 1 and not (args.to or args.side_by_side):
        raise common.UsageError(f"{len(found)} inputs: give --side-by-side for one file, or --to mp4 for one each")
    character = load_character(args.character) if args.character else None
    settings, order = _settings(args, suffix), _order(args)
    jobs, skipped = _jobs(args, found)
    if args.to:
        reports, failed = _each(jobs, args.clip, character, settings, order)
    else:
        shots = [_take(document, args.clip, character) for document in found]
        reports, failed = [_one(shots, jobs[0][1], settings, order)], []
    _report(args, reports, failed, skipped)
    return 1 if failed else 0


def _jobs(args: argparse.Namespace, found: list[LibraryFile]) -> tuple[list[tuple[LibraryFile, Path]], list[Path]]:
    """What to render with its output, and the outputs in a folder that exist already and are skipped."""
    jobs = list(zip(found, _outputs(args, found), strict=True)) if args.to else [(found[0], Path(args.output))]
    skipped = [output for _, output in jobs if args.to and not args.force and os.path.lexists(output)]
    jobs = [(document, output) for document, output in jobs if output not in skipped]
    for _, output in jobs:
        _refuse(output, args)
        common.make_parent(output)
    return jobs, skipped


def _one(shots: list[Shot], output: Path, settings: FilmSettings, order: RenderOptions) -> RenderReport:
    from kinema.rendering.film.shoot import shoot

    with common.progress_of("rendering") as advance:
        return shoot(shots, output, settings, order, advance)


def _each(
    jobs: list[tuple[LibraryFile, Path]], clip: str | None, character: Any, settings: FilmSettings, order: RenderOptions
) -> tuple[list[RenderReport], list[tuple[str, str]]]:
    """Render each input into its own file, with one renderer. A failure does not stop the others."""
    from kinema.rendering.film.shoot import shoot
    from kinema.rendering.renderer import Renderer

    reports: list[RenderReport] = []
    failed: list[tuple[str, str]] = []
    if not jobs:
        return reports, failed
    with Renderer(settings.width, settings.height, order.quality, profile=order.profile) as renderer:
        for document, path in jobs:
            with common.progress_of(one_line(path.name)) as advance:
                try:
                    shot = _take(document, clip, character)
                    reports.append(shoot([shot], path, settings, order, advance, renderer))
                except KinemaError as error:
                    failed.append((document.path, str(error)))
    return reports, failed


def _report(
    args: argparse.Namespace, reports: list[RenderReport], failed: list[tuple[str, str]], skipped: list[Path]
) -> None:
    for _, reason in failed:
        common.note(f"failed: {reason}")
    frames, wall = sum(report.frames for report in reports), sum(report.wall_seconds for report in reports)
    rate = frames / wall if wall > 0 else 0.0
    outputs = [output for report in reports for output in report.outputs]
    if args.json:
        common.print_json(
            {
                "frames": frames,
                "wall_seconds": wall,
                "frames_per_second": rate,
                "renderer": reports[-1].renderer if reports else None,
                "passes": reports[-1].passes if reports else {},
                "outputs": outputs,
                "skipped": skipped,
                "failed": [{"path": path, "reason": reason} for path, reason in failed],
            }
        )
        return
    if skipped:
        common.note(f"{len(skipped)} outputs existed already ({skipped[0]} first); --force makes them again")
    if outputs:
        print("\n".join(outputs))
    if rate:
        pictures = "1 picture" if frames == 1 else f"{frames:,} pictures"
        common.note(f"{pictures} in {wall:.1f} s ({rate:.1f} a second), {reports[-1].renderer}")


def _take(document: LibraryFile, clip: str | None, character: Any) -> Shot:
    from kinema.rendering.film.performance import Shot

    clips = document.read()
    names = [entry.title for entry in clips]
    number = 0
    if clip is not None:
        number = names.index(clip) if clip in names else int(clip) if clip.isdigit() else -1
        if not 0 <= number < len(clips):
            listed = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
            raise FormatError(f"has no clip {clip!r}; there are {listed}", path=document.path)
    elif len(clips) > 1:
        common.note(f"{document.title}: showing {names[0]!r}, the first of {len(clips)} clips; --clip chooses another")
    chosen = clips[number]
    return Shot(document.title, chosen.skeleton, chosen.load(), character or chosen.character)


def _outputs(args: argparse.Namespace, found: list[LibraryFile]) -> list[Path]:
    """A file in the folder for each input, with different names."""
    outputs: list[Path] = []
    for document in found:
        named = Path(document.path)
        path = Path(args.output, f"{_plain(named.stem)}.{args.to}")
        if path in outputs:  # walk.bvh and walk.fbx
            path = path.with_name(f"{_plain(named.name)}.{args.to}")
        number, stem = 2, path.name.removesuffix(f".{args.to}")
        while path in outputs:
            path, number = path.with_name(f"{stem}_{number}.{args.to}"), number + 1
        outputs.append(path)
    return outputs


def _plain(name: str) -> str:
    """A file name without characters that are special in a shell: `walk (2)` gives `walk_2`."""
    return re.sub(r"[^\w.-]+", "_", name).strip("_") or "clip"


def _refuse(output: Path, args: argparse.Namespace) -> None:
    from kinema.rendering.film.shoot import buffer_folder
    from kinema.rendering.film.stills import present

    if "%" in output.name:
        for picture in present(output):
            common.refuse_existing(picture, args.force)
    elif not (output.is_dir() and not any(output.iterdir())):
        common.refuse_existing(output, args.force)
    if args.buffers:
        common.refuse_existing(buffer_folder(output), args.force)


def _settings(args: argparse.Namespace, suffix: str) -> FilmSettings:
    from kinema.rendering.film.camera_work import CameraWork
    from kinema.rendering.film.film import FilmSettings

    width, height = args.size or (_SHEET_TILE if args.sheet else _GIF_SIZE if suffix == ".gif" else _SIZE)
    stop = args.start + args.seconds if args.seconds is not None else args.stop
    camera = None
    if not (args.camera is None and args.azimuth is None and args.elevation is None):
        camera = CameraWork(args.camera or "follow", args.azimuth, args.elevation)
    fps = args.fps or (25.0 if suffix == ".gif" else 30.0)
    return FilmSettings(
        width, height, fps, args.start, stop, camera, args.background, args.transparent, tuple(args.show)
    )


def _order(args: argparse.Namespace) -> RenderOptions:
    from kinema.rendering.film.shoot import RenderOptions

    if args.still is not None and args.sheet is not None:
        raise common.UsageError("--still is one picture and --sheet many; choose one")
    if args.seconds is not None and args.stop is not None:
        raise common.UsageError("--seconds and --stop both say where to end; choose one")
    return RenderOptions(
        args.quality, args.still, args.sheet, tuple(args.buffers), args.buffers_as, args.crf, profile=args.json
    )


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return value


def _degrees(text: str) -> float:
    try:
        value = math.radians(float(text))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of degrees")
    return value


def _rate_factor(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= value <= 51:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 51")
    return value


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (16 <= width <= 16_384 and 16 <= height <= 16_384):
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 1280x720 (16 to 16384 pixels a side)")
    return width, height


def _color(text: str) -> tuple[float, float, float]:
    """sRGB text to linear numbers."""
    code = _COLORS.get(text.lower(), text)
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", code):
        raise argparse.ArgumentTypeError(f"{text!r} is no color such as #f4f4f2; named are {', '.join(_COLORS)}")
    red, green, blue = (_linear(int(code[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return red, green, blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.replace(" ", "").split(",") if name)
