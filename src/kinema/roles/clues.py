"""Evidence about each joint before roles are decided: shape, names, mirror partners, stated roles."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kinema import naming, rotations
from kinema.arrays import Floats
from kinema.roles.model import PARTS, Side, split_role
from kinema.roles.segments import translate
from kinema.roles.symmetry import MirrorPlane, find_plane, pair_up
from kinema.roles.tree import JointTree, look
from kinema.roles.vocabulary import Evidence, read_name

if TYPE_CHECKING:
    from kinema.skeleton import Skeleton

Hints = dict[int, tuple[str, Side | None]]

_MIRRORED = 0.03  # of the body's size: distance of partners from each other's mirror images in a symmetric pose
_MOSTLY = 0.7  # share of the limbs that stand so; fingers of one hand can be taken for partners
_LONG, _ASIDE = 0.1, 0.3  # of the body's size, and of its own length: a limb that goes so far to one side is no tail
_COPY = re.compile(r"\.[0-9]{3}$")
_CORNERS: dict[str, tuple[Side, int]] = {
    "fl": ("left", 1), "fr": ("right", 1), "lf": ("left", 1), "rf": ("right", 1),
    "rl": ("left", -1), "rr": ("right", -1), "hl": ("left", -1), "hr": ("right", -1), "bl": ("left", -1),
    "br": ("right", -1), "lh": ("left", -1), "rh": ("right", -1), "lb": ("left", -1), "rb": ("right", -1),
    "lr": ("left", -1),
}  # fmt: skip
"""Side and level of the legs of robots with four: front left, rear right, right hind."""


@dataclass(eq=False)
class Clues:
    """What is known about each joint.

    Attributes:
        tree: the skeleton's shape.
        evidence: what the name of each joint tells.
        plane: the mirror plane, if there is one.
        partners: for each joint, the joint on the other side, or the joint itself.
        middle: whether each joint is on the middle line.
    """

    tree: JointTree
    evidence: list[Evidence]
    plane: MirrorPlane | None
    partners: list[int]
    middle: list[bool]

    @cached_property
    def left(self) -> Floats:
        """From the joints that names call right to their partners that they call left `[3]`; zero if no names do."""
        positions, found = self.tree.positions, np.zeros(3)
        for joint, partner in enumerate(self.partners):
            if self.evidence[joint].side == "left" and self.evidence[partner].side == "right":
                found += positions[joint] - positions[partner]
        return found

    def said(self, joint: int, kind: str) -> dict[str, float]:
        """Weights of parts by the names of a joint and its partner, in the terms of a kind of limb."""
        if self.evidence[joint].end:
            return {"helper": 1.0}
        if kind == "leg" and self.in_row(joint):
            return {"toes": 1.0}
        own = translate(self.evidence[joint].parts, kind)
        other = translate(self.evidence[self.partners[joint]].parts, kind)
        return {part: max(own.get(part, 0.0), other.get(part, 0.0)) for part in {*own, *other}}

    def in_row(self, joint: int) -> bool:
        """Whether a joint is one of three or more similar digits that begin side by side."""
        tree, parent = self.tree, self.tree.parents[joint]
        if parent < 0 or self.middle[parent] or len(tree.children[parent]) < 3:
            return False
        total = tree.total(joint)
        similar = [
            sibling
            for sibling in tree.children[parent]
            if self.evidence[sibling].best in ("", "toe", "toes") and 0.4 * total < tree.total(sibling) < 2.5 * total
        ]
        return joint in similar and len(similar) >= 3


def gather(skeleton: Skeleton, poses: Floats | None, hints: Hints, axes: dict[int, Floats]) -> Clues:
    """The clues of a skeleton.

    Args:
        skeleton: any.
        poses: positions `[K, J, 3]` in frames of a motion of that skeleton, or None.
        hints: roles that are stated.
        axes: rotation axes of hinges, by joint.
    """
    evidence = [_read(skeleton, joint, hints, joint in axes) for joint in range(skeleton.joint_count)]
    _ignore_sides_of_copies(skeleton, evidence, hints)
    _read_corners(evidence, hints)
    tree = look(skeleton, poses)
    plane = find_plane(tree)
    partners = pair_up(tree, skeleton.names, evidence, plane)
    _pair_hinted(partners, hints)
    return Clues(tree, evidence, plane, partners, find_middle(tree, partners, plane))


def hinted(skeleton: Skeleton) -> Hints:
    """Part and side by joint that the skeleton's hints state; hints that are not roles are left out."""
    found: Hints = {}
    for name, role in skeleton.hints.items():
        part, side = split_role(role)
        if part in PARTS:
            found[skeleton.index(name)] = part, side
    return found


def hinge_axes(skeleton: Skeleton) -> dict[int, Floats]:
    """Axes `[3]` of hinges in model space at the rest pose, by joint."""
    if not skeleton.hinges:
        return {}
    joints = [hinge.joint for hinge in skeleton.hinges]
    local = np.array([hinge.axis for hinge in skeleton.hinges], np.float64)
    axes = rotations.rotate(skeleton.rest_pose.global_rotations[joints].astype(np.float64), local)
    return dict(zip(joints, axes, strict=True))


def find_middle(tree: JointTree, partners: list[int], plane: MirrorPlane | None = None) -> list[bool]:
    """Whether each joint and all its ancestors are their own partners, and do not lead off to one side."""
    aside = _lead_aside(tree, plane) if plane is not None and _is_mirrored(tree, partners, plane) else set()
    middle = [False] * len(partners)
    for joint, parent in enumerate(tree.parents):
        middle[joint] = partners[joint] == joint and joint not in aside and (parent < 0 or middle[parent])
    return middle


def _is_mirrored(tree: JointTree, partners: list[int], plane: MirrorPlane) -> bool:
    """Whether most partners stand on each other's mirror images, so that what stands alone is off the middle."""
    pairs = [(joint, partner) for joint, partner in enumerate(partners) if joint < partner]
    if not tree.posed or not pairs:
        return False
    ones, others = tree.positions[[one for one, _ in pairs]], tree.positions[[other for _, other in pairs]]
    near = np.linalg.norm(plane.mirrored(ones) - others, axis=1) < _MIRRORED * tree.extent
    weights = np.array([tree.total(one) for one, _ in pairs])
    return bool(weights[near].sum() > _MOSTLY * weights.sum())


def _lead_aside(tree: JointTree, plane: MirrorPlane) -> set[int]:
    """Joints whose subtree lies on one side of the body and leads away from the middle, as the only arm does."""
    across = (tree.positions - plane.point) @ plane.normal
    lowest, highest = across.tolist(), across.tolist()
    for joint in range(len(lowest) - 1, 0, -1):
        parent = tree.parents[joint]
        if parent >= 0:
            lowest[parent] = min(lowest[parent], lowest[joint])
            highest[parent] = max(highest[parent], highest[joint])
    near, found = 0.01 * tree.extent, set()
    for joint, reach in enumerate(tree.reach):
        one_side = lowest[joint] > near or highest[joint] < -near
        if one_side and reach > _LONG * tree.extent and max(highest[joint], -lowest[joint]) > _ASIDE * reach:
            found.add(joint)
    return found


def _read(skeleton: Skeleton, joint: int, hints: Hints, hinge: bool) -> Evidence:
    name = skeleton.names[joint]
    said = read_name(name, hinge)
    if joint in hints:
        part, side = hints[joint]
        return Evidence({part: 1.0} if part else {}, side, said.level, False, name)
    return replace(said, end=False) if said.end and skeleton.children[joint] else said


def _ignore_sides_of_copies(skeleton: Skeleton, evidence: list[Evidence], hints: Hints) -> None:
    """Drop the side of Blender's copies: `Leg.L.001` beside `Leg.L` is named after it if there is no `Leg.R`."""
    known = {name: joint for joint, name in enumerate(skeleton.names)}
    for joint, name in enumerate(skeleton.names):
        original = known.get(_COPY.sub("", name), joint)
        if original == joint or joint in hints or skeleton.parents[original] != skeleton.parents[joint]:
            continue
        if naming.mirrored(name) not in known and naming.mirrored(skeleton.names[original]) not in known:
            evidence[joint] = replace(evidence[joint], side=None)


def _read_corners(evidence: list[Evidence], hints: Hints) -> None:
    """Read the words for the corners of a robot, `FL` and `RR`, where all four are there."""
    found = {
        joint: _CORNERS[word]
        for joint, said in enumerate(evidence)
        if joint not in hints
        for word in naming.words(said.name)
        if word in _CORNERS
    }
    if len(set(found.values())) == 4:
        for joint, (side, level) in found.items():
            evidence[joint] = replace(evidence[joint], side=side, level=level)


def _pair_hinted(partners: list[int], hints: Hints) -> None:
    """Pair the two joints that are stated as the left and the right of a part, if there is one of each."""
    stated: dict[tuple[str, Side | None], list[int]] = {}
    for joint, role in hints.items():
        stated.setdefault(role, []).append(joint)
    for (part, side), joints in stated.items():
        others = stated.get((part, "right"), []) if side == "left" else []
        if len(joints) == len(others) == 1:
            one, other = joints[0], others[0]
            for joint in (one, other):
                partners[partners[joint]] = partners[joint]
            partners[one], partners[other] = other, one
