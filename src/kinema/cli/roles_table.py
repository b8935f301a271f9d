"""The roles of a file for `kinema info --roles`, as a table and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kinema.cli import common
from kinema.errors import one_line

if TYPE_CHECKING:
    from kinema.formats import Asset
    from kinema.roles import RestPose, Roles
    from kinema.roles.overrides import RoleOverrides
    from kinema.skeleton import Skeleton

COLUMNS = ("path", "plan", "rest pose", "limbs", "found by", "joints", "doubtful")
_LIMBS = ("leg", "front_leg", "arm", "wing", "fin", "tail")
LOW = 0.6
"""Confidence below which a joint is marked as doubtful."""


class RoleTable:
    """The roles of the joints of one file.

    Args:
        path: display path of the file.
        asset: its content, with a skeleton.
        overrides: its roles file, if there is one.
    """

    def __init__(self, path: str, asset: Asset, overrides: RoleOverrides | None = None) -> None:
        assert asset.skeleton is not None
        self.path = path
        self.skeleton: Skeleton = asset.skeleton
        self._character = asset.character
        self._motion = next((motion for motion in asset.motions if motion.frames), None)
        self._overrides = overrides

    @cached_property
    def roles(self) -> Roles:
        """Found with the help of the first motion, if there is one."""
        from kinema.roles import find_roles

        return find_roles(self.skeleton, self._motion)

    @cached_property
    def rest(self) -> RestPose:
        from kinema.roles import rest_pose

        found = rest_pose(self.skeleton, roles=self.roles)
        return found if self._overrides is None else self._overrides.stood(found)

    def described(self) -> dict[str, Any]:
        """Plan, rest pose, chains and joints by name; lengths in metres."""
        names, roles, rest = self.skeleton.names, self.roles, self.rest
        return {
            "plan": roles.plan,
            "found_by": roles.found_by,
            "rest_pose": {
                "kind": rest.kind,
                "up": rest.up,
                "forward": rest.forward,
                "leg_length_m": rest.leg_length,
                "height_m": rest.height,
            },
            "chains": {chain.name: [names[joint] for joint in chain.joints] for chain in roles.chains},
            "joints": {
                name: {
                    "role": roles.role(joint),
                    "part": roles.parts[joint],
                    "side": roles.sides[joint],
                    "partner": names[int(roles.partners[joint])] if roles.partners[joint] != joint else None,
                    "confidence": round(float(roles.confidence[joint]), 2),
                }
                for joint, name in enumerate(names)
            },
        }

    def show(self) -> None:
        """Print the table."""
        names, roles, rest = self.skeleton.names, self.roles, self.rest
        chain_of = {joint: chain.name for chain in roles.chains for joint in chain.joints}
        rows = []
        for joint, name in enumerate(names):
            sure = float(roles.confidence[joint])
            partner = names[int(roles.partners[joint])] if roles.partners[joint] != joint else None
            indent = "  " * min(int(self.skeleton.depths[joint]), 12)
            rows.append(
                (
                    indent + name,
                    roles.parts[joint] or None,
                    roles.sides[joint],
                    partner,
                    chain_of.get(joint),
                    f"{sure:.0%}" + (" ?" if sure < LOW else ""),
                )
            )
        common.print_table(("joint", "part", "side", "partner", "chain", "sure"), rows, title=self.path)
        print(
            f"  plan {roles.plan}, found by {roles.found_by}; rest pose {rest.kind}, up {_axis(rest.up)}, facing "
            f"{_axis(rest.forward)}, legs {rest.leg_length:.2f} m, height {rest.height:.2f} m"
        )
        doubtful = sum(float(sure) < LOW for sure in roles.confidence)
        if doubtful:
            print(
                f"  {doubtful} of {len(names)} joints are doubtful (marked ?); correct them in a roles file: "
                "--write-roles rig.roles.toml"
            )

    def write(self, path: str) -> None:
        """Write the roles as a file to edit."""
        from kinema.roles import overrides

        overrides.write(self.roles, self.skeleton, path)
        common.note(f"wrote {path}")

    def draw(self, path: str) -> None:
        """Draw the body, coloured by its parts, in its rest pose, or in its motion if the rest pose is not a stance."""
        from kinema.formats.atomic import atomic_write
        from kinema.rendering.film.performance import Shot
        from kinema.rendering.film.roles_sheet import roles_sheet
        from kinema.rendering.film.stills import png

        motion = self._motion if self.rest.kind == "none" else None
        shot = Shot(one_line(self.path), self.skeleton, motion, self._character)
        atomic_write(path, png(roles_sheet(shot, self.roles)))
        common.note(f"wrote {path}")

    def row(self) -> tuple[object, ...]:
        """The file in one line, under `COLUMNS`."""
        roles = self.roles
        kinds = Counter(chain.kind for chain in roles.chains)
        named = ", ".join(
            f"{count} {kind.replace('_', ' ')}{'s' * (count > 1)}" for kind, count in kinds.items() if kind in _LIMBS
        )
        return (
            self.path,
            roles.plan,
            self.rest.kind,
            named or None,
            roles.found_by,
            len(roles.parts),
            sum(float(sure) < LOW for sure in roles.confidence),
        )


def show_all(tables: Sequence[RoleTable]) -> None:
    """Print the table of a single file, or one line for each of several."""
    if len(tables) == 1:
        tables[0].show()
    elif tables:
        common.print_table(COLUMNS, [table.row() for table in tables])


def _axis(way: Any) -> str:
    """`+Z` for the axis, else the vector."""
    for index, letter in enumerate("XYZ"):
        if abs(float(way[index])) > 0.99:
            return ("+" if way[index] > 0 else "-") + letter
    return "(" + ", ".join(f"{float(value):.2f}" for value in way) + ")"
