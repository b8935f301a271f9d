"""`kinema convert`: files of any supported format into another."""

from __future__ import annotations

import argparse
import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from kinema.cli import batches, common
from kinema.errors import one_line

if TYPE_CHECKING:
    from kinema.formats import Asset
    from kinema.formats.batch import ConvertOptions, Job, Outcome

HELP = """
Convert motion and character files. One file goes to one file. Several files, a folder or a zip archive go to a folder
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
    parser.add_argument("--fps", type=common.positive_float, metavar="RATE", help="resample to this frame rate")
    parser.add_argument(
        "--unit",
        metavar="UNIT",
        help="length unit of BVH files if the guess is wrong: m, cm, mm, in, cmu, or metres per unit",
    )
    parser.add_argument(
        "--mannequin",
        action="store_true",
        help="replace the meshes of every skeleton by a smooth skinned body",
    )
    parser.add_argument("--edits", action="store_true", help="apply the edits made in kinema view: one clip per piece")
    common.add_reading(parser)
    common.add_edits(parser)
    common.add_workers(parser)
    common.add_force(parser)


def run(args: argparse.Namespace) -> int:
    from kinema.formats import batch

    if args.edits_folder and not args.edits:
        raise common.UsageError("--edits-folder needs --edits, which applies the edits")
    planned = batches.plan(args, args.inputs, args.to, "--to")
    options = _options(args, planned.suffix)
    outcomes: list[Outcome] = []
    with common.progress("converting", len(planned.jobs)) as advance:
        for outcome in batch.convert_all(planned.jobs, options, args.workers):
            outcomes.append(outcome)
            advance()
    failed = batches.failures(args, outcomes, planned.single)
    if args.json:
        warnings = [{"path": one.path, "warning": warning} for one in outcomes for warning in one.warnings]
        common.print_json({**batches.summary(outcomes), "warnings": warnings})
    else:
        _report(outcomes, planned.single)
        if not args.edits:
            _note_edits(planned.jobs)
    return 1 if failed else 0


def _options(args: argparse.Namespace, suffix: str) -> ConvertOptions:
    from kinema.formats import FORMATS, accepted, batch
    from kinema.mocap.edits import edited_asset

    changes = []
    if args.mannequin:
        from kinema.rendering.mannequin.build import dressed

        if suffix in (".bvh", ".npz", ".csv", ".xml", ".mjcf", ".vrma"):
            raise common.UsageError(f"--mannequin adds a mesh, which {suffix} files cannot hold: write a .glb or .fbx")
        changes.append(dressed)
    profiled, writing = common.profile(args)
    if profiled is not None:
        changes.append(profiled)
    reading = common.reading(args)
    return batch.ConvertOptions(
        fps=args.fps,
        unit=_unit(args.unit),
        force=args.force,
        change=functools.partial(_apply_all, changes) if changes else None,
        edit=functools.partial(edited_asset, folder=args.edits_folder) if args.edits else None,
        writing=writing,
        reading={suffix: accepted(f"x{suffix}", reading) for suffix in FORMATS},
    )


def _apply_all(changes: list[Callable[[Asset], Asset]], asset: Asset) -> Asset:
    """One change after the other; a function of a module, so that it can be sent to other processes."""
    for change in changes:
        asset = change(asset)
    return asset


def _note_edits(jobs: list[Job]) -> None:
    """Note edits that were not asked for."""
    from kinema.mocap.edits import edits_path

    paths = [edits_path(job.source) for job in jobs]
    count = sum(path is not None and path.is_file() for path in paths)
    if count:
        common.note(f"{count} of the files have edits beside them; --edits applies them")


def _unit(text: str | None) -> str | float | None:
    from kinema.formats.units import UnitError, metres_per

    if text is None or text == "auto":
        return text
    try:
        unit = float(text) if text[0].isdigit() or text[0] == "." else text
        metres_per(unit)
    except (UnitError, ValueError, IndexError) as error:
        raise common.UsageError(f"--unit: {error}") from None
    return unit


def _report(outcomes: list[Outcome], single: bool) -> None:
    for line in common.grouped(f"{one_line(one.path)}: {warning}" for one in outcomes for warning in one.warnings):
        common.note(f"warning: {line}")
    for outcome in outcomes:
        if outcome.status == "failed":
            common.note(f"failed: {outcome.reason}")
    if not single:
        common.print_table(("file", "outcome", "clips", "frames", "seconds", "about"), _table(outcomes))
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
