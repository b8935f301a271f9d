"""`kinema bench`: measure this installation."""

import argparse

import kinema
from kinema.cli import common
from kinema.face.checks import SUITES

HELP = """
Measure this installation on generated data: processor time of one thread, the best of several runs. Beside each
figure stand our goal and a baseline that was run in the same process; the ratio is ours over the baseline.

examples:
  kinema bench core --json
  kinema bench control --data walks.db
"""

COLUMNS = ("name", "value", "unit", "goal", "met", "baseline", "ratio", "baseline_is")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", nargs="?", choices=SUITES, default="core", help="what to measure")
    parser.add_argument("--data", metavar="DB", help="control: measure on this database instead of generated motion")


def run(args: argparse.Namespace) -> int:
    with common.progress_of("measuring") as advance:
        rows = kinema.bench(args.suite, advance, args.data)
    if args.json:
        common.print_json({"suite": args.suite, "rows": rows})
    else:
        common.print_table(COLUMNS, [[_cell(row, column) for column in COLUMNS] for row in rows])
    return 0


def _cell(row: dict[str, object], column: str) -> object:
    return {True: "yes", False: "no"}[bool(row["met"])] if column == "met" else row[column]
