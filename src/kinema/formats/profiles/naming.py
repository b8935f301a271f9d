"""Names that programs expect: cleaned of what they cannot hold, or those of their standard humanoid."""

from __future__ import annotations

import re
from collections.abc import Callable

from kinema.roles import Roles
from kinema.skeleton import Skeleton

# Role parts of the humanoid that Unity, Godot and VRM share, but for small differences in the fingers.
_HUMANOID = {
    "hips": "Hips", "neck": "Neck", "head": "Head", "jaw": "Jaw", "eye": "Eye",
    "shoulder": "Shoulder", "upper_arm": "UpperArm", "forearm": "LowerArm", "hand": "Hand",
    "thigh": "UpperLeg", "shin": "LowerLeg", "foot": "Foot", "toe": "Toes",
}  # fmt: skip
_HUMANOID_SPINE = ("Spine", "Chest", "UpperChest")
_HUMANOID_FINGERS = {"thumb": "Thumb", "index": "Index", "middle": "Middle", "ring": "Ring", "little": "Little"}
_PHALANGES = ("Proximal", "Intermediate", "Distal")
_THUMB_OF_UNITY = _PHALANGES
_THUMB_OF_GODOT = ("Metacarpal", "Proximal", "Distal")

_UNREAL = {
    "hips": "pelvis", "head": "head", "shoulder": "clavicle", "upper_arm": "upperarm", "forearm": "lowerarm",
    "hand": "hand", "thigh": "thigh", "shin": "calf", "foot": "foot", "toe": "ball",
}  # fmt: skip
_UNREAL_COUNTED = {"spine": "spine", "neck": "neck", "thumb": "thumb", "index": "index", "middle": "middle",
                   "ring": "ring", "little": "pinky"}  # fmt: skip

_BLENDER = {
    "hips": "hips", "head": "head", "jaw": "jaw", "eye": "eye", "shoulder": "shoulder", "upper_arm": "upper_arm",
    "forearm": "forearm", "hand": "hand", "thigh": "thigh", "shin": "shin", "foot": "foot", "toe": "toe",
}  # fmt: skip
_BLENDER_COUNTED = {"spine": "spine", "neck": "neck", "thumb": "thumb", "index": "f_index", "middle": "f_middle",
                    "ring": "f_ring", "little": "f_pinky", "tail": "tail"}  # fmt: skip

Scheme = Callable[[str, str | None, int, int], str | None]
"""A joint's name from its part, its side, and its place among so many joints of that part; None for no name."""


def _humanoid(thumb: tuple[str, ...]) -> Scheme:
    def name(part: str, side: str | None, place: int, count: int) -> str | None:
        prefix = (side or "").capitalize()
        if part == "spine":
            # The middle ones of a longer spine have no name of their own.
            return _HUMANOID_SPINE[place] if place < 3 else None
        if part in _HUMANOID_FINGERS:
            names = thumb if part == "thumb" else _PHALANGES
            place -= max(count - 3, 0) if part != "thumb" else 0  # a metacarpal comes first
            return f"{prefix}{_HUMANOID_FINGERS[part]}{names[place]}" if 0 <= place < 3 else None
        return f"{prefix}{_HUMANOID[part]}" if part in _HUMANOID and place == 0 else None

    return name


def _suffixed(plain: dict[str, str], counted: dict[str, str], join: str, digits: str) -> Scheme:
    def name(part: str, side: str | None, place: int, count: int) -> str | None:
        end = "" if side is None else f"{join}{side[0] if join == '_' else side[0].upper()}"
        if part in counted:
            return f"{counted[part]}{digits.format(place + 1)}{end}"
        return f"{plain[part]}{end}" if part in plain and place == 0 else None

    return name


SCHEMES: dict[str, Scheme] = {
    "unity": _humanoid(_THUMB_OF_UNITY),
    "godot": _humanoid(_THUMB_OF_GODOT),
    "unreal": _suffixed(_UNREAL, _UNREAL_COUNTED, "_", "_{:02d}"),
    "blender": _suffixed(_BLENDER, _BLENDER_COUNTED, ".", ".{:02d}"),
}


def standard_names(skeleton: Skeleton, scheme: str) -> dict[str, str]:
    """New names by old ones for the joints whose role the scheme has a name for."""
    roles: Roles = skeleton.roles
    by_role: dict[tuple[str, str | None], list[int]] = {}
    for joint, (part, side) in enumerate(zip(roles.parts, roles.sides, strict=True)):
        by_role.setdefault((part, side), []).append(joint)
    renamed: dict[str, str] = {}
    for (part, side), joints in by_role.items():
        for place, joint in enumerate(joints):
            name = SCHEMES[scheme](part, side, place, len(joints))
            if name is not None:
                renamed[skeleton.names[joint]] = name
    return renamed


def cleaned(names: tuple[str, ...], forbidden: re.Pattern[str], taken: set[str] | None = None) -> dict[str, str]:
    """New names by old ones, without forbidden characters and still unique."""
    used = set(taken or ())
    result: dict[str, str] = {}
    for name in names:
        plain = forbidden.sub("_", name) or "_"
        unique, number = plain, 2
        while unique in used:
            unique, number = f"{plain}_{number}", number + 1
        used.add(unique)
        result[name] = unique
    return result
