"""Joints of the target that are detached from its body follow its limbs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from kinema import rotations
from kinema.arrays import Singles
from kinema.pose import Pose
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.foot_paths import LegPair
from kinema.retargeting.limbs import point_of
from kinema.retargeting.mapping import Match
from kinema.roles import carrier


@dataclass(frozen=True, eq=False)
class Follower:
    """A detached joint, which follows the last joint of a limb, or the body.

    Attributes:
        joint: its index.
        leader: the last joint of the limb, or the joint that carries the body.
        offset: `[3]`, metres: from the leader to it, in the leader's frame.
        turn: `[4]`: its rotation in the leader's frame; None where the source rotates it.
        stood: `[4]`: its global rotation while the body stands.
        foot_of: name of the leg of a different build whose foot it is, "" for others.
    """

    joint: int
    leader: int
    offset: Singles
    turn: Singles | None
    stood: Singles
    foot_of: str

    def local(self, pose: Pose, leg: LegPair | None) -> tuple[Singles, Singles]:
        """Its local translations `[F, 3]` and rotations `[F, 4]`.

        Args:
            pose: pose of the whole body.
            leg: the leg of a different build whose foot it is.
        """
        turns = pose.global_rotations
        place, own = point_of(pose, self.leader, self.offset), turns[:, self.joint]
        if self.turn is not None:
            own = rotations.multiply(turns[:, self.leader], self.turn)
        if leg is not None and leg.path is not None:
            heights = leg.target.path(pose)[:, 1] - leg.clearance
            own = leg.path.foot_rotations(pose, own, self.stood, heights)
        parent = int(pose.skeleton.parents[self.joint])
        if parent < 0:
            return place, own
        place = rotations.inverse_rotate(turns[:, parent], place - pose.global_positions[:, parent])
        return place, rotations.relative(turns[:, parent], own)


def followers(match: Match, target: Anatomy, different: Collection[str]) -> list[Follower]:
    """The detached joints of a target.

    Args:
        match: what the source moves.
        different: names of legs of a different build.
    """
    linked = {link.target for link in match.links}
    feet = {joint: name for name, joint in target.ends.items() if name in different}
    turns, positions = target.standing.rotations, target.standing.positions
    found = []
    for joint, chain in target.detached.items():
        # Targets of poles do not swing with the leg.
        leader = chain.joints[-1] if joint in target.ends.values() else carrier(target.skeleton)
        offset = rotations.inverse_rotate(turns[leader], positions[joint] - positions[leader])
        moved = joint in linked and joint not in feet
        turn = None if moved else rotations.relative(turns[leader], turns[joint])
        found.append(Follower(joint, leader, offset, turn, turns[joint], feet.get(joint, "")))
    return found
