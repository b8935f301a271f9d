"""Names that programs expect: without characters they cannot hold, or those of their standard humanoid.

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

# What each part of a body is called by Unity and Godot, Unreal, Blender, and HumanIK; None where a scheme has no name.
_NAMES: dict[str, tuple[str | None, str | None, str | None, str | None]] = {
    "root": (None, "root", "root", "Reference"),
    "hips": ("Hips", "pelvis", "hips", "Hips"),
    "spine": (None, "spine", "spine", "Spine"),
    "neck": ("Neck", "neck", "neck", "Neck"),
    "head": ("Head", "head", "head", "Head"),
    "jaw": ("Jaw", None, "jaw", None),
    "eye": ("Eye", None, "eye", None),
    "ear": (None, None, "ear", None),
    "tail": (None, None, "tail", None),
    "shoulder": ("Shoulder", "clavicle", "shoulder", "Shoulder"),
    "upper_arm": ("UpperArm", "upperarm", "upper_arm", "Arm"),
    "forearm": ("LowerArm", "lowerarm", "forearm", "ForeArm"),
    "hand": ("Hand", "hand", "hand", "Hand"),
    "thumb": ("Thumb", "thumb", "thumb", "Thumb"),
    "index": ("Index", "index", "f_index", "Index"),
    "middle": ("Middle", "middle", "f_middle", "Middle"),
    "ring": ("Ring", "ring", "f_ring", "Ring"),
    "little": ("Little", "pinky", "f_pinky", "Pinky"),
    "thigh": ("UpperLeg", "thigh", "thigh", "UpLeg"),
    "shin": ("LowerLeg", "calf", "shin", "Leg"),
    "foot": ("Foot", "foot", "foot", "Foot"),
    "toe": ("Toes", "ball", "toe", "ToeBase"),
}
_HUMANOID, _UNREAL, _BLENDER, _HUMANIK = (
    {part: str(names[scheme]) for part, names in _NAMES.items() if names[scheme]} for scheme in range(4)
)
_COUNTED = ("spine", "neck", "tail", *FINGERS)  # parts of which Unreal and Blender number the joints
_HUMANOID_PHALANGES = ("Proximal", "Intermediate", "Distal")
_THUMB_OF_GODOT = ("Metacarpal", "Proximal", "Distal")

Scheme = Callable[[str, str | None, int, int], str | None]
"""A joint's name from its part, its side, its index among the joints of that part and their number; None for no name.

Fingers are counted from the knuckle: a metacarpal has index -1. The thumb's is its first joint, index 0.
"""


def _humanoid(thumb: tuple[str, ...], root: str | None) -> Scheme:
    def name(part: str, side: str | None, place: int, count: int) -> str | None:
        prefix = (side or "").capitalize()
        if part == "root":
            return root if place == 0 else None
        if part == "spine":
            # The chest is in the middle of a longer spine. Its last joint carries the arms and is the upper chest.
            last = {count - 1: "UpperChest"} if count > 2 else {}
            return {**last, max(count // 2, 1): "Chest", 0: "Spine"}.get(place)
        if part in FINGERS:
            names = thumb if part == "thumb" else _HUMANOID_PHALANGES
            return f"{prefix}{_HUMANOID[part]}{names[place]}" if 0 <= place < _PHALANGES else None
        return f"{prefix}{_HUMANOID[part]}" if part in _HUMANOID and place == 0 else None

    return name


def _suffixed(names: dict[str, str], ends: tuple[str, str], digits: str, metacarpal: Callable[[str], str]) -> Scheme:
    def name(part: str, side: str | None, place: int, count: int) -> str | None:
        end = "" if side is None else ends[side == "right"]
        if part not in names or (place and part not in _COUNTED):
            return None
        if part in FINGERS and not 0 <= place < _PHALANGES:
            return f"{metacarpal(part)}{end}" if place == -1 else None
        return f"{names[part]}{digits.format(place + 1) if part in _COUNTED else ''}{end}"

    return name


def _humanik(part: str, side: str | None, place: int, count: int) -> str | None:
    prefix = (side or "").capitalize()
    if part in ("spine", "neck"):
        return f"{_HUMANIK[part]}{place or ''}"
    if part in FINGERS and not 0 <= place < _PHALANGES:
        return f"{prefix}InHand{_HUMANIK[part]}" if place == -1 else None
    if part in FINGERS:
        return f"{prefix}Hand{_HUMANIK[part]}{place + 1}"
    return f"{prefix}{_HUMANIK[part]}" if part in _HUMANIK and place == 0 else None


SCHEMES: dict[str, Scheme] = {
    "unity": _humanoid(_HUMANOID_PHALANGES, None),
    "godot": _humanoid(_THUMB_OF_GODOT, "Root"),
    "unreal": _suffixed(_UNREAL, ("_l", "_r"), "_{:02d}", lambda part: f"{_UNREAL[part]}_metacarpal"),
    "blender": _suffixed(_BLENDER, (".L", ".R"), ".{:02d}", lambda part: f"palm.{FINGERS.index(part):02d}"),
    "humanik": _humanik,
}
FOR_ANY_BODY = ("blender",)
"""Schemes that suit any body; the others are humanoids and would call a dog's front legs arms."""


def standard_names(skeleton: Skeleton, scheme: str) -> dict[str, str]:
    """New names by old ones for the joints whose role the scheme has a name for."""
    roles: Roles = skeleton.roles
    by_role: dict[tuple[str, str | None], list[int]] = {}
    for joint, (part, side) in enumerate(zip(roles.parts, roles.sides, strict=True)):
        by_role.setdefault((part, side), []).append(joint)
    renamed: dict[str, str] = {}
    for (part, side), joints in by_role.items():
        if (side is None) != (part in MIDDLE):
            continue  # a left and a right root are not the root
        first = int(part in FINGERS[1:] and _has_metacarpal(skeleton, joints))
        for place, joint in enumerate(joints):
            name = SCHEMES[scheme](part, side, place - first, len(joints))
            if name is not None:
                renamed[skeleton.names[joint]] = name
    return renamed


def _has_metacarpal(skeleton: Skeleton, finger: list[int]) -> bool:
    """Whether the first joint of a finger is in the wrist: it has four joints, and the first bone is longer than the
    distance from the hand to it.

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
        any_case: names are compared without case.
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
