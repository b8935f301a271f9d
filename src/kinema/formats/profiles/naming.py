"""Names that programs expect: cleaned of what they cannot hold, or those of their standard humanoid.

Unity's are those of `HumanBodyBones`, Godot's those of `SkeletonProfileHumanoid`, Unreal's those of the mannequin of
Unreal 5, Maya's those of HumanIK. Blender has no humanoid of its own: limbs are named as in Rigify's human, with the
`.L` and `.R` by which Blender mirrors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np

from kinema.roles import Roles
from kinema.skeleton import Skeleton

FINGERS = ("thumb", "index", "middle", "ring", "little")
MIDDLE = ("root", "hips", "spine", "neck", "head", "jaw", "tail")
_PHALANGES = 3  # of a finger, the thumb's metacarpal among them

_HUMANOID = {
    "hips": "Hips", "neck": "Neck", "head": "Head", "jaw": "Jaw", "eye": "Eye",
    "shoulder": "Shoulder", "upper_arm": "UpperArm", "forearm": "LowerArm", "hand": "Hand",
    "thigh": "UpperLeg", "shin": "LowerLeg", "foot": "Foot", "toe": "Toes",
}  # fmt: skip
_HUMANOID_PHALANGES = ("Proximal", "Intermediate", "Distal")
_THUMB_OF_GODOT = ("Metacarpal", "Proximal", "Distal")

_UNREAL = {
    "root": "root",
    "hips": "pelvis",
    "head": "head",
    "shoulder": "clavicle",
    "upper_arm": "upperarm",
    "forearm": "lowerarm",
    "hand": "hand",
    "thigh": "thigh",
    "shin": "calf",
    "foot": "foot",
    "toe": "ball",
}
_UNREAL_COUNTED = {
    "spine": "spine",
    "neck": "neck",
    "thumb": "thumb",
    "index": "index",
    "middle": "middle",
    "ring": "ring",
    "little": "pinky",
}

_BLENDER = {
    "root": "root", "hips": "hips", "head": "head", "jaw": "jaw", "eye": "eye", "ear": "ear", "shoulder": "shoulder",
    "upper_arm": "upper_arm", "forearm": "forearm", "hand": "hand", "thigh": "thigh", "shin": "shin", "foot": "foot",
    "toe": "toe",
}  # fmt: skip
_BLENDER_COUNTED = {
    "spine": "spine",
    "neck": "neck",
    "thumb": "thumb",
    "index": "f_index",
    "middle": "f_middle",
    "ring": "f_ring",
    "little": "f_pinky",
    "tail": "tail",
}

_HUMANIK = {
    "root": "Reference",
    "hips": "Hips",
    "head": "Head",
    "shoulder": "Shoulder",
    "upper_arm": "Arm",
    "forearm": "ForeArm",
    "hand": "Hand",
    "thigh": "UpLeg",
    "shin": "Leg",
    "foot": "Foot",
    "toe": "ToeBase",
}
_HUMANIK_FINGERS = {"thumb": "Thumb", "index": "Index", "middle": "Middle", "ring": "Ring", "little": "Pinky"}

Scheme = Callable[[str, str | None, int, int], str | None]
"""A joint's name from its part, its side, and its place among so many joints of that part; None for no name.

Fingers are counted from the knuckle: a metacarpal has place -1. The thumb's is its first joint, place 0.
"""


def _humanoid(thumb: tuple[str, ...], root: str | None) -> Scheme:
    def name(part: str, side: str | None, place: int, count: int) -> str | None:
        prefix = (side or "").capitalize()
        if part == "root":
            return root if place == 0 else None
        if part == "spine":
            # The chest is in the middle of a longer spine, and what carries the arms is its end.
            last = {count - 1: "UpperChest"} if count > 2 else {}
            return {**last, max(count // 2, 1): "Chest", 0: "Spine"}.get(place)
        if part in FINGERS:
            names = thumb if part == "thumb" else _HUMANOID_PHALANGES
            return f"{prefix}{part.capitalize()}{names[place]}" if 0 <= place < _PHALANGES else None
        return f"{prefix}{_HUMANOID[part]}" if part in _HUMANOID and place == 0 else None

    return name


def _suffixed(
    plain: dict[str, str], counted: dict[str, str], ends: tuple[str, str], digits: str, metacarpal: Callable[[str], str]
) -> Scheme:
    def name(part: str, side: str | None, place: int, count: int) -> str | None:
        end = "" if side is None else ends[side == "right"]
        if part in FINGERS and not 0 <= place < _PHALANGES:
            return f"{metacarpal(part)}{end}" if place == -1 else None
        if part in counted:
            return f"{counted[part]}{digits.format(place + 1)}{end}"
        return f"{plain[part]}{end}" if part in plain and place == 0 else None

    return name


def _humanik(part: str, side: str | None, place: int, count: int) -> str | None:
    prefix = (side or "").capitalize()
    if part in ("spine", "neck"):
        return f"{part.capitalize()}{place or ''}"
    if part in FINGERS:
        finger = _HUMANIK_FINGERS[part]
        if not 0 <= place < _PHALANGES:
            return f"{prefix}InHand{finger}" if place == -1 else None
        return f"{prefix}Hand{finger}{place + 1}"
    return f"{prefix}{_HUMANIK[part]}" if part in _HUMANIK and place == 0 else None


SCHEMES: dict[str, Scheme] = {
    "unity": _humanoid(_HUMANOID_PHALANGES, None),
    "godot": _humanoid(_THUMB_OF_GODOT, "Root"),
    "unreal": _suffixed(
        _UNREAL, _UNREAL_COUNTED, ("_l", "_r"), "_{:02d}", lambda part: f"{_UNREAL_COUNTED[part]}_metacarpal"
    ),
    "blender": _suffixed(
        _BLENDER, _BLENDER_COUNTED, (".L", ".R"), ".{:02d}", lambda part: f"palm.{FINGERS.index(part):02d}"
    ),
    "humanik": _humanik,
}
FOR_ANY_BODY = ("blender",)
"""Schemes that are a way to name and not a humanoid; the others would call a dog's front legs arms."""


def standard_names(skeleton: Skeleton, scheme: str) -> dict[str, str]:
    """New names by old ones for the joints whose role the scheme has a name for."""
    roles: Roles = skeleton.roles
    by_role: dict[tuple[str, str | None], list[int]] = {}
    for joint, (part, side) in enumerate(zip(roles.parts, roles.sides, strict=True)):
        by_role.setdefault((part, side), []).append(joint)
    renamed: dict[str, str] = {}
    for (part, side), joints in by_role.items():
        if (side is None) != (part in MIDDLE):
            continue  # of two roots, left and right, neither is the root
        first = 1 if part in FINGERS and part != "thumb" and _has_metacarpal(skeleton, joints) else 0
        for place, joint in enumerate(joints):
            name = SCHEMES[scheme](part, side, place - first, len(joints))
            if name is not None:
                renamed[skeleton.names[joint]] = name
    return renamed


def _has_metacarpal(skeleton: Skeleton, finger: list[int]) -> bool:
    """Whether the first joint of a finger is in the wrist: four joints, the first bone longer than the way to it.

    Fingers of four joints may also begin at the knuckle and end in a joint at their tip.
    """
    if len(finger) <= _PHALANGES:
        return False
    away, bone = (float(np.linalg.norm(skeleton.rest_translations[joint])) for joint in finger[:2])
    return bone > away


def cleaned(
    names: Iterable[str], forbidden: re.Pattern[str], taken: Iterable[str] = (), any_case: bool = False
) -> dict[str, str]:
    """New names by old ones, without forbidden characters and still unique.

    Args:
        names: each of them once.
        forbidden: characters that become underscores.
        taken: names that are given already.
        any_case: names that differ in case only are the same.
    """
    key = str.casefold if any_case else str
    used = {key(name) for name in taken}
    result: dict[str, str] = {}
    for name in names:
        plain = forbidden.sub("_", name) or "_"
        unique, number = plain, 2
        while key(unique) in used:
            unique, number = f"{plain}_{number}", number + 1
        used.add(key(unique))
        result[name] = unique
    return result
