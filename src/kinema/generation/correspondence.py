"""Which joint of one rig is which of another, for any two rigs, whatever their joints are called.

Both rigs are taken apart into lines in the middle of the body and pairs of limbs (`kinema.generation.limbs`). Pairs are
matched with pairs by where they hang, where they lead and how large they are, so left and right cannot change places;
lines with lines; then joints along each limb in order (dynamic time warping: H. Sakoe and S. Chiba, 1978). What else is
known of pairs of joints, such as the features of a network or roles, is added to both steps as `evidence`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment

from kinema.arrays import Floats, Indices
from kinema.generation.channels import TRAVEL, encode
from kinema.generation.limbs import BodyLimbs, JointLine, LineOrPair
from kinema.generation.rig import AnyRig
from kinema.generation.turns import Turn, symmetric_turns
from kinema.motion import Motion

Anchors: TypeAlias = Sequence[tuple[float, float]]
"""Shares of two limbs that belong together."""

_SWAPPED, _TOPPLED = 1.5, 1.3
"""How much better turns have to be that change left and right, or up and down."""

_GETS_ON = 0.1
"""Units a second ahead that show which way a body faces."""

_APART = 3.0
"""Largest difference of limbs that are called the same, of the five that a limb can have in full."""

_ALIKE = 1.0
"""Largest difference of limbs of which several have the same counterpart, as the legs of a centipede have."""


@dataclass(frozen=True, eq=False)
class JointCorrespondence:
    """The joints of two rigs that are the same.

    Attributes:
        first, second: the rigs.
        second_of: int32 `[K1]`: the joint of the second rig, from 0 to `K2`, for each of the first; -1 for none.
        first_of: int32 `[K2]`: the way back. Several joints may have the same one, as where one limb has more joints.
        unlike: how unlike limbs are on average, from 0 to `_APART`.
    """

    first: AnyRig
    second: AnyRig
    second_of: Indices
    first_of: Indices
    unlike: float


def correspond_joints(first: AnyRig, second: AnyRig, evidence: Floats | None = None) -> JointCorrespondence:
    """The joints of two rigs that are the same. Both have to face +Z; see `facing_alike` for rigs that may not.

    Args:
        evidence: `[K1, K2]`, from 0 to 2: how unlike joints are by other means; None for shape alone.
    """
    unlike = np.zeros((first.count, second.count)) if evidence is None else np.asarray(evidence, np.float64)
    return _matched(BodyLimbs(first), BodyLimbs(second), unlike)


def facing_alike(first: AnyRig, second: AnyRig, motions: tuple[Motion, Motion] | None = None) -> tuple[AnyRig, AnyRig]:
    """Both rigs, turned by quarters where shape says that they do not stand and face the same way.

    Rigs without names may have been read sideways, backward or, without legs, upright instead of level.

    Args:
        motions: of the rigs; bodies that get somewhere in them face where they go.
    """
    own, turns = symmetric_turns(first), symmetric_turns(second)
    if motions is not None:
        own, turns = _going_ahead(own, motions[0]), _going_ahead(turns, motions[1])
    one = own[0]
    limbs, unlike = BodyLimbs(one.rig), np.zeros((first.count, second.count))
    costs = []
    for turn in turns:
        doubted = turn.swaps and not (one.sideways or turn.sideways)
        weight = (_SWAPPED if doubted else 1.0) * (_TOPPLED if turn.topples else 1.0)
        costs.append(weight * _matched(limbs, BodyLimbs(turn.rig), unlike).unlike)
    return one.rig, turns[int(np.argmin(costs))].rig


def _going_ahead(turns: list[Turn], motion: Motion) -> list[Turn]:
    """The turns after which a rig goes ahead in a motion; all of them where it hardly gets anywhere."""
    ahead = []
    for turn in turns:
        side, forward, _ = encode(turn.rig, motion)[0][:, 0, TRAVEL].mean(axis=0)
        if forward > max(_GETS_ON, abs(side)) and not turn.topples:
            ahead.append(turn)
    return ahead or turns


def _matched(one: BodyLimbs, two: BodyLimbs, unlike: Floats) -> JointCorrespondence:
    matching, first, second = _Matching(one, two, unlike), one.rig, two.rig
    joined = matching.joints()
    return JointCorrespondence(
        first,
        second,
        _nearest(joined, unlike, first.count),
        _nearest([(theirs, mine) for mine, theirs in joined], unlike.T, second.count),
        matching.cost(),
    )


def _nearest(joined: Sequence[tuple[int, int]], unlike: Floats, count: int) -> Indices:
    """For each joint the other of its pairs; of several, the middle one, unless evidence prefers another."""
    found = np.full(count, -1, np.int32)
    for joint in range(count):
        others = [two for one, two in joined if one == joint]
        if others:
            central = np.abs(np.arange(len(others)) - 0.5 * (len(others) - 1)) / len(others)
            found[joint] = others[int(np.argmin(central + unlike[joint, others]))]
    return found


class _Matching:
    """Limbs of two bodies, matched."""

    def __init__(self, first: BodyLimbs, second: BodyLimbs, unlike: Floats) -> None:
        self.first, self.second, self.unlike = first, second, unlike
        self.pairs, of_pairs = self._assigned(first.pairs, second.pairs)
        self.lines, of_lines = self._assigned(first.lines, second.lines)
        self.costs = [*of_pairs, *of_lines]
        self.axes = list(self._axes())

    def cost(self) -> float:
        """Mean of how unlike limbs are, weighed by their length, with the axis; `_APART` for those that stay alone."""
        weighed = [(cost, size) for cost, size in self.costs]
        weighed += [(_APART * cost, size) for cost, size in (self._axis_cost(*each) for each in self.axes)]
        return float(sum(cost * size for cost, size in weighed) / max(sum(size for _, size in weighed), 1e-6))

    def _axis_cost(self, one: JointLine, two: JointLine, anchors: Anchors) -> tuple[float, float]:
        cost = self._along_cost(one, two, anchors)
        path = warp(cost)
        return float(np.mean([cost[step] for step in path])), one.length + two.length

    def joints(self) -> list[tuple[int, int]]:
        """Pairs of joints that are the same."""
        found = [pair for one, two, anchors in self.axes for pair in self._along(one, two, anchors)]
        if 0 not in self.first.axis or 0 not in self.second.axis:
            found.append((0, 0))
        for one, two in (*self.pairs, *self.lines):
            for mine, theirs in one.with_counterparts(two):
                found += self._limbs(mine, theirs)
        return found

    def _axes(self) -> Iterator[tuple[JointLine, JointLine, Anchors]]:
        """Parts of the axes to align: ahead of the last limbs that both have, and behind them.

        Where no limb shows what part of a body is what, they are aligned from one end to the other.
        """
        first, second = self.first, self.second
        if not first.pairs and not second.pairs:
            yield first.part(0, True), second.part(0, True), ()
            return
        shared = self._shared()
        one, two = shared[0] if shared else (first.root, second.root)
        ahead = first.part(one, True), second.part(two, True)
        anchors = tuple(
            (float(ahead[0].shares[mine - one]), float(ahead[1].shares[theirs - two])) for mine, theirs in shared[1:]
        )
        yield *ahead, anchors
        if one and two:
            yield first.part(one, False), second.part(two, False), ()

    def _shared(self) -> list[tuple[int, int]]:
        """Places on both axes at which limbs hang that are the same, in order along both."""
        pairs = [(one.shown, two.shown) for one, two in self.pairs if not one.shown.loose]
        found = sorted((self.first.place(one), self.second.place(two)) for one, two in pairs)
        kept: list[tuple[int, int]] = []
        for mine, theirs in found:
            if not kept or (mine > kept[-1][0] and theirs > kept[-1][1]):
                kept.append((mine, theirs))
        return kept

    def _limbs(self, one: JointLine, two: JointLine) -> list[tuple[int, int]]:
        """Joints of two limbs, and of those that they carry."""
        found = self._along(one, two, ())
        first, second = ([LineOrPair(middle=limb) for limb in whole.carried] for whole in (one, two))
        for mine, theirs in self._assigned(first, second)[0]:
            found += self._limbs(mine.shown, theirs.shown)
        return found

    def _assigned(
        self, first: Sequence[LineOrPair], second: Sequence[LineOrPair]
    ) -> tuple[list[tuple[LineOrPair, LineOrPair]], list[tuple[float, float]]]:
        """The best assignment, and how unlike all limbs are to theirs, with their sizes; the too different stay so."""
        sizes = [[pair.shown.length for pair in pairs] for pairs in (first, second)]
        if not first or not second:
            return [], [(_APART, size) for size in (*sizes[0], *sizes[1])]
        cost = _shape_cost(_Features.of(self.first, first), _Features.of(self.second, second))
        if self.unlike.any():
            cost += [[self._evidence(one, two) for two in second] for one in first]
        cost = np.minimum(cost, _APART)
        rows, columns = linear_sum_assignment(cost)
        chosen = [pair for pair in zip(rows.tolist(), columns.tolist(), strict=True) if cost[pair] < _APART]
        alone = [size for row, size in enumerate(sizes[0]) if row not in {pair[0] for pair in chosen}]
        alone += [size for column, size in enumerate(sizes[1]) if column not in {pair[1] for pair in chosen}]
        costs = [(float(cost[row, column]), sizes[0][row] + sizes[1][column]) for row, column in chosen]
        chosen += _doubled(cost, chosen)
        return [(first[row], second[column]) for row, column in chosen], [*costs, *((_APART, size) for size in alone)]

    def _evidence(self, one: LineOrPair, two: LineOrPair) -> float:
        """Mean of the evidence over joints of two pairs at the same places along them."""
        found = [self._along(mine, theirs, ()) for mine, theirs in one.with_counterparts(two)]
        joints = np.asarray([pair for pairs in found for pair in pairs], np.int64).reshape(-1, 2)
        return float(self.unlike[joints[:, 0], joints[:, 1]].mean()) if len(joints) else _APART

    def _along(self, one: JointLine, two: JointLine, anchors: Anchors) -> list[tuple[int, int]]:
        """Joints of two limbs in order."""
        path = warp(self._along_cost(one, two, anchors))
        return [(one.joints[row], two.joints[column]) for row, column in path]

    def _along_cost(self, one: JointLine, two: JointLine, anchors: Anchors) -> Floats:
        known = [(0.0, 0.0), *(pair for pair in anchors if 0 < pair[0] < 1 and 0 < pair[1] < 1), (1.0, 1.0)]
        mine, theirs = (np.asarray(column) for column in zip(*known, strict=True))
        warped = np.interp(one.shares, mine, theirs)
        turned = 1.0 - one.bones @ two.bones.T
        unlike = self.unlike[np.ix_(one.joints, two.joints)]
        return np.abs(warped[:, None] - two.shares[None]) + 0.25 * turned + 0.5 * unlike


def _doubled(cost: Floats, chosen: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Limbs of a row of like ones that stayed alone, since the other body has fewer, with the most similar there."""
    rows, columns = ({pair[at] for pair in chosen} for at in (0, 1))
    found = [(row, int(cost[row].argmin())) for row in range(cost.shape[0]) if row not in rows]
    found += [(int(cost[:, column].argmin()), column) for column in range(cost.shape[1]) if column not in columns]
    return [pair for pair in found if cost[pair] < _ALIKE]


def warp(cost: Floats) -> list[tuple[int, int]]:
    """The cheapest path from the first to the last pair of two series, `[N, M]`, in steps of one in either or both."""
    count, other = cost.shape
    total = np.full((count + 1, other + 1), np.inf)
    total[0, 0] = 0.0
    for row in range(count):
        for column in range(other):
            before = min(total[row, column], total[row, column + 1], total[row + 1, column])
            total[row + 1, column + 1] = cost[row, column] + before
    path, row, column = [], count, other
    while row and column:
        path.append((row - 1, column - 1))
        steps = ((row - 1, column - 1), (row - 1, column), (row, column - 1))
        row, column = min(steps, key=lambda step: total[step])
    return path[::-1]


@dataclass(frozen=True)
class _Features:
    """What tells `N` limbs of a body apart, right ones mirrored.

    Attributes:
        along: `[N]`: where they hang on the axis. order: `[N]`: of that, from 0 to 1.
        ends: `[N, 3]`: from where the last pair hangs, units. ways: unit vectors `[N, 3]`: where they lead.
        sizes: `[N]`: logarithm of their length, units. loose: `[N]`, 0 or 1.
    """

    along: Floats
    order: Floats
    ends: Floats
    ways: Floats
    sizes: Floats
    loose: Floats

    @staticmethod
    def of(body: BodyLimbs, pairs: Sequence[LineOrPair]) -> _Features:
        limbs = [pair.shown for pair in pairs]
        origin = body.axis_points[int(np.abs(body.along).argmin())]
        mirror = np.asarray([[-1.0 if limb.side == "right" else 1.0, 1.0, 1.0] for limb in limbs])
        along = np.asarray([body.along[body.place(limb)] for limb in limbs])
        ends = np.stack([limb.points[-1] - origin for limb in limbs]) * mirror
        ways = np.stack([limb.points[-1] - limb.start for limb in limbs]) * mirror
        lengths = np.linalg.norm(ways, axis=-1, keepdims=True)
        loose = np.asarray([float(limb.loose) for limb in limbs])
        places = np.where(loose > 0, np.nan, along + ends[:, 2])
        order = np.argsort(np.argsort(places)) / max(float(np.sum(1.0 - loose)) - 1.0, 1.0)
        sizes = np.log(np.maximum([limb.length for limb in limbs], 1e-3))
        return _Features(along, order, ends, ways / np.maximum(lengths, 1e-3), sizes, loose)


def _shape_cost(first: _Features, second: _Features) -> Floats:
    """How unlike limbs are `[N, M]`, from 0 to 5."""
    along = np.abs(first.along[:, None] - second.along[None])
    order = np.abs(first.order[:, None] - second.order[None])
    ends = np.linalg.norm(first.ends[:, None] - second.ends[None], axis=-1)
    turned = 0.5 * (1.0 - first.ways @ second.ways.T)
    sizes = 0.5 * np.abs(first.sizes[:, None] - second.sizes[None])
    strange = _APART * np.abs(first.loose[:, None] - second.loose[None])
    return sum((np.minimum(each, 1.0) for each in (along, order, 0.5 * ends, turned, sizes)), strange)
