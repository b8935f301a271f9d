"""The roles of files for `kinema info --roles`, as tables, as a roles file and as a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kinema.cli import common
from kinema.errors import one_line

if TYPE_CHECKING:
    from kinema.inspection import Inspected

COLUMNS = ("path", "plan", "rest pose", "limbs", "found by", "joints", "doubtful")
_LIMBS = ("leg", "front_leg", "arm", "wing", "fin", "tail")
LOW = 0.6
"""Confidence below which a joint is marked as doubtful."""


def show_all(found: Sequence[Inspected]) -> None:
    """Print the table of a single file, or one line for each of several."""
    if len(found) == 1:
        show(found[0])
    elif found:
        common.print_table(COLUMNS, [_row(one) for one in found])


def show(found: Inspected) -> None:
    """Print a line for each joint of a file."""
    skeleton, roles, rest = found.skeleton, found.roles, found.rest
    chain_of = {joint: chain.name for chain in roles.chains for joint in chain.joints}
    rows = []
    for joint, (name, facts) in enumerate(found.row["roles"]["joints"].items()):
        indent = "  " * min(int(skeleton.depths[joint]), 12)
        sure = float(roles.confidence[joint])
        shown = f"{sure:.0%}" + (" ?" if sure < LOW else "")
        rows.append((indent + name, facts["part"] or None, facts["side"], facts["partner"], chain_of.get(joint), shown))
    common.print_table(("joint", "part", "side", "partner", "chain", "sure"), rows, title=found.row["path"])
    print(
        f"  plan {roles.plan}, found by {roles.found_by}; rest pose {rest.kind}, up {_axis(rest.up)}, facing "
        f"{_axis(rest.forward)}, legs {rest.leg_length:.2f} m, height {rest.height:.2f} m"
    )
    if doubtful := _doubtful(found):
        print(
            f"  {doubtful} of {len(rows)} joints are doubtful (marked ?); correct them in a roles file: "
            "--write-roles rig.roles.toml"
        )


def write(found: Inspected, path: str) -> None:
    """Write the roles as a file to edit."""
    from kinema.roles import overrides

    overrides.write(found.roles, found.skeleton, path)


def draw(found: Inspected, path: str) -> None:
    """Draw the body, coloured by its parts, in its rest pose, or in its motion if the rest pose is not a stance."""
    from kinema.formats.atomic import atomic_write
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.film.roles_sheet import roles_sheet
    from kinema.rendering.film.stills import png

    motion = found.motion if found.rest.kind == "none" else None
    character = None if found.asset is None else found.asset.character
    shot = Shot(one_line(found.row["path"]), found.skeleton, motion, character)
    atomic_write(path, png(roles_sheet(shot, found.roles)))


def _row(found: Inspected) -> tuple[object, ...]:
    """A file in one line, under `COLUMNS`."""
    roles = found.roles
    kinds = Counter(chain.kind for chain in roles.chains if chain.kind in _LIMBS)
    limbs = ", ".join(f"{count} {kind.replace('_', ' ')}{'s' * (count > 1)}" for kind, count in kinds.items())
    path, joints = found.row["path"], len(roles.parts)
    return path, roles.plan, found.rest.kind, limbs or None, roles.found_by, joints, _doubtful(found)


def _doubtful(found: Inspected) -> int:
    return sum(float(sure) < LOW for sure in found.roles.confidence)


def _axis(way: Any) -> str:
    """`+Z` for the axis, else the vector."""
    for index, letter in enumerate("XYZ"):
        if abs(float(way[index])) > 0.99:
            return ("+" if way[index] > 0 else "-") + letter
    return "(" + ", ".join(f"{float(value):.2f}" for value in way) + ")"
