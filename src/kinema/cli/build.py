"""`kinema build`: motion files into a database."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from kinema.cli import common
from kinema.errors import UsageError

if TYPE_CHECKING:
    from kinema.mocap.build import BuildReport, Fitted

MOST_FITTED = 12
"""Takes that were retargeted and are listed one by one."""

HELP = """
Make a motion database of files, folders and zip archives: one skeleton, one frame rate, root frames, foot contacts,
mirror images. What cannot be read is listed and left out (exit code 1). A build that was killed goes on where it was
when the same command is given again; DB is there only when it is complete.

With --to all takes are brought to one skeleton, so that files of many become one database: to play it on, or to learn
from.

With --joints body fingers, twist bones, face, clothes and helpers are left out, which is faster and takes less space;
the joints that stay move as before.

With --any-skeleton every file keeps its own skeleton, and --creatures adds clips of generated creatures with captions:
what kinema train any-skeleton learns from. --perform adds clips that are acted out by rules on the skeletons of the
files, so that a model can learn a body that has no motion yet.

Edits made in `kinema view` are applied: pieces become clips, contacts and tags are those that were set.

examples:
  kinema build takes.zip more_takes/ -o walk.db
  kinema build new_take.bvh -o walk.db --append
  kinema build cmu/ bandai/ lafan.zip -o all.db --to person.glb
  kinema build takes.zip -o walk.db --joints body
  kinema build my_animals/ --any-skeleton --creatures 10000 -o zoo
  kinema build wolf.glb --any-skeleton --perform 100 -o wolf
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", nargs="*", metavar="DATA", help="motion files, folders or zip archives")
    parser.add_argument("-o", "--output", required=True, metavar="DB", help="folder of the database")
    parser.add_argument("--fps", type=common.rate, metavar="RATE", help="frames per second (default: 30)")
    parser.add_argument("--no-mirror", action="store_true", help="leave out the mirror images")
    parser.add_argument("--append", action="store_true", help="add to DB what it does not have yet")
    parser.add_argument("--to", metavar="FILE", help="retarget takes of different skeletons to that of this file")
    parser.add_argument("--map", metavar="JSON", help="with --to: which joints match, as for kinema retarget")
    parser.add_argument(
        "--joints",
        metavar="WHICH",
        help="joints to keep: all, body, or a file of names, one a line or a JSON list (default: all)",
    )
    parser.add_argument(
        "--any-skeleton",
        action="store_true",
        help="every file keeps its own skeleton: a collection for kinema train any-skeleton",
    )
    parser.add_argument(
        "--creatures", type=common.positive_int, metavar="N", help="clips of generated creatures to add"
    )
    parser.add_argument(
        "--perform",
        type=common.positive_int,
        default=0,
        metavar="N",
        help="with --any-skeleton: clips to act out by rules on each skeleton of the files",
    )
    parser.add_argument("--plans", metavar="A,B", help="with --creatures: body plans or names (default: all)")
    parser.add_argument("--licence", default="", metavar="TEXT", help="with --any-skeleton: licence of the files")
    common.add_reading(parser)
    common.add_edits(parser)
    parser.add_argument("--no-edits", action="store_true", help="take the files as they are, without edits")
    common.add_workers(parser)
    common.add_force(parser)


def run(args: argparse.Namespace) -> int:
    from kinema.mocap import build

    if args.any_skeleton or args.creatures or args.perform:
        return _gather(args)
    if not args.data:
        raise UsageError("give motion files, folders or zip archives, or --creatures N")
    if args.append and args.force:
        raise UsageError("--append keeps the database and --force replaces it: give one of them")
    gathers = None
    if args.to:
        from kinema.retargeting.gather import Gather
        from kinema.retargeting.overrides import Overrides

        gathers = Gather(args.to, Overrides.create(args.map))
    elif args.map:
        raise UsageError("--map belongs to --to FILE")
    with common.progress_of("ingesting") as advance:
        report = build(
            args.data,
            args.output,
            **common.options(args, build),
            mirror=False if args.no_mirror else None,
            progress=advance,
            edits=not args.no_edits,
            gathers=gathers,
            reading=common.reading(args),
        )
    if args.json:
        common.print_json(asdict(report))
    else:
        _print(report, args.output)
    return 1 if report.skipped else 0


def _gather(args: argparse.Namespace) -> int:
    """Make a collection of motion of any skeletons."""
    from kinema.generation.gathering import gather

    plans = args.plans.split(",") if args.plans else None
    chosen: dict[str, Any] = common.options(args, gather)
    chosen |= {"creatures": args.creatures or 0, "plans": plans}
    chosen |= {"mirror": not args.no_mirror, "reading": common.reading(args)}
    with common.progress_of("gathering") as advance:
        report = gather(**chosen, progress=advance)
    if args.json:
        common.print_json(asdict(report))
        return 1 if report.skipped else 0
    if report.skipped:
        common.print_table(("skipped", "reason"), report.skipped)
    print(
        f"{args.output}: {report.clips:,} clips of {report.rigs:,} skeletons, {report.frames:,} frames, "
        f"{report.seconds / 60:.1f} minutes"
    )
    return 1 if report.skipped else 0


def _print(report: BuildReport, output: str) -> None:
    for line in common.grouped(report.warnings):
        common.note(f"warning: {line}")
    if report.skipped:
        common.print_table(("skipped", "reason"), [(item.path, item.reason) for item in report.skipped])
    if report.fitted:
        _print_fitted(report.fitted)
    if report.known:
        common.note(f"{report.known} files hold what the database has already")
    if report.excluded:
        common.note(f"{report.excluded} files are left out whole by their edits")
    if report.edited:
        common.note(f"{report.edited} clips are as they were edited (--no-edits takes the files as they are)")
    print(
        f"{output}: {report.clips:,} clips, {report.frames:,} frames, {report.seconds / 60:.1f} minutes; built in "
        f"{report.wall_seconds:.1f} s ({report.frames_per_second:,.0f} frames/s)"
    )


def _print_fitted(fitted: Sequence[Fitted]) -> None:
    """The takes that fit worst, and a line on all."""

    def off(item: Fitted) -> float:
        return item.figures["direction_error_deg"] or 0.0

    columns = ("joints", "direction_error_deg", "skate_before_cm_s", "skate_after_cm_s", "jerk_ratio")
    heads = ("retargeted", "joints", "directions, deg", "skate before, cm/s", "after", "jerk ratio")
    worst = sorted(fitted, key=lambda item: (-off(item), item.path))[:MOST_FITTED]
    common.print_table(heads, [(item.clip, *(item.figures[name] for name in columns)) for item in worst])
    middle, most = statistics.median(map(off, fitted)), max(map(off, fitted))
    rest = f"; above are the {MOST_FITTED} that are farthest off (--json has all)" if len(fitted) > MOST_FITTED else ""
    common.note(
        f"{len(fitted)} takes were retargeted, bones {middle:.2f} degrees off in the median, {most:.2f} at most{rest}"
    )
