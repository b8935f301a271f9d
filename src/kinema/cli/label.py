"""`kinema label`: phases of a database, a table of its gait, and a picture."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

import kinema
from kinema.cli import common

if TYPE_CHECKING:
    from kinema.metrics.cadence import Cadence

MOST_ROWS = 25
"""Groups of clips that are listed."""

HELP = """
Label a motion database without a hand: the phase of the gait, how certain it is, and a phase of each foot, from the
speeds of the feet. Networks and features read these labels. `kinema build` makes them too; this command makes them for
older databases, and others with --with. --learned adds phases that need no gait, such as those of a dance: those of a
periodic autoencoder, which is trained in a folder and used again from there. Then it prints how fast each group of
clips steps (a person takes two steps in a cycle) and in how much of the time the gait has a phase.

--picture draws the phase manifold with clips as curves, and the phase of one clip with its footfalls.

examples:
  kinema label walk.db
  kinema label walk.db --picture phases.png
  kinema label dance.db --learned runs/phases --picture phases.png --phases learned_phases
  kinema label dance.db --with gait my_labels.py:beats --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("database", metavar="DB", help="folder of the database")
    parser.add_argument(
        "--with",
        dest="labellers",
        nargs="+",
        default=["gait"],
        metavar="NAME",
        help="what to label: gait (default), FILE.py:NAME, package.module:NAME or an installed one",
    )
    parser.add_argument(
        "--learned",
        metavar="RUN",
        help="label with the periodic autoencoder of this folder; trained first, or continued, unless it is done "
        "(`kinema train periodic` has more options)",
    )
    parser.add_argument(
        "--steps", type=common.positive_int, default=2000, metavar="N", help="of its training (default 2000)"
    )
    parser.add_argument("--picture", metavar="OUT.png", help="draw the phases")
    parser.add_argument(
        "--phases",
        default="local_phases",
        metavar="NAME",
        help="with --picture: the label whose phase vectors make the manifold (default: local_phases)",
    )
    common.add_force(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return ("torch", "safetensors", "accelerate") if args.learned else ()


def run(args: argparse.Namespace) -> int:
    from kinema.metrics.cadence import cadences

    if args.picture:
        common.refuse_existing(args.picture, args.force)
    with common.progress_of("labelling") as advance:
        database = kinema.label(
            args.database,
            args.labellers,
            learned=args.learned,
            steps=args.steps,
            note=common.note,
            progress=advance,
        )
    rows = cadences(database)
    if args.picture:
        from kinema.rendering.sheet.phase_sheet import save_phases

        common.make_parent(args.picture)
        save_phases(database, args.picture, args.phases)
    outputs = [args.picture] if args.picture else []
    if args.json:
        labels = {name: list(values.shape) for name, values in database.labels.items()}
        common.print_json({"labels": labels, "rows": [asdict(row) for row in rows], "outputs": outputs})
    else:
        _print(rows)
        for name, values in database.labels.items():
            print(f"{args.database}: {name} {list(values.shape)}")
    return 0


def _print(rows: list[Cadence]) -> None:
    heads = ("clips of", "clips", "minutes", "labelled, %", "cycles/min", "5%", "95%", "backward, %")
    common.print_table(heads, [tuple(asdict(row).values()) for row in rows[:MOST_ROWS]])
    if len(rows) > MOST_ROWS:
        common.note(f"{len(rows) - MOST_ROWS} smaller groups are not listed (--json has all)")
