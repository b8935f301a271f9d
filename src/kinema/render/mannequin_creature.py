"""Flesh for a skeleton of any shape: girth from what hangs on each bone, and from where limbs sit on the trunk."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.render.mannequin_pieces import Clay
from kinema.render.mannequin_tree import Tree

Floats = NDArray[np.float64]

_GIRTH, _POWER = 0.07, 0.65
"""Radius = girth x bulk^power x total^(1 - power): a leg of a horse is a tenth as thick as long, its trunk twice that."""
_WORM = 0.6  # thinner by this where a chain has many bones and no limbs
_LEAST_BULK = 0.012  # share of the body's length that a tip still counts for
_CONNECTED = 1.25  # a bone that is shorter than this many radii of the trunk lies inside it
_APART = 0.44  # radius of a limb, share of its distance to the next one


def model(clay: Clay, tree: Tree, plain: tuple[int, ...] | None = None) -> None:
    """Add pieces for all bones of a tree (or for those in ``plain``) to ``clay``."""
    for first in sorted(set(tree.first)):
        bones = [bone for bone in range(len(tree.bones)) if tree.first[bone] == first]
        _Body(clay, tree, bones).build()


class _Body:
    def __init__(self, clay: Clay, tree: Tree, bones: list[int]) -> None:
        self.clay, self.tree, self.bones = clay, tree, bones
        self.total = float(tree.total[bones[0]])
        self.counts = self._counts()
        self.trunk = self._trunk()
        self.inside = set(self.trunk)
        self.piece: dict[int, int] = {}
        self.thinned: dict[int, float] = {}
        limbs = [b for b in bones if b not in self.inside and (self._above(b) in self.inside)]
        longest = max((float(tree.beyond[b]) for b in limbs), default=0.0)
        many = sum(float(tree.beyond[b]) > 0.4 * longest for b in limbs)
        self.thin = min(1.0, (4.0 / many) ** 0.9) if many else 1.0
        worm = not limbs and len(bones) >= 8
        self.girth = _GIRTH * (_WORM if worm else 1.0)
        self.limbs = limbs

    def _counts(self) -> dict[int, int]:
        counts = dict.fromkeys(self.bones, 1)
        for bone in reversed(self.bones):
            if self.tree.above[bone] >= 0:
                counts[self.tree.above[bone]] += counts[bone]
        return counts

    def _above(self, bone: int) -> int:
        """The bone that one grows from; the trunk's nearest where it starts at the very root."""
        above = self.tree.above[bone]
        if above >= 0 or not self.trunk or bone == self.trunk[0]:
            return above
        return next((b for b in self.trunk if self.tree.above[b] < 0 and b != bone), -1)

    def _siblings(self, bone: int) -> list[int]:
        above = self.tree.above[bone]
        return [b for b in self.bones if b != bone and self.tree.above[b] == above]

    def _paired(self, bone: int) -> bool:
        mine = float(self.tree.beyond[bone])
        return any(
            abs(float(self.tree.beyond[b]) - mine) < 0.05 * mine and self.counts[b] == self.counts[bone]
            and abs(self.tree.bones[b].length - self.tree.bones[bone].length) < 0.08 * mine
            for b in self._siblings(bone)
        )  # fmt: skip

    def _trunk(self) -> list[int]:
        """Bones of the longest line through the heaviest bone that takes no limb of a pair, one end to the other."""
        central: set[int] = set()
        for bone in self.bones:
            if not self._paired(bone) and (self.tree.above[bone] < 0 or self.tree.above[bone] in central):
                central.add(bone)
        if not central:
            return []
        heart = max(sorted(central), key=lambda b: (self.tree.bulk(b, 0.5), -b))
        before, bone = [], heart
        while self.tree.above[bone] >= 0 and not self._paired(self.tree.above[bone]):
            bone = self.tree.above[bone]
            before.append(bone)
        if self.tree.above[bone] < 0:  # over the root and down on the other side
            other = self._onward([b for b in self._siblings(bone)])
            while other is not None:
                before.append(other)
                other = self._onward(list(self.tree.below[other]))
        after, onward = [], self._onward(list(self.tree.below[heart]))
        while onward is not None:
            after.append(onward)
            onward = self._onward(list(self.tree.below[onward]))
        return before[::-1] + [heart] + after

    def _onward(self, choices: list[int]) -> int | None:
        free = [b for b in choices if not self._paired(b)]
        return max(free, key=lambda b: (float(self.tree.beyond[b]), -b)) if free else None

    def radius(self, bone: int, at: float) -> float:
        bulk = max(self.tree.bulk(bone, at), 0.0) + _LEAST_BULK * self.total
        return self.girth * bulk**_POWER * self.total ** (1 - _POWER)

    def build(self) -> None:
        girths = self._trunk_girths()
        for index, bone in enumerate(self.trunk):
            b = self.tree.bones[bone]
            flipped = self.tree.above[bone] < 0 and index + 1 < len(self.trunk) and (
                self.tree.bones[self.trunk[index + 1]].start == b.start
            )
            radii = girths[index], girths[index + 1]
            radii = radii[::-1] if flipped or self._runs_back(index) else radii
            parent = self._trunk_parent(index)
            self.piece[bone] = self.clay.add(b.start, b.at, b.to, radii, parent=parent, melts=0.3)
        for bone in self.bones:
            if bone not in self.piece:
                self._limb(bone)

    def _runs_back(self, index: int) -> bool:
        """Whether a trunk bone points against the order of the trunk: from the root toward the trunk's first end."""
        bone = self.trunk[index]
        if index + 1 < len(self.trunk):
            following = self.trunk[index + 1]
            return self.tree.above[bone] == following or (
                self.tree.above[bone] < 0 and self.tree.above[following] < 0
            )
        return False

    def _trunk_parent(self, index: int) -> int:
        return self.piece[self.trunk[index - 1]] if index else -1

    def _trunk_girths(self) -> list[float]:
        """Radius at each node of the trunk, from its first end to its last."""
        nodes: list[float] = []
        places: list[Floats] = []
        for index, bone in enumerate(self.trunk):
            b = self.tree.bones[bone]
            back = self._runs_back(index)
            near, far = (b.to, b.at) if back else (b.at, b.to)
            if not index:
                places.append(near)
                nodes.append(self.radius(bone, 1.0 if back else 0.0))
            places.append(far)
            nodes.append(self.radius(bone, 0.0 if back else 1.0))
        if not nodes:
            return nodes
        attached: dict[int, list[float]] = {}
        line = np.array(places)
        for limb in self.limbs:
            if not self._paired(limb):
                continue
            place = None
            bone: int | None = limb
            while bone is not None and self.tree.bones[bone].length < 0.16 * float(self.tree.beyond[limb]):
                place = self.tree.bones[bone].to  # this bone only reaches the side of the trunk
                bone = self.tree.below[bone][0] if len(self.tree.below[bone]) == 1 else None
            if place is not None:
                away = np.linalg.norm(line - place, axis=1)
                attached.setdefault(int(np.argmin(away)), []).append(float(away.min()))
        for node, widths in attached.items():
            wide = float(np.median(widths))
            nodes[node] = float(np.clip(nodes[node], 0.9 * wide, 1.3 * wide))
        if attached:
            low, high = min(attached), max(attached)
            known = sorted(attached)
            for node in range(len(nodes)):
                if low <= node <= high and node not in attached:
                    nodes[node] = float(np.interp(node, known, [nodes[k] for k in known]))
            for node in range(high + 1, len(nodes)):
                nodes[node] = min(nodes[node], nodes[node - 1])
            for node in range(low - 1, -1, -1):
                nodes[node] = min(nodes[node], nodes[node + 1])
        return nodes

    def _limb(self, bone: int) -> None:
        b, above = self.tree.bones[bone], self._above(bone)
        parent = self.piece.get(above, -1)
        if parent < 0 and self.trunk:
            parent = self.piece[self.trunk[0]]
        thin = self.thinned.get(above, self.thin)
        radii = [self.radius(bone, 0.0), self.radius(bone, 1.0)]
        limit = self._room(bone)
        if parent >= 0 and above not in self.inside:
            limit = min(limit, 1.02 * float(self.clay.rows[parent][19]))
        thin = self.thinned[bone] = min(thin, limit / radii[0])
        radii = [r * thin for r in radii]
        if above in self.inside and b.end >= 0:
            host = float(self.clay.rows[parent][15:20].mean())
            if b.length < _CONNECTED * host and self.tree.below[bone]:
                self.piece[bone] = parent
                self.inside.add(bone)
                return
        new = above in self.inside or len(self.tree.below[above]) > 1
        self.piece[bone] = self.clay.add(
            b.start, b.at, b.to, radii, parent=parent, melts=0.9 if new else 0.6, limb=new
        )

    def _room(self, bone: int) -> float:
        """The largest radius that keeps a limb clear of those beside it."""
        mine = self.tree.bones[bone]
        least = np.inf
        for other in self.bones:
            if other == bone or other in self.inside or self._related(bone, other):
                continue
            theirs = self.tree.bones[other]
            for place in (mine.at, mine.to):
                away = _to_segment(place, theirs.at, theirs.to)
                if away > 1e-4 * self.total:
                    least = min(least, away)
        return max(_APART * least, 0.002 * self.total)

    def _related(self, one: int, two: int) -> bool:
        for low, high in ((one, two), (two, one)):
            bone = low
            while bone >= 0:
                if bone == high:
                    return True
                bone = self.tree.above[bone]
        return False


def _to_segment(place: Floats, start: Floats, end: Floats) -> float:
    way = end - start
    at = float(np.clip(np.dot(place - start, way) / max(float(np.dot(way, way)), 1e-18), 0, 1))
    return float(np.linalg.norm(place - start - at * way))
