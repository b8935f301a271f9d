"""One body of a skeleton taken apart: its trunk, its limbs, and where they leave the trunk."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kinema import naming
from kinema.arrays import Floats
from kinema.rendering.mannequin.tree import FleshTree
from kinema.skeleton import Skeleton

FLAT = frozenset(("wing", "wings", "feather", "feathers", "fin", "fins", "flipper"))
"""Words in the names of flat limbs."""


class MannequinBody:
    """One connected body of a tree: its trunk from rear to front, and where limbs leave it.

    Attributes:
        bones: numbers of its bones.
        total: their length, metres.
        trunk: bones of the trunk, rear to front; empty where the body is nothing but limbs.
        nodes: places `[N, 3]` along the trunk, one more than bones; None without a trunk.
        limbs: bones that leave the trunk.
        reach: length of the longest path from each bone's start to an end, metres.
        connectors: bones that only lead from the middle of the trunk to its side.
        attached: for each node with a pair of limbs, how far beside the trunk's line they start, and how far below it,
            metres.
    """

    def __init__(self, tree: FleshTree, bones: list[int], skeleton: Skeleton) -> None:
        self.tree, self.bones, self.skeleton = tree, bones, skeleton
        self.total = float(tree.total[bones[0]])
        self.counts = dict.fromkeys(bones, 1)
        self.reach = {bone: tree.bones[bone].length for bone in bones}
        for bone in reversed(bones):
            above = tree.above[bone]
            if above >= 0:
                self.counts[above] += self.counts[bone]
                self.reach[above] = max(self.reach[above], tree.bones[above].length + self.reach[bone])
        self.trunk = self._find_trunk()
        if self.trunk and self._head_is_first():
            self.trunk.reverse()
        self.inside = set(self.trunk)
        self.nodes = self._trunk_nodes() if self.trunk else None
        self.limbs = [bone for bone in bones if bone not in self.inside and self.above(bone) in self.inside]
        self.connectors: set[int] = set()
        self._core = range(len(self.trunk) + 1)
        self.attached = {} if self.nodes is None else self._attach()

    @property
    def low(self) -> int:
        return min(self.attached)

    @property
    def high(self) -> int:
        return max(self.attached)

    def above(self, bone: int) -> int:
        """The bone that a bone grows from; for bones at the root, the bone of the trunk there."""
        above = self.tree.above[bone]
        if above >= 0 or not self.trunk or bone in self.trunk:
            return above
        return next((b for b in self.trunk if self.tree.above[b] < 0), -1)

    def _siblings(self, bone: int) -> list[int]:
        above = self.tree.above[bone]
        return [b for b in self.bones if b != bone and self.tree.above[b] == above]

    def paired(self, bone: int) -> bool:
        """Whether another bone like it starts at the same joint: the limb of the other side."""
        beyond, length = float(self.tree.beyond[bone]), self.tree.bones[bone].length
        return any(
            abs(float(self.tree.beyond[b]) - beyond) < 0.12 * beyond
            and self.counts[b] == self.counts[bone]
            and abs(self.tree.bones[b].length - length) < 0.15 * beyond
            for b in self._siblings(bone)
        )

    def _find_trunk(self) -> list[int]:
        central: set[int] = set()
        for bone in self.bones:
            if not self.paired(bone) and (self.tree.above[bone] < 0 or self.tree.above[bone] in central):
                central.add(bone)
        if not central:
            return []
        heart = max(sorted(central), key=lambda b: (self.tree.bulk(b, 0.5), -b))
        before, bone = [], heart
        while self.tree.above[bone] >= 0:
            bone = self.tree.above[bone]
            before.append(bone)
        before += self._line(self._siblings(bone))  # over the root and down on the other side
        return [*before[::-1], heart, *self._line(self.tree.below[heart])]

    def _line(self, choices: list[int] | tuple[int, ...]) -> list[int]:
        """The bones that the trunk continues with: those toward the head before all others, else the longest."""
        line: list[int] = []
        while free := [bone for bone in choices if not self.paired(bone)]:
            line.append(max(free, key=lambda b: (self._leads_to_head(b), float(self.tree.beyond[b]), -b)))
            choices = self.tree.below[line[-1]]
        return line

    def _leads_to_head(self, bone: int) -> bool:
        head, joint = self.skeleton.roles.head, self.tree.bones[bone].end
        return head is not None and joint >= 0 and joint in (head, *self.skeleton.ancestors(head))

    def _head_is_first(self) -> bool:
        """Whether the head is at the first end of the trunk, or the tail at the last."""
        names, joints = self.skeleton.names, [self._joints(bone) for bone in self.trunk]
        heads = [k for k, pair in enumerate(joints) if self.skeleton.roles.head in pair]
        tails = [k for k, pair in enumerate(joints) if any("tail" in naming.words(names[j]) for j in pair)]
        half = 0.5 * (len(joints) - 1)
        if heads:
            return float(np.mean(heads)) < half
        if tails:
            return float(np.mean(tails)) > half
        return self.tree.above[self.trunk[0]] < 0 and len(self.trunk) > 7  # a worm's root is its head

    def _joints(self, bone: int) -> list[int]:
        b = self.tree.bones[bone]
        return [joint for joint in (b.start, b.end) if joint >= 0]

    def runs_back(self, index: int) -> bool:
        """Whether a bone of the trunk points to the rear."""
        nodes, b = self.nodes, self.tree.bones[self.trunk[index]]
        return nodes is not None and bool(np.linalg.norm(nodes[index] - b.at) > np.linalg.norm(nodes[index] - b.to))

    def _trunk_nodes(self) -> Floats:
        ends = [(self.tree.bones[b].at, self.tree.bones[b].to) for b in self.trunk]
        if len(ends) == 1:
            return np.array(ends[0])
        first, second = ends[0], ends[1]
        shared = min((0, 1), key=lambda k: min(float(np.linalg.norm(first[k] - place)) for place in second))
        nodes = [first[1 - shared], first[shared]]
        for at, to in ends[1:]:
            nodes.append(to if np.linalg.norm(at - nodes[-1]) <= np.linalg.norm(to - nodes[-1]) else at)
        return np.array(nodes)

    def bulk_at(self, node: int) -> float:
        """The smaller length of bone on the two sides of a node of the trunk, metres."""
        index = min(node, len(self.trunk) - 1)
        at = float(node > index) if not self.runs_back(index) else float(node <= index)
        return self.tree.bulk(self.trunk[index], at)

    def node_of(self, joint: int) -> int | None:
        """The node of the trunk at a joint."""
        for index, bone in enumerate(self.trunk):
            b, back = self.tree.bones[bone], self.runs_back(index)
            if joint in (b.start, b.end):
                return index + (joint == b.start) if back else index + (joint != b.start)
        return None

    def _attach(self) -> dict[int, tuple[float, float]]:
        """Find where pairs of limbs start; see `attached`."""
        pairs = [limb for limb in self.limbs if self.paired(limb)]
        hung = [self.node_of(self.tree.bones[limb].start) for limb in pairs]
        known = [node for node in hung if node is not None]
        if known:  # a tail that hangs beside the legs tells nothing about them
            self._core = range(max(min(known) - 1, 0) if max(known) == min(known) else min(known), max(known) + 2)
        found: dict[int, list[Floats]] = {}
        for limb in pairs:
            self._follow(limb, found)
        attached: dict[int, tuple[float, float]] = {}
        for node, offsets in found.items():
            beside = np.median([abs(offset[0]) for offset in offsets])
            attached[node] = float(beside), float(np.median([-offset[1] for offset in offsets]))
        return attached if any(beside >= 1e-3 * self.total for beside, _ in attached.values()) else {}

    def _follow(self, bone: int, found: dict[int, list[Floats]]) -> None:
        """Skip the bones that stay near the trunk, up to where a limb begins."""
        b = self.tree.bones[bone]
        away, _, _ = self._from_trunk(b.to)
        rest = self.reach[bone] - b.length
        flat = b.start >= 0 and FLAT & set(naming.words(self.skeleton.names[b.start]))
        if away < 0.3 * rest and self.tree.below[bone] and not flat:
            self.connectors.add(bone)
            for onward in self.tree.below[bone]:
                self._follow(onward, found)
            return
        away, node, offset = self._from_trunk(b.at)
        if away > 1e-3 * self.total:
            found.setdefault(node, []).append(offset)

    def _from_trunk(self, place: Floats) -> tuple[float, int, Floats]:
        """Distance to the line of the trunk, the nearest node, and the offset from the line `[3]`."""
        assert self.nodes is not None
        core = self.nodes[self._core.start : self._core.stop]
        offsets = [np.zeros(3)] if len(core) < 2 else []
        for a, b in pairwise(core):
            way = b - a
            at = float(np.clip(np.dot(place - a, way) / max(float(np.dot(way, way)), 1e-18), 0, 1))
            offsets.append(place - a - at * way)
        offset = min(offsets, key=lambda offset: float(np.linalg.norm(offset)))
        least = float(np.linalg.norm(offset)) if len(core) > 1 else np.inf
        return least, self._core.start + int(np.argmin(np.linalg.norm(core - place, axis=1))), offset

    def leaves_trunk(self) -> list[int]:
        """The first bones of limbs, after the connectors."""
        return [bone for bone in self.bones if not self._central(bone) and self._central(self.above(bone))]

    def _central(self, bone: int) -> bool:
        return bone in self.inside or bone in self.connectors

    def limb_start(self, bone: int) -> int:
        """The first bone of the limb, or of the branch of a limb, that a bone belongs to."""
        while True:
            above = self.above(bone)
            if above < 0 or self._central(above):
                return bone
            onward = max(self.tree.below[above], key=lambda b: (self.reach[b], -b))
            if onward != bone:
                return bone
            bone = above

    def gone(self, bone: int) -> float:
        """Length of the limb before a bone, metres."""
        start, length = self.limb_start(bone), 0.0
        while bone != start:
            bone = self.above(bone)
            length += self.tree.bones[bone].length
        return length

    def branches(self, start: int) -> bool:
        """Whether a limb branches off another limb, and not off the trunk."""
        above = self.above(start)
        return above >= 0 and not self._central(above)

    def apart(self, bone: int) -> list[int]:
        """Bones of other limbs: neither above nor below a bone, nor inside the trunk."""
        above = {bone}
        while self.tree.above[bone] >= 0:
            bone = self.tree.above[bone]
            above.add(bone)
        under: set[int] = set()
        start = max(above)  # bones come after those above them
        for other in self.bones:
            if other == start or self.tree.above[other] in under:
                under.add(other)
        return [b for b in self.bones if b not in above | under and not self._central(b)]

    def side(self, start: int) -> int:
        """1 for a limb of the left, -1 of the right, 0 for one in the middle: by its name, else by its place."""
        for joint in self._joints(start)[::-1]:
            named = naming.side(self.skeleton.names[joint])
            if named is not None:
                return 1 if named == "left" else -1
        above = self.above(start)
        if above >= 0 and above not in self.inside:
            return self.side(above)
        if self.nodes is None or not self.paired(start):
            return 0
        offset = float(self.tree.bones[start].to[0] - self.nodes[:, 0].mean())
        return int(np.sign(offset)) if abs(offset) > 0.05 * self.reach[start] else 0
