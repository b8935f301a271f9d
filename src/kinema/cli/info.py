"""`kinema info`: what is in motion and character files."""

from __future__ import annotations

import argparse
import os
import traceback
from collections.abc import Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.cli import common
from kinema.errors import KinemaError, one_line

if TYPE_CHECKING:
    from kinema.character import Character
    from kinema.cli.roles_table import RoleTable
    from kinema.formats import Asset, Source
    from kinema.roles import Roles

HELP = """
Show the contents of motion and character files: joints, frames, rate, size, recognised parts of the body, and
warnings about what was repaired or assumed. Folders and zip archives are searched, databases are summarised. A file
that cannot be read is listed with the reason, and the exit code is 1.

--roles shows the role of each joint, with its side, its mirror partner and the confidence. A roles file
(`rig.roles.toml` beside `rig.glb`, or --roles-file) takes precedence; --write-roles writes one to edit, and --picture
draws the body in the colours of its parts. Several files get one line each.

examples:
  kinema info walk.bvh characters/ takes.zip walk.db
  kinema info rig.glb --roles --write-roles rig.roles.toml
  kinema info rig.glb --roles --picture rig_roles.png
"""

DESCRIBED = ("plan", "found_by", "rest_pose", "chains", "joints")  # added by --roles and shown as a table
COLUMNS = ("path", "kind", "joints", "frames", "fps", "seconds", "height_m", "warnings")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="files, folders, zip archives or databases")
    common.add_reading(parser)
    common.add_edits(parser)
    parser.add_argument(
        "--roles", action="store_true", help="show the role of every joint, the chains and the rest pose"
    )
    parser.add_argument(
        "--roles-file",
        metavar="FILE",
        help="roles file (.toml or .json; default: the file's name with .roles.toml beside it)",
    )
    parser.add_argument("--write-roles", metavar="FILE", help="with --roles: write the roles as a file to edit")
    parser.add_argument("--picture", metavar="FILE", help="with --roles: draw the body, coloured by its parts (.png)")
    common.add_force(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return common.film_packages(args.picture)


def run(args: argparse.Namespace) -> int:
    from kinema.cli.roles_table import show_all
    from kinema.formats import FORMATS, iterate

    databases = list(filter(is_database, args.files))
    sources = list(iterate([path for path in args.files if path not in databases], FORMATS))
    if not sources and not databases:
        raise KinemaError(f"no supported files in {', '.join(args.files)}; supported are {' '.join(sorted(FORMATS))}")
    _check_outputs(args, len(sources))
    rows = [_database_row(path) for path in databases]
    tables: list[RoleTable] = []
    with common.progress("reading", len(sources)) as advance:
        for source in sources:
            rows.append(_row(source, args, tables))
            advance()
    if args.json:
        common.print_json(rows)
    else:
        _print(rows)
        show_all(tables)
    if args.write_roles and tables:
        tables[0].write(args.write_roles)
    if args.picture and tables:
        tables[0].draw(args.picture)
    return 1 if any("error" in row for row in rows) else 0


def _check_outputs(args: argparse.Namespace, count: int) -> None:
    for option, output in (("--write-roles", args.write_roles), ("--picture", args.picture)):
        if output and (not args.roles or count != 1):
            raise common.UsageError(f"{option} needs --roles and a single file")
        if output:
            common.refuse_existing(output, args.force)
    if args.picture and Path(args.picture).suffix.lower() != ".png":
        raise common.UsageError("--picture writes a .png")


def _row(source: Source, args: argparse.Namespace, tables: list[RoleTable]) -> dict[str, Any]:
    """The facts of one file, or the reason why it was refused. Adds its table of roles with `--roles`."""
    from kinema.cli.roles_table import RoleTable
    from kinema.formats import accepted, load
    from kinema.roles.overrides import asset_with, beside
    from kinema.roles.overrides import read as read_overrides

    try:
        overrides = read_overrides(args.roles_file) if args.roles_file else beside(source)
        asset = asset_with(load(source, **accepted(source.path, common.reading(args))), overrides)
        row = {**describe(asset), **_edits(source, args.edits_folder)}
        if args.roles and asset.skeleton is not None:
            tables.append(RoleTable(source.path, asset, overrides))
            row["roles"].update(tables[-1].described())
    except KinemaError as error:
        if args.debug:
            traceback.print_exc()
        return {"path": source.path, "error": str(error)}
    return row


def _print(found: list[dict[str, Any]]) -> None:
    for row in found:
        if "error" in row:
            common.note(f"refused: {row['error']}")
    rows = [row for row in found if "error" not in row]
    if len(rows) == 1:
        _print_one(rows[0])
    if len(rows) < 2:
        return
    common.print_table(COLUMNS, [[*(row[name] for name in COLUMNS[:-1]), len(row["warnings"])] for row in rows])
    edited = [(row["path"], clip) for row in rows for clip in row.get("edits", {}).get("clips", ())]
    if edited:
        cells = [(path, clip["clip"], clip["summary"]) for path, clip in edited]
        common.print_table(("edited", "clip", "edits"), cells)


def _edits(source: Source, folder: str | None) -> dict[str, Any]:
    """The edits beside a file under the key `edits`, if there are any."""
    from kinema.mocap.edits import edits_path, read_edits
    from kinema.mocap.edits.files import Stamp

    found = read_edits(source, folder)
    if found is None:
        return {}
    clips = [
        {
            "clip": key,
            "summary": edits.summary,
            "pieces": len(edits.pieces),
            "frames_kept": edits.kept,
            "frames": edits.frames,
            "tags": edits.tags,
            "labels": len(edits.labels),
            "contacts": edits.contacts is not None,
            "mirror": edits.mirror,
        }
        for key, edits in found.clips.items()
    ]
    current = found.source.sha256 == Stamp.of(source).sha256
    return {"edits": {"path": str(edits_path(source, folder)), "source_changed": not current, "clips": clips}}


def is_database(path: str) -> bool:
    """Whether a path is the folder of a motion database."""
    from kinema.mocap.store import INDEX

    return os.path.isfile(Path(path) / INDEX)


def _database_row(path: str) -> dict[str, Any]:
    from kinema.mocap import MotionDatabase

    try:
        database = MotionDatabase.open(path)
    except KinemaError as error:
        return {"path": path, "error": str(error)}
    skeleton = database.skeleton
    return {
        "path": path,
        "kind": "database",
        "joints": skeleton.joint_count,
        "frames": database.frames,
        "fps": database.fps,
        "seconds": database.seconds,
        "height_m": skeleton.extent(database.pose(0)),
        "roles": name_roles(skeleton.roles, skeleton.names),
        "warnings": list(dict.fromkeys(warning for clip in database.clips for warning in clip.warnings)),
        "takes": len(database.clips),
    }


def describe(asset: Asset) -> dict[str, Any]:
    """The facts of one file under the keys of `kinema info --json`; lengths in metres, times in seconds."""
    motions, skeleton, character = asset.motions, asset.skeleton, asset.character
    rates = {motion.fps for motion in motions}
    row: dict[str, Any] = {
        "path": asset.path,
        "kind": asset.kind,
        "joints": skeleton.joint_count if skeleton else 0,
        "frames": sum(motion.frames for motion in motions),
        "fps": rates.pop() if len(rates) == 1 else None,
        "seconds": sum(motion.seconds for motion in motions),
        "height_m": height(asset),
        "roles": name_roles(skeleton.roles, skeleton.names) if skeleton else None,
        "warnings": list(asset.warnings),
    }
    if len(motions) > 1:
        row["clips"] = [
            {"name": motion.name, "frames": motion.frames, "fps": motion.fps, "seconds": motion.seconds}
            for motion in motions
        ]
    if character is not None:
        row["meshes"] = len(character.meshes)
        row["vertices"] = character.vertex_count
        row["materials"] = len(character.materials)
        row |= {key: len(found) for key, found in _extras(character).items() if found}
        if character.meta is not None:
            row |= {
                "title": character.meta.title,
                "authors": ", ".join(character.meta.authors),
                "licence": character.meta.licence,
            }
    return row


def _extras(character: Character) -> dict[str, Sized]:
    """Parts that only some characters have."""
    targets = [morph for mesh in character.meshes for morph in mesh.morphs]
    return {"morphs": targets, "faces": character.expressions, "springs": character.springs}


def height(asset: Asset) -> float | None:
    """Metres from the lowest to the highest vertex, or joint and tip where there is no mesh; None without a skeleton.

    The rest pose of motion capture is often not a stance (all bones along one axis): a bare motion is measured in its
    first frame. A character is measured in its rest pose, in which its mesh was made.
    """
    if asset.skeleton is None:
        return None
    import numpy as np

    moving = next((motion for motion in asset.motions if motion.frames), None)
    if asset.character is not None and asset.character.meshes:
        skinned = asset.character.skin(asset.skeleton.rest_pose)
        heights = np.concatenate([vertices[:, 1] for vertices in skinned])
        return float(np.ptp(heights)) if heights.size else asset.skeleton.height
    if moving is None:
        return asset.skeleton.height
    return asset.skeleton.extent(moving[0])


def name_roles(roles: Roles, names: tuple[str, ...]) -> dict[str, Any]:
    """Roles with joint names instead of indices: `{"hips": "Pelvis", "left_leg": ["Hip.L", ...], ...}`."""

    def name(joint: int | None) -> str | None:
        return None if joint is None else names[joint]

    named: dict[str, Any] = {
        "hips": name(roles.hips),
        "spine": [name(joint) for joint in roles.spine],
        "neck": name(roles.neck),
        "head": name(roles.head),
    }
    for leg in roles.legs:
        named[f"{leg.side}_leg"] = [name(joint) for joint in (leg.upper, leg.lower, leg.foot, leg.toe)]
    for arm in roles.arms:
        named[f"{arm.side}_arm"] = [name(joint) for joint in (arm.shoulder, arm.upper, arm.lower, arm.hand)]
    return named


def _print_one(row: dict[str, Any]) -> None:
    print(one_line(row["path"]))
    for key, value in row.items():
        if key not in ("path", "roles", "warnings", "clips", "edits"):
            print(f"  {key:<10}{common.format_cell(value)}")
    for role, joints in (row["roles"] or {}).items():
        if role in DESCRIBED:
            continue
        listed = joints if isinstance(joints, list) else [joints]
        print(one_line(f"  {role:<10}{', '.join(joint or '-' for joint in listed) or '-'}"))
    for clip in row.get("clips", ()):
        length = f"{clip['frames']} frames, {clip['fps']:g} fps, {clip['seconds']:.2f} s"
        print(f"  clip      {one_line(clip['name'])}: {length}")
    for clip in row.get("edits", {}).get("clips", ()):
        print(one_line(f"  edits     {clip['clip']}: {clip['summary']}"))
    if row.get("edits", {}).get("source_changed"):
        print("  edits     were made on an earlier version of the file; check them with kinema view")
    for warning in row["warnings"]:
        print(one_line(f"  warning   {warning}"))
