"""`kinema evaluate`: the table of metrics of a controller, the ground truth beside it."""

from __future__ import annotations

import argparse
from typing import Any

import kinema
from kinema.cli import common
from kinema.errors import UsageError

HELP = """
Drive a character along standard, seeded tracks and print what came of it as one table: the ground truth, a column for
each track, and a statue that slides exactly as commanded. docs/metrics.md defines every figure.
Tracks are commands over time (all), smooth paths to follow (paths), and ways over stairs and slopes (climbs). With
several families, their rows are beside each other. With --terrain the first two go over stairs, hills, or the heights
of an image, an array or a mesh. A collection (kinema build --any-skeleton) measures a model of any skeleton: beside
the ground truth, half of it against the other, and frozen poses, with the gates of a release. With --held-out the
ground truth is takes that motion matching does not know, nor do networks whose drives were made with the same share
(kinema augment --held-out).

examples:
  kinema evaluate --data walk.db
  kinema evaluate my_family.py:MyFamily --data walk.db
  kinema evaluate motion-matching runs/mann --data walk.db --tracks harsh reversals
  kinema evaluate runs/mann --data walk.db --bare
  kinema evaluate --data takes.zip --tracks all --seconds 30 --seeds 4 5 6 --json
  kinema evaluate mann --tracks figure-eights --styles normal old proud
  kinema evaluate motion-matching runs/mann --data walk.db --tracks takes harsh --held-out 0.15
  kinema evaluate --creature horse
  kinema evaluate --data walk.db --tracks paths
  kinema evaluate --data walk.db --tracks climbs
  kinema evaluate --data walk.db --tracks all paths --terrain hills
  kinema evaluate runs/any --data zoo --classifier runs/actions
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_family(parser, "family", nargs="*")
    parser.add_argument("--bare", action="store_true", help="without the stages behind it, such as the foot lock")
    common.add_data(parser)
    common.add_creature(parser)
    common.add_terrain(parser)
    parser.add_argument(
        "--tracks",
        nargs="+",
        default=["harsh"],
        metavar="NAME",
        help="harsh (default) or others, or groups: all (of commands), paths, climbs; goals; takes (their ways)",
    )
    parser.add_argument(
        "--styles", nargs="+", default=(), metavar="WORD", help="change between these styles every 3 s, at random"
    )
    common.add_held_out(parser)
    parser.add_argument("--seconds", type=common.positive_float, default=60.0, metavar="N", help="a drive (default 60)")
    parser.add_argument("--seeds", nargs="+", type=int, default=[4, 5, 6], metavar="N", help="drives (default 4 5 6)")

    skeletons = parser.add_argument_group("models of any skeleton (--data is a collection)")
    skeletons.add_argument("--samples", type=common.positive_int, default=8, metavar="N", help="of a rig (default 8)")
    skeletons.add_argument(
        "--rigs", type=common.positive_int, default=1, metavar="N", help="of a plan, seen and held out"
    )
    skeletons.add_argument("--classifier", metavar="RUN", help="judges actions (kinema train action-classifier)")
    skeletons.add_argument("--texts", action="store_true", help="ask in words alone")


def run(args: argparse.Namespace) -> int:
    from kinema.generation.collection import is_collection

    if len(args.data) == 1 and is_collection(args.data[0]):
        return _measure(args)
    return _drive(args)


def _measure(args: argparse.Namespace) -> int:
    """Measure a model of any skeleton against the ground truth of a collection."""
    from kinema.face.generation import benchmark

    own: dict[str, Any] = common.options(args, benchmark) | {"seeds": tuple(args.seeds), "data": args.data[0]}
    model, *others = [None] if isinstance(args.family, str) else args.family  # a string is the default
    if others:
        raise UsageError("one model of any skeleton is measured at a time")
    with common.progress_of("measuring") as advance:
        rows, verdicts = benchmark(model, **own, progress=advance)
    if args.json:
        common.print_json({"rows": rows, "gates": [vars(verdict) for verdict in verdicts], "outputs": []})
        return 0
    keys = dict.fromkeys(key for row in rows for key in row)
    common.print_metrics(rows, [key for key in keys if key not in ("name", "rigs") and not key.endswith("_spread")])
    shown = [(each.group, each.figure, each.value, each.low, each.high, _WORDS[each.passed]) for each in verdicts]
    common.print_table(("rigs", "gate", "value", "at least", "at most", ""), shown)
    return 0


_WORDS = {True: "passed", False: "missed", None: "not measured"}


def _drive(args: argparse.Namespace) -> int:
    from kinema.metrics.evaluate import ALONG_PATHS, AT_GOALS, COLUMNS, IN_STYLES, OVER_GROUND

    with common.progress_of("driving", detailed=True) as advance:
        own, reading = common.options(args, kinema.evaluate), common.reading(args)
        own["terrain"] = common.terrain(args)
        rows = kinema.evaluate(**own, reading=reading, note=common.note, progress=advance)
    if args.json:
        common.print_json({"rows": rows, "outputs": []})
    else:
        followed = ALONG_PATHS if any(row["path_cm"] is not None for row in rows) else ()
        changing = IN_STYLES if args.styles else ()
        reached = AT_GOALS if any(row["goal_cm"] is not None for row in rows) else ()
        common.print_metrics(rows, (*COLUMNS[1:], *changing, *OVER_GROUND, *followed, *reached))
    return 0
