"""`kinema retarget`: motion of any skeleton onto any other."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kinema
from kinema.cli import batches, common
from kinema.errors import UsageError, listed, one_line

if TYPE_CHECKING:
    from kinema.character import Character
    from kinema.motion import Motion
    from kinema.retargeting.files import RetargetedFile, RetargetOptions
    from kinema.retargeting.report import Report
    from kinema.retargeting.retargeter import Fill

HELP = """
Transfer motion to another character or skeleton. Joints are matched by their roles; rest poses, joint axes and
sizes may differ. Feet that are planted in the source are planted in the target. One file makes one file. Several
files, a folder or a zip archive make a folder of files. With --generate, joints that the source has nothing for
move, too. A .glb, .fbx or .usd keeps the target's mesh. Outputs that exist already are skipped and listed, so that
an interrupted run can be repeated; --force writes them again.

examples:
  kinema retarget walk.bvh --to person.glb -o person_walk.glb
  kinema retarget walk.bvh --to person.vrm -o person_walk.glb --render both.mp4
  kinema retarget takes.zip --to person.fbx -o takes_of_person --for unreal
  kinema retarget trot.bvh --to horse.glb -o horse_trot.glb --map legs.json
  kinema retarget walk.bvh --to trex.glb -o trex_walk.glb --generate
"""

COLUMNS = (
    "file",
    "outcome",
    "clips",
    "frames",
    "frames/s",
    "direction deg",
    "skate before",
    "after cm/s",
    "jerk",
    "note",
)


FIGURES = ("direction_error_deg", "position_error_cm", "skate_before_cm_s", "skate_after_cm_s", "jerk_ratio")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="files, folders or zip archives of motion")
    parser.add_argument("--to", required=True, metavar="TARGET", help="file of the target character or skeleton")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="a file, or a folder for several sources")
    parser.add_argument("--to-format", metavar="FORMAT", help="format of the files in a folder: glb, fbx, bvh, ...")
    parser.add_argument("--clip", metavar="NAME", help="name or number (from 0) of the clip (default: all)")
    parser.add_argument("--no-contacts", action="store_true", help="do not keep planted feet in place")
    parser.add_argument(
        "--refine",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="solve every frame by least squares, so that hands reach their goals, limbs stay out of the body and "
        "hinges within their limits (default: for robots)",
    )
    parser.add_argument(
        "--map",
        metavar="FILE",
        help='JSON file of chains and joints to match, each as "target": "source": {"chains": {"left_front_leg": '
        '"left_arm"}, "joints": {"Tail1": null}}',
    )
    parser.add_argument(
        "--roles-file",
        metavar="FILE",
        help="roles file of the target, .toml or .json (default: TARGET with the ending .roles.toml, if that file "
        "exists; sources have theirs in the same way)",
    )
    parser.add_argument(
        "--generate",
        action="store_true",
        help="let a model of any skeleton move what the source has nothing for: tail, ears, jaw, antennae",
    )
    parser.add_argument(
        "--model", metavar="RUN", help="with --generate: a model of your own (kinema train any-skeleton)"
    )
    parser.add_argument(
        "--seed",
        type=common.number("a whole number", 0, whole=True),
        metavar="N",
        help="with --generate: seed of the noise (default: 0)",
    )
    parser.add_argument(
        "--render", metavar="FILE", help="film (.mp4 .webm .gif) or picture (.png) of source and target"
    )
    common.add_profile(parser)
    common.add_reading(parser)
    common.add_applied_edits(parser)
    common.add_workers(parser)
    common.add_force(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    learned = ("torch", "safetensors") if args.generate else ()
    return (
        *common.file_packages(args.output, args.to_format, args.program),
        *common.film_packages(args.render),
        *learned,
    )


def run(args: argparse.Namespace) -> int:
    from kinema.face.files import writes_one_file

    options = _options(args)
    single = writes_one_file(args.sources, args.output, args.to_format, "--to-format")
    if args.render and not single:
        raise UsageError("--render needs a single source file")
    if args.render:
        common.refuse_existing(args.render, args.force)
    with common.progress_of("retargeting") as advance:
        about = {"to": options, "progress": advance, "note": common.note}
        done = kinema.retarget_files(**(common.options(args, kinema.retarget_files) | about))
    failed = batches.failures(args, [one.outcome for one in done], single)
    if args.render and not failed:
        _render(args, options)
    if args.json:
        common.print_json(_summary(done))
    else:
        _report(done, single)
        common.note_edits(args, [one.outcome.path for one in done])
    return 1 if failed else 0


def _options(args: argparse.Namespace) -> RetargetOptions:
    from kinema.face.files import editing
    from kinema.retargeting.files import RetargetOptions
    from kinema.retargeting.overrides import Overrides

    profile = common.profile(args)
    return RetargetOptions(
        args.to,
        not args.no_contacts,
        Overrides.create(args.map),
        int(args.clip) if args.clip is not None and args.clip.isdigit() else args.clip,
        args.force,
        common.reading(args),
        args.refine,
        profile.change,
        profile.writing,
        roles=args.roles_file,
        edit=editing(args.edits, args.edits_folder),
        fill=_fill(args),
    )


def _fill(args: argparse.Namespace) -> Fill | None:
    if not args.generate:
        if args.model is not None or args.seed is not None:
            raise UsageError("--model and --seed belong to --generate")
        return None
    from kinema.face.generation import infill

    return infill(args.model, args.seed or 0)


def _render(args: argparse.Namespace, options: RetargetOptions) -> None:
    """Film the first clip and the retargeted clip side by side, each on its own body."""
    from kinema.formats import accepted, load, open_source
    from kinema.retargeting.files import retarget_asset
    from kinema.roles.overrides import asset_with, beside
    from kinema.session.library import LibraryClip, LibraryFile

    def shown(path: str, motion: Motion, body: Character | None) -> LibraryFile:
        title = one_line(os.path.basename(path))
        return LibraryFile(title, path, lambda: [LibraryClip(title, motion.skeleton, body, lambda: motion)])

    path = args.sources[0]
    source = asset_with(load(path, **accepted(path, options.reading)), beside(path))
    source = source if options.edit is None else options.edit(source, open_source(path))
    moved, _, pairs = retarget_asset(source, options)
    before, after = pairs[0]
    meshes = source.character if source.character is not None and source.character.meshes else None
    files = [shown(path, before, meshes), shown(args.to, after, moved.character)]
    sheet = Path(args.render).suffix.lower() == ".png" and "%" not in args.render
    with common.progress_of("rendering") as advance:
        size = (760, 380) if sheet else None
        kinema.render(files, args.render, size=size, sheet=8 if sheet else None, progress=advance)


def _summary(done: list[RetargetedFile]) -> dict[str, Any]:
    """Totals over all files, under the keys of a report, and the reports of all clips."""
    return {
        **_means([report for one in done for report in one.reports]),
        "unmatched": _unmatched(done),
        "warnings": list(dict.fromkeys(line for one in done for line in _warnings(one))),
        **batches.summary([one.outcome for one in done]),
        "clips": [{"path": one.outcome.path, **report.to_dict()} for one in done for report in one.reports],
    }


def _warnings(done: RetargetedFile) -> list[str]:
    return [*(line for report in done.reports for line in report.warnings), *done.outcome.losses]


def _unmatched(done: list[RetargetedFile]) -> list[str]:
    return list(dict.fromkeys(name for one in done for report in one.reports for name in report.unmatched))


def _means(reports: Sequence[Report]) -> dict[str, Any]:
    """Sums and means, weighted by frames, over the reports of clips."""
    return {**common.totals(reports), **{name: _mean(reports, name) for name in FIGURES}}


def _mean(reports: Sequence[Report], name: str) -> float | None:
    known = [(value, report.frames) for report in reports if (value := getattr(report, name)) is not None]
    weight = sum(count for _, count in known)
    return sum(value * count for value, count in known) / weight if weight else None


def _report(done: list[RetargetedFile], single: bool) -> None:
    warnings = (f"{one_line(one.outcome.path)}: {line}" for one in done for line in _warnings(one))
    for line in common.grouped(dict.fromkeys(warnings)):
        common.note(f"warning: {line}")
    if unmatched := _unmatched(done):
        common.note(f"{len(unmatched)} joints of the target keep their rest pose: {listed(unmatched, 12)}")
    common.print_table(COLUMNS, [_row(one) for one in sorted(done, key=lambda one: one.outcome.path)])
    batches.print_totals([one.outcome for one in done], "retargeted", single)


def _row(one: RetargetedFile) -> tuple[object, ...]:
    outcome, about = one.outcome, batches.reason_without_path(one.outcome)
    if not one.reports:
        return (os.path.basename(outcome.path), outcome.status, *(None,) * 7, about)
    means = _means(one.reports)
    figures = ("frames", "frames_per_second", "direction_error_deg", "skate_before_cm_s", "skate_after_cm_s")
    values = [means[name] for name in (*figures, "jerk_ratio")]
    return (os.path.basename(outcome.path), outcome.status, len(one.reports), *values, about)
