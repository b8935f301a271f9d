"""Roles that a person states: a small TOML or JSON file beside a rig that overrules what was recognised.

[roles]                    # joint = role; "" for a joint that has none
Bone_017 = "left_thigh"
Bone_021 = "right_thigh"
[partners]                 # joint = joint on the other side
Bone_017 = "Bone_021"
[rest]                     # how the rest pose stands, as an axis: "+Y", "-Z"
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
from kinema.roles.model import PARTS, RestPose, Roles
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.formats import Source

SUFFIX = ".roles.toml"
AXES = {
    f"{sign}{axis}": tuple((1.0 if sign == "+" else -1.0) * (axis == other) for other in "XYZ")
    for sign in "+-"
    for axis in "XYZ"
}
_MOST_BYTES = 4_000_000
_TABLES = ("roles", "partners", "rest")


@dataclass(frozen=True)
class Overrides:
    """What a roles file states.

    Attributes:
        path: display path of the file.
        roles: joint name to role.
        partners: joint name to the name of the joint on the other side.
        up: unit vector in the rest pose, if it is stated.
        forward: likewise.
    """

    path: str
    roles: Mapping[str, str] = field(default_factory=dict)
    partners: Mapping[str, str] = field(default_factory=dict)
    up: tuple[float, ...] | None = None
    forward: tuple[float, ...] | None = None

    def applied(self, skeleton: Skeleton) -> Skeleton:
        """The skeleton with these roles as hints, over those of its file.

        Raises:
            FormatError: a joint is not one of the skeleton's; says which are near.
        """
        for name in (*self.roles, *self.partners, *self.partners.values()):
            if name not in skeleton.names:
                near = difflib.get_close_matches(name, skeleton.names[:2000], n=3, cutoff=0.5)
                hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"it begins {skeleton.names[:5]}"
                raise FormatError(f"the skeleton has no joint {name!r}; {hint}", path=self.path)
        hints = dict(self.roles)
        for name, other in self.partners.items():  # a partner has the part of the other, on the other side
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


def read(path: str | os.PathLike[str]) -> Overrides:
    """Read a roles file, TOML or (by its suffix) JSON.

    Raises:
        FormatError: it cannot be read, or states a role that there is not; says which there are.
    """
    shown = os.fspath(path)
    try:
        if os.path.getsize(path) > _MOST_BYTES:
            raise FormatError(f"a roles file has at most {_MOST_BYTES:,} bytes", path=shown)
        text = Path(path).read_text(encoding="utf-8")
        data: Any = json.loads(text) if shown.lower().endswith(".json") else tomllib.loads(text)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path=shown) from error
    except (ValueError, RecursionError) as error:  # of TOML, JSON and UTF-8 alike
        raise FormatError(f"is no roles file: {str(error).splitlines()[0]}", path=shown) from error
    if not isinstance(data, dict):
        raise FormatError("a roles file is a table of joint names and roles", path=shown)
    if not any(isinstance(value, dict) for value in data.values()):
        data = {"roles": data}  # joint = role without a heading
    for key in data:
        if key not in _TABLES:
            raise FormatError(f"unknown table {key!r}; there are {', '.join(_TABLES)}", path=shown)
    tables = {key: _strings(data.get(key, {}), key, shown) for key in _TABLES}
    for name, role in tables["roles"].items():
        _check_role(name, role, shown)
    rest = tables["rest"]
    for key, axis in rest.items():
        if key not in ("up", "forward") or axis not in AXES:
            raise FormatError(
                f"[rest] {key} = {axis!r}: it takes up and forward, each one of {', '.join(AXES)}", path=shown
            )
    return Overrides(
        shown, tables["roles"], tables["partners"], AXES.get(rest.get("up", "")), AXES.get(rest.get("forward", ""))
    )


def beside(source: str | os.PathLike[str] | Source) -> Overrides | None:
    """The overrides that lie beside a file as `<stem>.roles.toml`, if there are any; not within archives.

    Raises:
        FormatError: there is such a file and it cannot be read right.
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
    """Write what was recognised as a roles file to start from, in TOML with the confidence of each joint beside it.

    A path that ends in `.json` gets JSON, which has no room for remarks.
    """
    if os.fspath(path).lower().endswith(".json"):
        stated = {name: roles.role(joint) for joint, name in enumerate(skeleton.names)}
        Path(path).write_text(json.dumps({"roles": stated}, indent=1) + "\n", encoding="utf-8")
        return
    lines = [
        "# Roles of the joints; change what is wrong and delete what is right.",
        "# Parts: " + ", ".join(part for part in PARTS if part) + ".",
        "# With a side before it a part is a role: left_thigh.",
        "",
        "[roles]",
    ]
    for joint, name in enumerate(skeleton.names):
        lines.append(f"{_quoted(name)} = {_quoted(roles.role(joint))}  # {roles.confidence[joint]:.0%}")
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def asset_with(asset: Any, overrides: Overrides | None) -> Any:
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
    side, _, part = role.partition("_")
    return {"left": f"right_{part}", "right": f"left_{part}"}.get(side, role) if part else role


def _strings(table: Any, key: str, path: str) -> dict[str, str]:
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
        raise FormatError(f'[{key}] holds texts: joint = "role"', path=path)
    return dict(table)


def _check_role(name: str, role: str, path: str) -> None:
    side, _, part = role.partition("_")
    if role in PARTS or (side in ("left", "right") and part in PARTS and part):
        return
    near = difflib.get_close_matches(part if side in ("left", "right") else role, PARTS, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    listed = ", ".join(part for part in PARTS if part)
    raise FormatError(
        f"{name!r} = {role!r} is no role; {hint}a role is a part, with left_ or right_ before it for one of a pair; "
        f"parts are {listed}",
        path=path,
    )


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's, but characters beyond 16 bits stand as they are, and Delete must not."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
