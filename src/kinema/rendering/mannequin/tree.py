"""What of a skeleton carries flesh: its bones, its trunk and its limbs, told from the tree and its lengths alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kinema import naming, rotations
from kinema.skeleton import Skeleton

Floats = NDArray[np.float64]

MOST_BONES = 400
"""More bones than this are not modelled: the longest limbs are, their least twigs are not."""
_MOST_ROOTS = 32
_CONTROL = frozenset(
    (
        "ik",
        "ctrl",
        "control",
        "pole",
        "target",
        "marker",
        "attach",
        "slot",
        "helper",
        "null",
        "locator",
        "camera",
        "light",
        "effector",
        "prop",
        "weapon",
    )
)
_STEERED = frozenset(("pole", "target"))
_ENDS = frozenset(("end", "tip", "nub", "site", "leaf", "effector"))
_ONWARD = 0.45  # a leaf without a tip goes on in the direction of its bone by this share of its length
_GROUND = frozenset(("root", "armature", "reference", "world", "body", "master", "origin", "ground", "simulation"))


@dataclass(frozen=True)
class Segment:
    """A line of flesh: from joint `start` to joint `end`, or to the tip `to` when `end` is -1.

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
    """Bones with flesh, parents first.

    Attributes:
        bones: all of them. above: the bone each one continues or branches off from, -1 for the first.
        below: the bones that follow on each.
        beyond: total length that hangs on each bone, itself included, metres.
        total: total length of the body that the bone belongs to, metres.
    """

    bones: tuple[Segment, ...]
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


def flesh(skeleton: Skeleton, turned: Floats, placed: Floats) -> FleshTree:
    """The bones of a skeleton that carry flesh in a pose `[J, 4]`, `[J, 3]`.

    Left out are joints that steer (IK targets, poles), the bone from the ground up to the hips, and bones without a
    length. Parts of a rig that hang apart, such as feet on IK targets, continue the limb that ends near them.
    """
    parents = _joined(skeleton, placed)
    steering = _steering(skeleton, parents)
    dropped = _grounded(skeleton, parents, placed, steering)
    size = max(float(np.linalg.norm(np.ptp(placed, axis=0))), float(np.abs(skeleton.tip_offsets).max(initial=0)))
    bones: list[Segment] = []
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
            bones.append(Segment(start, end, placed[start], to, root))
        elif end >= 0 and start in arriving:
            arriving[end] = arriving[start]

    order = _parents_first(parents)
    carrying = {parent for joint, parent in enumerate(parents) if not steering[joint]}
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
        bare = joint not in tips and joint != skeleton.roles.head and joint not in carrying
        if bare and joint in arriving and not _ENDS & set(naming.words(skeleton.names[joint])):
            last = bones[arriving[joint]]
            add(joint, -1, placed[joint] + _ONWARD * (last.to - last.at))
    return _pruned(FleshTree(tuple(bones), tuple(above)))


def _pruned(tree: FleshTree) -> FleshTree:
    """The tree without its least twigs, if it has very many bones; what hangs on a bone is never longer than it."""
    if len(tree.bones) <= MOST_BONES:
        return tree
    kept = np.sort(np.argsort(-tree.beyond, kind="stable")[:MOST_BONES])
    number = {int(bone): index for index, bone in enumerate(kept)}
    return FleshTree(
        tuple(tree.bones[bone] for bone in kept),
        tuple(number[tree.above[bone]] if tree.above[bone] >= 0 else -1 for bone in kept),
    )


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
        away = np.linalg.norm(placed[list(below)] - placed[root], axis=1)
        if named and len(below) > 1 and away.min() > 0.12 * extent:
            for child in below:  # a root on the ground with body and steering side by side
                parents[child] = -1
    roots = [joint for joint, parent in enumerate(parents) if parent < 0]
    if not 2 <= len(roots) <= _MOST_ROOTS:
        return parents
    tree: list[int] = []
    for joint, parent in enumerate(parents):
        tree.append(joint if parent < 0 else tree[parent])
    inner = np.where(np.array(parents) < 0, 0, skeleton.bone_lengths)
    sizes = {root: float(inner[np.array(tree) == root].sum()) for root in roots}
    main = max(roots, key=lambda root: (sizes[root], -root))
    below = {parent for parent in parents if parent >= 0}
    leaves = [
        joint
        for joint in range(len(parents))
        if tree[joint] == main and joint not in below and joint not in skeleton.tip_joints
    ]
    apart = [
        root
        for root in roots
        if root != main
        and sizes[root] <= 0.3 * sizes[main]
        and not (_GROUND | _STEERED) & set(naming.words(skeleton.names[root]))
    ]
    near = sorted(
        (float(np.linalg.norm(placed[leaf] - placed[root])), root, leaf)
        for root in apart
        for leaf in leaves
        if naming.side(skeleton.names[root]) == naming.side(skeleton.names[leaf])
    )
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
    for joint in reversed(_parents_first(parents)):  # children before their parents
        found[joint] &= not skeleton.parents[joint] < 0 <= parents[joint]
        if parents[joint] >= 0:
            found[parents[joint]] &= found[joint]
    return [False] * len(found) if all(found) else found  # a lamp whose bones are all called light is a lamp


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
    for root in [joint for joint, parent in enumerate(parents) if parent < 0][:_MOST_ROOTS]:
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
