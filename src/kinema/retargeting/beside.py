"""Joints beside the body: feet and targets of IK that carry a part of the mesh but hang on no limb."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.retargeting.mapping import Match
from kinema.retargeting.reach import Way, foot_turns
from kinema.retargeting.stance import Stance
from kinema.roles import Chain
from kinema.skeleton import Skeleton

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Stray:
    """A joint beside the body, which goes with the last joint of a limb or with the body.

    Attributes:
        joint: its index.
        last: of the limb, or the joint that carries the body.
        offset: `[3]`, metres: from the last joint to it, in the last joint's frame.
        turn: `[4]`: how it is turned on the last joint; None where the source turns it.
        stood: `[4]`: how it is turned while the body stands.
        foot_of: name of the leg of other build whose foot it is, "" for others.
    """

    joint: int
    last: int
    offset: Floats
    turn: Floats | None
    stood: Floats
    foot_of: str

    def carried(
        self, skeleton: Skeleton, turned: Floats, placed: Floats, way: Way | None, heights: Floats | None
    ) -> tuple[Floats, Floats]:
        """Its local translations `[F, 3]` and rotations `[F, 4]`.

        Args:
            turned, placed: global rotations and positions of the whole body.
            way, heights: if it is a foot, its leg and how high that is above where it stands, `[F]`.
        """
        place = placed[:, self.last] + rotations.rotate(turned[:, self.last], self.offset)
        parent, own = int(skeleton.parents[self.joint]), turned[:, self.joint]
        if self.turn is not None:
            own = rotations.multiply(turned[:, self.last], self.turn)
        if way is not None and heights is not None:
            own = foot_turns(way, turned, own, self.stood, heights)
        if parent < 0:
            return place, own
        place = rotations.inverse_rotate(turned[:, parent], place - placed[:, parent])
        return place, rotations.relative(turned[:, parent], own)


def strays_of(
    match: Match,
    body: int,
    stance: Stance,
    beside: Mapping[int, Chain],
    loose: Mapping[str, int],
    ways: Collection[str],
) -> list[Stray]:
    """What goes with the limbs of a target.

    Args:
        match: what the source turns.
        body: the joint that carries the body.
        stance: of the target.
        beside: see `kinema.retargeting.limbs.strays`.
        loose: see `kinema.retargeting.limbs.loose_ends`.
        ways: names of legs of other build.
    """
    linked = {link.target for link in match.links}
    feet = {joint: name for name, joint in loose.items() if name in ways}
    turned, placed = stance.global_rotations, stance.positions
    found = []
    for joint, chain in beside.items():
        last = chain.joints[-1] if joint in loose.values() else body  # aims of poles do not swing with the leg
        offset = rotations.inverse_rotate(turned[last], placed[joint] - placed[last])
        turns = joint in linked and joint not in feet
        turn = None if turns else rotations.relative(turned[last], turned[joint])
        found.append(Stray(joint, last, offset, turn, turned[joint], feet.get(joint, "")))
    return found
