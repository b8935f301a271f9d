"""A frame for every joint that means the same on every skeleton, whatever frames, rest pose and axes the file has.

All frames are those of one canonical body: it stands, arms hanging, +X its left, +Y up, +Z its front. A joint's frame
rotates these axes into the joint's own. It is constant and found once per skeleton. If source and target joint have
frames `S` and `T`, the target joint takes the global rotation `G_source * S * inverse(T)`: bones then point the same
way, and knees, elbows, palms and toes turn the same way. No frame depends on the pair. The thresholds that tell
straight legs from bent ones are set by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from kinema import rotations
from kinema.arrays import Singles
from kinema.retargeting.chains import limb_chains, limb_joints
from kinema.retargeting.stance import StandingPose
from kinema.roles import Chain
from kinema.skeleton import Skeleton

_X, _Y, _Z = np.eye(3, dtype=np.float32)
_KNUCKLES = ("index", "middle", "ring", "little")
_DIGITS = (*_KNUCKLES, "finger", "thumb")
_STRAIGHT = np.cos(np.radians(42.0))  # legs bent more at rest are those of an animal and keep their shape
_HANGS = 0.6  # cosine: legs that stand out farther to the side are those of spiders


@dataclass(frozen=True, eq=False)
class Alignment:
    """The frames of a skeleton's joints.

    Attributes:
        stance: `[J, 4]`: from the axes of the canonical body to each joint's own.
        bones: the same, but legs by the direction of their bones instead of how they stand.
        directions: `[J, 3]`: where each joint's bone points in the joint's own frame, unit; zero without one.
        straight: (nearly) straight legs of bodies upright on two legs; these are aligned by their bones.
    """

    stance: Singles
    bones: Singles
    directions: Singles
    straight: frozenset[str]


def align(skeleton: Skeleton, standing: StandingPose, detached: Mapping[str, int] = MappingProxyType({})) -> Alignment:
    """The frames of a skeleton's joints.

    Args:
        standing: its standing pose.
        detached: feet and hands that are not children of their limb, by its chain; see `detached.detached_ends`.
    """
    frames = rotations.relative(standing.rotations, np.broadcast_to(standing.axes, (skeleton.joint_count, 4)))
    work = _Work(skeleton, standing, frames.copy(), frames.copy(), _directions(skeleton, standing, detached))
    straight = set()
    for chain in limb_chains(skeleton.roles, ("arm", "leg")):
        if chain.kind == "arm":
            work.arm(chain)
        elif work.leg(chain, detached.get(chain.name)):
            straight.add(chain.name)
    kinds = [chain.kind for chain in skeleton.roles.chains]
    upright = kinds.count("leg") == 2 and "front_leg" not in kinds and len(straight) == 2
    return Alignment(work.stance, work.bones, work.directions, frozenset(straight if upright else ()))


def _directions(skeleton: Skeleton, standing: StandingPose, detached: Mapping[str, int]) -> Singles:
    """Bones in their joints' frames: to the next joint of the chain, else to the tip, else as the bone before."""
    directions = np.zeros((skeleton.joint_count, 3), np.float32)
    middles = {c.side: c.joints[0] for kind in _DIGITS[::-1] for c in skeleton.roles.chains if c.kind == kind}
    middles |= {c.side: c.joints[0] for c in skeleton.roles.chains if c.kind == "middle"}
    for chain in skeleton.roles.chains:
        before = np.zeros(3, np.float32)
        for joint, following in zip(chain.joints, (*chain.joints[1:], detached.get(chain.name)), strict=True):
            middle = middles.get(chain.side)
            if following is None and chain.kind == "arm" and middle is not None and skeleton.below([joint])[middle]:
                following = middle
            before = _direction(skeleton, standing, joint, following, before)
            directions[joint] = rotations.inverse_rotate(standing.rotations[joint], before)
    return directions


def _direction(
    skeleton: Skeleton, standing: StandingPose, joint: int, following: int | None, otherwise: Singles
) -> Singles:
    """Direction of a bone in the world: to the joint after it, else to its tip."""
    reach = np.zeros(3, np.float32)
    if following is not None:
        reach = standing.positions[following] - standing.positions[joint]
    else:
        tips = skeleton.tip_offsets[skeleton.tip_joints == joint]
        if len(tips):
            reach = rotations.rotate(standing.rotations[joint], tips[0])
    return rotations.normalize_vector(reach) if np.linalg.norm(reach) > 1e-4 else otherwise


def _across(vector: Singles, direction: Singles) -> Singles:
    return rotations.normalize_vector(vector - (vector @ direction) * direction)


def _frame(down: Singles, left: Singles) -> Singles:
    """The rotation `[4]` that turns -Y into `down` and +X as near to `left` as it can."""
    return rotations.look_rotation(np.cross(_across(left, down), -down).astype(np.float32), -down)


@dataclass(eq=False)
class _Work:
    """Frames of joints, as `Alignment` has them, while they are found."""

    skeleton: Skeleton
    standing: StandingPose
    stance: Singles
    bones: Singles
    directions: Singles

    def world(self, joint: int) -> Singles:
        """Direction of a joint's bone in the world."""
        return rotations.rotate(self.standing.rotations[joint], self.directions[joint])

    def axis(self, of: Singles) -> Singles:
        """An axis of the canonical body in the world."""
        return rotations.rotate(self.standing.axes, of)

    def set(self, joint: int, down: Singles, left: Singles, *, bones_only: bool = False) -> None:
        """Set a frame by the directions of its -Y and +X in the world."""
        frame = rotations.relative(self.standing.rotations[joint], _frame(down, left))
        self.bones[joint] = frame
        if not bones_only:
            self.stance[joint] = frame

    def hinge(self, joint: int, otherwise: Singles) -> Singles:
        """The measured hinge of a joint in the world."""
        if joint not in self.standing.hinges:
            return otherwise
        return rotations.rotate(self.standing.rotations[joint], self.standing.hinges[joint])

    def leg(self, chain: Chain, detached: int | None) -> bool:
        """Align thigh and shin by bone and hinge, foot and toes by their sole; returns whether the leg is straight."""
        upper, lower, end = limb_joints(self.skeleton.roles, chain)
        foot = detached if end is None else end
        if foot is None:
            return False
        left = self.axis(_X)
        for joint in (upper, lower):
            self.set(joint, self.world(joint), self.hinge(joint, left), bones_only=True)
        for joint in [foot] if end is None else chain.joints[chain.joints.index(end) :]:
            self.sole(joint, foot)
        bends = self.standing.bends
        hangs = float(self.world(upper) @ self.axis(_Y)) < -_HANGS or upper in bends
        return hangs and bends.get(upper, float(self.world(upper) @ self.world(lower))) > _STRAIGHT

    def sole(self, joint: int, foot: int) -> None:
        """Align a foot that stands flat, toes in front: its up direction is the body's, or measured."""
        stood, soles = self.standing.rotations[joint], self.standing.soles
        up = rotations.rotate(stood, soles[joint]) if joint in soles else self.axis(_Y)
        toes = self.world(foot)
        ahead = _across(toes, up) if toes.any() and abs(float(toes @ up)) < 0.9 else _across(self.axis(_Z), up)
        self.bones[joint] = rotations.relative(stood, rotations.look_rotation(ahead, up))
        if joint in soles:
            self.stance[joint] = self.bones[joint]

    def arm(self, chain: Chain) -> None:
        """Align upper arm and forearm by bone and hinge, the hand by its knuckles, fingers by the hand."""
        upper, lower, end = limb_joints(self.skeleton.roles, chain)
        down = self.world(upper)
        if not down.any():
            return
        level = self.axis(_Z) if abs(float(down @ self.axis(_Z))) < 0.94 else -self.axis(_Y)
        hinge = self.hinge(upper, _across(np.cross(down, level), down))
        self.set(upper, down, -hinge)
        forearm = self.world(lower)
        hinge = self.hinge(lower, _swung(hinge, down, forearm))
        self.set(lower, forearm, -hinge)
        if end is not None:
            self.hand(chain, end, forearm, hinge)

    def hand(self, chain: Chain, end: int, forearm: Singles, hinge: Singles) -> None:
        fingers = [c for c in self.skeleton.roles.chains if c.kind in _DIGITS and c.side == chain.side]
        below = self.skeleton.below([end])
        fingers = [c for c in fingers if c.order == 0 and below[c.joints[0]]]
        hand = self.world(end) if self.directions[end].any() else forearm
        hinge = self.palm(fingers, hand, _swung(hinge, forearm, hand))
        self.set(end, hand, -hinge)
        for finger in fingers:
            before, turn = hand, hinge
            for joint in finger.joints:
                bone = self.world(joint) if self.directions[joint].any() else before
                turn = _swung(turn, before, bone)
                self.set(joint, bone, -turn)
                before = bone

    def palm(self, fingers: list[Chain], hand: Singles, otherwise: Singles) -> Singles:
        """The axis across the flat of the hand, by the row of the knuckles; as the forearm's where there is none."""
        knuckles = [c.joints[0] for kind in _KNUCKLES for c in fingers if c.kind == kind]
        if len(knuckles) < 2:
            return otherwise
        row = self.standing.positions[knuckles[0]] - self.standing.positions[knuckles[-1]]
        axis = np.cross(hand, row)
        return rotations.normalize_vector(axis) if np.linalg.norm(axis) > 1e-3 else otherwise


def _swung(axis: Singles, before: Singles, after: Singles) -> Singles:
    """An axis carried along by the least rotation between two directions."""
    return rotations.rotate(rotations.between(before, after), axis)
