"""`kinema retarget`: motion of any skeleton onto any other."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.cli import common
from kinema.errors import KinemaError, one_line

if TYPE_CHECKING:
    from kinema.retargeting.files import Done, Order

HELP = """
Put motions onto another character or skeleton. Joints are matched by what they are; rest poses, joint axes and sizes
may differ; feet that stand in the source stand in the target. One file goes to one file; several files, a folder or a
zip archive go to a folder. A .glb, .fbx or .usd keeps the target's mesh. Outputs that exist already are left alone and
named, so that an interrupted run can be repeated; --force writes them again.

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
    parser.add_argument("--to", required=True, metavar="TARGET", help="file of the character or skeleton that takes it")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="a file, or a folder for several sources")
    parser.add_argument("--to-format", metavar="FORMAT", help="format of the files in a folder: glb, fbx, bvh, ...")
    parser.add_argument("--clip", metavar="NAME", help="name or number (from 0) of the clip (default: all)")
    parser.add_argument("--no-contacts", action="store_true", help="leave feet where the closed form puts them")
    parser.add_argument(
        "--refine",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="solve every frame by "
        "least squares: hands reach, limbs keep out of the body, hinges keep limits (default: for "
        "robots)",
    )
    parser.add_argument(
        "--map",
        metavar="FILE",
        help='JSON of chains and joints to match, target first: {"chains": '
        '{"left_front_leg": "left_arm"}, "joints": {"Tail1": null}}',
    )
    parser.add_argument(
        "--roles-file",
        metavar="FILE",
        help="roles of the target that you state (.toml or .json), "
        "over those found (default: its name with .roles.toml beside it; sources too)",
    )
    parser.add_argument("--render", metavar="FILE", help="film (.mp4 .webm .gif) or picture (.png) of both together")
    common.add_profile(parser)
    common.add_reading(parser)
    common.add_workers(parser)
    common.add_force(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return common.film_packages(args.render)


def run(args: argparse.Namespace) -> int:
    from kinema.formats import batch, open_source
    from kinema.retargeting.files import Order, load_target, retarget_all
    from kinema.retargeting.overrides import Overrides

    load_target(args.to, args.roles_file)  # what is wrong with it is said once
    clip = int(args.clip) if args.clip is not None and args.clip.isdigit() else args.clip
    overrides = Overrides.create(args.map)
    order = Order(
        args.to,
        not args.no_contacts,
        overrides,
        clip,
        args.force,
        common.reading(args),
        args.refine,
        *common.profile(args),
        roles=args.roles_file,
    )
    single = common.single_output(args.sources, args.output, args.to_format, "--to-format")
    suffix = (
        Path(args.output).suffix.lower()
        if single
        else common.suffix_wanted(args.to_format, args.program, "--to-format")
    )
    if suffix is None:
        raise common.UsageError(
            f"{args.output} says no format: end it in .glb, .fbx, .bvh, ... for one file, or give "
            "--to-format FORMAT or --for PROGRAM for a folder"
        )
    common.tell_of_program(args.program, suffix)
    if single:
        common.refuse_existing(args.output, args.force)
        jobs = [batch.Job(open_source(args.sources[0]), Path(args.output))]
    elif args.render:
        raise common.UsageError("--render shows one source")
    else:
        jobs = batch.plan(args.sources, args.output, suffix)
    if args.render:
        common.refuse_existing(args.render, args.force)
    done: list[Done] = []
    with common.progress("retargeting", len(jobs)) as advance:
        for one in retarget_all(jobs, order, args.workers):
            done.append(one)
            advance()
    failed = [one.outcome for one in done if one.outcome.status == "failed"]
    common.show_traces(args, failed)
    if single and failed:
        raise KinemaError(failed[0].reason or failed[0].path)
    if args.render:
        _render(args, order)
    if args.json:
        common.print_json(_summary(done))
    else:
        _tell(done, single)
    return 1 if failed else 0


def _render(args: argparse.Namespace, order: Order) -> None:
    """The first clip and its retargeted form, each on its own body, in one picture."""
    from kinema.formats import accepted, load
    from kinema.rendering.film.film import FilmSettings
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.film.shoot import RenderOptions, shoot
    from kinema.retargeting.files import move
    from kinema.roles.overrides import asset_with, beside

    path = args.sources[0]
    source = asset_with(load(path, **accepted(path, order.reading)), beside(path))
    moved, _, pairs = move(source, order)
    before, after = pairs[0]
    meshes = source.character if source.character is not None and source.character.meshes else None
    shots = [
        Shot(one_line(os.path.basename(args.sources[0])), before.skeleton, before, meshes),
        Shot(one_line(os.path.basename(args.to)), after.skeleton, after, moved.character),
    ]
    sheet = Path(args.render).suffix.lower() == ".png" and "%" not in args.render
    settings = FilmSettings(760, 380) if sheet else FilmSettings()
    with common.progress_of("rendering") as advance:
        shoot(shots, args.render, settings, RenderOptions(sheet=8 if sheet else None), advance)


def _summary(done: list[Done]) -> dict[str, Any]:
    """Totals over all files under the keys of a report, and the report of every clip."""
    reports = [report for one in done for report in one.reports]
    frames, wall = sum(r.frames for r in reports), sum(r.wall_seconds for r in reports)
    means = ("direction_error_deg", "position_error_cm", "skate_before_cm_s", "skate_after_cm_s", "jerk_ratio")
    return {
        "frames": frames,
        "wall_seconds": wall,
        "frames_per_second": frames / wall if wall > 0 else 0.0,
        **{name: _mean([(getattr(r, name), r.frames) for r in reports]) for name in means},
        "unmatched": list(dict.fromkeys(name for r in reports for name in r.unmatched)),
        "warnings": list(dict.fromkeys(line for r in reports for line in r.warnings)),
        "outputs": [path for one in done if one.outcome.status == "written" for path in one.outcome.outputs],
        "skipped": [one.outcome.path for one in done if one.outcome.status == "skipped"],
        "failed": [{"path": o.path, "reason": o.reason} for o in (d.outcome for d in done) if o.status == "failed"],
        "clips": [{"path": one.outcome.path, **report.to_dict()} for one in done for report in one.reports],
    }


def _mean(values: list[tuple[float | None, int]]) -> float | None:
    """Mean weighted by frames of what is there."""
    known = [(value, frames) for value, frames in values if value is not None]
    weight = sum(frames for _, frames in known)
    return sum(value * frames for value, frames in known) / weight if weight else None


def _tell(done: list[Done], single: bool) -> None:
    warnings = (f"{one_line(d.outcome.path)}: {line}" for d in done for r in d.reports for line in r.warnings)
    for line in common.grouped(dict.fromkeys(warnings)):
        common.note(f"warning: {line}")
    unmatched = list(dict.fromkeys(name for one in done for report in one.reports for name in report.unmatched))
    if unmatched:
        common.note(
            f"{len(unmatched)} joints of the target keep their rest pose: {', '.join(unmatched[:12])}"
            + (", ..." if len(unmatched) > 12 else "")
        )
    common.print_table(COLUMNS, [_row(one) for one in sorted(done, key=lambda one: one.outcome.path)])
    if single:
        print("\n".join(done[0].outcome.outputs))
        return
    count = {status: sum(o.outcome.status == status for o in done) for status in ("written", "skipped", "failed")}
    print(f"{count['written']} retargeted, {count['skipped']} skipped, {count['failed']} failed")
    if count["skipped"]:
        common.note("skipped are those whose output was there already; --force writes them again")


def _row(one: Done) -> tuple[object, ...]:
    total, outcome = _summary([one]), one.outcome
    about = outcome.reason.removeprefix(outcome.path).lstrip(":, ") if outcome.reason else ""
    if not one.reports:
        return (os.path.basename(outcome.path), outcome.status, *(None,) * 7, about)
    figures = ("frames", "frames_per_second", "direction_error_deg", "skate_before_cm_s", "skate_after_cm_s")
    values = [total[name] for name in figures]
    return (os.path.basename(outcome.path), outcome.status, len(one.reports), *values, total["jerk_ratio"], about)
