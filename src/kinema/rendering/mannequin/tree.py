"""The bones of a skeleton that get a body, found by the tree of its joints and their lengths alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kinema import naming
from kinema.arrays import Floats, Ints
from kinema.pose import Pose
from kinema.skeleton import Skeleton

MOST_BONES = 400
"""Of a skeleton with more bones, the longest limbs are modelled and the shortest twigs are not."""

_MOST_ROOTS = 32
_CONTROL = {"ik", "ctrl", "control", "pole", "target", "marker", "attach", "slot", "helper", "null", "locator"}
_CONTROL |= {"camera", "light", "effector", "prop", "weapon"}
_STEERED = {"pole", "target"}
_ENDS = {"end", "tip", "nub", "site", "leaf", "effector"}
_GROUND = {"root", "armature", "reference", "world", "body", "master", "origin", "ground", "simulation"}
_ONWARD = 0.45  # a leaf without a tip continues its bone by this share of its length


@dataclass(frozen=True)
class FleshBone:
    """A bone with a body: from joint `start` to joint `end`, or to the tip `to` when `end` is -1.

    `root` is the joint that the body begins with; bones that begin there have none above them.
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
class FleshTree:
    """Bones with a body, parents first.

    Attributes:
        bones: all of them.
        above: the bone that each one continues or branches off from, -1 for the first.
    """

    bones: tuple[FleshBone, ...]
    above: tuple[int, ...]

    @cached_property
    def below(self) -> tuple[tuple[int, ...], ...]:
        """The bones that follow each bone."""
        found: list[list[int]] = [[] for _ in self.bones]
        for bone, parent in enumerate(self.above):
            if parent >= 0:
                found[parent].append(bone)
        return tuple(tuple(row) for row in found)

    @cached_property
    def beyond(self) -> Floats:
        """Total length of each bone and all that hangs on it, metres."""
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
        """Total length of the body that each bone belongs to, metres."""
        sums: dict[int, float] = {}
        for bone, parent in enumerate(self.above):
            if parent < 0:
                sums[self.first[bone]] = sums.get(self.first[bone], 0.0) + float(self.beyond[bone])
        return np.array([sums[first] for first in self.first])

    def bulk(self, bone: int, at: float) -> float:
        """The smaller length of bone on the two sides of a place (0 to 1) on a bone, metres: large in a trunk."""
        distal = float(self.beyond[bone]) - at * self.bones[bone].length
        return min(distal, float(self.total[bone]) - distal)


def tip_positions(pose: Pose) -> dict[int, list[Floats]]:
    """Where the tips of each joint are `[3]` in a pose."""
    tips: dict[int, list[Floats]] = {}
    for joint, tip in zip(pose.skeleton.tip_joints.tolist(), pose.skeleton.tip_positions(pose), strict=True):
        tips.setdefault(joint, []).append(tip)
    return tips


def flesh(pose: Pose) -> FleshTree:
    """The bones of a skeleton that get a body, in a pose.

    Control joints (IK targets, poles), the bone from the ground up to the hips, and bones without length are left
    out. Detached parts of a rig, such as feet on IK targets, continue the limb that ends near them.
    """
    skeleton, positions = pose.skeleton, pose.global_positions
    parents = _joined(skeleton, positions)
    steering = _steering(skeleton, parents)
    dropped = _grounded(skeleton, parents, positions, steering)
    carrying = {parent for joint, parent in enumerate(parents) if not steering[joint]}
    tips = tip_positions(pose)
    growth = _Growth(skeleton, positions)
    for joint in _parents_first(parents):
        if steering[joint]:
            continue
        if parents[joint] >= 0 and joint not in dropped:
            growth.add(parents[joint], joint, positions[joint])
        for tip in tips.get(joint, ()):
            growth.add(joint, -1, tip)
        if joint not in tips and joint not in carrying:
            growth.end(joint)
    return _pruned(FleshTree(tuple(growth.bones), tuple(growth.above)))


class _Growth:
    """Bones as they are found, from the root outward."""

    def __init__(self, skeleton: Skeleton, positions: Floats) -> None:
        self.skeleton, self.positions = skeleton, positions
        reach = float(np.abs(skeleton.tip_offsets).max(initial=0))
        self.least = 1e-5 * max(float(np.linalg.norm(np.ptp(positions, axis=0))), reach)
        self.bones: list[FleshBone] = []
        self.above: list[int] = []
        self._arriving: dict[int, int] = {}  # the bone that ends in a joint
        self._roots: dict[int, int] = {}

    def add(self, start: int, end: int, to: Floats) -> None:
        """Add the bone from a joint to another one, or to a tip; one without length passes on what it hangs on."""
        root = self._roots.setdefault(start, start)
        if end >= 0:
            self._roots[end] = root
        if np.linalg.norm(to - self.positions[start]) > self.least:
            self.above.append(self._arriving.get(start, -1))
            if end >= 0:
                self._arriving[end] = len(self.bones)
            self.bones.append(FleshBone(start, end, self.positions[start], to, root))
        elif end >= 0 and start in self._arriving:
            self._arriving[end] = self._arriving[start]

    def end(self, joint: int) -> None:
        """Continue a limb that ends in a joint without a tip, unless it is the head or named as an end."""
        named = _ENDS & set(naming.words(self.skeleton.names[joint]))
        if joint in self._arriving and joint != self.skeleton.roles.head and not named:
            last = self.bones[self._arriving[joint]]
            self.add(joint, -1, self.positions[joint] + _ONWARD * (last.to - last.at))


def _pruned(tree: FleshTree) -> FleshTree:
    """The tree without its shortest twigs, if it has very many bones; what hangs on a bone is never longer than it."""
    if len(tree.bones) <= MOST_BONES:
        return tree
    kept = np.sort(np.argsort(-tree.beyond, kind="stable")[:MOST_BONES])
    number = {int(bone): index for index, bone in enumerate(kept)} | {-1: -1}
    return FleshTree(tuple(tree.bones[bone] for bone in kept), tuple(number[tree.above[bone]] for bone in kept))


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


def _named(skeleton: Skeleton, joint: int, words: Iterable[str]) -> bool:
    return not set(words).isdisjoint(naming.words(skeleton.names[joint]))


def _joined(skeleton: Skeleton, positions: Floats) -> list[int]:
    """Parents, with the roots of smaller trees hung on the leaf that ends near them, if there is one."""
    parents = _without_ground_root(skeleton, positions)
    roots = [joint for joint, parent in enumerate(parents) if parent < 0]
    if not 2 <= len(roots) <= _MOST_ROOTS:
        return parents
    tree: list[int] = []
    for joint, parent in enumerate(parents):
        tree.append(joint if parent < 0 else tree[parent])
    lengths = np.where(np.array(parents) < 0, 0, skeleton.bone_lengths)
    sizes = {root: float(lengths[np.array(tree) == root].sum()) for root in roots}
    main = max(roots, key=lambda root: (sizes[root], -root))
    small = [root for root in roots if root != main and sizes[root] <= 0.3 * sizes[main]]
    apart = [root for root in small if not _named(skeleton, root, _GROUND | _STEERED)]
    body = np.flatnonzero(np.array(tree) == main)
    continued = _hang_on_leaves(skeleton, parents, positions, apart, body.tolist())
    _hang_on_nearest(skeleton, parents, positions, [root for root in apart if root not in continued], body)
    return parents


def _hang_on_nearest(skeleton: Skeleton, parents: list[int], positions: Floats, roots: list[int], body: Ints) -> None:
    """Make the nearest joint of the body the parent of roots near it that only the root on the ground held."""
    extent = float(np.linalg.norm(np.ptp(positions, axis=0)))
    for root in roots:
        if skeleton.parents[root] >= 0 and not _named(skeleton, root, _CONTROL):
            away = np.linalg.norm(positions[body] - positions[root], axis=1)
            if away.min() < 0.35 * extent:
                parents[root] = int(body[int(np.argmin(away))])


def _without_ground_root(skeleton: Skeleton, positions: Floats) -> list[int]:
    """Parents, where the children of a root on the ground that holds body and controls side by side become roots."""
    parents = skeleton.parents.tolist()
    extent = float(np.linalg.norm(np.ptp(positions, axis=0)))
    for root in [joint for joint, parent in enumerate(parents) if parent < 0]:
        below = list(skeleton.children[root])
        away = np.linalg.norm(positions[below] - positions[root], axis=1)
        if len(below) > 1 and _named(skeleton, root, _GROUND) and away.min() > 0.12 * extent:
            for child in below:
                parents[child] = -1
    return parents


def _hang_on_leaves(
    skeleton: Skeleton, parents: list[int], positions: Floats, apart: list[int], body: list[int]
) -> set[int]:
    """Make the nearest leaf of the body the parent of each root near it; returns the roots that found one."""
    below = {parent for parent in parents if parent >= 0}
    leaves = [joint for joint in body if joint not in below and joint not in skeleton.tip_joints]
    near = sorted(
        (float(np.linalg.norm(positions[leaf] - positions[root])), root, leaf)
        for root in apart
        for leaf in leaves
        if naming.side(skeleton.names[root]) == naming.side(skeleton.names[leaf])
    )
    taken: set[int] = set()
    for away, root, leaf in near:
        if away < 1.5 * skeleton.bone_lengths[leaf] and root not in taken and leaf not in taken:
            parents[root] = leaf
            taken |= {root, leaf}
    return taken


def _steering(skeleton: Skeleton, parents: list[int]) -> list[bool]:
    """Which joints are controls (IK targets, poles) with only controls below them, and do not continue a limb."""
    found = [_named(skeleton, joint, _CONTROL) for joint in range(skeleton.joint_count)]
    for joint in reversed(_parents_first(parents)):  # children before their parents
        found[joint] &= not skeleton.parents[joint] < 0 <= parents[joint]
        if parents[joint] >= 0:
            found[parents[joint]] &= found[joint]
    return [False] * len(found) if all(found) else found  # a lamp whose bones are all called light is a lamp


def _grounded(skeleton: Skeleton, parents: list[int], positions: Floats, steering: list[bool]) -> set[int]:
    """Joints whose bone to the parent runs from the ground into the body and is not part of it."""
    found: set[int] = set()
    joint = skeleton.roles.hips
    while parents[joint] >= 0:
        found.add(joint)
        joint = parents[joint]
    below: dict[int, list[int]] = {}
    for joint, parent in enumerate(parents):
        if not steering[joint]:
            below.setdefault(parent, []).append(joint)
    lengths = [
        float(np.linalg.norm(positions[joint] - positions[parent]))
        for parent, children in below.items()
        if parent >= 0
        for joint in children
    ]
    if len(lengths) < 4:
        return found
    usual = float(np.median(lengths))
    for root in [joint for joint, parent in enumerate(parents) if parent < 0][:_MOST_ROOTS]:
        children = below.get(root, [])
        if len(children) == 1 and _leads_up(skeleton, root, children[0], below, positions, usual):
            found.add(children[0])
    return found


def _leads_up(
    skeleton: Skeleton, root: int, child: int, below: dict[int, list[int]], positions: Floats, usual: float
) -> bool:
    """Whether the only bone of a root leads from the ground into the body: very long, or named so and at an angle."""
    ways = [positions[joint] - positions[child] for joint in below.get(child, ())]
    way = positions[child] - positions[root]
    length = float(np.linalg.norm(way))
    if not ways or length <= 1e-9:
        return False
    onward = max(ways, key=lambda way: float(np.linalg.norm(way)))
    straight = float(np.dot(way, onward)) > 0.7 * length * float(np.linalg.norm(onward))
    return length > 2.2 * usual or (_named(skeleton, root, _GROUND) and not straight)
