"""Shared by `convert` and `retarget`: from arguments to jobs, and from outcomes to a report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.cli import common
from kinema.errors import KinemaError

if TYPE_CHECKING:
    from kinema.formats.batch import Job, Outcome


@dataclass(frozen=True)
class Batch:
    """Files to write.

    Attributes:
        jobs: one for each file that is read.
        single: whether one file goes to one file, not into a folder.
        suffix: of the files to write.
    """

    jobs: list[Job]
    single: bool
    suffix: str


def plan(args: argparse.Namespace, inputs: Sequence[str], format_name: str | None, option: str) -> Batch:
    """The jobs that `args.output`, `args.program` and an option for the format ask for.

    Raises:
        KinemaError: the output has a suffix that cannot be written, or exists already.
        UsageError: no format is named, or two are.
    """
    from kinema.formats import batch, open_source

    single = _goes_to_one_file(inputs, args.output, format_name, option)
    suffix = Path(args.output).suffix.lower() if single else _stated_suffix(format_name, args.program, option)
    if suffix is None:
        raise common.UsageError(
            f"{args.output} names no format: end it in .glb, .fbx, .bvh, ... for one file, or give {option} FORMAT or "
            "--for PROGRAM for a folder"
        )
    _warn_of_program(args.program, suffix)
    if not single:
        return Batch(batch.plan(inputs, args.output, suffix), False, suffix)
    common.refuse_existing(args.output, args.force)
    return Batch([batch.Job(open_source(inputs[0]), Path(args.output))], True, suffix)


def _goes_to_one_file(inputs: Sequence[str], output: str, format_name: str | None, option: str) -> bool:
    """Whether one file goes to one file; otherwise everything goes into a folder."""
    from kinema.formats import FORMATS, written_suffixes

    suffix = Path(output).suffix.lower()
    if not suffix or Path(output).is_dir() or not _is_one_file(inputs):
        return False
    if format_name is not None and suffix not in FORMATS:
        return False
    if suffix not in written_suffixes():
        known = " ".join(sorted(written_suffixes()))
        raise KinemaError(f"{output}: cannot write {suffix} files; there are {known}")
    if format_name is not None and suffix != _suffix(format_name):
        raise common.UsageError(f"{option} {format_name} and {output} name different formats")
    return True


def _is_one_file(inputs: Sequence[str]) -> bool:
    return len(inputs) == 1 and not Path(inputs[0]).is_dir() and not inputs[0].lower().endswith(".zip")


def _stated_suffix(format_name: str | None, program: str | None, option: str) -> str | None:
    """The suffix of a format named by an option, else of the format for a program."""
    from kinema.formats import written_suffixes
    from kinema.formats.profiles import PROFILES

    if format_name is None:
        return None if program is None else PROFILES[program].suffix
    if _suffix(format_name) not in written_suffixes():
        known = " ".join(suffix.removeprefix(".") for suffix in sorted(written_suffixes()))
        raise common.UsageError(f"{option} {format_name}: cannot be written; there are {known}")
    return _suffix(format_name)


def _suffix(format_name: str) -> str:
    return "." + format_name.lower().removeprefix(".")


def _warn_of_program(program: str | None, suffix: str) -> None:
    from kinema.formats.profiles import PROFILES

    if program is not None and suffix not in PROFILES[program].reads:
        readable = " ".join(PROFILES[program].reads)
        common.note(f"{program} reads no {suffix} files without a plug-in; it reads {readable}")


def failures(args: argparse.Namespace, outcomes: Iterable[Outcome], single: bool) -> list[Outcome]:
    """The failed outcomes; with `--debug`, their tracebacks go to standard error.

    Raises:
        KinemaError: the only file of the batch failed.
    """
    failed = [outcome for outcome in outcomes if outcome.status == "failed"]
    for outcome in failed:
        if args.debug and outcome.trace is not None:
            sys.stderr.write(outcome.trace)
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
