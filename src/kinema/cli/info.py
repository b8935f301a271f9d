"""`kinema info`: what is in motion and character files."""

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
    from kinema.formats import Asset, Source
    from kinema.roles import Roles

HELP = """
Show what is in motion and character files: joints, frames, rate, size, the parts of the body that were recognised,
and what was repaired or assumed while reading. Folders and zip archives are searched, databases are summed up. A file
that cannot be read right is listed with the reason, and the exit code is 1.

--roles shows what each joint was taken for, with its side, its partner on the other side and how sure that is. A
roles file (`rig.roles.toml` beside `rig.glb`, or --roles-file) overrules; --write-roles writes one to start from, and
--picture shows the body in the colours of its parts. Several files get a line each.

examples:
  kinema info walk.bvh characters/ takes.zip walk.db
  kinema info rig.glb --roles --write-roles rig.roles.toml
  kinema info rig.glb --roles --picture rig_roles.png
"""

DESCRIBED = ("plan", "found_by", "rest_pose", "chains", "joints")  # what --roles adds, shown as a table
COLUMNS = ("path", "kind", "joints", "frames", "fps", "seconds", "height_m", "warnings")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="files, folders, zip archives or databases")
    common.add_reading(parser)
    common.add_edits(parser)
    parser.add_argument(
        "--roles", action="store_true", help="show the role of every joint, the chains and how the rest pose stands"
    )
    parser.add_argument(
        "--roles-file",
        metavar="FILE",
        help="roles that you state (.toml or .json), over those found "
        "(default: the file's name with .roles.toml beside it)",
    )
    parser.add_argument("--write-roles", metavar="FILE", help="with --roles: write what was found as a roles file")
    parser.add_argument("--picture", metavar="FILE", help="with --roles: the body in the colours of its parts (.png)")
    common.add_force(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return common.film_packages(args.picture)


def run(args: argparse.Namespace) -> int:
    from kinema.cli.roles_table import RoleTable, show_all
    from kinema.formats import FORMATS, accepted, iterate, load
    from kinema.roles.overrides import asset_with, beside
    from kinema.roles.overrides import read as read_overrides

    databases = [path for path in args.files if is_database(path)]
    sources = list(iterate([path for path in args.files if path not in databases], FORMATS))
    if not sources and not databases:
        raise KinemaError(f"no supported files in {', '.join(args.files)}; supported are {' '.join(sorted(FORMATS))}")
    reading = common.reading(args)
    for option, output in (("--write-roles", args.write_roles), ("--picture", args.picture)):
        if output and (not args.roles or len(sources) != 1):
            raise common.UsageError(f"{option} belongs to --roles and one file")
        if output:
            common.refuse_existing(output, args.force)
    if args.picture and Path(args.picture).suffix.lower() != ".png":
        raise common.UsageError("--picture makes a .png")
    tables: list[RoleTable] = []
    rows = [_database_row(path) for path in databases]
    with common.progress("reading", len(sources)) as advance:
        for source in sources:
            try:
                overrides = read_overrides(args.roles_file) if args.roles_file else beside(source)
                asset = asset_with(load(source, **accepted(source.path, reading)), overrides)
                rows.append({**describe(asset), **_edits(source, args.edits_folder)})
                if args.roles and asset.skeleton is not None:
                    tables.append(RoleTable(source.path, asset, overrides))
                    rows[-1]["roles"].update(tables[-1].described())
            except KinemaError as error:
                rows.append({"path": source.path, "error": str(error)})
                if args.debug:
                    traceback.print_exc()
            advance()
    refused = [row for row in rows if "error" in row]
    for table in tables:
        if args.write_roles:
            table.write(args.write_roles)
        if args.picture:
            table.draw(args.picture)
    if args.json:
        common.print_json(rows)
        return 1 if refused else 0
    read = [row for row in rows if "error" not in row]
    edited = [row for row in read if "edits" in row]
    if len(read) == 1:
        _print_one(read[0])
    elif read:
        common.print_table(COLUMNS, [[*(row[c] for c in COLUMNS[:-1]), len(row["warnings"])] for row in read])
    if edited and len(read) > 1:
        rows = [(row["path"], clip["clip"], clip["summary"]) for row in edited for clip in row["edits"]["clips"]]
        common.print_table(("edited", "clip", "edits"), rows)
    if len(tables) > 1:
        show_all(tables)
    elif tables:
        tables[0].show()
    for row in refused:
        common.note(f"refused: {row['error']}")
    return 1 if refused else 0


def _edits(source: "Source", folder: str | None) -> dict[str, Any]:
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


def describe(asset: "Asset") -> dict[str, Any]:
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


def _extras(character: "Character") -> dict[str, Sized]:
    """What only some characters have."""
    targets = [morph for mesh in character.meshes for morph in mesh.morphs]
    return {"morphs": targets, "faces": character.expressions, "springs": character.springs}


def height(asset: "Asset") -> float | None:
    """Metres from the lowest to the highest vertex, or joint and tip where there is no mesh; None without a skeleton.

    Motion capture often comes with a rest pose that is none (all bones along one axis), so a bare motion is measured as
    it stands in its first frame; a character is measured in its rest pose, which its mesh was made in.
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


def name_roles(roles: "Roles", names: tuple[str, ...]) -> dict[str, Any]:
    """Roles with joint names in the place of indices: `{"hips": "Pelvis", "left_leg": ["Hip.L", ...], ...}`."""

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
        print("  edits     are of an earlier version of the file; look at it again with kinema view")
    for warning in row["warnings"]:
        print(one_line(f"  warning   {warning}"))
