"""`kinema clips`: training clips of characters in scenes."""

from __future__ import annotations

import argparse
from dataclasses import asdict

import kinema
from kinema.cli import common

MOST_FAILURES = 12
"""Clips that could not be made and are listed one by one."""

HELP = """
Make training clips for image and video models: people of hundreds of looks, creatures or characters of files, in
generated motion or that of files, on plain backgrounds, in made worlds or in captured scenes, seen by cameras that
follow, go around, roll past or stand still. Each clip has all maps of kinema condition, key points, cameras, labels by
frame and a caption. The same seed gives the same bytes, whatever the number of workers; what was interrupted is
continued.

examples:
  kinema clips -o clips --count 2000
  kinema clips -o pets --count 500 --characters dog cat horse --seed 7
  kinema clips -o mine --characters people.zip --motions takes/ --scenes garden.ply --licence permissive
  kinema clips clips -o shards --as webdataset
  kinema clips clips -o meta --as prompts
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from kinema.footage.plan import IDENTITIES, LARGEST, MOST_FRAMES, SMALLEST
    from kinema.footage.transfer import FORMS

    parser.add_argument("source", nargs="?", metavar="CLIPS", help="with --as: a folder of clips, or of prompts")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder of the clips")
    parser.add_argument("--as", dest="form", choices=tuple(FORMS), help="write CLIPS in another form instead")
    parser.add_argument("--count", type=common.positive_int, default=64, metavar="N", help="clips (default: 64)")
    number = common.number(f"a number of frames, 1 to {MOST_FRAMES}", 1, MOST_FRAMES, whole=True)
    parser.add_argument("--frames", type=number, default=16, metavar="N", help="pictures of each (default: 16)")
    pixels = common.number(f"a number of pixels, {SMALLEST} to {LARGEST}", SMALLEST, LARGEST, whole=True)
    parser.add_argument("--size", type=pixels, default=64, metavar="N", help="pixels to each side (default: 64)")
    parser.add_argument("--fps", type=common.rate, default=12.0, metavar="N", help="pictures per second (default: 12)")
    seed = common.number("a whole number from 0 on", 0, whole=True)
    parser.add_argument("--seed", type=seed, default=0, metavar="N", help="of all choices (default: 0)")
    parser.add_argument("--maps", type=_names, metavar="A,B", help="instead of all but inpaint and face")
    made_of = parser.add_argument_group("what clips are made of")
    made_of.add_argument(
        "--characters", nargs="+", default=(), metavar="WHO", help="files, folders, creatures, people (default: people)"
    )
    made_of.add_argument(
        "--identities", type=common.positive_int, default=IDENTITIES, metavar="N", help="people (default: 256)"
    )
    made_of.add_argument(
        "--motions",
        nargs="+",
        default=(),
        metavar="PATH",
        help="files, folders, generated, steered (default: generated)",
    )
    made_of.add_argument(
        "--scenes", nargs="+", metavar="PATH", help="captured scenes, kinds of made worlds, made (default: made)"
    )
    share = common.number("a share, 0 to 1", 0, 1)
    made_of.add_argument(
        "--scene-share", type=share, default=0.6, metavar="N", help="share of clips in a scene (default: 0.6)"
    )
    made_of.add_argument(
        "--licence", default="", metavar="CLASS", help="class of files that no MANIFEST.csv names, such as nc"
    )
    common.add_workers(parser)
    common.add_force(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return () if args.form else ("moderngl",)


def run(args: argparse.Namespace) -> int:
    from kinema.errors import UsageError

    if (args.source is None) != (args.form is None):
        raise UsageError("CLIPS and --as belong together: --as says in which form the clips of a folder are written")
    common.make_parent(args.output)
    if args.form:
        return _convert(args)
    with common.progress_of("filming") as advance:
        report = kinema.clips(progress=advance, **common.options(args, kinema.clips))
    if args.json:
        common.print_json(asdict(report))
        return 1 if report.failed or report.skipped else 0
    for path, reason in report.skipped[:MOST_FAILURES]:
        common.note(f"skipped: {path}: {reason}")
    for number, reason in report.failed[:MOST_FAILURES]:
        common.note(f"failed: clip {number}: {reason}")
    print(report.folder)
    common.note(
        f"{report.clips:,} clips, {report.made:,} of them made now in {report.wall_seconds:.1f} s; "
        f"{report.megabytes:.1f} MB; {len(report.failed)} failed, {len(report.skipped)} motions were not used"
    )
    return 1 if report.failed or report.skipped else 0


def _convert(args: argparse.Namespace) -> int:
    with common.progress_of("writing") as advance:
        report = kinema.convert_clips(args.source, args.output, form=args.form, force=args.force, progress=advance)
    if args.json:
        common.print_json(asdict(report))
        return 0
    print(report.folder)
    common.note(f"{report.clips:,} clips in {report.files:,} files")
    return 0


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.replace(" ", "").split(",") if name)
