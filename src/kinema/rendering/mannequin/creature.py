"""A body for a skeleton of any shape, by its tree and its lengths: trunk, head, tail and limbs.

The trunk is the longest line of bones that does not include a limb of a pair. It is as thick as its limbs are apart;
where it has none, its thickness follows the length of bone on both sides of a place. Limbs taper from a tenth of their
length; names matter for heads, tails and wings only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema import naming
from kinema.arrays import Floats
from kinema.rendering.mannequin.anatomy import FLAT, MannequinBody
from kinema.rendering.mannequin.pieces import Clay
from kinema.rendering.mannequin.tree import FleshTree
from kinema.rotations import normalize_vector
from kinema.skeleton import Skeleton

Profile = Sequence[tuple[float, float]]
"""Radii along a part: places from 0 to 1, and shares."""

_GIRTH, _POWER = 0.07, 0.65  # radius of a trunk without limbs: girth x bulk^power x total^(1 - power)
_BULKIEST = 0.06  # of the body's extent: a crumpled rest pose does not make a body thicker
_WORM = 0.62  # share of it where many bones follow one another and nothing branches off
_WORM_PROFILE = (
    (0, 0.50), (0.02, 0.74), (0.05, 0.86), (0.09, 0.78), (0.15, 0.72), (0.3, 0.92), (0.5, 1.0), (0.75, 0.8),
    (0.9, 0.45), (1, 0.1),
)  # fmt: skip
_LEG_PROFILE = ((0, 1.3), (0.12, 1.15), (0.3, 0.80), (0.5, 0.55), (0.75, 0.42), (1, 0.40))
_THIN_PROFILE = ((0, 0.75), (0.2, 1.0), (0.3, 1.0), (0.6, 0.75), (0.85, 0.5), (1, 0.25))
_BRANCH_PROFILE = ((0, 1.0), (0.5, 0.85), (1, 0.4))
_WING_PROFILE, _WING_DEPTH = (
    ((0, 0.7), (0.15, 1.0), (0.5, 0.95), (0.85, 0.6), (1, 0.3)),
    ((0, 1.2), (0.5, 0.85), (1, 0.45)),
)
_ABDOMEN = ((0, 0.5), (0.25, 0.85), (0.55, 1.0), (0.8, 0.75), (1.0, 0.3))
_TAIL = ((0, 1.3), (0.15, 1.0), (0.6, 0.72), (1.0, 0.28))
_HEAD = np.array([0.88, 0.92, 0.74, 0.58, 0.50]), np.array([0.95, 1.05, 0.86, 0.66, 0.56])
_SNOUT_BASE = np.array([1.0, 1.02, 0.78]), np.array([1.0, 1.04, 0.80])
_LEG, _BRANCH = 0.105, 0.13  # thickness of a limb and of what branches off a limb, share of the length
_APART = 0.44  # radius of a limb, share of its distance to the next one
_LEFT = np.array([1.0, 0.0, 0.0])
_FADE = (0.35, 0.8)  # where along a limb the colour of its side comes in


def model(clay: Clay, skeleton: Skeleton, tree: FleshTree) -> None:
    """Add the pieces of every body of a tree to `clay`."""
    for first in sorted(set(tree.first)):
        bones = [bone for bone in range(len(tree.bones)) if tree.first[bone] == first]
        _Creature(clay, skeleton, MannequinBody(tree, bones, skeleton)).build()


def _along(at: float | Floats, profile: Profile) -> Floats:
    places, shares = zip(*profile, strict=True)
    return np.asarray(np.interp(at, places, shares))


class _Creature:
    def __init__(self, clay: Clay, skeleton: Skeleton, body: MannequinBody) -> None:
        self.clay, self.skeleton, self.body, self.tree = clay, skeleton, body, body.tree
        self.piece: dict[int, int] = {}
        self.limits: dict[int, float] = {}
        self.skull = -1
        self.total = body.total
        self.longest = max((body.reach[limb] for limb in body.limbs), default=0.0)
        self.many_legs = sum(body.reach[limb] > 0.35 * self.longest for limb in body.leaves_trunk()) > 5
        nodes = body.nodes
        self.axis = np.array([0.0, 0.0, 1.0]) if nodes is None else normalize_vector(nodes[-1] - nodes[0])

    def build(self) -> None:
        if self.body.nodes is not None:
            self._add_trunk(self.body.nodes)
        for bone in self.body.bones:
            if bone in self.body.connectors:
                self.piece[bone] = self._host(self.body.above(bone))
            elif bone not in self.piece:
                self._add_limb(bone)

    # Trunk

    def _add_trunk(self, nodes: Floats) -> None:
        body, last = self.body, -1
        girths, drops = self._girths(nodes), self._drops()
        for index, bone in enumerate(body.trunk):
            b, order = self.tree.bones[bone], slice(None, None, -1 if body.runs_back(index) else 1)
            axis = (b.to - b.at) / max(b.length, 1e-12)
            radii = girths[index : index + 2][order]
            drop = (drops[index : index + 2] * np.cross(axis, _LEFT)[1])[order]
            deep = radii + 0.35 * np.abs(drop)
            last = self.clay.add(b.start, b.at, b.to, radii, deep, _LEFT, last, 0.35, behind=-drop)
            self.piece[bone] = last
        self._add_head(nodes, girths, last)

    def _girths(self, nodes: Floats) -> Floats:
        """Radius at each node of the trunk, rear to front."""
        body = self.body
        steps = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
        along = np.concatenate([[0], np.cumsum(steps)]) / max(float(steps.sum()), 1e-12)
        bulks = np.array([max(body.bulk_at(k), 0.012 * self.total) for k in range(len(nodes))])
        girths = _GIRTH * bulks**_POWER * self.total ** (1 - _POWER)
        ends = np.array([self.tree.bones[bone].to for bone in body.bones])
        girths = np.minimum(girths, _BULKIEST * float(np.linalg.norm(np.ptp(ends, axis=0))) + 1e-9)
        if not body.attached:
            return self._bare_girths(girths, along)
        known = sorted(body.attached)
        fullest = 1.7 if self.many_legs else 1.35
        for node in known:
            beside, under = body.attached[node]
            wide = beside + 0.25 * abs(under)
            girths[node] = np.clip(girths[node], 0.95 * wide, fullest * wide)
        low, high = body.low, body.high
        girths[low : high + 1] = np.interp(along[low : high + 1], along[known], girths[known])
        span = float(steps[low:high].sum())
        for node in range(low, high + 1 if span > 0 else low):  # a barrel: fuller in the middle
            girths[node] *= 1 + 0.12 * np.sin(np.pi * float(steps[low:node].sum()) / span)
        self._taper_front(girths, along, high)
        self._taper_rear(girths, steps, low)
        return girths

    def _bare_girths(self, girths: Floats, along: Floats) -> Floats:
        """Radii of a trunk without pairs of limbs."""
        if len(girths) > 8:
            return _WORM * girths.max() * _along(1 - along, _WORM_PROFILE)
        if not self.body.limbs:
            return 0.045 * self.total * np.interp(along, [0, 1], [1.0, 0.62])
        return girths

    def _drops(self) -> Floats:
        """How far the trunk hangs below its line of joints at each node: limbs start at its middle."""
        body, count = self.body, len(self.body.trunk) + 1
        if not body.attached or self.many_legs:
            return np.zeros(count)
        known = sorted(body.attached)
        drops = [float(np.clip(0.6 * body.attached[node][1], 0, 1.2 * body.attached[node][0])) for node in known]
        return np.interp(np.arange(count), [known[0] - 1, *known, known[-1] + 1], [0.0, *drops, 0.0])

    def _taper_front(self, girths: Floats, along: Floats, high: int) -> None:
        for node in range(high + 1, len(girths)):
            at = (along[node] - along[high]) / max(along[-1] - along[high], 1e-12)
            girths[node] = min(girths[node], girths[high] * (0.82 - 0.34 * at), girths[node - 1])

    def _taper_rear(self, girths: Floats, steps: Floats, low: int) -> None:
        rest, gone = float(steps[:low].sum()), 0.0
        if rest <= 0:
            return
        for node in range(low - 1, -1, -1):
            gone += float(steps[node])
            if self.many_legs:  # the abdomen of a spider or an ant
                girths[node] = min(0.40 * rest, 2.0 * girths[low]) * _along(gone / rest, _ABDOMEN)
            else:
                girths[node] = min(0.5 * girths[low], 0.11 * rest) * _along(gone / rest, _TAIL)

    def _add_head(self, nodes: Floats, girths: Floats, last: int) -> None:
        """A skull at the head joint, and a snout where the trunk ends in it."""
        body, head = self.body, self.skeleton.roles.head
        node = None if head is None or not body.attached or self.many_legs else body.node_of(head)
        if node is None or head is None:
            return
        torso = float(np.linalg.norm(np.diff(nodes[body.low : body.high + 1], axis=0), axis=1).sum())
        neck = float(np.linalg.norm(np.diff(nodes[body.high : node + 1], axis=0), axis=1).sum())
        ahead = float(np.linalg.norm(np.diff(nodes[node:], axis=0), axis=1).sum())
        place, girth = nodes[node], girths[node]
        if ahead < 0.10 * max(torso, neck):  # the trunk ends at the head's joint
            length = float(np.clip(0.6 * neck, 0.30 * torso, 0.46 * torso)) if torso > 0 else 0.5 * neck
            way = self._look(nodes, node)
            thick = min(0.34 * length, 1.5 * girth)
            end, (wide, deep), fine = place + (length - 0.30 * thick) * way, _HEAD, 1.5
        else:
            length, way = ahead, normalize_vector(nodes[-1] - place)
            thick = float(np.clip(0.36 * length, 0.9 * girth, 1.45 * girth))
            end, (wide, deep), fine = place + 0.42 * length * way, _SNOUT_BASE, 1.4
        start = place - 0.02 * length * way
        self.skull = self.clay.add(head, start, end, wide * thick, deep * thick, _LEFT, last, 0.6, fine=fine)

    def _look(self, nodes: Floats, node: int) -> Floats:
        """Where a head without a snout points: between forward and the neck's direction, and not up."""
        neck = normalize_vector(nodes[node] - nodes[max(node - 1, 0)])
        rise = np.array([0.0, 0.75, 0.0]) * max(float(neck[1]), 0.0) ** 0.5
        return normalize_vector(0.55 * normalize_vector(self.axis * [1, 0, 1]) + 0.45 * neck - rise)

    # Limbs

    def _add_limb(self, bone: int) -> None:
        body, b, above = self.body, self.tree.bones[bone], self.body.above(bone)
        start = body.limb_start(bone)
        branch, fresh = body.branches(start), start == bone
        parent = self.piece[above] if above >= 0 and above in self.piece else self._host(above)
        if fresh and self.skull >= 0 and b.start == self.skeleton.roles.head:
            parent = self.skull  # ears and horns
        at = np.linspace(body.gone(bone), body.gone(bone) + b.length, 5) / max(body.reach[start], 1e-12)
        flat = bool(self._words(b.start, b.end) & FLAT)
        wide, deep, side = self._limb_radii(start, branch, parent, at, flat)
        melts, tint = (0.9 if fresh and not branch else 0.5), self._tint(start, branch, parent, at)
        fresh = fresh and not (flat and branch)
        self.piece[bone] = self.clay.add(
            b.start, b.at, b.to, wide, deep, side, parent, melts, limb=fresh, tint=tint, fine=0.8
        )

    def _limb_radii(
        self, start: int, branch: bool, parent: int, at: Floats, flat: bool
    ) -> tuple[Floats, Floats, Floats | None]:
        """Half widths, half depths, and the wide axis of a bone of a limb, whose bones lie at shares `at` along it."""
        reach = self.body.reach[start]
        if flat:
            chord = (0.26 if branch else 0.085) * reach
            wide = chord * _along(at, _WING_PROFILE)
            deep = (0.10 if branch else 0.24) * chord * _along(at, _WING_DEPTH)
            if not branch:
                return wide, deep, self.axis
            host = self.tree.bones[self.body.above(start)]
            return wide, deep, host.to - host.at
        profile = _BRANCH_PROFILE if branch else _THIN_PROFILE if self.many_legs else _LEG_PROFILE
        thick = _BRANCH if branch else _LEG * (0.34 if self.many_legs else 1.0)
        root = max(min(thick * reach, self._limit(start, branch, parent, profile[0][1])), 0.0025 * self.total)
        radii = root * _along(at, profile)
        if branch or self.many_legs:
            return radii, radii, None
        swell = np.interp(at, [0, 0.3], [1.0, 0.0])
        return radii * (1 + 0.28 * swell), radii * (1 - 0.10 * swell), self.axis

    def _limit(self, start: int, branch: bool, parent: int, first: float) -> float:
        """The largest radius of a limb, by the room around its root and the thickness of what it grows from."""
        if start not in self.limits:
            limit = self._room(start)
            if parent >= 0:
                limit = min(limit, (0.95 if branch else 0.8) * float(self.clay.rows[parent][15:20].max()))
            self.limits[start] = limit / first
        return self.limits[start]

    def _tint(self, start: int, branch: bool, parent: int, at: Floats) -> tuple[float, float, float]:
        sign = self.body.side(start) if self.body.reach[start] > 0.35 * self.longest or branch else 0
        if branch and parent >= 0:
            return self.clay.tints[parent][1], self.clay.tints[parent][1], sign
        low, high = (1.5 * (float(a) - _FADE[0]) / (_FADE[1] - _FADE[0]) - 0.25 for a in at[[0, -1]])
        return low, high, sign

    def _words(self, *joints: int) -> set[str]:
        return {word for joint in joints if joint >= 0 for word in naming.words(self.skeleton.names[joint])}

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
        for share in (0.35,) if self.many_legs else (0.0, 0.4):
            away = _to_segments(mine.at + share * (mine.to - mine.at), starts, ends)
            least = min(least, float(away[away > 1e-3 * self.total].min(initial=np.inf)))
        return _APART * least


def _to_segments(place: Floats, starts: Floats, ends: Floats) -> Floats:
    """Distance of a place `[3]` to lines `[N, 3]` between two points, metres."""
    ways = ends - starts
    at = ((place - starts) * ways).sum(-1) / np.maximum((ways * ways).sum(-1), 1e-18)
    return np.linalg.norm(place - starts - np.clip(at, 0, 1)[:, None] * ways, axis=1)
