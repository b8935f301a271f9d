"""The segments of a pair of limbs, from names, hinges and shape.

The hip of a robot is three hinges in a row, each with an axis of its own. Together they are one joint of the body, so
they are read as one, at the place of the first, and get the same part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kinema.arrays import Floats
from kinema.roles.clues import Clues
from kinema.roles.limbs import LimbPair
from kinema.roles.segments import read_limb

_SAME_AXIS = 0.9  # cosine beyond which two axes are the same
_CLEAR = 0.9  # weight beyond which a name is clear about a part


@dataclass(frozen=True, eq=False)
class LimbReading:
    """The segments of a pair of limbs.

    Attributes:
        ours: joint of each part, of the first limb.
        theirs: the same of its partner.
        followers: hinges of both limbs that belong to the same joint of the body as an earlier hinge, with that hinge.
        margin: how clearly this reading won, 0 to 1.
    """

    ours: Mapping[str, int]
    theirs: Mapping[str, int]
    followers: Mapping[int, int] = field(default_factory=dict)
    margin: float = 0.0


def read(
    clues: Clues, limb: LimbPair, up: Floats, axes: Mapping[int, Floats], backward: Floats | None = None
) -> LimbReading:
    """The segments of a pair of limbs.

    Args:
        clues: clues of the skeleton.
        limb: the limb, with its kind.
        up: unit vector `[3]`.
        axes: unit vectors `[3]` of hinges, in model space at the rest pose.
        backward: unit vector `[3]` from front to hind legs; None if this is no front leg.
    """
    tree, partners = clues.tree, clues.partners
    one, other = limb.roots
    apart = float(np.linalg.norm(tree.positions[one] - tree.positions[other]))
    said = [clues.said(joint, limb.kind) for joint in limb.path]
    followers = follow(limb.path, said, axes)
    heard = [{"twist": 1.0} if joint in followers else names for joint, names in zip(limb.path, said, strict=True)]
    found = read_limb(tree, limb.path, limb.kind, heard, apart, up, backward)
    ours = dict(found.joints)
    theirs = {part: partners[joint] for part, joint in ours.items() if partners[joint] != joint}
    mirrored = {partners[joint]: partners[first] for joint, first in followers.items() if partners[joint] != joint}
    return LimbReading(ours, theirs, {**followers, **mirrored}, found.margin)


def follow(path: Sequence[int], said: Sequence[Mapping[str, float]], axes: Mapping[int, Floats]) -> dict[int, int]:
    """The hinges of a path that belong to the same joint of the body as an earlier hinge, with that hinge.

    Hinges in a row are one joint until an axis repeats: pitch, roll and yaw of a hip are a ball joint, and the knee
    turns about the axis of the pitch again. Clear names separate them or keep them together.
    """
    found: dict[int, int] = {}
    first, part, used = -1, "", []
    for joint, names in zip(path, said, strict=True):
        if joint not in axes:
            first = -1
            continue
        clear = _clear_part(names)
        if first < 0 or (clear != part if clear and part else _repeats(axes[joint], used)):
            first, part, used = joint, clear, [axes[joint]]
        else:
            found[joint] = first
            used.append(axes[joint])
            part = part or clear
    return found


def _clear_part(names: Mapping[str, float]) -> str:
    """The part that names are clear about, or ""."""
    best = max(names, key=lambda part: names[part]) if names else ""
    return best if best and names[best] >= _CLEAR else ""


def _repeats(axis: Floats, used: Sequence[Floats]) -> bool:
    return len(used) == 3 or any(abs(float(axis @ other)) > _SAME_AXIS for other in used)
