"""Limbs: the pairs of subtrees that stand off the middle line, measured."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kinema.roles.tree import Floats, Tree
from kinema.roles.vocabulary import Evidence

_DIGITS = ("thumb", "index", "middle", "ring", "little", "finger")
_BESIDE = ("twist", "helper", "prop")
_MOST_PAIRS = 100  # that are measured, the longest; hostile files have more
_MOST = 40  # joints of a limb whose names are heard
_VOTES = {
    "thigh": ("leg", 1.0), "shin": ("leg", 1.0), "foot": ("leg", 1.0), "toe": ("leg", 0.6), "toes": ("leg", 0.3),
    "leg": ("leg", 0.5), "shoulder": ("arm", 0.7), "upper_arm": ("arm", 1.0), "forearm": ("arm", 1.0),
    "hand": ("arm", 1.0), "thumb": ("arm", 0.2), "index": ("arm", 0.2), "middle": ("arm", 0.2), "ring": ("arm", 0.2),
    "little": ("arm", 0.2), "finger": ("arm", 0.2), "wing": ("wing", 1.0), "fin": ("fin", 1.0), "ear": ("ear", 1.0),
    "eye": ("ear", 1.0), "hair": ("ear", 1.0), "face": ("ear", 0.7), "jaw": ("ear", 0.7), "prop": ("ear", 1.0),
    "helper": ("ear", 0.6), "twist": ("ear", 0.3),
}  # fmt: skip


@dataclass(eq=False)
class Limb:
    """A pair of subtrees on both sides of the middle line.

    Attributes:
        roots: topmost joints of the two.
        base: the joint in the middle that carries them; -1 where they are roots.
        path: joints of the first one's longest way.
        total: metres along `path` from its first joint to the tip, or one bone beyond a last joint without one.
        kind: a kind of chain, or "" until it is known.
        votes: what names say it is: kind to weight.
        level: mean of what names say about front (+1) and back (-1).
        digits: most branches at one joint of it.
        forks: joints of `path` that branch, as those of a wing with feathers do.
        way: mean over both sides of the unit vector from first joint to tip `[3]`: short where they point apart.
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
    way: Floats = field(default_factory=lambda: np.zeros(3))
    tip: Floats = field(default_factory=lambda: np.zeros(3))
    start: Floats = field(default_factory=lambda: np.zeros(3))

    def named(self, kind: str) -> float:
        """The share of the names' votes for a kind, 0 to 1; 0 without votes."""
        total = sum(self.votes.values())
        return self.votes.get(kind, 0.0) / total if total > 0 else 0.0


def find_middle(tree: Tree, partners: list[int]) -> list[bool]:
    """Which joints are their own partners, and all above them too."""
    middle = [False] * len(partners)
    for joint, parent in enumerate(tree.parents):
        middle[joint] = partners[joint] == joint and (parent < 0 or middle[parent])
    return middle


def find_limbs(tree: Tree, partners: list[int], evidence: list[Evidence]) -> list[Limb]:
    """All pairs of subtrees that stand off the middle, the longest first. Roots of many limbs are opened."""
    middle = find_middle(tree, partners)
    found: list[Limb] = []
    pairs: list[tuple[int, int]] = []
    for joint, parent in enumerate(tree.parents):
        if partners[joint] > joint and (parent < 0 or middle[parent]):
            pairs.append((joint, parent))
    pairs.sort(key=lambda pair: -tree.reach[pair[0]])
    for joint, parent in pairs[:_MOST_PAIRS]:
        for one in _opened(tree, joint)[:_MOST_PAIRS]:
            other = partners[one]
            if other != one:
                found.append(_limb(tree, one, other, parent, evidence))
    return sorted(found, key=lambda limb: -limb.total)


def _opened(tree: Tree, joint: int) -> list[int]:
    """The joint, or its large branches where several limbs share one root."""
    total, top = tree.reach[joint], joint
    while tree.reach[top] >= 0.8 * total:
        large = [
            child
            for child in tree.children[top]
            if tree.reach[child] + tree.lengths[child] > 0.6 * total and len(tree.path(child, 3)) > 2
        ]
        if len(large) > 1:
            return large
        if len(tree.children[top]) != 1:
            break
        top = tree.children[top][0]
    return [joint]


def _limb(tree: Tree, one: int, other: int, base: int, evidence: list[Evidence]) -> Limb:
    path = _path(tree, one, evidence)
    last = path[-1]
    unseen = tree.lengths[last] if tree.reach[last] <= 0 < len(path) - 1 else 0.0  # without a tip
    limb = Limb((one, other), base, path, tree.reach[one] + unseen)
    levels = []
    for root in (one, other):
        for joint in tree.below(root, _MOST):
            said = evidence[joint]
            for part, weight in said.parts.items():
                if part in _VOTES:
                    kind, worth = _VOTES[part]
                    limb.votes[kind] = limb.votes.get(kind, 0.0) + worth * weight
            if said.level:
                levels.append(said.level)
    if all(evidence[joint].best in _DIGITS for joint in (one, other)):
        limb.votes = {"ear": 1.0}  # fingers of a hand without a body
    limb.level = float(np.mean(levels)) if levels else 0.0
    limb.digits = max(
        (sum(tree.reach[c] + tree.lengths[c] > 0.05 * limb.total for c in tree.children[j]) for j in path[1:]),
        default=0,
    )
    limb.forks = sum(len(tree.children[joint]) > 1 for joint in path)
    tips = [tree.ends[tree.path(root)[-1]] for root in (one, other)]
    starts = [tree.placed[root] for root in (one, other)]
    spans = [tip - start for tip, start in zip(tips, starts, strict=True)]
    limb.way = np.mean([span / max(float(np.linalg.norm(span)), 1e-9) for span in spans], axis=0)
    limb.tip, limb.start = np.mean(tips, axis=0), np.mean(starts, axis=0)
    return limb


def _path(tree: Tree, joint: int, evidence: list[Evidence]) -> list[int]:
    """The longest way down over joints that are none of twist, helper, prop and end by name, where others are there."""
    path = [joint]
    while tree.next[path[-1]] >= 0 and len(path) < 64:
        children = tree.children[path[-1]]
        own = [child for child in children if evidence[child].best not in _BESIDE and not evidence[child].end]
        if len(own) == len(children) or not own:
            path.append(tree.next[path[-1]])
        else:
            path.append(max(own, key=lambda child: tree.reach[child] + tree.lengths[child]))
    return path
