"""`kinema info`: what is in motion and character files."""

from __future__ import annotations

import argparse
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.cli import common
from kinema.errors import UsageError, one_line

if TYPE_CHECKING:
    from kinema.formats import Source
    from kinema.inspection import Inspected

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
LISTED = ("path", "roles", "warnings", "clips", "edits")  # the others are one line each
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
        help="roles file, .toml or .json (default: FILE with the ending .roles.toml, if that file exists)",
    )
    parser.add_argument("--write-roles", metavar="FILE", help="with --roles: write the roles as a file to edit")
    parser.add_argument("--picture", metavar="FILE", help="with --roles: draw the body, coloured by its parts (.png)")
    common.add_force(parser)


def needs(args: argparse.Namespace) -> tuple[str, ...]:
    return common.film_packages(args.picture)


def run(args: argparse.Namespace) -> int:
    from kinema.inspection import find_all

    places = find_all(args.files)
    _check_outputs(args, places)
    found = _inspected(args, places)
    rows = [one.row for one in found]
    if args.json:
        common.print_json(rows)
    else:
        _print(rows)
    if args.roles:
        _show_roles(args, [one for one in found if one.row.get("roles")])
    return 1 if any("error" in row for row in rows) else 0


def _inspected(args: argparse.Namespace, places: Sequence[str | Source]) -> list[Inspected]:
    from kinema.inspection import inspect

    found: list[Inspected] = []
    with common.progress("reading", len(places)) as advance:
        for place in places:
            found.append(inspect(place, common.reading(args), args.roles, args.roles_file, args.edits_folder))
            advance()
            if args.debug and (error := found[-1].error) is not None:
                traceback.print_exception(error)
    return found


def _check_outputs(args: argparse.Namespace, places: Sequence[str | Source]) -> None:
    single = args.roles and len(places) == 1 and not isinstance(places[0], str)
    for option, output in (("--write-roles", args.write_roles), ("--picture", args.picture)):
        if output and not single:
            raise UsageError(f"{option} needs --roles and a single file")
        if output:
            common.refuse_existing(output, args.force)
    if args.picture and Path(args.picture).suffix.lower() != ".png":
        raise UsageError("--picture writes a .png")


def _show_roles(args: argparse.Namespace, found: Sequence[Inspected]) -> None:
    from kinema.cli import roles_table

    if not args.json:
        roles_table.show_all(found)
    for output, make in ((args.write_roles, roles_table.write), (args.picture, roles_table.draw)):
        if output and found:
            make(found[0], output)
            common.note(f"wrote {output}")


def _print(found: Sequence[Mapping[str, Any]]) -> None:
    for row in found:
        if "error" in row:
            common.note(f"refused: {row['error']}")
    rows = [row for row in found if "error" not in row]
    if len(rows) == 1:
        _print_one(rows[0])
    elif rows:
        _print_table(rows)


def _print_table(rows: Sequence[Mapping[str, Any]]) -> None:
    common.print_table(COLUMNS, [[*(row[name] for name in COLUMNS[:-1]), len(row["warnings"])] for row in rows])
    edited = [(row["path"], clip) for row in rows for clip in row.get("edits", {}).get("clips", ())]
    if edited:
        cells = [(path, clip["clip"], clip["summary"]) for path, clip in edited]
        common.print_table(("edited", "clip", "edits"), cells)


def _print_one(row: Mapping[str, Any]) -> None:
    print(one_line(row["path"]))
    for key, value in row.items():
        if key not in LISTED:
            print(f"  {key:<10}{common.format_cell(value)}")
    for name, line in _lines(row):
        print(one_line(f"  {name:<10}{line}"))


def _lines(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Roles, clips, edits and warnings: the name and the text of each line."""
    for role, joints in (row["roles"] or {}).items():
        if role not in DESCRIBED:
            yield role, ", ".join(joint or "-" for joint in (joints if isinstance(joints, list) else [joints])) or "-"
    for clip in row.get("clips", ()):
        yield "clip", f"{clip['name']}: {clip['frames']} frames, {clip['fps']:g} fps, {clip['seconds']:.2f} s"
    yield from _edits(row.get("edits", {}))
    for warning in row["warnings"]:
        yield "warning", warning


def _edits(edits: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for clip in edits.get("clips", ()):
        yield "edits", f"{clip['clip']}: {clip['summary']}"
    if edits.get("source_changed"):
        yield "edits", "were made on an earlier version of the file; check them with kinema view"
