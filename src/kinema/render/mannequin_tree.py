"""What of a skeleton carries flesh: its bones, its trunk and its limbs, told from the tree and its lengths alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kinema import naming, rotations
from kinema.skeleton import Skeleton

Floats = NDArray[np.float64]

_CONTROL = frozenset(
    ("ik", "ctrl", "control", "pole", "target", "marker", "attach", "slot", "helper", "null", "locator", "camera",
     "light", "effector", "prop", "weapon")
)  # fmt: skip
FLAT = frozenset(("wing", "wings", "feather", "feathers", "fin", "fins", "flipper"))
"""Words for what is flat."""
_STEERED = frozenset(("pole", "target"))
_ENDS = frozenset(("end", "tip", "nub", "site", "leaf", "effector"))
_ONWARD = 0.45  # a leaf without a tip goes on in the direction of its bone by this share of its length
_GROUND = frozenset(("root", "armature", "reference", "world", "body", "master", "origin", "ground", "simulation"))


@dataclass(frozen=True)
class Bone:
    """A line of flesh: from joint ``start`` to joint ``end``, or to the tip ``to`` when ``end`` is -1.

    ``root`` is the joint that the body begins with; bones that begin there have none above them.
    """

    start: int
    end: int
    at: Floats
    to: Floats
    root: int

    @cached_property
    def length(self) -> float:
        return float(np.linalg.norm(self.to - self.at))


@dataclass(frozen=True, eq=False)
class Tree:
    """Bones with flesh, parents first.

    Attributes:
        bones: all of them. above: the bone each one continues or branches off from, -1 for the first.
        below: the bones that follow on each.
        beyond: total length that hangs on each bone, itself included, metres.
        total: total length of the body that the bone belongs to, metres.
    """

    bones: tuple[Bone, ...]
    above: tuple[int, ...]

    @cached_property
    def below(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.bones]
        for bone, parent in enumerate(self.above):
            if parent >= 0:
                found[parent].append(bone)
        return tuple(tuple(row) for row in found)

    @cached_property
    def beyond(self) -> Floats:
        sums = np.array([bone.length for bone in self.bones])
        for bone in range(len(self.bones) - 1, -1, -1):
            if self.above[bone] >= 0:
                sums[self.above[bone]] += sums[bone]
        return sums

    @cached_property
    def first(self) -> tuple[int, ...]:
        """For each bone, the lowest number of a bone of the same body."""
        roots: dict[int, int] = {}
        found: list[int] = []
        for bone, parent in enumerate(self.above):
            found.append(found[parent] if parent >= 0 else roots.setdefault(self.bones[bone].root, bone))
        return tuple(found)

    @cached_property
    def total(self) -> Floats:
        sums: dict[int, float] = {}
        for bone, parent in enumerate(self.above):
            if parent < 0:
                sums[self.first[bone]] = sums.get(self.first[bone], 0.0) + float(self.beyond[bone])
        return np.array([sums[first] for first in self.first])

    def bulk(self, bone: int, at: float) -> float:
        """The lesser of what lies to both sides of a place (0 to 1) on a bone, metres of bone: large in a trunk."""
        distal = float(self.beyond[bone]) - at * self.bones[bone].length
        return min(distal, float(self.total[bone]) - distal)


def flesh(skeleton: Skeleton, turned: Floats, placed: Floats) -> Tree:
    """The bones of a skeleton that carry flesh in a pose ``[J, 4]``, ``[J, 3]``.

    Left out are joints that steer (IK targets, poles), the bone from the ground up to the hips, and bones without a
    length. Parts of a rig that hang apart, such as feet on IK targets, continue the limb that ends near them.
    """
    parents = _joined(skeleton, placed)
    steering = _steering(skeleton, parents)
    dropped = _grounded(skeleton, parents, placed, steering)
    size = max(float(np.linalg.norm(np.ptp(placed, axis=0))), float(np.abs(skeleton.tip_offsets).max(initial=0)))
    bones: list[Bone] = []
    above: list[int] = []
    arriving: dict[int, int] = {}  # the bone that ends in a joint
    roots: dict[int, int] = {}

    def add(start: int, end: int, to: Floats) -> None:
        root = roots.setdefault(start, start)
        if end >= 0:
            roots[end] = root
        if np.linalg.norm(to - placed[start]) > 1e-5 * size:
            above.append(arriving.get(start, -1))
            if end >= 0:
                arriving[end] = len(bones)
            bones.append(Bone(start, end, placed[start], to, root))
        elif end >= 0 and start in arriving:
            arriving[end] = arriving[start]

    order = _parents_first(parents)
    tips: dict[int, list[Floats]] = {}
    for joint, offset in zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True):
        tips.setdefault(joint, []).append(placed[joint] + rotations.rotate(turned[joint], offset.astype(np.float64)))
    for joint in order:
        parent = parents[joint]
        if parent >= 0 and not steering[joint] and joint not in dropped:
            add(parent, joint, placed[joint])
        if steering[joint]:
            continue
        for tip in tips.get(joint, ()):
            add(joint, -1, tip)
        bare = joint not in tips and joint != skeleton.roles.head and not any(p == joint and not steering[j] for j, p in enumerate(parents))
        if bare and joint in arriving and not _ENDS & set(naming.words(skeleton.names[joint])):
            last = bones[arriving[joint]]
            add(joint, -1, placed[joint] + _ONWARD * (last.to - last.at))
    return Tree(tuple(bones), tuple(above))


def _parents_first(parents: list[int]) -> list[int]:
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(parents):
        children.setdefault(parent, []).append(joint)
    order, stack = [], children.get(-1, [])[::-1]
    while stack:
        joint = stack.pop()
        order.append(joint)
        stack += children.get(joint, [])[::-1]
    return order


def _joined(skeleton: Skeleton, placed: Floats) -> list[int]:
    """Parents, with the roots of lesser trees hung on the leaf that ends near them, if there is one."""
    parents = skeleton.parents.tolist()
    extent = float(np.linalg.norm(np.ptp(placed, axis=0)))
    for root in [joint for joint, parent in enumerate(parents) if parent < 0]:
        below = skeleton.children[root]
        named = any(word in _GROUND for word in naming.words(skeleton.names[root]))
        if named and len(below) > 1 and np.linalg.norm(placed[list(below)] - placed[root], axis=1).min() > 0.12 * extent:
            for child in below:  # a root on the ground with body and steering side by side
                parents[child] = -1
    roots = [joint for joint, parent in enumerate(parents) if parent < 0]
    if len(roots) < 2:
        return parents
    tree: list[int] = []
    for joint, parent in enumerate(parents):
        tree.append(joint if parent < 0 else tree[parent])
    inner = np.where(np.array(parents) < 0, 0, skeleton.bone_lengths)
    sizes = {root: float(inner[np.array(tree) == root].sum()) for root in roots}
    main = max(roots, key=lambda root: (sizes[root], -root))
    below = {parent for parent in parents if parent >= 0}
    leaves = [
        joint for joint in range(len(parents))
        if tree[joint] == main and joint not in below and joint not in skeleton.tip_joints
    ]  # fmt: skip
    apart = [
        root for root in roots
        if root != main and sizes[root] <= 0.3 * sizes[main]
        and not (_GROUND | _STEERED) & set(naming.words(skeleton.names[root]))
    ]  # fmt: skip
    near = sorted(
        (float(np.linalg.norm(placed[leaf] - placed[root])), root, leaf)
        for root in apart for leaf in leaves
        if naming.side(skeleton.names[root]) == naming.side(skeleton.names[leaf])
    )  # fmt: skip
    taken: set[int] = set()
    for away, root, leaf in near:
        if away < 1.5 * skeleton.bone_lengths[leaf] and root not in taken and leaf not in taken:
            parents[root] = leaf
            taken |= {root, leaf}
    for root in apart:
        if root not in taken and skeleton.parents[root] >= 0 and not _CONTROL & set(naming.words(skeleton.names[root])):
            body = np.flatnonzero(np.array(tree) == main)
            away = np.linalg.norm(placed[body] - placed[root], axis=1)
            if away.min() < 0.35 * extent:
                parents[root] = int(body[int(np.argmin(away))])
    return parents


def _steering(skeleton: Skeleton, parents: list[int]) -> list[bool]:
    """Joints that steer, with nothing but such below them and no limb above that they continue."""
    named = [any(word in _CONTROL for word in naming.words(name)) for name in skeleton.names]
    found = list(named)
    for joint in reversed(_parents_first(parents)):
        below = [child for child, parent in enumerate(parents) if parent == joint]
        continues = skeleton.parents[joint] < 0 <= parents[joint]
        found[joint] = named[joint] and all(found[child] for child in below) and not continues
    return found


def _grounded(skeleton: Skeleton, parents: list[int], placed: Floats, steering: list[bool]) -> set[int]:
    """Joints whose bone to the parent runs from the ground into the body and is no part of it."""
    found: set[int] = set()
    joint = skeleton.roles.hips
    while parents[joint] >= 0:
        found.add(joint)
        joint = parents[joint]
    lengths = [
        float(np.linalg.norm(placed[j] - placed[p])) for j, p in enumerate(parents) if p >= 0 and not steering[j]
    ]
    usual = float(np.median(lengths)) if lengths else 0.0
    for root in (joint for joint, parent in enumerate(parents) if parent < 0):
        children = [j for j, p in enumerate(parents) if p == root and not steering[j]]
        while len(children) == 1:
            child = children[0]
            way = placed[child] - placed[root]
            after = [j for j, p in enumerate(parents) if p == child and not steering[j]]
            length = float(np.linalg.norm(way))
            named = any(word in _GROUND for word in naming.words(skeleton.names[root]))
            if not after or len(lengths) < 4:
                break
            onward = max((placed[j] - placed[child] for j in after), key=lambda w: float(np.linalg.norm(w)))
            straight = float(np.dot(way, onward)) > 0.7 * length * float(np.linalg.norm(onward))
            if not (length > 1e-9 and (length > 2.2 * usual or (named and not straight))):
                break
            found.add(child)
            root, children = child, after
            if length > 1e-9:
                break
    return found


class Body:
    """One connected body of a tree: its trunk from rear to front, and where limbs leave it.

    Attributes:
        bones: numbers of its bones. total: their length, metres.
        trunk: bones of the trunk, rear to front; empty where the body is nothing but limbs.
        nodes: places ``[N, 3]`` along the trunk, one more than bones; None without a trunk.
        limbs: bones that leave the trunk. connectors: bones that only lead from the trunk's middle to its side.
        attached: for each node with a pair of limbs, how far beside the trunk's line they start, and how far under it,
            metres.
    """

    def __init__(self, tree: Tree, bones: list[int], skeleton: Skeleton) -> None:
        self.tree, self.bones, self.skeleton = tree, bones, skeleton
        self.total = float(tree.total[bones[0]])
        self.counts = dict.fromkeys(bones, 1)
        for bone in reversed(bones):
            if tree.above[bone] >= 0:
                self.counts[tree.above[bone]] += self.counts[bone]
        self.trunk = self._find_trunk()
        if self.trunk and self._rear_is_front():
            self.trunk.reverse()
        self.inside = set(self.trunk)
        self.nodes = self._nodes() if self.trunk else None
        self.limbs = [bone for bone in bones if bone not in self.inside and self.above(bone) in self.inside]
        self.connectors: set[int] = set()
        self.attached: dict[int, tuple[float, float]] = {}
        self._core = range(len(self.trunk) + 1)
        self._attach()

    @property
    def low(self) -> int:
        return min(self.attached)

    @property
    def high(self) -> int:
        return max(self.attached)

    def above(self, bone: int) -> int:
        """The bone that one grows from; the trunk's nearest where it starts at the very root."""
        above = self.tree.above[bone]
        if above >= 0 or not self.trunk or bone in self.trunk:
            return above
        return next((b for b in self.trunk if self.tree.above[b] < 0), -1)

    def _siblings(self, bone: int) -> list[int]:
        above = self.tree.above[bone]
        return [b for b in self.bones if b != bone and self.tree.above[b] == above]

    def paired(self, bone: int) -> bool:
        """Whether another bone like it starts at the same joint: the limb of the other side."""
        mine, length = float(self.tree.beyond[bone]), self.tree.bones[bone].length
        return any(
            abs(float(self.tree.beyond[b]) - mine) < 0.12 * mine
            and self.counts[b] == self.counts[bone]
            and abs(self.tree.bones[b].length - length) < 0.15 * mine
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
        other = self._onward(self._siblings(bone))  # over the root and down on the other side
        while other is not None:
            before.append(other)
            other = self._onward(list(self.tree.below[other]))
        after, onward = [], self._onward(list(self.tree.below[heart]))
        while onward is not None:
            after.append(onward)
            onward = self._onward(list(self.tree.below[onward]))
        return before[::-1] + [heart] + after

    def _onward(self, choices: list[int]) -> int | None:
        """The bone that the trunk goes on with: one toward the head before all others, else the longest."""
        free = [bone for bone in choices if not self.paired(bone)]
        return max(free, key=lambda b: (self._leads_to_head(b), float(self.tree.beyond[b]), -b)) if free else None

    def _leads_to_head(self, bone: int) -> bool:
        head, joint = self.skeleton.roles.head, self.tree.bones[bone].end
        return head is not None and joint >= 0 and joint in (head, *self.skeleton.ancestors(head))

    def _rear_is_front(self) -> bool:
        """Whether the head is at the first end of the trunk, or the tail at the last."""
        joints = [self._joints(bone) for bone in self.trunk]
        head = self.skeleton.roles.head
        heads = [k for k, pair in enumerate(joints) if head in pair]
        tails = [k for k, pair in enumerate(joints) if any("tail" in naming.words(self.skeleton.names[j]) for j in pair)]
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

    def _nodes(self) -> Floats:
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
        """The lesser length of bone on both sides of a node of the trunk, metres."""
        index = min(node, len(self.trunk) - 1)
        at = float(node > index) if not self.runs_back(index) else float(node <= index)
        return self.tree.bulk(self.trunk[index], at)

    def node_of(self, joint: int) -> int | None:
        """The node of the trunk that a joint stands on."""
        for index, bone in enumerate(self.trunk):
            b, back = self.tree.bones[bone], self.runs_back(index)
            if b.start == joint:
                return index + 1 if back else index
            if b.end == joint:
                return index if back else index + 1
        return None

    def _attach(self) -> None:
        found: dict[int, list[Floats]] = {}
        if self.nodes is None:
            return
        hung = [self.node_of(self.tree.bones[limb].start) for limb in self.limbs if self.paired(limb)]
        known = [node for node in hung if node is not None]
        if known:  # a tail that hangs beside the legs tells nothing about them
            self._core = range(max(min(known) - 1, 0) if max(known) == min(known) else min(known), max(known) + 2)
        for limb in self.limbs:
            if self.paired(limb):
                self._follow(limb, found)
        for node, offsets in found.items():
            beside = np.median([abs(offset[0]) for offset in offsets])
            self.attached[node] = float(beside), float(np.median([-offset[1] for offset in offsets]))
        middle = [node for node, (beside, _) in self.attached.items() if beside < 1e-3 * self.total]
        if len(middle) == len(self.attached):
            self.attached.clear()

    def _follow(self, bone: int, found: dict[int, list[Floats]]) -> None:
        """Past the bones that stay near the trunk, to where a limb begins."""
        assert self.nodes is not None
        b = self.tree.bones[bone]
        away, _, _ = self._from_trunk(b.to)
        rest = self.reach(bone) - b.length
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
        """Distance to the line of the trunk, the nearest node, and the way from the line ``[3]``."""
        assert self.nodes is not None
        least, offset = np.inf, np.zeros(3)
        core = self.nodes[self._core.start : self._core.stop]
        for a, b in zip(core, core[1:], strict=False):
            way = b - a
            at = float(np.clip(np.dot(place - a, way) / max(float(np.dot(way, way)), 1e-18), 0, 1))
            away = place - a - at * way
            if np.linalg.norm(away) < least:
                least, offset = float(np.linalg.norm(away)), away
        return least, self._core.start + int(np.argmin(np.linalg.norm(core - place, axis=1))), offset

    def reach(self, bone: int) -> float:
        """Length of the longest way from a bone's start to an end, metres."""
        longest = max((self.reach(b) for b in self.tree.below[bone]), default=0.0)
        return self.tree.bones[bone].length + longest

    def leaves_trunk(self) -> list[int]:
        """Bones that limbs begin with, behind the connectors."""
        return [
            bone for bone in self.bones
            if bone not in self.inside and bone not in self.connectors
            and (self.above(bone) in self.inside or self.above(bone) in self.connectors)
        ]  # fmt: skip

    def limb_start(self, bone: int) -> int:
        """The first bone of the limb, or of the branch of a limb, that a bone belongs to."""
        while True:
            above = self.above(bone)
            if above < 0 or above in self.inside or above in self.connectors:
                return bone
            onward = max(self.tree.below[above], key=lambda b: (self.reach(b), -b))
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

    def branch_level(self, start: int) -> int:
        """0 for a limb of the trunk, 1 for what branches off it, and so on."""
        above = self.above(start)
        if above < 0 or above in self.inside or above in self.connectors:
            return 0
        return 1 + self.branch_level(self.limb_start(above))

    def related(self, one: int, two: int) -> bool:
        """Whether one bone is the other or stands above it."""
        for low, high in ((one, two), (two, one)):
            bone = low
            while bone >= 0:
                if bone == high:
                    return True
                bone = self.tree.above[bone]
        return False

    def side(self, start: int) -> int:
        """1 for a limb of the left, -1 of the right, 0 for one in the middle: by its name, else by its place."""
        b = self.tree.bones[start]
        for joint in self._joints(start)[::-1]:
            named = naming.side(self.skeleton.names[joint])
            if named is not None:
                return 1 if named == "left" else -1
        above = self.above(start)
        if above >= 0 and above not in self.inside:
            return self.side(above)
        if self.nodes is None or not self.paired(start):
            return 0
        offset = float(b.to[0] - self.nodes[:, 0].mean())
        return int(np.sign(offset)) if abs(offset) > 0.05 * self.reach(start) else 0
