"""`kinema bench`: measure this installation."""

import argparse
import importlib
import subprocess
import sys

from kinema.cli import common

HELP = """
Measure this installation on generated data: processor time of one thread, the best of several runs. Beside each
figure stand our goal and a yardstick that was run in the same process; the ratio is ours over the yardstick.

example:
  kinema bench core --json
"""

SUITES = {
    "core": "kinema.benchmarks.core",
    "render": "kinema.benchmarks.render",
    "engine": "kinema.benchmarks.engine",
    "retarget": "kinema.benchmarks.retarget",
}
COLUMNS = ("name", "value", "unit", "goal", "met", "yardstick", "ratio", "yardstick_is")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", nargs="?", choices=tuple(SUITES), default="core", help="what to measure")


def run(args: argparse.Namespace) -> int:
    from kinema.benchmarks import measure

    if not measure.is_single_threaded():
        # Thread counts are read when the numerical libraries load, which has happened here: measure in a new process.
        command = [sys.executable, "-m", "kinema.cli.main", "bench", args.suite, *(["--json"] if args.json else [])]
        return subprocess.run(command, env=measure.single_threaded_environment()).returncode
    suite = importlib.import_module(SUITES[args.suite])
    rows = []
    with common.progress("measuring", len(suite.ROWS)) as advance:
        for row in suite.run():
            rows.append(row.to_dict())
            advance()
    if args.json:
        common.print_json({"suite": args.suite, "rows": rows})
    else:
        common.print_table(COLUMNS, [[_cell(row, column) for column in COLUMNS] for row in rows])
    return 0


def _cell(row: dict[str, object], column: str) -> object:
    return {True: "yes", False: "no"}[bool(row["met"])] if column == "met" else row[column]
