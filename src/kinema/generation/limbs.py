"""The limbs of a rig by the shape of its rest pose and its tree alone: lines of joints, in pairs, on the body's middle.

Names and roles are not asked. Mirror images say which joints are in the middle, left or right; where a pose has none,
places do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import linear_sum_assignment

from kinema import rotations
from kinema.arrays import Bools, Floats, Singles
from kinema.generation.rig import AnyRig
from kinema.generation.symmetry import mirror_image
from kinema.naming import Side

_ASIDE = 0.1
"""Units from the middle plane within which a joint without a mirror image counts as in the middle."""

_ASKEW = 0.15
"""The same as a share of how far a branch reaches that has no counterpart on the other side, such as a skewed tail."""

_SLANT = 0.7
"""Largest share that a bone without a mirror image goes sideways if it stays in the middle: that of 45 degrees."""

_BACK = 0.42
"""Least share of its way that a tail goes backward, however it is raised: that of 25 degrees."""

_DROOPING = 0.2
"""Least length of a tail that neither leads ahead nor back, as a share of that of the line that leads ahead."""


@dataclass(frozen=True, eq=False)
class JointLine:
    """A line of joints from where it hangs on the body, or on another limb, to its farthest end.

    Attributes:
        joints: from 0 to `K`, in order.
        side: None in the middle.
        points: places `[N + 1, 3]` of its joints and its end, units.
        start: place `[3]` of the joint that it hangs on, units.
        carrier: the joint that it hangs on.
        carried: limbs that hang on it, those in the middle of the body excepted.
    """

    joints: tuple[int, ...]
    side: Side | None
    points: Floats
    start: Floats
    carrier: int
    carried: tuple[JointLine, ...] = ()

    @property
    def length(self) -> float:
        """Length of its bones, units, with the one that leads to it."""
        path = np.concatenate([self.start[None], self.points])
        return float(np.linalg.norm(np.diff(path, axis=0), axis=-1).sum())

    @property
    def loose(self) -> bool:
        """Whether it is twice as far from what carries it as it is long, as targets of inverse kinematics are."""
        link = float(np.linalg.norm(self.points[0] - self.start))
        return 3.0 * link > 2.0 * self.length

    @property
    def shares(self) -> Floats:
        """Shares `[N]` of the length from the first joint to the end at which the joints are."""
        lengths = np.linalg.norm(np.diff(self.points, axis=0), axis=-1)
        return np.concatenate([[0.0], np.cumsum(lengths)[:-1]]) / max(float(lengths.sum()), 1e-6)

    @property
    def bones(self) -> Floats:
        """Unit vectors `[N, 3]` from each joint to the next or the end."""
        ways = np.diff(self.points, axis=0)
        return ways / np.maximum(np.linalg.norm(ways, axis=-1, keepdims=True), 1e-6)


@dataclass(frozen=True, eq=False)
class LineOrPair:
    """A limb with its mirror image, or a single one: in the middle, or on one side only."""

    left: JointLine | None = None
    right: JointLine | None = None
    middle: JointLine | None = None

    @property
    def shown(self) -> JointLine:
        """The limb that stands for all."""
        shown = self.left or self.right or self.middle
        assert shown is not None
        return shown

    def with_counterparts(self, other: LineOrPair) -> list[tuple[JointLine, JointLine]]:
        """The limbs that both have."""
        each = ((self.left, other.left), (self.right, other.right), (self.middle, other.middle))
        return [(mine, theirs) for mine, theirs in each if mine is not None and theirs is not None]


class BodyLimbs:
    """A rig taken apart.

    Attributes:
        axis: joints in the middle from the end of the tail to the head.
        axis_points: places `[N, 3]` of them, units.
        lines: other lines in the middle, such as jaws and crests.
        pairs: limbs at the sides of the middle.
    """

    def __init__(self, rig: AnyRig) -> None:
        self.rig = rig
        self._children: list[list[int]] = [[] for _ in range(rig.count)]
        for joint, parent in enumerate(rig.parents.tolist()):
            if parent >= 0:
                self._children[parent].append(joint)
        self.image = mirror_image(rig)
        self.middle = self._middle()
        middle = [self._limb(joint) for joint in self._tops()]
        middle.sort(key=lambda limb: -limb.length)
        front = next((limb for limb in middle if limb.carrier == 0 and not _leads_back(limb)), None)
        ahead = (0, *(front.joints if front else ()))
        rear = _tail([limb for limb in middle if limb is not front], front, ahead[: (len(ahead) + 1) // 2])
        begin = ahead.index(rear.carrier) if rear else 0
        self.axis = (*(rear.joints[::-1] if rear else ()), *ahead[begin:])
        self.axis_points = rig.rest_positions[list(self.axis)].astype(np.float64)
        ends = front.points[-1:] if front else self.axis_points[-1:], rear.points[-1:] if rear else self.axis_points[:1]
        self.ends = ends
        self.lines = tuple(LineOrPair(middle=limb) for limb in middle if limb is not front and limb is not rear)
        sideways = [
            joint for joint in range(1, rig.count) if not self.middle[joint] and self.middle[rig.parents[joint]]
        ]
        self.pairs = self._paired([self._limb(joint) for joint in sideways])

    def place(self, limb: JointLine) -> int:
        """The place on the axis at which a limb hangs, itself or by what carries it."""
        joint = limb.carrier
        while joint not in self.axis and joint > 0:
            joint = int(self.rig.parents[joint])
        return self.axis.index(joint) if joint in self.axis else self.root

    @cached_property
    def root(self) -> int:
        """The place of the root on the axis, or of the joint of it that is nearest to the root."""
        depths = self.rig.depths[list(self.axis)]
        return int(depths.argmin())

    @cached_property
    def along(self) -> Floats:
        """Places `[N]` of the joints of the axis: 0 where the last pair of limbs hangs, 1 at the end of the head."""
        points = np.concatenate([self.axis_points, self.ends[0]])
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=-1))])
        first = min((self.place(pair.shown) for pair in self.pairs if not pair.shown.loose), default=self.root)
        return (lengths[:-1] - lengths[first]) / max(float(lengths[-1] - lengths[first]), 1e-3)

    def part(self, begin: int, forward: bool) -> JointLine:
        """The axis from a place to the end of the head, with it, or to the end of the tail, without it."""
        places = range(begin, len(self.axis)) if forward else range(begin - 1, -1, -1)
        joints = tuple(self.axis[place] for place in places)
        points = np.concatenate([self.axis_points[list(places)], self.ends[0] if forward else self.ends[1]])
        start = self.axis_points[begin]
        return JointLine(joints, None, points, start, self.axis[begin])

    @cached_property
    def tips(self) -> Singles:
        """Place `[K, 3]` of the end of the last bone of each joint that has one, else of the joint itself; units."""
        rig, skeleton = self.rig, self.rig.skeleton
        tips = rig.rest_positions.copy()
        places = {joint: number for number, joint in enumerate(rig.joints.tolist())}
        for joint, offset in zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True):
            number = places.get(joint)
            if number is not None:
                way = rotations.rotate(rig.rest_rotations[joint], offset) / np.float32(rig.unit)
                if np.linalg.norm(way) > np.linalg.norm(tips[number] - rig.rest_positions[number]):
                    tips[number] = rig.rest_positions[number] + way
        return tips

    @cached_property
    def reach(self) -> Floats:
        """Length of bones `[K]` from each joint to its farthest end, units."""
        return self._reach(np.ones(self.rig.count, bool))

    @cached_property
    def _middle_reach(self) -> Floats:
        """The same as `reach` `[K]` along joints in the middle; limbs at the sides are no part of it."""
        return self._reach(self.middle)

    def _reach(self, counted: Bools) -> Floats:
        """Length of bones `[K]` from each joint to its farthest end, units, along joints that are counted `[K]`."""
        rig = self.rig
        reach = np.linalg.norm(self.tips - rig.rest_positions, axis=-1).astype(np.float64)
        lengths = np.linalg.norm(rig.offsets, axis=-1)
        for joint in range(rig.count - 1, 0, -1):
            if counted[joint]:
                parent = rig.parents[joint]
                reach[parent] = max(reach[parent], lengths[joint] + reach[joint])
        return reach

    def _middle(self) -> Bools:
        """Whether each joint `[K]` is in the middle of the body, as are then all between it and the root."""
        rig, image = self.rig, self.image
        middle = image == np.arange(rig.count)
        straight = np.abs(rig.offsets[:, 0]) <= _SLANT * np.linalg.norm(rig.offsets, axis=-1)
        across = rig.rest_positions[:, 0]
        within = np.full(rig.count, _ASIDE)
        middle[0] = True
        for joint in range(1, rig.count):
            parent = int(rig.parents[joint])
            within[joint] = within[parent]
            if image[joint] < 0 and self._alone(joint):
                within[joint] = max(within[joint], _ASKEW * self.reach[joint])
            middle[joint] |= image[joint] < 0 and straight[joint] and abs(across[joint]) <= within[joint]
            middle[joint] &= middle[parent]
        return middle

    def _alone(self, joint: int) -> bool:
        """Whether no other branch without a mirror image hangs beside one, on the other side of the body."""
        across = self.rig.rest_positions[:, 0]
        beside = [
            other for other in self._children[self.rig.parents[joint]] if other != joint and self.image[other] < 0
        ]
        return not any(across[other] * across[joint] < 0 for other in beside)

    def _tops(self) -> list[int]:
        """First joints of lines in the middle: of the root's children all, of others' all but the one that goes on."""
        parents = self.rig.parents.tolist()
        return [
            joint
            for joint in range(1, self.rig.count)
            if self.middle[joint] and (parents[joint] == 0 or self._next(parents[joint]) != joint)
        ]

    def _next(self, joint: int) -> int | None:
        """The child in which a line goes on: the farthest-reaching one, in the middle as long as it can stay there."""
        children = self._children[joint]
        inner = [child for child in children if self.middle[child]] if self.middle[joint] else children
        lengths, reach = np.linalg.norm(self.rig.offsets, axis=-1), self.reach
        if self.middle[joint]:
            reach = self._middle_reach
        best = max(inner, key=lambda child: float(lengths[child] + reach[child]), default=None)
        own = float(np.linalg.norm(self.tips[joint] - self.rig.rest_positions[joint]))
        return best if best is not None and lengths[best] + reach[best] > own else None

    def _line(self, top: int) -> list[int]:
        line = [top]
        while (following := self._next(line[-1])) is not None:
            line.append(following)
        return line

    def _limb(self, top: int) -> JointLine:
        line, rig = self._line(top), self.rig
        carried = [
            self._limb(child)
            for joint in line
            for child in self._children[joint]
            if child not in line and not (self.middle[child] or self.middle[joint])
        ]
        points = np.concatenate([rig.rest_positions[line], self.tips[line[-1:]]]).astype(np.float64)
        carrier = int(rig.parents[top])
        across = float(points[-1, 0] if abs(points[-1, 0]) > _ASIDE else points[0, 0])
        side: Side | None = None if self.middle[top] else self._side(top, across)
        start = rig.rest_positions[carrier].astype(np.float64)
        return JointLine(tuple(line), side, points, start, carrier, tuple(carried))

    def _side(self, top: int, across: float) -> Side:
        """The side of a branch, which its mirror image decides where there is one."""
        image = int(self.image[top])
        if image >= 0 and image != top:
            own, other = self.rig.rest_positions[[top, image], 0]
            if own != other:
                return "left" if own > other else "right"
        return "left" if across >= 0 else "right"

    def _paired(self, limbs: Sequence[JointLine]) -> tuple[LineOrPair, ...]:
        """Limbs with their mirror images; the others by what is most like their mirror image."""
        lefts = [limb for limb in limbs if limb.side == "left"]
        rights = [limb for limb in limbs if limb.side == "right"]
        if not lefts or not rights:
            return tuple(LineOrPair(left=limb) for limb in lefts) + tuple(LineOrPair(right=limb) for limb in rights)
        cost = np.asarray([[self._unlike(left, right) for right in rights] for left in lefts])
        rows, columns = linear_sum_assignment(cost)
        chosen = [(row, column) for row, column in zip(rows.tolist(), columns.tolist(), strict=True)]
        chosen = [(row, column) for row, column in chosen if cost[row, column] <= 1.0]
        pairs = [LineOrPair(lefts[row], rights[column]) for row, column in chosen]
        with_left, with_right = ({pair[at] for pair in chosen} for at in (0, 1))
        pairs += [LineOrPair(left=limb) for row, limb in enumerate(lefts) if row not in with_left]
        pairs += [LineOrPair(right=limb) for column, limb in enumerate(rights) if column not in with_right]
        return tuple(pairs)

    def _unlike(self, left: JointLine, right: JointLine) -> float:
        """0 for mirror images; else how far apart ends are where one is mirrored, relative to their reach."""
        if self.image[left.joints[0]] == right.joints[0]:
            return 0.0
        mirror = np.asarray([-1.0, 1.0, 1.0])
        apart = (np.linalg.norm(left.points[at] * mirror - right.points[at]) for at in (0, -1))
        return float(sum(apart)) / max(left.length, right.length, 1e-3)


def _leads_back(limb: JointLine) -> bool:
    """Whether a line leads to the back rather than to the front or up."""
    way = limb.points[-1] - limb.start
    return bool(way[2] < -_BACK * np.linalg.norm(way))


def _tail(middle: Sequence[JointLine], front: JointLine | None, behind: Sequence[int]) -> JointLine | None:
    """The tail among lines in the middle, the longest first: one that leads back, else one that droops or is raised.

    Args:
        front: the line that leads ahead. behind: the joints of the rear half of the body, the root first.
    """
    rear = next((limb for limb in middle if limb.carrier in behind and _leads_back(limb)), None)
    if rear is not None or front is None:
        return rear
    least = _DROOPING * front.length
    return next((limb for limb in middle if limb.carrier == behind[0] and limb.length > least), None)
