"""`kinema convert`: files of any supported format into another."""

from __future__ import annotations

import argparse
import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.cli import common
from kinema.errors import KinemaError, one_line

if TYPE_CHECKING:
    from kinema.formats import Asset
    from kinema.formats.batch import Job, Outcome

HELP = """
Convert motion and character files. One file goes to one file; several files, a folder or a zip archive go to a
folder, keeping the folders inside. Outputs that exist already are left alone and named, so that an interrupted run
can be repeated; --force writes them again. A file of several clips becomes one file a clip where the format holds
only one (BVH, NPZ, CSV, VRMA). With --edits each piece that was cut in `kinema view` is a clip.

--for PROGRAM writes what a program reads best, with units, names and root motion as it wants them: Unreal gets FBX in
centimetres with the travel in a joint `root`, Godot a GLB with one in `Root`, MuJoCo a model with its key frames.

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
        help="length unit of BVH files, when the guess is wrong: m, cm, mm, in, cmu, or metres per unit",
    )
    parser.add_argument(
        "--mannequin",
        action="store_true",
        help="give every skeleton a smooth skinned body (GLB) in place of meshes of its own",
    )
    parser.add_argument("--edits", action="store_true", help="apply the edits made in kinema view: a clip a piece")
    common.add_reading(parser)
    common.add_edits(parser)
    common.add_workers(parser)
    common.add_force(parser)


def run(args: argparse.Namespace) -> int:
    from kinema.formats import FORMATS, accepted, batch, open_source
    from kinema.mocap.edits import edited_asset

    single = common.single_output(args.inputs, args.output, args.to, "--to")
    suffix = Path(args.output).suffix.lower() if single else common.suffix_wanted(args.to, args.program, "--to")
    changes = []
    if args.mannequin:
        from kinema.rendering.mannequin.build import dressed

        if suffix in (".bvh", ".npz", ".csv", ".xml", ".mjcf", ".vrma"):
            raise common.UsageError("--mannequin makes a mesh, which this format cannot hold: write a .glb or .fbx")
        changes.append(dressed)
    profiled, writing = common.profile(args)
    if profiled is not None:
        changes.append(profiled)
    change = functools.partial(_all, changes) if changes else None
    if args.edits_folder and not args.edits:
        raise common.UsageError("--edits-folder says where edits are; give --edits to apply them")
    edit = functools.partial(edited_asset, folder=args.edits_folder) if args.edits else None
    options = batch.ConvertOptions(
        fps=args.fps,
        unit=_unit(args.unit),
        force=args.force,
        change=change,
        edit=edit,
        writing=writing,
        reading={suffix: accepted(f"x{suffix}", common.reading(args)) for suffix in FORMATS},
    )
    if suffix is None:
        raise common.UsageError(
            f"{args.output} says no format: end it in .glb, .fbx, .bvh, ... for one file, or give "
            "--to FORMAT or --for PROGRAM for a folder"
        )
    common.tell_of_program(args.program, suffix)
    if single:
        common.refuse_existing(args.output, args.force)
        jobs = [batch.Job(open_source(args.inputs[0]), Path(args.output))]
    else:
        jobs = batch.plan(args.inputs, args.output, suffix)
    outcomes: list[Outcome] = []
    with common.progress("converting", len(jobs)) as advance:
        for outcome in batch.convert_all(jobs, options, args.workers):
            outcomes.append(outcome)
            advance()
    failed = [outcome for outcome in outcomes if outcome.status == "failed"]
    common.show_traces(args, failed)
    if args.json:
        common.print_json(_summary(outcomes))
    elif single and failed:
        raise KinemaError(failed[0].reason or failed[0].path)
    else:
        _report(outcomes, single)
        if not args.edits:
            _tell_of_edits(jobs)
    return 1 if failed else 0


def _all(changes: list[Callable[[Asset], Asset]], asset: Asset) -> Asset:
    """One change after the other; a module's own function, so that it can be sent to other processes."""
    for change in changes:
        asset = change(asset)
    return asset


def _tell_of_edits(jobs: list[Job]) -> None:
    """Edits are there and were not asked for: that is worth a line."""
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


def _summary(outcomes: list[Outcome]) -> dict[str, Any]:
    return {
        "outputs": [output for outcome in outcomes if outcome.status == "written" for output in outcome.outputs],
        "skipped": [outcome.path for outcome in outcomes if outcome.status == "skipped"],
        "failed": [{"path": o.path, "reason": o.reason} for o in outcomes if o.status == "failed"],
        "warnings": [{"path": o.path, "warning": warning} for o in outcomes for warning in (*o.warnings, *o.losses)],
    }


def _report(outcomes: list[Outcome], single: bool) -> None:
    for line in common.grouped(
        f"{one_line(o.path)}: {warning}" for o in outcomes for warning in (*o.warnings, *o.losses)
    ):
        common.note(f"warning: {line}")
    count = {status: sum(o.status == status for o in outcomes) for status in ("written", "skipped", "failed")}
    for outcome in outcomes:
        if outcome.status == "failed":
            common.note(f"failed: {outcome.reason}")
    if single:
        print("\n".join(outcomes[0].outputs))
        return
    common.print_table(("file", "outcome", "clips", "frames", "seconds", "about"), _table(outcomes))
    print(f"{count['written']} converted, {count['skipped']} skipped, {count['failed']} failed")
    if count["skipped"]:
        common.note("skipped are those whose output was there already; --force writes them again")


def _table(outcomes: list[Outcome]) -> list[tuple[object, ...]]:
    """A row a file, paths without the folder that all of them share."""
    ordered = sorted(outcomes, key=lambda outcome: outcome.path)
    shared = os.path.commonpath([os.path.dirname(outcome.path) for outcome in ordered])
    rows: list[tuple[object, ...]] = []
    for outcome in ordered:
        count = len(outcome.warnings) + len(outcome.losses)
        about = f"{count} warning{'s' if count > 1 else ''}" if count else ""
        if outcome.reason is not None:
            about = outcome.reason.removeprefix(outcome.path).lstrip(":, ")
        path = os.path.relpath(outcome.path, shared or ".")
        read = (outcome.clips, outcome.frames, outcome.seconds) if outcome.status == "written" else (None,) * 3
        rows.append((path, outcome.status, *read, about))
    return rows
