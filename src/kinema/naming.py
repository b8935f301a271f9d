"""Parses joint names: the side, the name of the mirror partner, the words.

Covers the naming schemes of Mixamo, Unreal, VRM, CMU, LAFAN, Rigify, 3ds Max Biped, Daz, Acclaim and Bandai-Namco rigs:
`LeftArm`, `arm_l`, `J_Bip_L_Hand`, `Bip01 L Foot`, `lThigh`, `hand.R`, `UpperArm_L`, `lfemur`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

Side = Literal["left", "right"]

_SWAP = {"left": "right", "right": "left", "l": "r", "r": "l", "左": "右", "右": "左"}
_SIDE = re.compile(
    r"left|right"  # whole words in any case, also inside camel case
    r"|(?<![a-z])[lr](?![a-z])"  # a lone letter between separators: arm_l, L_arm, "Bip01 L Foot", hand.R
    r"|[左右]",
    re.IGNORECASE,
)
_PREFIX = re.compile(
    r"^[lrLR](?=[A-Z][a-z])"  # lThigh, LHipJoint
    # lfemur: joints of Acclaim files, listed because many words begin with a lower-case l or r
    r"|^[lr](?=(?:hipjoint|femur|tibia|foot|toes|clavicle|humerus|radius|wrist|hand|fingers|thumb|thigh|shin)$)"
)
_SUFFIX = re.compile(r"(?<=[a-z])[LR](?![A-Za-z])")  # upperarmL, FootL_end
_LOWER_SIDE = re.compile(r"(?<![a-z])(left|right)(?![a-z])")
_NUMBER = re.compile(r"(?<=[^_\W])_[0-9]+$")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")


def _match(name: str) -> re.Match[str] | None:
    # "Upright" and "Bright" contain a side by accident. A real side starts a word.
    for found in _SIDE.finditer(name):
        text, start = found.group(), found.start()
        starts_word = start == 0 or not name[start - 1].isalpha() or text[0].isupper()
        if len(text) == 1 or starts_word:
            return found
    return _PREFIX.search(name) or _SUFFIX.search(name)


def side(name: str) -> Side | None:
    """`"left"`, `"right"`, or None for a joint in the middle."""
    found = _match(name)
    if found is None:
        return None
    return "left" if found.group().lower() in ("left", "l", "左") else "right"


def mirrored(name: str) -> str | None:
    """The name of the joint on the other side, or None for a joint in the middle."""
    found = _match(name)
    if found is None:
        return None
    old = found.group()
    new = _SWAP[old.lower()]
    if old.isupper():
        new = new.upper()
    elif old[0].isupper():
        new = new.capitalize()
    return name[: found.start()] + new + name[found.end() :]


def swap_sides(texts: Iterable[str]) -> tuple[str, ...]:
    """Texts with the words `left` and `right` swapped: `jump-left`, `limps on the right leg`."""
    return tuple(_LOWER_SIDE.sub(lambda found: _SWAP[found[0]], text) for text in texts)


def unnumbered(name: str) -> str:
    """The name without a trailing serial number: `b_LeftFoot01_017` gives `b_LeftFoot01`."""
    return _NUMBER.sub("", name)


def words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, without its namespace: `mixamorig:LeftUpLeg` gives `("left", "up", "leg")`."""
    return tuple(word.lower() for word in _WORD.findall(name.rsplit(":", 1)[-1]))
