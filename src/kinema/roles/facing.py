"""Where a body faces: up, forward, and which side of the mirror plane is left.

Toes, knees, thumbs, tails and the direction from hips to chest of an animal vote for one of the two directions that
are square to the up and the lateral direction. Left is up x forward.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kinema.arrays import Floats
from kinema.roles.body import BodyLayout
from kinema.roles.draft import Draft
from kinema.roles.tree import JointTree

Segments = Mapping[str, int]
_X, _Y, _Z = np.eye(3)


@dataclass(frozen=True, eq=False)
class Facing:
    """Directions of a body in model space.

    Attributes:
        up: unit vector `[3]`.
        forward: unit vector `[3]`.
        left: unit vector `[3]`.
        sign: +1 if the first of each pair is left, else -1.
        sure: confidence in the sign, 0 to 1.
    """

    up: Floats
    forward: Floats
    left: Floats
    sign: float
    sure: float


@dataclass(frozen=True, eq=False)
class FacingEvidence:
    """The limbs that decide where a body faces.

    Attributes:
        pairs: first joints of the limbs, (one, other), all ones on the same side.
        legs: joints by part of both sides, in the order of `pairs`.
        arms: likewise.
    """

    pairs: list[tuple[int, int]] = field(default_factory=list)
    legs: list[Segments] = field(default_factory=list)
    arms: list[Segments] = field(default_factory=list)


def face(draft: Draft, evidence: FacingEvidence, known: float = 0.0) -> Facing:
    """The directions of a body, by the votes of its parts.

    Args:
        draft: the skeleton.
        evidence: its limbs.
        known: +1 if names say that the first of each pair is left, -1 for right, 0 if not known.
    """
    tree = draft.tree
    up, lateral, votes = _count(draft, evidence)
    sure = 1.0
    if not known and not tree.posed and not len(tree.poses):
        known, sure = _usual_side(draft, evidence.pairs), 0.5
    if known:
        sign = float(np.sign(known))
    else:
        ahead = float(np.cross(lateral, up)[2])
        prior = 0.25 * np.sign(ahead) if abs(ahead) > 0.5 else 0.0  # most files face +Z
        sign = float(np.sign(votes + prior)) or 1.0
        sure = float(np.clip(abs(votes) / 2.0, 0.05, 1.0))
    left = sign * lateral
    return Facing(up, _unit(np.cross(left, up), _Z), left, sign, sure)


def _count(draft: Draft, evidence: FacingEvidence) -> tuple[Floats, Floats, float]:
    """Up, lateral direction, and the votes for the body to face lateral x up, over all poses."""
    tree, body = draft.tree, draft.body
    pairs = [apart(tree, one, other) for one, other in evidence.pairs]
    normal = draft.plane.normal if draft.plane is not None and tree.posed else None
    up_in_motion = _up_in_motion(tree, body)
    poses = [(tree.positions, body.up if tree.posed else up_in_motion)] if tree.posed or not len(tree.poses) else []
    poses += [(positions, up_in_motion) for positions in tree.poses]
    votes = 0.0
    first: tuple[Floats, Floats] | None = None
    for number, (positions, up) in enumerate(poses):
        lateral = _lateral(positions, pairs, up, normal if number == 0 else None)
        if lateral is None:
            continue
        first = first or (up, lateral)
        ballot = _Ballot(draft, evidence, positions, _unit(np.cross(lateral, up), _Z), up, number == 0 and tree.posed)
        votes += ballot.votes() * (1.0 if number == 0 else 2.0 / len(poses))
    votes += _travel(tree, body, pairs)
    up, lateral = first or (body.up, _unit(np.asarray(np.cross(body.up, _Z), np.float64), _X))
    return up, lateral, votes


def apart(tree: JointTree, one: int, other: int) -> tuple[int, int]:
    """The first joints down two limbs that stand apart: hips and shoulders of some rigs begin at the same point."""
    for joints in zip(tree.path(one), tree.path(other), strict=False):
        if np.linalg.norm(tree.positions[joints[0]] - tree.positions[joints[1]]) > 1e-3 * tree.extent:
            return joints
    return one, other


def _unit(vector: Floats, fallback: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 1e-9 else fallback


def _up_in_motion(tree: JointTree, body: BodyLayout) -> Floats:
    """The axis of model space that points away from the feet in most frames; +Y if there is none."""
    legs = body.of("leg")
    if not len(tree.poses) or not legs:
        return _Y
    limb = legs[0]
    ends = [tree.path_end(root) for root in limb.roots]
    legs_up = (tree.poses[:, list(limb.roots)] - tree.poses[:, ends]).mean(axis=(0, 1))
    axis = int(np.argmax(np.abs(legs_up)))
    if axis == 1 or abs(legs_up[axis]) < 0.8 * float(np.linalg.norm(legs_up)):
        return _Y
    return np.eye(3)[axis] * np.sign(legs_up[axis])


def _usual_side(draft: Draft, pairs: list[tuple[int, int]]) -> float:
    """Which of each pair is left where the rest pose is not a stance: positive for the first, negative for the second.

    Such files come from programs that point one axis of a joint along the bone and the next to the front of the body:
    with all bones along +X the front is +Y and left is +Z, with all bones along +Y the front is +Z and left is +X.
    """
    tree, body = draft.tree, draft.body
    top = draft.trunk.head if draft.trunk.head is not None else body.chest
    along = _unit(tree.positions[top] - tree.positions[body.hips], _Y)
    left = np.cross(along, _Z if abs(along[1]) > 0.7 else _Y)
    joints = (apart(tree, one, other) for one, other in pairs)
    return sum(float((tree.positions[one] - tree.positions[other]) @ left) for one, other in joints)


def _lateral(positions: Floats, pairs: Sequence[tuple[int, int]], up: Floats, normal: Floats | None) -> Floats | None:
    """The unit vector from the second to the first of the pairs, square to up."""
    total = np.zeros(3)
    for one, other in pairs:
        total += positions[one] - positions[other]
    if normal is not None and abs(float(normal @ total)) > 0.5 * float(np.linalg.norm(total)):
        total = normal * np.sign(float(normal @ total))
    total = total - (total @ up) * up
    size = float(np.linalg.norm(total))
    return total / size if size > 1e-9 else None


class _Ballot:
    """The votes of a body's parts in one pose for facing a direction.

    Args:
        draft: the skeleton.
        evidence: its limbs.
        positions: `[J, 3]`.
        forward: unit vector `[3]`.
        up: unit vector `[3]`.
        rest: whether this is the rest pose.
    """

    def __init__(
        self, draft: Draft, evidence: FacingEvidence, positions: Floats, forward: Floats, up: Floats, rest: bool
    ) -> None:
        self.draft, self.evidence, self.tree, self.body = draft, evidence, draft.tree, draft.body
        self.positions, self.forward, self.rest, self.up = positions, forward, rest, up
        self.size = max((limb.total for limb in draft.limbs if limb.kind), default=self.tree.extent) or 1.0

    def votes(self) -> float:
        """Positive for forward, negative for backward."""
        votes = self._trunk() + self._head()
        for tail in self.draft.trunk.tails:
            votes -= 2.5 * self._ahead(tail[-1], tail[0], 0.2)
        for joints in self.evidence.legs:
            votes += self._leg(joints)
        for joints in self.evidence.arms:
            if "hand" in joints and self.body.plan == "biped":
                votes -= 0.6 * self._clipped(self._bend(joints["upper_arm"], joints["forearm"], joints["hand"]), 0.04)
        for thumb in self.draft.thumbs:
            votes += 0.8 * self._ahead(self.tree.path_end(thumb), self.tree.parents[thumb], 0.05)
        return votes

    def _clipped(self, vector: Floats, scale: float) -> float:
        """How far a vector points forward, in units of `scale` times the body's size, -1 to 1."""
        return float(np.clip(float(vector @ self.forward) / self.size / scale, -1, 1))

    def _ahead(self, joint: int, of: int, scale: float) -> float:
        return self._clipped(self.positions[joint] - self.positions[of], scale)

    def _trunk(self) -> float:
        body = self.body
        if body.plan == "legless":
            return self._fins()
        if body.plan not in ("quadruped", "winged", "many-legged") or body.chest == body.hips:
            return 0.0
        return 3.0 * self._ahead(body.chest, body.hips, 0.3)

    def _fins(self) -> float:
        """Whether the largest fins are in front of the middle of the body."""
        fins = max(self.body.of("fin"), key=lambda limb: limb.total, default=None)
        if fins is None:
            return 0.0
        middle = [joint for joint, inside in enumerate(self.draft.middle) if inside]
        return 2.0 * self._clipped(self.positions[list(fins.roots)].mean(0) - self.positions[middle].mean(0), 0.3)

    def _head(self) -> float:
        """Where the head is, and where the face is on it."""
        plan, head, neck = self.body.plan, self.draft.trunk.head, self.draft.trunk.neck
        if head is None:
            return 0.0
        base = neck[0] if neck and plan == "many-legged" else self.body.chest
        votes = {"biped": 0.4, "many-legged": 1.5}.get(plan, 3.0) * self._ahead(head, base, 0.3)
        under = self.tree.below(head, 60)[1:]
        if under:
            middle = np.mean([self.positions[joint] for joint in under], axis=0)
            votes += 0.8 * self._clipped(middle - self.positions[head], 0.08)
        return votes

    def _leg(self, joints: Segments) -> float:
        """Where the toes and the knee point."""
        foot, toe = joints.get("foot"), joints.get("toe")
        if foot is None:
            return 0.0
        if toe is not None:
            tip = self.positions[toe]
        else:
            tip = self.tree.ends[foot] if self.rest else self.positions[self.tree.path_end(foot)]
        votes = 2.0 * self._clipped(tip - self.positions[foot], 0.1)
        if "shin" in joints and self.body.plan == "biped" and self._hangs(joints["thigh"], joints["shin"]):
            votes += 0.8 * self._clipped(self._bend(joints["thigh"], joints["shin"], foot), 0.04)
        return votes

    def _hangs(self, thigh: int, shin: int) -> bool:
        """Whether a thigh points down: the knee of a crouching machine may be anywhere."""
        bone = self.positions[shin] - self.positions[thigh]
        return float(-bone @ self.up) > 0.3 * float(np.linalg.norm(bone))

    def _bend(self, upper: int, middle: int, end: int) -> Floats:
        """From the line between the ends of a limb to its knee or elbow `[3]`."""
        start, joint = self.positions[upper], self.positions[middle]
        line = self.positions[end] - start
        share = float((joint - start) @ line) / max(float(line @ line), 1e-12)
        return joint - start - share * line


def _travel(tree: JointTree, body: BodyLayout, pairs: Sequence[tuple[int, int]]) -> float:
    """How far the body travels forward in a motion, -2 to 2."""
    if len(tree.poses) < 3 or not pairs:
        return 0.0
    steps = np.diff(tree.poses[:, body.hips], axis=0)
    lateral = np.mean([tree.poses[:, a] - tree.poses[:, b] for a, b in pairs], axis=0)[:-1]
    forward = np.cross(lateral, _up_in_motion(tree, body))
    forward /= np.maximum(np.linalg.norm(forward, axis=1, keepdims=True), 1e-9)
    travelled = float(np.linalg.norm(steps, axis=1).sum())
    if travelled < 0.5 * tree.extent:
        return 0.0
    return 2.0 * float((steps * forward).sum()) / travelled
