"""Roles files: a small TOML or JSON file beside a rig states roles that replace those that were recognised.

[roles]                    # joint = role; "" for a joint without a role
Bone_017 = "left_thigh"
Bone_021 = "right_thigh"
[partners]                 # joint = joint on the other side
Bone_017 = "Bone_021"
[rest]                     # directions of the rest pose as axes: "+Y", "-Z"
up = "+Z"
forward = "-Y"
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kinema.errors import FormatError
from kinema.roles.model import PARTS, RestPose, Roles, split_role

if TYPE_CHECKING:
    from kinema.formats import Source
    from kinema.skeleton import Skeleton

SUFFIX = ".roles.toml"
AXES = {
    f"{sign}{axis}": tuple((1.0 if sign == "+" else -1.0) * (axis == other) for other in "XYZ")
    for sign in "+-"
    for axis in "XYZ"
}
_MOST_BYTES = 4_000_000
_TABLES = ("roles", "partners", "rest")


@dataclass(frozen=True)
class RoleOverrides:
    """The content of a roles file.

    Attributes:
        path: display path of the file.
        roles: role by joint name.
        partners: joint name to the name of the joint on the other side.
        up: unit vector in model space, if stated.
        forward: likewise.
    """

    path: str
    roles: Mapping[str, str] = field(default_factory=dict)
    partners: Mapping[str, str] = field(default_factory=dict)
    up: tuple[float, ...] | None = None
    forward: tuple[float, ...] | None = None

    def applied(self, skeleton: Skeleton) -> Skeleton:
        """The skeleton with these roles as hints, which replace those of its file.

        Raises:
            FormatError: a joint is not in the skeleton; the message names similar ones.
        """
        for name in (*self.roles, *self.partners, *self.partners.values()):
            if name not in skeleton.names:
                near = difflib.get_close_matches(name, skeleton.names[:2000], n=3, cutoff=0.5)
                hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"it begins {skeleton.names[:5]}"
                raise FormatError(f"the skeleton has no joint {name!r}; {hint}", path=self.path)
        hints = dict(self.roles)
        for name, other in self.partners.items():  # partners have the same part on opposite sides
            if name not in hints and other not in hints:
                hints[name] = skeleton.roles.role(skeleton.index(name))
            if name in hints:
                hints.setdefault(other, _mirrored(hints[name]))
            else:
                hints[name] = _mirrored(hints[other])
        return skeleton.with_hints(hints)

    def stood(self, rest: RestPose) -> RestPose:
        """A rest pose with the stated up and forward."""
        up = rest.up if self.up is None else np.asarray(self.up, np.float32)
        forward = rest.forward if self.forward is None else np.asarray(self.forward, np.float32)
        return replace(rest, up=up, forward=forward)


def read(path: str | os.PathLike[str]) -> RoleOverrides:
    """Read a roles file: TOML, or JSON if its name ends in `.json`.

    Raises:
        FormatError: the file cannot be read or states an unknown role; the message lists the roles there are.
    """
    shown = os.fspath(path)
    data = _parsed(path)
    if not any(isinstance(value, dict) for value in data.values()):
        data = {"roles": data}  # joint = role without a heading
    unknown = sorted(data.keys() - set(_TABLES))
    if unknown:
        raise FormatError(f"unknown table {unknown[0]!r}; there are {', '.join(_TABLES)}", path=shown)
    roles, partners, rest = (_strings(data.get(key, {}), key, shown) for key in _TABLES)
    for name, role in roles.items():
        _check_role(name, role, shown)
    for key, axis in rest.items():
        if key not in ("up", "forward") or axis not in AXES:
            axes = ", ".join(AXES)
            raise FormatError(f"[rest] {key} = {axis!r}: it takes up and forward, each one of {axes}", path=shown)
    return RoleOverrides(shown, roles, partners, AXES.get(rest.get("up", "")), AXES.get(rest.get("forward", "")))


def _parsed(path: str | os.PathLike[str]) -> dict[str, Any]:
    shown = os.fspath(path)
    try:
        if os.path.getsize(path) > _MOST_BYTES:
            raise FormatError(f"a roles file has at most {_MOST_BYTES:,} bytes", path=shown)
        text = Path(path).read_text(encoding="utf-8")
        data: Any = json.loads(text) if shown.lower().endswith(".json") else tomllib.loads(text)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path=shown) from error
    except (ValueError, RecursionError) as error:  # of TOML, JSON and UTF-8 alike
        raise FormatError(f"is not a roles file: {str(error).splitlines()[0]}", path=shown) from error
    if not isinstance(data, dict):
        raise FormatError("a roles file is a table of joint names and roles", path=shown)
    return data


def beside(source: str | os.PathLike[str] | Source) -> RoleOverrides | None:
    """The roles file `<stem>.roles.toml` beside a file, if there is one; archives have none.

    Raises:
        FormatError: the roles file cannot be read.
    """
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
    elif source.member is None and source.file:
        path = Path(source.file)
    else:
        return None
    found = path.with_suffix(SUFFIX) if path.name else None
    return read(found) if found is not None and found.is_file() else None


def write(roles: Roles, skeleton: Skeleton, path: str | os.PathLike[str]) -> None:
    """Write recognised roles as a roles file to edit: TOML with the confidence of each joint as a comment.

    A path that ends in `.json` gets JSON, which has no comments.
    """
    if os.fspath(path).lower().endswith(".json"):
        stated = {name: roles.role(joint) for joint, name in enumerate(skeleton.names)}
        Path(path).write_text(json.dumps({"roles": stated}, indent=1) + "\n", encoding="utf-8")
        return
    lines = [
        "# Roles of the joints. Correct the wrong ones and delete the others.",
        "# Parts: " + ", ".join(part for part in PARTS if part) + ".",
        "# A role is a part, with left_ or right_ before it for one of a pair: left_thigh.",
        "",
        "[roles]",
    ]
    for joint, name in enumerate(skeleton.names):
        lines.append(f"{_quoted(name)} = {_quoted(roles.role(joint))}  # {roles.confidence[joint]:.0%}")
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def asset_with(asset: Any, overrides: RoleOverrides | None) -> Any:
    """An asset whose skeleton, motions and character carry the stated roles.

    Raises:
        FormatError: a joint is not one of the skeleton's.
    """
    if overrides is None or asset.skeleton is None:
        return asset
    skeleton = overrides.applied(asset.skeleton)
    motions = tuple(replace(motion, skeleton=skeleton) for motion in asset.motions)
    character = None if asset.character is None else replace(asset.character, skeleton=skeleton)
    return replace(asset, skeleton=skeleton, motions=motions, character=character)


def _mirrored(role: str) -> str:
    part, side = split_role(role)
    return role if side is None else f"{'right' if side == 'left' else 'left'}_{part}"


def _strings(table: Any, key: str, path: str) -> dict[str, str]:
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
        raise FormatError(f'[{key}] holds texts: joint = "role"', path=path)
    return dict(table)


def _check_role(name: str, role: str, path: str) -> None:
    part, _ = split_role(role)
    if part in PARTS:
        return
    near = difflib.get_close_matches(part, PARTS, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise FormatError(
        f"{name!r} = {role!r} is not a role; {hint}a role is a part, with left_ or right_ before it for one of a pair; "
        f"parts are {', '.join(filter(None, PARTS))}",
        path=path,
    )


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's, but characters beyond 16 bits stand as they are, and Delete must not."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
