"""`kinema condition`: control packs for video models."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

import kinema
from kinema.cli import common
from kinema.errors import UsageError

if TYPE_CHECKING:
    from kinema.face.staging import Staging

HELP = """
Make the pictures that a video model is steered with, of a motion on a character: skeletons in OpenPose's colours,
depth, normals, body parts, masks, backgrounds, with the camera, key points and four views of the character, in the
sizes, numbers and files that the model takes. A motion of other joints is retargeted to the character, and so is a
person in a video, whose key points are --points. CHARACTER may be a file with or without a mesh, or the word mannequin.
What was interrupted is continued.

examples:
  kinema condition person.glb --motion walk.bvh --for controlnet -o walk_pack
  kinema condition mannequin --motion walk.bvh --for wan-animate --size 480x832 -o walk_pack
  kinema condition person.glb --motion dance.fbx --for vace --camera orbit -o dance_pack
  kinema condition giant.glb --points child.json --for wan-animate -o giant_pack
  kinema condition person.glb --scene street --path "0,-8 2,0 0,9" --for wan-animate -o street_pack
  kinema condition wolf.glb --motion trot.bvh --for comfyui --maps depth,normals,mask -o trot_pack
"""

SECONDS = common.number("a number of seconds", 0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from kinema.rendering.conditions.targets import MAPS, TARGETS
    from kinema.rendering.film.camera_work import KINDS

    parser.add_argument("character", metavar="CHARACTER", help="a file with a body or a skeleton, or: mannequin")
    does = parser.add_mutually_exclusive_group()
    does.add_argument("--motion", metavar="FILE", help="what it does")
    does.add_argument(
        "--points",
        metavar="FILE",
        help="or whose motion it has: a person in a video, as JSON of OpenPose, DWPose or COCO, a folder of such "
        "files, a skeleton video, or a folder of its pictures",
    )
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder of the pack")
    parser.add_argument(
        "--for", dest="target", choices=tuple(TARGETS), default="controlnet", help="the model (default: controlnet)"
    )
    parser.add_argument("--clip", metavar="NAME", help="name or number of the clip, if the file has several")
    parser.add_argument("--maps", type=_names, metavar="A,B", help=f"instead of the model's usual: {', '.join(MAPS)}")
    parser.add_argument("--caption", metavar="TEXT", help="the sentence of caption.txt (default: of the motion's name)")
    common.add_force(parser)
    where = parser.add_argument_group("in a captured scene")
    where.add_argument("--scene", metavar="FILE", help="what is around: a file of splats, or street, room, park, hills")
    where.add_argument("--at", type=common.place, metavar="X,Z", help="where the motion begins, metres (default: 0,0)")
    where.add_argument("--heading", type=_degrees, metavar="DEG", help="where the body faces there, from +Z to +X")
    where.add_argument(
        "--path", type=common.places, metavar="'X,Z X,Z ...'", help="walk from place to place instead of a motion"
    )
    where.add_argument("--speed", type=common.positive_float, metavar="M/S", help="with --path (default: 1.3)")
    film = parser.add_argument_group("film")
    film.add_argument("--size", type=common.size(16), metavar="WxH", help="pixels (default: usual for the model)")
    film.add_argument("--frames", type=common.positive_int, metavar="N", help="pictures (default: usual for the model)")
    film.add_argument("--fps", type=common.rate, metavar="N", help="frames per second (default: usual for the model)")
    film.add_argument("--start", type=SECONDS, default=0.0, metavar="S", help="first second (default: 0)")
    film.add_argument("--camera", choices=KINDS, default="follow", help="(default: follow)")
    film.add_argument("--azimuth", type=_degrees, metavar="DEG", help="angle of the camera from the front to the left")
    film.add_argument("--elevation", type=_degrees, metavar="DEG", help="angle of the camera above the horizon")
    film.add_argument(
        "--quality", choices=("draft", "standard", "high"), default="standard", help="(default: standard)"
    )


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    from kinema.rendering.conditions.targets import TARGETS

    return ("moderngl", "av") if TARGETS[args.target].videos else ("moderngl",)


def _staging(args: argparse.Namespace) -> Staging | None:
    """Where the body is, if that is a scene."""
    if args.scene is None:
        if any(value is not None for value in (args.at, args.heading, args.path, args.speed)):
            raise UsageError("--at, --heading, --path and --speed say what happens in a scene: give --scene too")
        return None
    if args.speed is not None and args.path is None:
        raise UsageError("--speed is that of a walk along --path")
    from kinema.face.staging import Staging

    speed = {} if args.speed is None else {"speed": args.speed}
    return Staging(args.scene, args.at, args.heading, args.path, **speed)


def run(args: argparse.Namespace) -> int:
    common.make_parent(args.output)
    with common.progress_of("drawing") as advance:
        options = common.options(args, kinema.condition) | {"staging": _staging(args), "note": common.note}
        report = kinema.condition(progress=advance, **options)
    for fault in report.faults:
        common.note(f"failed: {fault}")
    if args.json:
        common.print_json(vars(report))
        return 1 if report.faults else 0
    rest = report.frames - report.drawn
    there = f", {rest} of them were there already" if rest else ""
    print(report.folder)
    common.note(
        f"{report.frames} pictures of {report.width}x{report.height} at {report.fps:g} per second for {report.target}"
        f"{there}; maps: {', '.join(report.maps)}"
    )
    return 1 if report.faults else 0


def _degrees(text: str) -> float:
    return math.radians(common.number("a number of degrees", -math.inf)(text))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.replace(" ", "").split(",") if name)
