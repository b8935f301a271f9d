"""Fingers: which digit of a hand is the thumb, and the order of the others."""

from __future__ import annotations

import re

import numpy as np

from kinema.arrays import Floats
from kinema.roles.tree import JointTree, unit
from kinema.roles.vocabulary import Evidence

FINGERS = ("thumb", "index", "middle", "ring", "little")
DIGITS = (*FINGERS, "finger")

_FINGER = re.compile(r"finger[ _]?(?:[LRlr]_)?([0-9])", re.IGNORECASE)
_BY_COUNT = {5: FINGERS, 4: FINGERS[:4], 3: ("thumb", "index", "middle"), 2: ("thumb", "index")}


def name_digits(tree: JointTree, hand: int, roots: list[int], evidence: list[Evidence]) -> tuple[dict[int, str], bool]:
    """The part of each digit by its first joint, and whether names decided.

    Args:
        tree: the skeleton's shape.
        hand: the joint that the digits hang on.
        roots: first joints of the digits.
        evidence: what the name of each joint tells.
    """
    named = {root: _named(tree, root, evidence) for root in roots}
    if set(named.values()) == {"finger"}:
        numbered = _numbered(tree, roots, evidence)
        if numbered:
            return numbered, True
    if any(named.values()):
        return {root: part or "finger" for root, part in named.items()}, True
    if len(roots) not in _BY_COUNT:
        return dict.fromkeys(roots, "finger"), False
    order = _from_thumb(tree, hand, roots)
    return dict(zip(order, _BY_COUNT[len(roots)], strict=True)), False


def _named(tree: JointTree, root: int, evidence: list[Evidence]) -> str:
    votes = [evidence[joint].best for joint in tree.path(root, 6)]
    exact = [part for part in votes if part in FINGERS]
    return exact[0] if exact else "finger" if "finger" in votes else ""


def _numbered(tree: JointTree, roots: list[int], evidence: list[Evidence]) -> dict[int, str]:
    """Digits by number from the thumb; 3ds Max Biped counts from 0, MakeHuman from 1. Empty if not all have one."""
    numbers = {root: _number(tree, root, evidence) for root in roots}
    lowest, highest = min(numbers.values()), max(numbers.values())
    distinct = len(set(numbers.values())) == len(roots) > 1
    if not distinct or not 0 <= lowest <= 1 or highest - lowest >= 5:
        return {}
    return {root: FINGERS[number - lowest] for root, number in numbers.items()}


def _number(tree: JointTree, root: int, evidence: list[Evidence]) -> int:
    """The number after the word finger: 2 in `finger2-1`, 1 in `Finger11`; -1 if there is none."""
    for joint in tree.path(root, 3):
        found = _FINGER.search(evidence[joint].name)
        if found is not None:
            return int(found.group(1))
    return -1


def _from_thumb(tree: JointTree, hand: int, roots: list[int]) -> list[int]:
    """The digits from the thumb outwards: the thumb begins nearest to the wrist and points away from the rest."""
    knuckles = {root: _knuckle(tree, root) for root in roots}
    directions = {root: unit(tree.ends[tree.path_end(root)] - tree.positions[root]) for root in roots}
    size = max(float(np.linalg.norm(at - tree.positions[hand])) for at in knuckles.values()) or 1.0

    def oddness(root: int) -> float:
        others = [other for other in roots if other != root]
        angle = 1 - float(np.mean([directions[root] @ directions[other] for other in others]))
        near = 1 - float(np.linalg.norm(tree.positions[root] - tree.positions[hand])) / size
        gap = min(float(np.linalg.norm(knuckles[root] - knuckles[other])) for other in others) / size
        return angle + 0.7 * near + 0.7 * gap - 0.08 * len(tree.path(root))

    thumb = max(roots, key=oddness)
    rest = [root for root in roots if root != thumb]
    return [thumb, *sorted(rest, key=lambda root: float(np.linalg.norm(knuckles[root] - knuckles[thumb])))]


def _knuckle(tree: JointTree, root: int) -> Floats:
    """Position where a digit leaves the palm: its second joint if the first is a metacarpal at the wrist."""
    path = tree.path(root)
    metacarpal = len(path) > 3 and tree.lengths[path[1]] > tree.lengths[root]
    return tree.positions[path[1] if metacarpal else root]
