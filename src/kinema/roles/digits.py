"""Fingers and toes: which chain below a hand is the thumb, and the order of the others."""

from __future__ import annotations

import re

import numpy as np

from kinema.roles.tree import Floats, Tree
from kinema.roles.vocabulary import Evidence

FINGERS = ("thumb", "index", "middle", "ring", "little")
_FINGER = re.compile(r"finger[ _]?(?:[LRlr]_)?([0-9])", re.IGNORECASE)
_BY_COUNT = {5: FINGERS, 4: FINGERS[:4], 3: ("thumb", "index", "middle"), 2: ("thumb", "index")}


def name_digits(tree: Tree, hand: int, roots: list[int], evidence: list[Evidence]) -> tuple[dict[int, str], bool]:
    """The part of each digit by its first joint below the hand, and whether names told."""
    named = {root: _named(tree, root, evidence) for root in roots}
    numbers = {root: _number(tree, root, evidence) for root in roots}
    if set(named.values()) == {"finger"} and -1 not in numbers.values() and len(set(numbers.values())) == len(roots):
        first = min(numbers.values())  # 3ds Max Biped counts from 0, MakeHuman from 1, both from the thumb
        if first <= 1 and max(numbers.values()) - first < 5 and len(roots) > 1:
            return {root: FINGERS[number - first] for root, number in numbers.items()}, True
    if any(named.values()):
        return {root: part or "finger" for root, part in named.items()}, True
    if len(roots) not in _BY_COUNT:
        return dict.fromkeys(roots, "finger"), False
    order = _from_thumb(tree, hand, roots)
    return dict(zip(order, _BY_COUNT[len(roots)], strict=True)), False


def _named(tree: Tree, root: int, evidence: list[Evidence]) -> str:
    votes = [evidence[joint].best for joint in tree.path(root, 6)]
    telling = [part for part in votes if part in FINGERS]
    return telling[0] if telling else "finger" if "finger" in votes else ""


def _number(tree: Tree, root: int, evidence: list[Evidence]) -> int:
    """The number that follows the word finger: 2 of `finger2-1`, 1 of `Finger11`; -1 where there is none."""
    for joint in tree.path(root, 3):
        found = _FINGER.search(evidence[joint].name)
        if found is not None:
            return int(found.group(1))
    return -1


def _from_thumb(tree: Tree, hand: int, roots: list[int]) -> list[int]:
    """The digits from the thumb outwards: the thumb begins nearest to the wrist and points away from the rest."""
    knuckles = {root: _knuckle(tree, root) for root in roots}
    ways = {root: _unit(tree.ends[tree.path(root)[-1]] - tree.placed[root]) for root in roots}
    size = max(float(np.linalg.norm(at - tree.placed[hand])) for at in knuckles.values()) or 1.0

    def odd(root: int) -> float:
        others = [other for other in roots if other != root]
        turned = 1 - float(np.mean([ways[root] @ ways[other] for other in others]))
        near = 1 - float(np.linalg.norm(tree.placed[root] - tree.placed[hand])) / size
        gaps = min(float(np.linalg.norm(knuckles[root] - knuckles[other])) for other in others) / size
        return turned + 0.7 * near + 0.7 * gaps - 0.08 * len(tree.path(root))

    thumb = max(roots, key=odd)
    rest = [root for root in roots if root != thumb]
    return [thumb, *sorted(rest, key=lambda root: float(np.linalg.norm(knuckles[root] - knuckles[thumb])))]


def _knuckle(tree: Tree, root: int) -> Floats:
    """Where the digit leaves the palm: its second joint if the first is a metacarpal at the wrist."""
    path = tree.path(root)
    return tree.placed[path[1]] if len(path) > 3 and tree.lengths[path[1]] > tree.lengths[root] else tree.placed[root]


def _unit(way: Floats) -> Floats:
    return way / max(float(np.linalg.norm(way)), 1e-12)
