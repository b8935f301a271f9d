"""`kinema condition`: control packs for video models."""

from __future__ import annotations

import argparse
import math

import kinema
from kinema.cli import common

HELP = """
Make the pictures that a video model is steered with, of a motion on a character: skeletons in OpenPose's colours,
depth, normals, body parts, masks, backgrounds, with the camera, key points and four views of the character, in the
sizes, numbers and files that the model takes. A motion of other joints is retargeted to the character. CHARACTER may
be a file with or without a mesh, or the word mannequin. What was interrupted is continued.

examples:
  kinema condition person.glb --motion walk.bvh --for controlnet -o walk_pack
  kinema condition mannequin --motion walk.bvh --for wan-animate --size 480x832 -o walk_pack
  kinema condition person.glb --motion dance.fbx --for vace --camera orbit -o dance_pack
  kinema condition wolf.glb --motion trot.bvh --for comfyui --maps depth,normals,mask -o trot_pack
"""

SECONDS = common.number("a number of seconds", 0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from kinema.rendering.conditions.targets import MAPS, TARGETS
    from kinema.rendering.film.camera_work import KINDS

    parser.add_argument("character", metavar="CHARACTER", help="a file with a body or a skeleton, or: mannequin")
    parser.add_argument("--motion", required=True, metavar="FILE", help="what it does")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder of the pack")
    parser.add_argument(
        "--for", dest="target", choices=tuple(TARGETS), default="controlnet", help="the model (default: controlnet)"
    )
    parser.add_argument("--clip", metavar="NAME", help="name or number of the clip, if the file has several")
    parser.add_argument("--maps", type=_names, metavar="A,B", help=f"instead of the model's usual: {', '.join(MAPS)}")
    parser.add_argument("--caption", metavar="TEXT", help="the sentence of caption.txt (default: of the motion's name)")
    parser.add_argument("--scene", metavar="FILE", help="a captured scene around the body (.ply, .splat, .spz)")
    common.add_force(parser)
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


def run(args: argparse.Namespace) -> int:
    common.make_parent(args.output)
    with common.progress_of("drawing") as advance:
        report = kinema.condition(progress=advance, **common.options(args, kinema.condition))
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
