"""Flesh for a skeleton of any shape, by its tree and its lengths: trunk, head, tail and limbs.

The trunk is the longest line of bones that takes no limb of a pair. It is as thick as its limbs sit apart; where it
has none, as thick as what hangs on both sides of a place is long. Limbs taper from a tenth of their length; names are
only asked for heads, tails and wings.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import naming
from kinema.rendering.mannequin.anatomy import FLAT, Anatomy
from kinema.rendering.mannequin.pieces import Clay
from kinema.rendering.mannequin.tree import FleshTree
from kinema.skeleton import Skeleton

Floats = NDArray[np.float64]

_GIRTH, _POWER = 0.07, 0.65  # radius of a trunk without limbs: girth x bulk^power x total^(1 - power)
_BULKIEST = 0.06  # of the body's extent: what is crumpled into little room is no thicker for it
_WORM = 0.62  # share of it where many bones follow one another and nothing branches off
_WORM_PROFILE = (
    (0, 0.50),
    (0.02, 0.74),
    (0.05, 0.86),
    (0.09, 0.78),
    (0.15, 0.72),
    (0.3, 0.92),
    (0.5, 1.0),
    (0.75, 0.8),
    (0.9, 0.45),
    (1, 0.1),
)
_LEG_PROFILE = ((0, 1.3), (0.12, 1.15), (0.3, 0.80), (0.5, 0.55), (0.75, 0.42), (1, 0.40))
_THIN_PROFILE = ((0, 0.75), (0.2, 1.0), (0.3, 1.0), (0.6, 0.75), (0.85, 0.5), (1, 0.25))
_BRANCH_PROFILE = ((0, 1.0), (0.5, 0.85), (1, 0.4))
_LEG, _BRANCH = 0.105, 0.13  # thickness of a limb and of what branches off a limb, share of the length
_APART = 0.44  # radius of a limb, share of its distance to the next one
_LEFT = np.array([1.0, 0.0, 0.0])
_FADE = (0.35, 0.8)  # where along a limb the colour of its side comes in


def model(clay: Clay, skeleton: Skeleton, tree: FleshTree) -> None:
    """Add the pieces of every body of a tree to `clay`."""
    for first in sorted(set(tree.first)):
        bones = [bone for bone in range(len(tree.bones)) if tree.first[bone] == first]
        _Creature(clay, skeleton, Anatomy(tree, bones, skeleton)).build()


class _Creature:
    def __init__(self, clay: Clay, skeleton: Skeleton, body: Anatomy) -> None:
        self.clay, self.skeleton, self.body, self.tree = clay, skeleton, body, body.tree
        self.piece: dict[int, int] = {}
        self.limits: dict[int, float] = {}
        self.skull = -1
        self.total = body.total
        longest = self.longest = max((body.reach(limb) for limb in body.limbs), default=0.0)
        self.many = sum(body.reach(limb) > 0.35 * longest for limb in body.leaves_trunk())
        self.thin = 0.34 if self.many > 5 else 1.0
        self.axis = np.array([0.0, 0.0, 1.0])
        if body.nodes is not None:
            way = body.nodes[-1] - body.nodes[0]
            self.axis = way / max(float(np.linalg.norm(way)), 1e-12)

    def _words(self, joint: int) -> set[str]:
        return set(naming.words(self.skeleton.names[joint])) if joint >= 0 else set()

    def build(self) -> None:
        if self.body.trunk:
            self._trunk()
        for bone in self.body.bones:
            if bone not in self.piece:
                self._limb(bone)

    # Trunk

    def _trunk(self) -> None:
        body = self.body
        girths = self._girths()
        self.drops = self._drops()
        pieces: list[int] = []
        for index, bone in enumerate(body.trunk):
            b = self.tree.bones[bone]
            radii = [girths[index], girths[index + 1]]
            if body.runs_back(index):
                radii.reverse()
            axis = (b.to - b.at) / max(b.length, 1e-12)
            drops = np.array([self.drops[index], self.drops[index + 1]]) * np.cross(axis, _LEFT)[1]
            if body.runs_back(index):
                drops = drops[::-1]
            deep = np.array(radii) + 0.35 * np.abs(drops)
            parent = pieces[-1] if pieces else -1
            pieces.append(
                self.clay.add(b.start, b.at, b.to, radii, deep, _LEFT, parent, 0.35, behind=(-drops).tolist())
            )
            self.piece[bone] = pieces[-1]
        self._head(girths, pieces[-1])

    def _girths(self) -> list[float]:
        """Radius at each node of the trunk, rear to front."""
        body, nodes = self.body, self.body.nodes
        assert nodes is not None
        steps = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
        along = np.concatenate([[0], np.cumsum(steps)]) / max(float(steps.sum()), 1e-12)
        bulks = np.array([max(body.bulk_at(k), 0.012 * self.total) for k in range(len(nodes))])
        girths = _GIRTH * bulks**_POWER * self.total ** (1 - _POWER)
        ends = np.array([self.tree.bones[bone].to for bone in body.bones])
        girths = np.minimum(girths, _BULKIEST * float(np.linalg.norm(np.ptp(ends, axis=0))) + 1e-9)
        if not body.attached:
            if len(nodes) > 8:
                profile = np.array(_WORM_PROFILE)
                girths = _WORM * girths.max() * np.interp(1 - along, profile[:, 0], profile[:, 1])
            elif not body.limbs:
                girths = 0.045 * self.total * np.interp(along, [0, 1], [1.0, 0.62])
            return girths.tolist()
        known = sorted(body.attached)
        fullest = 1.7 if self.many > 5 else 1.35
        for node in known:
            beside, under = body.attached[node]
            wide = beside + 0.25 * abs(under)
            girths[node] = np.clip(girths[node], 0.95 * wide, fullest * wide)
        low, high = body.low, body.high
        girths[low : high + 1] = np.interp(along[low : high + 1], along[known], girths[known])
        span = float(steps[low:high].sum())
        for node in range(low, high + 1):  # a barrel: fuller in the middle
            if span > 0:
                at = float(steps[low:node].sum()) / span
                girths[node] *= 1 + 0.12 * np.sin(np.pi * at)
        self._front(girths, along, high)
        self._rear(girths, steps, low)
        return girths.tolist()

    def _drops(self) -> list[float]:
        """How far the trunk's flesh hangs under its line of joints at each node: limbs start where its middle is."""
        body, count = self.body, len(self.body.trunk) + 1
        if not body.attached or self.many > 5:
            return [0.0] * count
        known = sorted(body.attached)
        drops = [float(np.clip(0.6 * body.attached[node][1], 0, 1.2 * body.attached[node][0])) for node in known]
        low, high = known[0] - 1, known[-1] + 1
        return np.interp(np.arange(count), [low, *known, high], [0.0, *drops, 0.0]).tolist()

    def _front(self, girths: Floats, along: Floats, high: int) -> None:
        count = len(girths) - 1
        if count == high:
            return
        for node in range(high + 1, count + 1):
            at = (along[node] - along[high]) / max(along[count] - along[high], 1e-12)
            girths[node] = min(girths[node], girths[high] * (0.82 - 0.34 * at), girths[node - 1])

    def _rear(self, girths: Floats, steps: Floats, low: int) -> None:
        rest = float(steps[:low].sum())
        if not low or rest <= 0:
            return
        gone = 0.0
        for node in range(low - 1, -1, -1):
            gone += float(steps[node])
            at = gone / rest
            if self.many > 5:  # the abdomen of a spider or an ant
                full = min(0.40 * rest, 2.0 * girths[low])
                girths[node] = full * np.interp(at, [0, 0.25, 0.55, 0.8, 1.0], [0.5, 0.85, 1.0, 0.75, 0.3])
            else:
                base = min(0.5 * girths[low], 0.11 * rest)
                girths[node] = base * np.interp(at, [0, 0.15, 0.6, 1.0], [1.3, 1.0, 0.72, 0.28])

    def _head(self, girths: list[float], last: int) -> None:
        """A skull where the head joint is, and a snout where the trunk ends in it."""
        body, nodes = self.body, self.body.nodes
        head = self.skeleton.roles.head
        if nodes is None or head is None or not body.attached or self.many > 5:
            return
        node = body.node_of(head)
        if node is None:
            return
        place = nodes[node]
        torso = float(np.linalg.norm(np.diff(nodes[body.low : body.high + 1], axis=0), axis=1).sum())
        neck = float(np.linalg.norm(np.diff(nodes[body.high : node + 1], axis=0), axis=1).sum())
        ahead = float(np.linalg.norm(np.diff(nodes[node:], axis=0), axis=1).sum())
        way = nodes[node] - nodes[max(node - 1, 0)]
        way = way / max(float(np.linalg.norm(way)), 1e-12)
        length = ahead
        if ahead < 0.10 * max(torso, neck):
            length = float(np.clip(0.6 * neck, 0.30 * torso, 0.46 * torso)) if torso > 0 else 0.5 * neck
            flat = self.axis * [1, 0, 1]
            flat = flat / max(float(np.linalg.norm(flat)), 1e-12)
            way = 0.55 * flat + 0.45 * way - np.array([0.0, 0.75, 0.0]) * max(float(way[1]), 0.0) ** 0.5
            way = way / max(float(np.linalg.norm(way)), 1e-12)
            thick = min(0.34 * length, 1.5 * girths[node])
            end = place + length * way
            self.skull = self.clay.add(
                head,
                place - 0.02 * length * way,
                end - 0.30 * thick * way,
                np.array([0.88, 0.92, 0.74, 0.58, 0.50]) * thick,
                np.array([0.95, 1.05, 0.86, 0.66, 0.56]) * thick,
                _LEFT,
                last,
                0.6,
                fine=1.5,
            )
            return
        way = nodes[-1] - place
        way = way / max(float(np.linalg.norm(way)), 1e-12)
        thick = float(np.clip(0.36 * length, 0.9 * girths[node], 1.45 * girths[node]))
        self.skull = self.clay.add(
            head,
            place - 0.02 * length * way,
            place + 0.42 * length * way,
            np.array([1.0, 1.02, 0.78]) * thick,
            np.array([1.0, 1.04, 0.80]) * thick,
            _LEFT,
            last,
            0.6,
            fine=1.4,
        )

    # Limbs

    def _limb(self, bone: int) -> None:
        body, b, above = self.body, self.tree.bones[bone], self.body.above(bone)
        if bone in body.connectors:
            self.piece[bone] = self._host(above)
            return
        start = body.limb_start(bone)
        fresh = start == bone
        parent = self.piece[above] if above >= 0 and above in self.piece else self._host(above)
        if fresh and self.skull >= 0 and b.start == self.skeleton.roles.head:
            parent = self.skull  # ears and horns
        reach, gone = body.reach(start), body.gone(bone)
        branch = body.branch_level(start) > 0
        profile = np.array(_BRANCH_PROFILE if branch else _THIN_PROFILE if self.many > 5 else _LEG_PROFILE)
        root = (_BRANCH if branch else _LEG * self.thin) * reach
        if start not in self.limits:
            limit = self._room(start)
            if parent >= 0:
                limit = min(limit, (0.95 if branch else 0.8) * float(self.clay.rows[parent][15:20].max()))
            self.limits[start] = limit / float(profile[0, 1])
        limit = self.limits[start]
        root = max(min(root, limit), 0.0025 * self.total)
        at = np.linspace(gone, gone + b.length, 5) / max(reach, 1e-12)
        radii = root * np.interp(at, profile[:, 0], profile[:, 1])
        wide, deep, side = radii, radii, None
        words = self._words(b.start) | self._words(b.end)
        if words & FLAT:
            chord = (0.26 if branch else 0.085) * reach
            wide = chord * np.interp(at, [0, 0.15, 0.5, 0.85, 1], [0.7, 1.0, 0.95, 0.6, 0.3])
            deep = (0.10 if branch else 0.24) * chord * np.interp(at, [0, 0.5, 1], [1.2, 0.85, 0.45])
            side = self._line_of(body.above(start)) if branch else self.axis
            fresh = fresh and not branch
        elif not branch and self.many <= 5:
            swell = np.interp(at, [0, 0.3], [1.0, 0.0])
            wide, deep, side = radii * (1 + 0.28 * swell), radii * (1 - 0.10 * swell), self.axis
        sign = body.side(start) if reach > 0.35 * self.longest or branch else 0
        low, high = (1.5 * (a - _FADE[0]) / (_FADE[1] - _FADE[0]) - 0.25 for a in (float(at[0]), float(at[-1])))
        if branch and parent >= 0:
            low = high = self.clay.tints[parent][1]
        self.piece[bone] = self.clay.add(
            b.start,
            b.at,
            b.to,
            wide,
            deep,
            side,
            parent,
            0.9 if fresh and not branch else 0.5,
            limb=fresh,
            tint=(low, high, sign),
            fine=0.8,
        )

    def _line_of(self, bone: int) -> Floats:
        b = self.tree.bones[bone]
        return b.to - b.at

    def _host(self, above: int) -> int:
        """The piece that something at the very root of a body grows from."""
        if above >= 0 and above in self.piece:
            return self.piece[above]
        first = [self.piece[b] for b in self.body.bones if b in self.piece]
        return first[0] if first else -1

    def _room(self, start: int) -> float:
        """The largest radius at its root that keeps a limb clear of those beside it."""
        mine = self.tree.bones[start]
        others = [self.tree.bones[bone] for bone in self.body.apart(start)]
        if not others:
            return np.inf
        starts, ends = np.array([b.at for b in others]), np.array([b.to for b in others])
        least = np.inf
        for share in (0.0, 0.4) if self.many <= 5 else (0.35,):
            away = _to_segments(mine.at + share * (mine.to - mine.at), starts, ends)
            least = min(least, float(away[away > 1e-3 * self.total].min(initial=np.inf)))
        return _APART * least


def _to_segments(place: Floats, starts: Floats, ends: Floats) -> Floats:
    """Distance of a place `[3]` to lines `[N, 3]` between two points, metres."""
    ways = ends - starts
    at = ((place - starts) * ways).sum(-1) / np.maximum((ways * ways).sum(-1), 1e-18)
    return np.linalg.norm(place - starts - np.clip(at, 0, 1)[:, None] * ways, axis=1)
