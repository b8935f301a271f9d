"""Names of joints in the conventions of common tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SCHEMES = ("snake_case", "mixamo", "unreal", "rigify", "max", "meaningless")
"""Conventions of naming."""


@dataclass(frozen=True)
class JointKey:
    """What a joint is.

    Attributes:
        part: "thigh", "spine", ...
        side: 1 left, -1 right, 0 middle.
        order: counts limbs of a kind on one side, from the front.
        index: counts joints of the same part in a row.
        kind: the group of the joint, such as "leg" or "front_leg".
    """

    part: str
    side: int = 0
    order: int = 0
    index: int = 0
    kind: str = ""


_MIXAMO = {
    "hips": "Hips", "spine": "Spine", "neck": "Neck", "head": "Head", "thigh": "UpLeg", "shin": "Leg", "foot": "Foot",
    "toe": "ToeBase", "shoulder": "Shoulder", "upper_arm": "Arm", "forearm": "ForeArm", "hand": "Hand",
}  # fmt: skip
_UNREAL = {"hips": "pelvis", "shin": "calf", "toe": "ball", "shoulder": "clavicle", "upper_arm": "upperarm",
           "forearm": "lowerarm"}  # fmt: skip
_RIGIFY = {"hips": "spine_root"}
_MAX = {
    "hips": "Pelvis", "shin": "Calf", "toe": "Toe0", "shoulder": "Clavicle", "upper_arm": "UpperArm",
    "forearm": "Forearm", "cannon": "HorseLink",
}  # fmt: skip


def _camel(word: str) -> str:
    return "".join(piece.capitalize() for piece in word.split("_"))


def _limb(key: JointKey) -> str:
    """What tells limbs of the same parts apart: front legs, wings, and legs of bodies with many."""
    shared = {"shoulder", "upper_arm", "forearm", "hand", "digit"}
    if key.kind in ("wing", "fin", "claw", "tentacle") and key.part in shared | {"membrane"}:
        return key.kind
    return "front" if key.kind == "front_leg" else ""


def _snake_case(key: JointKey) -> str:
    side = {1: "left", -1: "right", 0: ""}[key.side]
    if key.kind in ("leg", "front_leg", "wing", "tentacle"):
        limb = key.kind if key.order == 0 else f"{key.kind}_{key.order + 1}"
        return "_".join(piece for piece in (limb, side, key.part, str(key.index + 1)) if piece)
    place = str(key.order + 1) if key.order else ""
    return "_".join(piece for piece in (key.part, place, side, str(key.index + 1) if key.index else "") if piece)


def _mixamo(key: JointKey) -> str:
    side = {1: "Left", -1: "Right", 0: ""}[key.side]
    word = _camel(_limb(key)) + _MIXAMO.get(key.part, _camel(key.part))
    return f"mixamorig:{side}{word}{_number(key, '')}"


def _unreal(key: JointKey) -> str:
    side = {1: "_l", -1: "_r", 0: ""}[key.side]
    word = "_".join(piece for piece in (_limb(key), _UNREAL.get(key.part, key.part)) if piece)
    counted = key.part in ("spine", "neck", "tail") or key.index or key.order
    return f"{word}_{10 * key.order + key.index + 1:02d}{side}" if counted else word + side


def _rigify(key: JointKey) -> str:
    side = {1: ".L", -1: ".R", 0: ""}[key.side]
    word = "_".join(piece for piece in (_limb(key), _RIGIFY.get(key.part, key.part)) if piece)
    number = 20 * key.order + key.index
    return f"{word}{side}" + (f".{number:03d}" if number else "")


def _max(key: JointKey) -> str:
    side = {1: "L ", -1: "R ", 0: ""}[key.side]
    word = _camel(_limb(key)) + _MAX.get(key.part, _camel(key.part))
    return f"Bip01 {side}{word}{_number(key, '')}"


def _number(key: JointKey, empty: str) -> str:
    number = 20 * key.order + key.index
    return str(number) if number else empty


_WRITERS = {"snake_case": _snake_case, "mixamo": _mixamo, "unreal": _unreal, "rigify": _rigify, "max": _max}


def joint_names(keys: Sequence[JointKey], scheme: str) -> list[str]:
    """Unique names of joints in one of `SCHEMES`."""
    if scheme == "meaningless":
        return [f"bone_{joint}" for joint in range(len(keys))]
    names: list[str] = []
    taken: set[str] = set()
    for key in keys:
        name = base = _WRITERS[scheme](key)
        again = 1
        while name in taken:
            again += 1
            name = f"{base}_{again}"
        taken.add(name)
        names.append(name)
    return names
