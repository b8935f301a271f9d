"""Mirror partners: which subtree is the other side of which.

Partners are an involution of the tree. The partner of a joint's child is a child of the joint's partner, or a sibling
if the joint is its own partner. Two subtrees match when their bone lengths and sizes agree, when the mirror image of
one lies on the other, and when their names are mirrored. Without a symmetric pose, only lengths and names count.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import dist

import numpy as np

from kinema import naming
from kinema.arrays import Floats
from kinema.roles.tree import JointTree
from kinema.roles.vocabulary import Evidence

_WINDOW = 24  # siblings that one is compared with, nearest in length first; bounds the work on hostile trees
_CROWD = 200  # siblings beyond which only names are compared
_CLOUD = 240  # joints that a mirror plane is judged by
_MOST = 0.6  # share of the bones that have a mirror image in a body with parts on one side only
_MOST_PAIRS = 400  # pairs of siblings that suggest a mirror plane
_MOST_PLANES = 8  # candidates that are judged
_ROUGH = 0.06  # of the body's size: mean distance from mirrored joints to joints of a symmetric pose
_SAME_BONES = 0.02  # largest difference of the lengths of two limbs that only the pose moves apart
_POSED_APART = 0.05  # cost of such a pose
_ALIKE = 0.16  # highest cost of a pair judged by lengths alone
_MATCHED = 0.75  # highest cost of any pair
_ONLY_CHILDREN = 3.0  # highest cost of the only children of two partners

Row = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class MirrorPlane:
    """The mirror plane of a pose.

    Attributes:
        normal: unit vector `[3]`.
        point: a point `[3]` on the plane.
        sharp: 0 to 1, how closely the pose matches its own mirror image.
    """

    normal: Floats
    point: Floats
    sharp: float

    def mirrored(self, points: Floats) -> Floats:
        """Points `[N, 3]` on the other side of the plane."""
        return points - 2 * ((points - self.point) @ self.normal)[:, None] * self.normal


def _difference(tree: JointTree, one: int, other: int) -> float:
    """How much two subtrees differ in lengths and sizes, 0 for none."""
    a, b = tree.lengths[one] + tree.reach[one], tree.lengths[other] + tree.reach[other]
    total = a + b
    if total <= 0:  # nothing to compare
        return 1.0
    lengths = abs(tree.lengths[one] - tree.lengths[other]) + abs(tree.reach[one] - tree.reach[other])
    sizes = abs(tree.size[one] - tree.size[other]) / (tree.size[one] + tree.size[other])
    return lengths / total + 0.5 * sizes


def find_plane(tree: JointTree) -> MirrorPlane | None:
    """The mirror plane that pairs of similar siblings suggest; None if no two lie apart."""
    pairs = list(_twins(tree))
    if not pairs:
        return None
    units, weights = np.stack([direction for direction, _, _ in pairs]), np.asarray([weight for _, _, weight in pairs])
    middles = np.stack([middle for _, middle, _ in pairs])
    best, found = -1.0, None
    for normal in _distinct(units[np.argsort(-weights, kind="stable")[:40]]):
        across = np.abs(units @ normal) > 0.94
        support = float((weights * across).sum() / weights.sum())
        heaviest = int(np.argmax(weights * across))
        plane = _fitted(tree, normal, middles[heaviest])
        score = support * (0.15 + plane.sharp) * (1.02 if abs(normal[0]) > 0.99 else 1.0)
        if score > best + 1e-9:
            best, found = score, plane
    return found


def _twins(tree: JointTree) -> Iterator[tuple[Floats, Floats, float]]:
    """Directions between similar siblings and their middles `[3]`, with the length of their subtrees as weight.

    The search stops below a pair: legs of one side or fingers are similar to each other, too.
    """
    most, count = max(tree.reach, default=0.0), 0
    rows = [tree.roots]
    for row in rows:
        large = [joint for joint in row if tree.total(joint) > 0.12 * most][:_WINDOW]
        twins: set[int] = set()
        for one, other in combinations(large, 2):
            if count >= _MOST_PAIRS or _difference(tree, one, other) >= 0.06:
                continue
            apart = tree.centres[one] - tree.centres[other] + tree.positions[one] - tree.positions[other]
            length = float(np.linalg.norm(apart))
            if length > 1e-4 * tree.extent:
                count += 1
                twins.update((one, other))
                yield apart / length, (tree.positions[one] + tree.positions[other]) / 2, tree.total(one)
        rows.extend(tree.children[joint] for joint in row if joint not in twins and tree.children[joint])


def _distinct(normals: Floats) -> list[Floats]:
    """The first few normals that differ from each other."""
    found: list[Floats] = []
    for normal in normals:
        if len(found) < _MOST_PLANES and not any(abs(float(normal @ other)) > 0.995 for other in found):
            found.append(normal)
    return found


def _fitted(tree: JointTree, normal: Floats, middle: Floats) -> MirrorPlane:
    """The best plane with a normal: where most of the bones have a mirror image. Many small fingers count little."""
    step = max(len(tree.positions) // _CLOUD, 1)
    cloud, bones = tree.positions[::step], np.asarray(tree.lengths[::step]) + 1e-9
    along = tree.positions @ normal
    offsets = [float(np.median(along)) if tree.posed else 0.0, float(along.mean()), float(middle @ normal)]
    gaps = [_gaps(cloud, normal, offset) for offset in offsets]
    best = min(range(len(offsets)), key=lambda number: _of_most(gaps[number], bones))
    rough = float(gaps[best].mean()) / max(tree.extent, 1e-9)
    return MirrorPlane(normal, normal * offsets[best], float(np.exp(-((rough / _ROUGH) ** 2))))


def _of_most(gaps: Floats, bones: Floats) -> float:
    """The mean gap of the bones that fit best: an arm or a sword may be on one side only."""
    order = np.argsort(gaps)
    fitting = order[: int(np.searchsorted(np.cumsum(bones[order]), _MOST * bones.sum())) + 1]
    return float(gaps[fitting] @ bones[fitting] / bones[fitting].sum())


def _gaps(cloud: Floats, normal: Floats, offset: float) -> Floats:
    """Distance `[N]` from each mirrored joint to the nearest joint."""
    mirrored = cloud - 2 * (cloud @ normal - offset)[:, None] * normal
    squares = (mirrored**2).sum(1)[:, None] + (cloud**2).sum(1)[None] - 2 * mirrored @ cloud.T
    return np.sqrt(np.maximum(squares.min(axis=1), 0))


def pair_up(tree: JointTree, names: tuple[str, ...], evidence: list[Evidence], plane: MirrorPlane | None) -> list[int]:
    """The partner of each joint, or the joint itself."""
    partners = list(range(len(tree.parents)))
    matcher = _Matcher(tree, names, evidence, plane)
    queue: list[tuple[Row, Row]] = [(tree.roots, tree.roots)]
    for row, others in queue:
        paired: set[int] = set()
        for one, other in matcher.match(row, others):
            partners[one], partners[other] = other, one
            paired.update((one, other))
            queue.append((tree.children[one], tree.children[other]))
        if row == others:
            queue.extend((tree.children[joint], tree.children[joint]) for joint in row if joint not in paired)
    return partners


class _Matcher:
    """Finds pairs among two rows of siblings."""

    def __init__(
        self, tree: JointTree, names: tuple[str, ...], evidence: list[Evidence], plane: MirrorPlane | None
    ) -> None:
        self.tree, self.names, self.evidence = tree, names, evidence
        self.mirrored_names = [naming.mirrored(name) for name in names]
        self.best = [said.best for said in evidence]
        self.sided = any(said.side for said in evidence)
        self.geometric = plane is not None and tree.posed and plane.sharp > 0.15
        if plane is not None and self.geometric:
            self._positions, self._normal = tree.positions, plane.normal
            self._placed, self._centres = tree.positions.tolist(), tree.centres.tolist()
            self._mirrored_placed = plane.mirrored(tree.positions).tolist()
            self._mirrored_centres = plane.mirrored(tree.centres).tolist()

    def match(self, row: Row, others: Row) -> list[tuple[int, int]]:
        """Pairs of two rows, or of one row with itself, cheapest first."""
        same = row == others
        if len(row) > _CROWD:  # no body has so many branches at one joint
            return self._by_name(row, others, same)
        taken: set[int] = set()
        found = []
        for _, one, other in sorted(self._costs(row, others, same)):
            key = other if same else ~other
            if taken.isdisjoint((one, key)):
                taken.update((one, key))
                found.append((one, other))
        return found

    def _by_name(self, row: Row, others: Row, same: bool) -> list[tuple[int, int]]:
        known = {self.names[joint]: joint for joint in others}
        pairs = ((joint, known.get(self.mirrored_names[joint] or "", joint)) for joint in row)
        return [(one, other) for one, other in pairs if one < other or (one != other and not same)]

    def _costs(self, row: Row, others: Row, same: bool) -> list[tuple[float, int, int]]:
        """The acceptable pairs with their costs."""
        only = not same and len(row) == len(others) == 1
        highest = _ONLY_CHILDREN if only else _MATCHED if self.geometric or not same else _ALIKE
        slack = 0.0 if self.geometric else _ALIKE
        found = []
        for one, other in self._candidates(row, others):
            if same and one >= other:
                continue
            cost = self._cost(one, other)
            if same and 2 * cost > self._alone(one) + self._alone(other) + slack:
                continue
            if cost < highest:
                found.append((cost, one, other))
        return found

    def _candidates(self, row: Row, others: Row) -> Iterator[tuple[int, int]]:
        """Each joint of a row with the joints of the other row that are near in length."""
        tree = self.tree
        order = sorted(others, key=tree.total)
        totals = [tree.total(joint) for joint in order]
        for one in row:
            near = order
            if len(order) > _WINDOW:
                at = bisect_left(totals, tree.total(one))
                near = order[max(at - _WINDOW // 2, 0) : at + _WINDOW // 2]
            for other in near:
                yield one, other

    def _cost(self, one: int, other: int) -> float:
        """The cost of a pair."""
        tree, found = self.tree, _difference(self.tree, one, other)
        if self.geometric:
            scale = max(tree.reach[one], tree.reach[other], 0.25 * tree.lengths[one], 0.02 * tree.extent)
            gap = self._gap(one, other, scale)
            found = 0.6 * found + (min(gap, _POSED_APART) if self._are_twins(one, other) else gap)
        if self.mirrored_names[one] == self.names[other]:
            return found - 1.0
        side, other_side = self.evidence[one].side, self.evidence[other].side
        if side and side == other_side:
            return found + (0.5 if self.best[one] != self.best[other] else 0.9)
        if self.evidence[one].level * self.evidence[other].level < 0:  # a front and a hind leg
            found += 0.9
        silent = self.sided and not side and not other_side  # the names state sides elsewhere
        return found + 0.3 * silent

    def _are_twins(self, one: int, other: int) -> bool:
        """Whether two subtrees begin side by side and have the same bones, so that only the pose moves them apart."""
        between = self._positions[one] - self._positions[other]
        across = abs(float(between @ self._normal))
        side = self.evidence[one].side
        if side and side == self.evidence[other].side:
            return False
        aside = across > 0.9 * float(np.linalg.norm(between)) and across > 0.01 * self.tree.extent
        return aside and self.tree.size[one] > 2 and _difference(self.tree, one, other) < _SAME_BONES

    def _alone(self, joint: int) -> float:
        """The cost of a joint as its own partner."""
        found = 0.5 if self.evidence[joint].side else 0.0
        if self.geometric:
            tree = self.tree
            scale = max(tree.reach[joint], 0.25 * tree.lengths[joint], 0.02 * tree.extent)
            return found + self._gap(joint, joint, scale) + 0.02
        return found + _ALIKE / 2

    def _gap(self, one: int, other: int, scale: float) -> float:
        """How far the mirror image of one subtree lies from another."""
        gap = dist(self._mirrored_placed[one], self._placed[other])
        gap += dist(self._mirrored_centres[one], self._centres[other])
        return min(0.5 * gap / scale, 1.5)
