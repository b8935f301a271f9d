"""`kinema generate`: new motion for any skeleton."""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kinema
from kinema.cli import common
from kinema.errors import UsageError
from kinema.mocap.creatures.acts import ACTIONS

if TYPE_CHECKING:
    from kinema.motion import Motion

HELP = """
Make motion for any skeleton, from its rest pose alone: say in words what it is to do, or give an action, a speed, a
rate of turning or a path. A file that holds several clips gets all samples; otherwise they are numbered. A film shows
them side by side. A rig without a mesh gets a body.

examples:
  kinema generate --rig wolf.glb --text "walks slowly, turns left" --seconds 6 --count 4 -o wolf_walks.glb
  kinema generate --rig spider.fbx --action attack -o attack.bvh
  kinema generate --rig horse --text "gallops, then jumps" -o horse.mp4
  kinema generate --rig bird.glb --text "flies to the right" --speed 4 --loop -o fly.glb
  kinema generate --rig dog.glb --path 0,0 0,2 1,3 -o path.glb
"""

FILMS = (".mp4", ".webm", ".gif", ".png")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rig", required=True, metavar="FILE", help="a file with a skeleton, or a creature: horse, ..."
    )
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="a motion file, a film or a picture")
    parser.add_argument("--seconds", type=common.positive_float, default=6.0, metavar="S", help="duration (default: 6)")
    parser.add_argument("--path", nargs="+", metavar="X,Z", help="points on the ground to pass, metres, +Z ahead")
    parser.add_argument(
        "--cadence", type=common.positive_float, metavar="HZ", help="strides or wing beats a second (default: as usual)"
    )
    parser.add_argument("--loop", action="store_true", help="make the last frame lead to the first")
    parser.add_argument("--fps", type=common.rate, default=30.0, metavar="N", help="frames a second (default: 30)")
    add_sampling(parser)
    common.add_force(parser)


def add_sampling(parser: argparse.ArgumentParser) -> None:
    """Add what is asked of new motion, and how it is sampled."""
    asked = parser.add_argument_group("what it does")
    asked.add_argument("--text", default="", metavar="WORDS", help='in English: "walks slowly, then sits down"')
    asked.add_argument("--action", choices=ACTIONS, metavar="NAME", help=", ".join(ACTIONS))
    asked.add_argument("--speed", type=common.number("a speed of 0 or more", 0.0), metavar="N", help="metres a second")
    asked.add_argument(
        "--turn",
        type=common.number("a number", -math.inf),
        metavar="DEG",
        help="degrees a second, positive to the left",
    )
    how = parser.add_argument_group("sampling")
    how.add_argument("--count", type=common.positive_int, default=1, metavar="N", help="number of samples (default: 1)")
    how.add_argument("--seed", type=common.number("a whole number", 0, whole=True), default=0, metavar="N")
    how.add_argument("--steps", type=common.positive_int, default=8, metavar="N", help="4 is a preview (default: 8)")
    ratio = common.number("a number of 0 or more", 0.0)
    how.add_argument("--guidance", type=ratio, default=2.0, metavar="N", help="weight of what is asked (default: 2)")
    how.add_argument("--no-plant", dest="plant", action="store_false", help="leave feet as they come")
    how.add_argument("--model", metavar="RUN", help="a model of your own (kinema train any-skeleton)")


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return ("torch", "safetensors", *(common.film_packages(args.output) if _is_film(args.output) else ()))


def run(args: argparse.Namespace) -> int:
    from kinema.face.generation import asset_of, generate
    from kinema.formats import format_for

    common.refuse_existing(args.output, args.force)
    if not _is_film(args.output):
        format_for(args.output)  # before minutes of work
    body = asset_of(args.rig)
    began = time.monotonic()
    asked: dict[str, Any] = common.options(args, generate)
    asked |= {"rig": body, "path": _points(args.path), "turn": None if args.turn is None else math.radians(args.turn)}
    with common.progress_of("generating") as progress:
        motions = generate(**asked, progress=progress)
    wall = time.monotonic() - began
    outputs = _write(args, motions)
    seconds = sum(motion.seconds for motion in motions)
    if args.json:
        common.print_json({"outputs": outputs, "seconds_generated": seconds, "wall_seconds": wall, "steps": args.steps})
    else:
        print(f"{', '.join(outputs)}: {len(motions)} x {motions[0].seconds:.1f} s of motion in {wall:.1f} s")
    return 0


def _is_film(output: str) -> bool:
    return Path(output).suffix.lower() in FILMS


def _points(words: list[str] | None) -> list[list[float]] | None:
    if words is None:
        return None
    try:
        return [[float(number) for number in word.split(",")] for word in words]
    except ValueError:
        raise UsageError(f"--path {' '.join(words)!r} is not points such as 0,0 0,2 1,3") from None


def _write(args: argparse.Namespace, motions: list[Motion]) -> list[str]:
    from kinema.face.generation import asset_of, onto
    from kinema.formats import FORMATS

    common.make_parent(args.output)
    if _is_film(args.output):
        body = asset_of(args.rig).character
        with common.progress_of("rendering") as progress:
            sheet = 12 if Path(args.output).suffix.lower() == ".png" else None
            kinema.render(motions, args.output, character=body, sheet=sheet, progress=progress)
        return [args.output]
    path = Path(args.output)
    if len(motions) == 1 or "clips" in FORMATS[path.suffix.lower()].keeps:
        _note(kinema.save(onto(args.rig, motions), path))
        return [args.output]
    numbered = [path.with_stem(f"{path.stem}_{number + 1}") for number in range(len(motions))]
    for each, motion in zip(numbered, motions, strict=True):
        common.refuse_existing(each, args.force)
        _note(kinema.save(onto(args.rig, [motion]), each))
    return [str(each) for each in numbered]


def _note(lost: tuple[str, ...]) -> None:
    for line in lost:
        common.note(line)
