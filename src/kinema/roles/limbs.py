"""Pairs of limbs: subtrees on both sides of the middle line, with their measures."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kinema.arrays import Floats
from kinema.roles.clues import Clues
from kinema.roles.digits import DIGITS
from kinema.roles.tree import JointTree, unit
from kinema.roles.vocabulary import Evidence

ASIDE = ("twist", "helper", "prop")
"""Parts of joints that hang on a limb and are not segments of it."""

_MOST_PAIRS = 100  # the longest pairs; hostile files have more
_MOST_LONE = 4  # limbs without a partner
_MOST_JOINTS = 40  # joints of a limb whose names are read
_VOTES = {
    "thigh": ("leg", 1.0), "shin": ("leg", 1.0), "foot": ("leg", 1.0), "toe": ("leg", 0.6), "toes": ("leg", 0.3),
    "leg": ("leg", 0.5), "shoulder": ("arm", 0.7), "upper_arm": ("arm", 1.0), "forearm": ("arm", 1.0),
    "hand": ("arm", 1.0), "thumb": ("arm", 0.2), "index": ("arm", 0.2), "middle": ("arm", 0.2), "ring": ("arm", 0.2),
    "little": ("arm", 0.2), "finger": ("arm", 0.2), "wing": ("wing", 1.0), "fin": ("fin", 1.0), "ear": ("ear", 1.0),
    "eye": ("ear", 1.0), "hair": ("ear", 1.0), "face": ("ear", 0.7), "jaw": ("ear", 0.7), "prop": ("ear", 1.0),
    "helper": ("ear", 0.6), "twist": ("ear", 0.3),
}  # fmt: skip
"""The kind of limb that a part of a body suggests, with a weight; "ear" for parts that are not limbs."""


@dataclass(eq=False)
class LimbPair:
    """Two subtrees, one on each side of the middle line.

    Attributes:
        roots: topmost joints of the two; the same joint twice for a limb without a partner.
        base: the joint in the middle that carries them; -1 if they are roots.
        path: joints of the longest path of the first one.
        total: metres along `path` to the tip; one more bone if the last joint has no tip.
        kind: kind of chain, or "" while it is unknown.
        votes: weight of the names for each kind.
        level: mean of what names say about front (+1) and back (-1).
        digits: largest number of branches at a joint.
        forks: joints of `path` that branch, as in a wing with feathers.
        direction: mean of both unit vectors from first joint to tip `[3]`; short if they point apart.
        tip: mean position of the two tips `[3]`.
        start: mean position of the two first joints `[3]`.
    """

    roots: tuple[int, int]
    base: int
    path: list[int]
    total: float
    kind: str = ""
    votes: dict[str, float] = field(default_factory=dict)
    level: float = 0.0
    digits: int = 0
    forks: int = 0
    direction: Floats = field(default_factory=lambda: np.zeros(3))
    tip: Floats = field(default_factory=lambda: np.zeros(3))
    start: Floats = field(default_factory=lambda: np.zeros(3))

    def named(self, kind: str) -> float:
        """The share of the names' votes for a kind, 0 to 1; 0 without votes."""
        total = sum(self.votes.values())
        return self.votes.get(kind, 0.0) / total if total > 0 else 0.0


def find_limbs(clues: Clues) -> list[LimbPair]:
    """All pairs of subtrees off the middle line, the longest first. A root shared by several limbs is split up."""
    tree, partners = clues.tree, clues.partners
    found = [
        _measured(clues, one, partners[one], tree.parents[joint])
        for joint in topmost(clues)
        for one in _split(tree, joint)[:_MOST_PAIRS]
        if partners[one] != one
    ]
    found += [_measured(clues, joint, joint, tree.parents[joint]) for joint in _lone(clues)]
    return sorted(found, key=lambda limb: -limb.total)


def topmost(clues: Clues) -> list[int]:
    """The first joints off the middle line, one of each pair, those of the longest subtrees first."""
    tree, partners = clues.tree, clues.partners
    tops = [
        joint
        for joint, parent in enumerate(tree.parents)
        if partners[joint] > joint and (parent < 0 or clues.middle[parent])
    ]
    return sorted(tops, key=lambda joint: -tree.reach[joint])[:_MOST_PAIRS]


def _lone(clues: Clues) -> list[int]:
    """First joints of limbs without a partner, as the only arm of a body: long, and off the middle."""
    tree, partners = clues.tree, clues.partners
    longest = max((tree.reach[joint] for joint in topmost(clues)), default=0.0)
    return [
        joint
        for joint, parent in enumerate(tree.parents)
        if parent >= 0
        and clues.middle[parent]
        and not clues.middle[joint]
        and partners[joint] == joint
        and tree.reach[joint] > 0.3 * longest
        and len(tree.path(joint, 3)) > 2
    ][:_MOST_LONE]


def _split(tree: JointTree, joint: int) -> list[int]:
    """The joint, or its large branches if several limbs share it as their root."""
    total, top = tree.reach[joint], joint
    while tree.reach[top] >= 0.8 * total:
        large = [
            child for child in tree.children[top] if tree.total(child) > 0.6 * total and len(tree.path(child, 3)) > 2
        ]
        if len(large) > 1:
            return large
        if len(tree.children[top]) != 1:
            break
        top = tree.children[top][0]
    return [joint]


def _measured(clues: Clues, one: int, other: int, base: int) -> LimbPair:
    tree, roots = clues.tree, (one, other)
    path = _path(clues, one)
    limb = LimbPair(roots, base, path, tree.reach[one] + _unseen(tree, path))
    limb.votes, limb.level = _heard(clues, roots)
    limb.digits = max((_digits(tree, joint, limb.total) for joint in path[1:]), default=0)
    limb.forks = sum(len(tree.children[joint]) > 1 for joint in path)
    _measure_span(tree, limb, (tree.path_end(one), tree.path_end(other)))
    return limb


def _unseen(tree: JointTree, path: list[int]) -> float:
    """Metres that a limb whose last joint has no tip is longer than its joints show: one more bone."""
    return tree.lengths[path[-1]] if tree.reach[path[-1]] <= 0 < len(path) - 1 else 0.0


def _measure_span(tree: JointTree, limb: LimbPair, lasts: tuple[int, int]) -> None:
    """Where a limb begins, ends and points, by its last joints."""
    tips, starts = [tree.ends[joint] for joint in lasts], [tree.positions[root] for root in limb.roots]
    limb.direction = np.mean([unit(tip - start) for tip, start in zip(tips, starts, strict=True)], axis=0)
    limb.tip, limb.start = np.mean(tips, axis=0), np.mean(starts, axis=0)


def _heard(clues: Clues, roots: tuple[int, int]) -> tuple[dict[str, float], float]:
    """Votes of the names in two subtrees for kinds of limb, and their mean level."""
    heard = [clues.evidence[joint] for root in roots for joint in clues.tree.below(root, _MOST_JOINTS)]
    levels = [said.level for said in heard if said.level]
    level = float(np.mean(levels)) if levels else 0.0
    parent = clues.tree.parents[roots[0]]
    on_hand = parent < 0 or clues.evidence[parent].best in ("", "hand")
    if on_hand and all(clues.evidence[root].best in DIGITS for root in roots):
        return {"ear": 1.0}, level  # fingers of a hand without a body
    return _votes(heard), level


def _votes(heard: list[Evidence]) -> dict[str, float]:
    votes: dict[str, float] = {}
    for part, weight in (item for said in heard for item in said.parts.items()):
        kind, worth = _VOTES.get(part, ("", 0.0))
        if kind:
            votes[kind] = votes.get(kind, 0.0) + worth * weight
    return votes


def _digits(tree: JointTree, joint: int, total: float) -> int:
    """Branches of a joint that are long enough for a digit."""
    return sum(tree.total(child) > 0.05 * total for child in tree.children[joint])


def _path(clues: Clues, joint: int) -> list[int]:
    """The longest path down; helpers and ends by name are avoided where there are other branches."""
    tree, path = clues.tree, [joint]
    while tree.next[path[-1]] >= 0 and len(path) < 64:
        children = tree.children[path[-1]]
        own = [child for child in children if clues.evidence[child].best not in ASIDE and not clues.evidence[child].end]
        if len(own) == len(children) or not own:
            path.append(tree.next[path[-1]])
        else:
            path.append(max(own, key=tree.total))
    return path
