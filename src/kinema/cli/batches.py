"""Shared by `convert` and `retarget`: from outcomes to a report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kinema.cli import common
from kinema.errors import KinemaError

if TYPE_CHECKING:
    from kinema.formats.batch import Outcome


def failures(args: argparse.Namespace, outcomes: Iterable[Outcome], single: bool) -> list[Outcome]:
    """The failed outcomes; with `--debug`, their tracebacks go to standard error.

    Raises:
        KinemaError: the only file of the batch failed.
    """
    failed = [outcome for outcome in outcomes if outcome.status == "failed"]
    if args.debug:
        sys.stderr.write("".join(outcome.trace or "" for outcome in failed))
    if single and failed and not args.json:
        raise KinemaError(failed[0].reason or failed[0].path)
    return failed


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The keys of `--json` that say what became of the files."""
    return {
        "outputs": [path for outcome in outcomes if outcome.status == "written" for path in outcome.outputs],
        "skipped": [outcome.path for outcome in outcomes if outcome.status == "skipped"],
        "failed": [{"path": one.path, "reason": one.reason} for one in outcomes if one.status == "failed"],
    }


def print_totals(outcomes: Sequence[Outcome], verb: str, single: bool) -> None:
    """The outputs of a single file, or the numbers of files by status."""
    if single:
        print("\n".join(outcomes[0].outputs))
        return
    count = {status: sum(one.status == status for one in outcomes) for status in ("written", "skipped", "failed")}
    print(f"{count['written']} {verb}, {count['skipped']} skipped, {count['failed']} failed")
    if count["skipped"]:
        common.note("outputs that existed already were skipped; --force writes them again")


def reason_without_path(outcome: Outcome) -> str:
    """Why a file failed, for a table that shows its path; "" if it did not."""
    return (outcome.reason or "").removeprefix(outcome.path).lstrip(":, ")
