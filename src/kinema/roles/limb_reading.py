"""What names and hinges say along a limb, and which of its joints are its segments.

A robot's hip is three hinges in a row, each with an axis of its own; together they are one joint of the body. They are
read as one, at the place of the first, and share its part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kinema.roles.limbs import Limb
from kinema.roles.segments import read_limb, translate
from kinema.roles.tree import Floats, Tree
from kinema.roles.vocabulary import Evidence

_SAME_AXIS = 0.9  # cosine of two axes that are one
_TELLING = 0.9  # weight of a part that a name says for sure


@dataclass(frozen=True, eq=False)
class LimbReading:
    """The joints of one pair of limbs.

    Attributes:
        ours: of the first of the two, the joint of each part.
        theirs: of its partner.
        followers: of both, hinges that turn one joint of the body together with one before them: that one.
        margin: how clearly this reading was the best, 0 to 1.
    """

    ours: Mapping[str, int]
    theirs: Mapping[str, int]
    followers: Mapping[int, int] = field(default_factory=dict)
    margin: float = 0.0


@dataclass(frozen=True, eq=False)
class Hearing:
    """What is asked of the joints of a limb: their names, and those of their partners."""

    tree: Tree
    evidence: list[Evidence]
    partners: list[int]
    middle: list[bool]

    def said(self, joint: int, kind: str) -> dict[str, float]:
        """What the names of a joint and its partner say, in the words of the limb's kind."""
        own = translate(self.evidence[joint].parts, kind)
        other = translate(self.evidence[self.partners[joint]].parts, kind)
        if self.evidence[joint].end:
            return {"helper": 1.0}
        if kind == "leg" and self.in_row(joint):
            return {"toes": 1.0}
        return {part: max(own.get(part, 0.0), other.get(part, 0.0)) for part in {*own, *other}}

    def in_row(self, joint: int) -> bool:
        """Whether a joint is one of three or more digits that begin side by side."""
        tree, parent = self.tree, self.tree.parents[joint]
        if parent < 0 or self.middle[parent] or len(tree.children[parent]) < 3:
            return False
        total = tree.reach[joint] + tree.lengths[joint]
        alike = [
            at
            for at in tree.children[parent]
            if self.evidence[at].best in ("", "toe", "toes")
            and 0.4 * total < tree.reach[at] + tree.lengths[at] < 2.5 * total
        ]
        return joint in alike and len(alike) >= 3


def read(hearing: Hearing, limb: Limb, up: Floats, axes: Mapping[int, Floats]) -> LimbReading:
    """The segments of a pair of limbs.

    Args:
        hearing: of its skeleton.
        limb: with its kind.
        up: unit vector `[3]`.
        axes: of hinges, unit vectors `[3]` in the world of the rest pose.
    """
    tree, partners = hearing.tree, hearing.partners
    one, other = limb.roots
    apart = float(np.linalg.norm(tree.placed[one] - tree.placed[other]))
    said = [hearing.said(joint, limb.kind) for joint in limb.path]
    followers = follow(limb.path, said, axes)
    heard = [{"twist": 1.0} if joint in followers else names for joint, names in zip(limb.path, said, strict=True)]
    found = read_limb(tree, limb.path, limb.kind, heard, apart, up)
    ours = dict(found.joints)
    theirs = {part: partners[joint] for part, joint in ours.items() if partners[joint] != joint}
    mirrored = {partners[joint]: partners[first] for joint, first in followers.items() if partners[joint] != joint}
    return LimbReading(ours, theirs, {**followers, **mirrored}, found.margin)


def follow(path: Sequence[int], said: Sequence[Mapping[str, float]], axes: Mapping[int, Floats]) -> dict[int, int]:
    """The hinges of a path that belong to a joint of the body together with one before them: that one.

    Hinges in a row are one joint until an axis comes again: hip pitch, roll and yaw are a ball joint, the knee turns
    about the axis of the pitch once more. Names that tell part them, or keep them together.
    """
    found: dict[int, int] = {}
    first, told, used = -1, "", []
    for joint, names in zip(path, said, strict=True):
        if joint not in axes:
            first, told, used = -1, "", []
            continue
        best = max(names, key=lambda part: names[part]) if names else ""
        best = best if best and names[best] >= _TELLING else ""
        again = len(used) == 3 or any(abs(float(axes[joint] @ axis)) > _SAME_AXIS for axis in used)
        if first < 0 or (best != told if best and told else again):
            first, told, used = joint, best, [axes[joint]]
        else:
            found[joint] = first
            used.append(axes[joint])
            told = told or best
    return found
