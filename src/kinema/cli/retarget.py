"""`kinema retarget`: motion of any skeleton onto any other."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.cli import batches, common
from kinema.errors import one_line

if TYPE_CHECKING:
    from kinema.retargeting.files import RetargetedFile, RetargetOptions
    from kinema.retargeting.report import Report

HELP = """
Transfer motion to another character or skeleton. Joints are matched by their roles; rest poses, joint axes and sizes
may differ. Feet that are planted in the source are planted in the target. One file goes to one file. Several files, a
folder or a zip archive go to a folder. A .glb, .fbx or .usd keeps the target's mesh. Outputs that exist already are
skipped and listed, so that an interrupted run can be repeated; --force writes them again.

examples:
  kinema retarget walk.bvh --to person.glb -o person_walk.glb
  kinema retarget walk.bvh --to person.vrm -o person_walk.glb --render both.mp4
  kinema retarget takes.zip --to person.fbx -o takes_of_person --for unreal
  kinema retarget trot.bvh --to horse.glb -o horse_trot.glb --map legs.json
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
    "about",
)


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
        help='JSON of chains and joints to match, target first: {"chains": {"left_front_leg": "left_arm"}, '
        '"joints": {"Tail1": null}}',
    )
    parser.add_argument(
        "--roles-file",
        metavar="FILE",
        help="roles file of the target (.toml or .json; default: its name with .roles.toml beside it, as for sources)",
    )
    parser.add_argument("--render", metavar="FILE", help="film (.mp4 .webm .gif) or picture (.png) of both together")
    common.add_profile(parser)
    common.add_reading(parser)
    common.add_workers(parser)
    common.add_force(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return common.film_packages(args.render)


def run(args: argparse.Namespace) -> int:
    from kinema.retargeting.files import load_target, retarget_all

    load_target(args.to, args.roles_file)  # so that an error in it is reported once, not for each source
    options = _options(args)
    planned = batches.plan(args, args.sources, args.to_format, "--to-format")
    if args.render and not planned.single:
        raise common.UsageError("--render shows a single source file")
    if args.render:
        common.refuse_existing(args.render, args.force)
    done: list[RetargetedFile] = []
    with common.progress("retargeting", len(planned.jobs)) as advance:
        for one in retarget_all(planned.jobs, options, args.workers):
            done.append(one)
            advance()
    failed = batches.failures(args, [one.outcome for one in done], planned.single)
    if args.render and not failed:
        _render(args, options)
    if args.json:
        common.print_json(_summary(done))
    else:
        _report(done, planned.single)
    return 1 if failed else 0


def _options(args: argparse.Namespace) -> RetargetOptions:
    from kinema.retargeting.files import RetargetOptions
    from kinema.retargeting.overrides import Overrides

    return RetargetOptions(
        args.to,
        not args.no_contacts,
        Overrides.create(args.map),
        int(args.clip) if args.clip is not None and args.clip.isdigit() else args.clip,
        args.force,
        common.reading(args),
        args.refine,
        *common.profile(args),
        roles=args.roles_file,
    )


def _render(args: argparse.Namespace, options: RetargetOptions) -> None:
    """Film the first clip and its retargeted form side by side, each on its own body."""
    from kinema.formats import accepted, load
    from kinema.rendering.film.film import FilmSettings
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.film.shoot import RenderOptions, shoot
    from kinema.retargeting.files import retarget_asset
    from kinema.roles.overrides import asset_with, beside

    path = args.sources[0]
    source = asset_with(load(path, **accepted(path, options.reading)), beside(path))
    moved, _, pairs = retarget_asset(source, options)
    before, after = pairs[0]
    meshes = source.character if source.character is not None and source.character.meshes else None
    shots = [
        Shot(one_line(os.path.basename(path)), before.skeleton, before, meshes),
        Shot(one_line(os.path.basename(args.to)), after.skeleton, after, moved.character),
    ]
    sheet = Path(args.render).suffix.lower() == ".png" and "%" not in args.render
    settings = FilmSettings(760, 380) if sheet else FilmSettings()
    with common.progress_of("rendering") as advance:
        shoot(shots, args.render, settings, RenderOptions(sheet=8 if sheet else None), advance)


def _summary(done: list[RetargetedFile]) -> dict[str, Any]:
    """Totals over all files under the keys of a report, and the report of every clip."""
    reports = [report for one in done for report in one.reports]
    return {
        **_means(reports),
        "unmatched": list(dict.fromkeys(name for report in reports for name in report.unmatched)),
        "warnings": list(dict.fromkeys(line for one in done for line in _warnings(one))),
        **batches.summary([one.outcome for one in done]),
        "clips": [{"path": one.outcome.path, **report.to_dict()} for one in done for report in one.reports],
    }


def _warnings(done: RetargetedFile) -> list[str]:
    return [*(line for report in done.reports for line in report.warnings), *done.outcome.losses]


def _means(reports: list[Report]) -> dict[str, Any]:
    """Sums and means, weighted by frames, over the reports of clips."""
    frames, wall = sum(report.frames for report in reports), sum(report.wall_seconds for report in reports)
    means: dict[str, float | None] = {}
    for name in ("direction_error_deg", "position_error_cm", "skate_before_cm_s", "skate_after_cm_s", "jerk_ratio"):
        known = [(value, report.frames) for report in reports if (value := getattr(report, name)) is not None]
        weight = sum(count for _, count in known)
        means[name] = sum(value * count for value, count in known) / weight if weight else None
    return {"frames": frames, "wall_seconds": wall, "frames_per_second": frames / wall if wall > 0 else 0.0, **means}


def _report(done: list[RetargetedFile], single: bool) -> None:
    warnings = (f"{one_line(one.outcome.path)}: {line}" for one in done for line in _warnings(one))
    for line in common.grouped(dict.fromkeys(warnings)):
        common.note(f"warning: {line}")
    unmatched = list(dict.fromkeys(name for one in done for report in one.reports for name in report.unmatched))
    if unmatched:
        listed = ", ".join(unmatched[:12]) + (", ..." if len(unmatched) > 12 else "")
        common.note(f"{len(unmatched)} joints of the target keep their rest pose: {listed}")
    common.print_table(COLUMNS, [_row(one) for one in sorted(done, key=lambda one: one.outcome.path)])
    batches.print_totals([one.outcome for one in done], "retargeted", single)


def _row(one: RetargetedFile) -> tuple[object, ...]:
    outcome, about = one.outcome, batches.reason_without_path(one.outcome)
    if not one.reports:
        return (os.path.basename(outcome.path), outcome.status, *(None,) * 7, about)
    means = _means(list(one.reports))
    figures = ("frames", "frames_per_second", "direction_error_deg", "skate_before_cm_s", "skate_after_cm_s")
    values = [means[name] for name in (*figures, "jerk_ratio")]
    return (os.path.basename(outcome.path), outcome.status, len(one.reports), *values, about)
