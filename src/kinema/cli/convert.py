"""`kinema convert`: files of any supported format into another."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

import kinema
from kinema.cli import batches, common
from kinema.errors import one_line

if TYPE_CHECKING:
    from kinema.formats.batch import Outcome

HELP = """
Convert motion and character files. One file makes one file. Several files, a folder or a zip archive make a folder
with the same subfolders. Outputs that exist already are skipped and listed, so that an interrupted run can be
repeated; --force writes them again. A file of several clips becomes one file per clip if the format holds only one
(BVH, NPZ, CSV, VRMA). With --edits, each piece that was cut in `kinema view` is a clip.

--for PROGRAM writes the format, units, names and root motion that a program expects: FBX in centimetres with the root
motion in a joint `root` for Unreal, a GLB with root motion in `Root` for Godot, a model with key frames for MuJoCo.

examples:
  kinema convert walk.bvh walk.glb
  kinema convert takes.zip glb_takes --to glb --workers 4
  kinema convert person.fbx person.glb --for three
  kinema convert takes/ unreal_takes --for unreal --names standard
  kinema convert walk.bvh walk.glb --mannequin
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="IN", help="files, folders or zip archives")
    parser.add_argument("output", metavar="OUT", help="a file for one input file, otherwise a folder")
    parser.add_argument("--to", metavar="FORMAT", help="format to write into a folder: glb, fbx, usdz, bvh, npz, ...")
    common.add_profile(parser)
    parser.add_argument("--fps", type=common.rate, metavar="RATE", help="resample to this frame rate")
    parser.add_argument(
        "--mannequin",
        action="store_true",
        help="replace the meshes of every skeleton by a smooth skinned body",
    )
    common.add_reading(parser)
    common.add_applied_edits(parser)
    common.add_workers(parser)
    common.add_force(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return common.file_packages(args.output, args.to, args.program)


def run(args: argparse.Namespace) -> int:
    from kinema.face.files import writes_one_file

    profile = common.profile(args)
    single = writes_one_file(args.inputs, args.output, args.to)
    with common.progress_of("converting") as advance:
        about = {"profile": profile, "reading": common.reading(args), "progress": advance, "note": common.note}
        outcomes = kinema.convert(**common.options(args, kinema.convert), **about)
    failed = batches.failures(args, outcomes, single)
    if args.json:
        warnings = [{"path": one.path, "warning": warning} for one in outcomes for warning in one.warnings]
        common.print_json({**batches.summary(outcomes), "warnings": warnings})
    else:
        _report(outcomes, single)
        common.note_edits(args, [one.path for one in outcomes])
    return 1 if failed else 0


def _report(outcomes: list[Outcome], single: bool) -> None:
    for line in common.grouped(f"{one_line(one.path)}: {warning}" for one in outcomes for warning in one.warnings):
        common.note(f"warning: {line}")
    for outcome in outcomes:
        if outcome.status == "failed":
            common.note(f"failed: {outcome.reason}")
    if not single:
        common.print_table(("file", "outcome", "clips", "frames", "seconds", "note"), _table(outcomes))
    batches.print_totals(outcomes, "converted", single)


def _table(outcomes: list[Outcome]) -> list[tuple[object, ...]]:
    """One row per file. Paths are relative to the folder that all files share."""
    ordered = sorted(outcomes, key=lambda outcome: outcome.path)
    shared = os.path.commonpath([os.path.dirname(outcome.path) for outcome in ordered])
    rows: list[tuple[object, ...]] = []
    for outcome in ordered:
        count = len(outcome.warnings)
        about = batches.reason_without_path(outcome) or (f"{count} warning{'s' * (count > 1)}" if count else "")
        read = (outcome.clips, outcome.frames, outcome.seconds) if outcome.status == "written" else (None,) * 3
        rows.append((os.path.relpath(outcome.path, shared or "."), outcome.status, *read, about))
    return rows
