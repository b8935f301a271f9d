"""The feet of a rig: on which joints it stands, what hangs on an ankle, and the limb above it.

A foot is what is near the ground at rest. It stands on its lowest joints, whichever of its joints a motion calls
planted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Floats, Ints
from kinema.generation.rig import AnyRig

LEVEL = 0.01
"""Units by which the height of a standing foot may differ from that at rest."""

_STANDS = 0.25  # units above the ground at rest below which a joint can be planted
_ANKLE = 0.2  # share of the height of the hips below which a joint is part of the foot on which it hangs
_GRAZE = 0.02  # the same, by which joints of a sole differ in height, and to which what is higher at rest may come down
_LESSER = 0.8  # share of how far a limb reaches, beyond which what hangs beside it is a branch of the body


@dataclass(frozen=True)
class PlantedLimb:
    """A limb with a foot that can be planted: animated joints, from the body outwards.

    Attributes:
        top, middle: joints that are turned. end: the ankle, below which the foot keeps its shape and orientation; for
            limbs that have none, the foot itself.
        foot: the joint that is planted.
        length: of its bones, units. floor: height of the foot at rest, units.
    """

    top: int
    middle: int
    end: int
    foot: int
    length: float
    floor: float


@dataclass(frozen=True, eq=False)
class RigidFoot:
    """An ankle and all that hangs on it.

    Attributes:
        limbs: one for each joint that can be planted; they differ in that alone.
        joints: `[N]`, the ankle first. lowest: heights `[N]` that they may have at least, units.
    """

    limbs: tuple[PlantedLimb, ...]
    joints: Ints
    lowest: Floats

    @property
    def limb(self) -> PlantedLimb:
        """The first of its limbs."""
        return self.limbs[0]

    @property
    def ends(self) -> list[int]:
        """The joints that can be planted."""
        return [limb.foot for limb in self.limbs]


def on_soles(rig: AnyRig, planted: Bools, before: Collection[int] = ()) -> Bools:
    """Contacts `[F, K]` of the joints on which feet stand at rest, from those of any of their joints.

    What is higher than the lowest of its foot that is ever planted, as ankles are, does not stand by itself. Neither
    does what else is higher on the same limb, nor what is far above the ground at rest, as hands are.

    Args:
        before: joints that have stood earlier.
    """
    low, heights, reach = _low(rig), rig.rest_positions[:, 1], _branch_reach(rig)
    ever = np.asarray(planted.any(axis=0))
    ever[list(before)] = True
    ends = np.flatnonzero(ever & (heights < _STANDS))
    limbs = {joint: _limb_over(rig, joint, low, reach) for joint in ends.tolist()}
    found = np.zeros_like(planted)
    for joint, limb in limbs.items():
        under = ends[_below(rig, limb.top if limb else joint)[ends]]
        lowest = int(under[heights[under].argmin()])
        if heights[joint] <= heights[lowest] + _GRAZE * heights[0]:
            found[:, joint] |= planted[:, joint]
        elif limb and (other := limbs[lowest]) and other.end == limb.end:
            found[:, lowest] |= planted[:, joint]
    return found


def find_feet(rig: AnyRig, ends: Sequence[int]) -> list[RigidFoot]:
    """The feet of those joints that have a limb."""
    low, heights, reach = _low(rig), rig.rest_positions[:, 1].astype(np.float64), _branch_reach(rig)
    groups: dict[int, list[PlantedLimb]] = {}
    for limb in (_limb_over(rig, end, low, reach) for end in ends):
        if limb is not None:
            groups.setdefault(limb.end, []).append(limb)
    lowest = np.minimum(heights, _GRAZE * heights[0])
    found = []
    for ankle, limbs in groups.items():
        joints = np.flatnonzero(_below(rig, ankle))
        found.append(RigidFoot(tuple(limbs), joints, lowest[joints]))
    return found


def _limb_over(rig: AnyRig, foot: int, low: Bools, reach: Floats) -> PlantedLimb | None:
    """The limb above a joint: up to where the body branches. None where there is nothing to turn."""
    ankles = reversed(_ankles(rig, foot, low))
    return next((limb for end in ankles if (limb := _limb(rig, end, foot, reach))), None)


def _ankles(rig: AnyRig, foot: int, low: Bools) -> list[int]:
    """What can be the ankle over a joint: itself and all low ones `[K]` above it."""
    line = _up(rig, foot)
    return line[: 1 + next((number for number, joint in enumerate(line[1:]) if not low[joint]), len(line))]


def _low(rig: AnyRig) -> Bools:
    """Which joints `[K]` are as near to the ground at rest as those of feet are."""
    return rig.rest_positions[:, 1] < _ANKLE * rig.rest_positions[0, 1]


def _below(rig: AnyRig, top: int) -> Bools:
    """Which joints `[K]` hang on one, itself included."""
    below = np.arange(rig.count) == top
    for joint in range(top + 1, rig.count):
        below[joint] = below[rig.parents[joint]]
    return below


def _up(rig: AnyRig, joint: int) -> list[int]:
    """A joint and all above it but the root."""
    line = []
    while joint > 0:
        line.append(joint)
        joint = int(rig.parents[joint])
    return line


def _branch_reach(rig: AnyRig) -> Floats:
    """How far `[K]` each joint and all that hangs on it reach from its parent, units."""
    places, reach = rig.rest_positions.astype(np.float64), np.zeros(rig.count)
    below, joint = np.arange(1, rig.count), np.arange(1, rig.count)
    while len(joint):
        away = np.linalg.norm(places[below] - places[rig.parents[joint]], axis=-1)
        np.maximum.at(reach, joint, away)
        joint = rig.parents[joint]
        below, joint = below[joint > 0], joint[joint > 0]
    return reach


def _limb(rig: AnyRig, end: int, foot: int, reach: Floats) -> PlantedLimb | None:
    """The limb above an ankle, or above a foot without one. What helps to twist it is no branch of the body."""
    line = [end]
    while (parent := int(rig.parents[line[-1]])) > 0:
        beside = np.flatnonzero(rig.parents == parent)
        others = float(reach[beside[beside != line[-1]]].max(initial=0.0))
        if others > _LESSER * reach[line[-1]] and len(line) > 1:
            break
        line.append(parent)
    line.reverse()
    if len(line) < 2:
        return None
    places, middles = rig.rest_positions, line[1:-1]
    shorter = [
        min(np.linalg.norm(places[joint] - places[line[0]]), np.linalg.norm(places[end] - places[joint]))
        for joint in middles
    ]
    middle = middles[int(np.argmax(shorter))] if middles else line[0]
    length = float(np.linalg.norm(rig.offsets[line[1:]], axis=-1).sum() + np.linalg.norm(places[foot] - places[end]))
    return PlantedLimb(line[0], middle, end, foot, length, float(places[foot, 1]))
