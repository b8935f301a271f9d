"""`kinema render`: films and pictures of motion and character files, without a window."""

from __future__ import annotations

import argparse
import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kinema
from kinema.cli import common
from kinema.cli.readying import ready_a_film
from kinema.errors import UsageError, one_line, reason

if TYPE_CHECKING:
    from kinema.face.staging import Staging
    from kinema.rendering.film.shoot import RenderReport
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
  kinema render dance.bvh -o garden.mp4 --scene garden.ply --at 2,-1 --heading 90
  kinema render person.glb -o street.mp4 --scene street --path "0,-8 2,0 0,9"
  kinema render -o street.mp4 --scene street --text "walk to the red car, wave, then run back while the camera circles"
"""

_COLORS = {"white": "#ffffff", "black": "#000000", "grey": "#808080", "gray": "#808080", "paper": "#f9f9f7"}
CRF = common.number("a whole number from 0 to 51", 0, 51, whole=True)
SECONDS = common.number("a number of seconds", 0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="IN",
        help="files, folders, archives or databases; with --path or --text none: a person",
    )
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the file or folder to write")
    parser.add_argument("--to", choices=("mp4", "webm", "gif", "png"), help="one file per input, into the folder OUT")
    parser.add_argument("--side-by-side", action="store_true", help="show all inputs in one picture")
    parser.add_argument("--clip", metavar="NAME", help="name or number (from 0) of the clip (default: the first)")
    parser.add_argument("--character", metavar="FILE", help="the character to show; its joints are those of the motion")
    common.add_reading(parser)
    common.add_force(parser)
    what = parser.add_argument_group("range")
    what.add_argument("--start", type=SECONDS, default=0.0, metavar="S", help="first second (default: 0)")
    what.add_argument("--stop", type=SECONDS, metavar="S", help="last second (default: the end)")
    what.add_argument("--seconds", type=common.positive_float, metavar="S", help="length from the start")
    what.add_argument("--still", type=SECONDS, metavar="S", help="one picture of this second, as a .png")
    what.add_argument("--sheet", type=common.positive_int, metavar="N", help="N pictures in a grid, as a .png")
    look = parser.add_argument_group("appearance")
    look.add_argument("--size", type=common.size(16), metavar="WxH", help="pixels (default: 1280x720, a GIF 640x360)")
    look.add_argument("--fps", type=common.rate, metavar="N", help="frames per second (default: 30, GIF 25)")
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
    look.add_argument(
        "--crf",
        type=CRF,
        metavar="N",
        help="of .mp4 and .webm: lower is better and larger",
    )
    where = parser.add_argument_group("in a captured scene")
    where.add_argument("--scene", metavar="FILE", help="what is around: a file of splats, or street, room, park, hills")
    where.add_argument("--at", type=_place, metavar="X,Z", help="where the motion begins, metres (default: 0,0)")
    where.add_argument("--heading", type=_degrees, metavar="DEG", help="where the body faces there, from +Z to +X")
    where.add_argument(
        "--path", type=_places, metavar="'X,Z X,Z ...'", help="walk from place to place, around what stands there"
    )
    where.add_argument(
        "--text", metavar="SENTENCE", help="do what is said: go to what the scene has, gesture, handle, and film it so"
    )
    where.add_argument("--speed", type=common.positive_float, metavar="M/S", help="with --path (default: 1.3)")
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
    from kinema.face.films import option_names
    from kinema.formats import load_character
    from kinema.session.library import find_files

    _check(args)
    found = find_files(args.inputs, common.reading(args)) if args.inputs else []
    if len(found) > 1 and not (args.to or args.side_by_side):
        raise UsageError(f"{len(found)} inputs: give --side-by-side for one file, or --to mp4 for one each")
    body = load_character(args.character) if args.character else None
    what = {"clip": args.clip, "character": body, "note": common.note, "staging": _staging(args)}
    options = {name: value for name, value in vars(args).items() if name in option_names()} | {"profile": args.json}
    jobs, skipped = _jobs(args, found) if args.to else ([], [])
    if args.to:
        reports, failed = _each(jobs, what, options)
    else:
        _refuse(Path(args.output), args)
        common.make_parent(args.output)
        if args.text is not None or args.path is not None:
            ready_a_film()
        with common.progress_of("rendering") as advance:
            reports, failed = [kinema.render(found, args.output, progress=advance, **what, **options)], []
    _report(args, reports, failed, skipped)
    return 1 if failed else 0


def _check(args: argparse.Namespace) -> None:
    from kinema.rendering.film.writers import check_name

    if args.to and args.side_by_side:
        raise UsageError("--side-by-side makes one file, --to one for each input; choose one")
    check_name(f"x.{args.to}" if args.to else args.output, args.transparent)
    if not args.inputs and args.path is None and args.text is None:
        raise UsageError(
            "there is nothing to render: give a file, or --scene and --path or --text for a person who does that"
        )
    placed = (args.at, args.heading, args.path, args.text, args.speed)
    if args.scene is None and any(value is not None for value in placed):
        raise UsageError("--at, --heading, --path, --text and --speed say what happens in a scene: give --scene too")
    if args.speed is not None and args.path is None:
        raise UsageError("--speed is that of a walk along --path")


def _staging(args: argparse.Namespace) -> Staging | None:
    """Where bodies are, if that is a scene."""
    if args.scene is None:
        return None
    from kinema.face.staging import Staging

    speed = {} if args.speed is None else {"speed": args.speed}
    return Staging(args.scene, args.at, args.heading, args.path, text=args.text, **speed)


def _jobs(args: argparse.Namespace, found: list[LibraryFile]) -> tuple[list[tuple[LibraryFile, Path]], list[Path]]:
    """What to render into a folder with its output, and the outputs that exist already and are skipped."""
    outputs = _outputs(args, found)
    skipped = [output for output in outputs if not args.force and os.path.lexists(output)]
    jobs = [(file, output) for file, output in zip(found, outputs, strict=False) if output not in skipped]
    for _, output in jobs:
        _refuse(output, args)
        common.make_parent(output)
    return jobs, skipped


def _each(
    jobs: Sequence[tuple[LibraryFile, Path]], what: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[list[RenderReport], list[dict[str, str]]]:
    """Render each input into its own file, with one renderer. A failure does not stop the others."""
    from kinema.face.films import film_options
    from kinema.rendering.renderer import Renderer

    reports: list[RenderReport] = []
    failed: list[dict[str, str]] = []
    if not jobs:
        return reports, failed
    settings, order = film_options(jobs[0][1].suffix, **options)
    with Renderer(settings.width, settings.height, order.quality, profile=order.profile) as renderer:
        for file, path in jobs:
            with common.progress_of(one_line(path.name)) as advance:
                try:
                    report = kinema.render(file, path, progress=advance, renderer=renderer, **what, **options)
                    reports.append(report)
                except Exception as error:  # no error of one file may end the batch
                    failed.append({"path": file.path, "reason": reason(error, file.path)})
    return reports, failed


def _report(
    args: argparse.Namespace,
    reports: Sequence[RenderReport],
    failed: Sequence[Mapping[str, str]],
    skipped: Sequence[Path],
) -> None:
    for one in failed:
        common.note(f"failed: {one['reason']}")
    facts = {
        **common.totals(reports),
        "renderer": reports[-1].renderer if reports else None,
        "passes": reports[-1].passes if reports else {},
        "outputs": [output for report in reports for output in report.outputs],
        "skipped": skipped,
        "failed": failed,
    }
    if args.json:
        common.print_json(facts)
    else:
        _print(facts)


def _print(facts: Mapping[str, Any]) -> None:
    if skipped := facts["skipped"]:
        common.note(f"{len(skipped)} outputs existed already ({skipped[0]} first); --force makes them again")
    if facts["outputs"]:
        print("\n".join(facts["outputs"]))
    if rate := facts["frames_per_second"]:
        pictures = "1 picture" if facts["frames"] == 1 else f"{facts['frames']:,} pictures"
        common.note(f"{pictures} in {facts['wall_seconds']:.1f} s ({rate:.1f} a second), {facts['renderer']}")


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


def _degrees(text: str) -> float:
    return math.radians(common.number("a number of degrees", -math.inf)(text))


def _color(text: str) -> tuple[float, float, float]:
    """sRGB text to linear numbers."""
    from kinema.formats.images import linear

    code = _COLORS.get(text.lower(), text)
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", code):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a color such as #f4f4f2; named colors are {', '.join(_COLORS)}"
        )
    red, green, blue = linear([int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)]).tolist()
    return red, green, blue


def _place(text: str) -> tuple[float, float]:
    number = common.number("a number of metres", -math.inf)
    parts = text.split(",")
    if len(parts) != 2:
        raise argparse.ArgumentTypeError(f"{text!r} is no place such as 2.5,-1: x and z in metres")
    return number(parts[0]), number(parts[1])


def _places(text: str) -> list[tuple[float, float]]:
    return [_place(part) for part in text.split()]


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.replace(" ", "").split(",") if name)
