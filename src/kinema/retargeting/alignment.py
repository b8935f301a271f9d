"""A frame for every joint that means the same on every skeleton, whatever frames, rest pose and axes the file chose.

All frames are those of one imagined body: it stands, arms hanging, +X its left, +Y up, +Z its front. A joint's frame
turns these axes into the joint's own; it is constant, found once a skeleton. If source and target joint have frames
`S` and `T`, the target joint takes the global rotation `G_source * S * inverse(T)`: bones then point the same
way, and knees, elbows, palms and toes turn the same way. Nothing is tuned by hand and nothing depends on the pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.retargeting.stance import Stance, limbs, segments
from kinema.roles import Chain
from kinema.skeleton import Skeleton

Floats = NDArray[np.float32]

_X, _Y, _Z = np.eye(3, dtype=np.float32)
_KNUCKLES = ("index", "middle", "ring", "little")
_DIGITS = (*_KNUCKLES, "finger", "thumb")
_STRAIGHT = np.cos(np.radians(42.0))  # legs bent more at rest are those of an animal and keep their shape
_HANGS = 0.6  # cosine: legs that stand out farther to the side are those of spiders


@dataclass(frozen=True, eq=False)
class Alignment:
    """The frames of a skeleton's joints.

    Attributes:
        stance: `[J, 4]`: from the imagined body's axes to each joint's own.
        bones: the same, but legs by the direction of their bones and not by how they stand.
        directions: `[J, 3]`: where each joint's bone points in the joint's own frame, unit; zero for those without.
        straight: legs of those who stand upright on two whose frames by bones can be used, since they are (nearly)
            straight.
    """

    stance: Floats
    bones: Floats
    directions: Floats
    straight: frozenset[str]


def align(skeleton: Skeleton, stance: Stance, loose: Mapping[str, int] = MappingProxyType({})) -> Alignment:
    """The frames of a skeleton that stands so.

    Args:
        loose: feet and hands that hang on no limb, by its chain; see `limbs.loose_ends`.
    """
    frames = rotations.relative(stance.global_rotations, np.broadcast_to(stance.axes, (skeleton.joint_count, 4)))
    work = _Work(skeleton, stance, frames.copy(), frames.copy(), _directions(skeleton, stance, loose))
    straight = set()
    for chain in limbs(skeleton.roles):
        if chain.kind == "arm":
            work.arm(chain)
        elif chain.kind == "leg" and work.leg(chain, loose.get(chain.name)):
            straight.add(chain.name)
    kinds = [chain.kind for chain in skeleton.roles.chains]
    upright = kinds.count("leg") == 2 and "front_leg" not in kinds and len(straight) == 2
    return Alignment(work.stance, work.bones, work.directions, frozenset(straight if upright else ()))


def _directions(skeleton: Skeleton, stance: Stance, loose: Mapping[str, int]) -> Floats:
    """Bones in their joints' frames: to the next joint of the chain, else to the tip, else as the bone before."""
    directions = np.zeros((skeleton.joint_count, 3), np.float32)
    turned, placed = stance.global_rotations, stance.positions
    middles = {c.side: c.joints[0] for kind in _DIGITS[::-1] for c in skeleton.roles.chains if c.kind == kind}
    middles |= {c.side: c.joints[0] for c in skeleton.roles.chains if c.kind == "middle"}
    for chain in skeleton.roles.chains:
        before = np.zeros(3, np.float32)
        for joint, following in zip(chain.joints, (*chain.joints[1:], loose.get(chain.name)), strict=True):
            if following is None and chain.kind == "arm" and middles.get(chain.side) in _below(skeleton, joint):
                following = middles[chain.side]
            reach = placed[following] - placed[joint] if following is not None else np.zeros(3, np.float32)
            if np.linalg.norm(reach) < 1e-4 and following is None:
                tips = skeleton.tip_offsets[skeleton.tip_joints == joint]
                reach = rotations.rotate(turned[joint], tips[0]) if len(tips) else reach
            before = rotations.normalize_vector(reach) if np.linalg.norm(reach) > 1e-4 else before
            directions[joint] = rotations.inverse_rotate(turned[joint], before)
    return directions


def _below(skeleton: Skeleton, top: int) -> set[int]:
    found = {top}
    for joint in range(top + 1, skeleton.joint_count):
        if int(skeleton.parents[joint]) in found:
            found.add(joint)
    return found


def _across(vector: Floats, direction: Floats) -> Floats:
    return rotations.normalize_vector(vector - (vector @ direction) * direction)


def _frame(down: Floats, left: Floats) -> Floats:
    """The rotation `[4]` that turns -Y into `down` and +X as near to `left` as it can."""
    return rotations.look_rotation(np.cross(_across(left, down), -down).astype(np.float32), -down)


@dataclass(eq=False)
class _Work:
    skeleton: Skeleton
    pose: Stance
    stance: Floats
    bones: Floats
    directions: Floats

    def world(self, joint: int) -> Floats:
        """Where a joint's bone points in the stance."""
        return rotations.rotate(self.pose.global_rotations[joint], self.directions[joint])

    def axis(self, of: Floats) -> Floats:
        return rotations.rotate(self.pose.axes, of)

    def set(self, joint: int, down: Floats, left: Floats, *, bones_only: bool = False) -> None:
        frame = rotations.relative(self.pose.global_rotations[joint], _frame(down, left))
        self.bones[joint] = frame
        if not bones_only:
            self.stance[joint] = frame

    def hinge(self, joint: int, otherwise: Floats) -> Floats:
        """The measured hinge of a joint in the world of the stance."""
        if joint not in self.pose.hinges:
            return otherwise
        return rotations.rotate(self.pose.global_rotations[joint], self.pose.hinges[joint])

    def leg(self, chain: Chain, loose: int | None) -> bool:
        """Thigh and shin by bone and hinge; foot and toes by their sole. Whether the leg is (nearly) straight."""
        upper, lower, end = segments(self.skeleton.roles, chain)
        if end is None and loose is None:
            return False
        left = self.axis(_X)
        for joint in (upper, lower):
            down = self.world(joint)
            self.set(joint, down, self.hinge(joint, left), bones_only=True)
        if end is not None:
            for joint in chain.joints[chain.joints.index(end) :]:
                self.sole(joint, end)
        elif loose is not None:
            self.sole(loose, loose)
        hangs = float(self.world(upper) @ self.axis(_Y)) < -_HANGS or upper in self.pose.bends
        return hangs and self.pose.bends.get(upper, float(self.world(upper) @ self.world(lower))) > _STRAIGHT

    def sole(self, joint: int, foot: int) -> None:
        """A foot stands flat, its toes in front: what is up comes from the stance or from where the foot stood."""
        turned = self.pose.global_rotations[joint]
        up = rotations.rotate(turned, self.pose.soles[joint]) if joint in self.pose.soles else self.axis(_Y)
        toes = self.world(foot)
        ahead = _across(toes, up) if toes.any() and abs(float(toes @ up)) < 0.9 else _across(self.axis(_Z), up)
        self.bones[joint] = rotations.relative(turned, rotations.look_rotation(ahead, up))
        if joint in self.pose.soles:
            self.stance[joint] = self.bones[joint]

    def arm(self, chain: Chain) -> None:
        """Upper arm and forearm by bone and hinge, hand by its knuckles, fingers as the hand turns into them."""
        upper, lower, end = segments(self.skeleton.roles, chain)
        down = self.world(upper)
        if not down.any():
            return
        level = self.axis(_Z) if abs(float(down @ self.axis(_Z))) < 0.94 else -self.axis(_Y)
        hinge = self.hinge(upper, _across(np.cross(down, level), down))
        self.set(upper, down, -hinge)
        forearm = self.world(lower)
        hinge = self.hinge(lower, rotations.rotate(rotations.between(down, forearm), hinge))
        self.set(lower, forearm, -hinge)
        if end is None:
            return
        fingers = [c for c in self.skeleton.roles.chains if c.kind in _DIGITS and c.side == chain.side]
        fingers = [c for c in fingers if c.order == 0 and c.joints[0] in _below(self.skeleton, end)]
        hand = self.world(end) if self.directions[end].any() else forearm
        hinge = self.palm(fingers, hand, rotations.rotate(rotations.between(forearm, hand), hinge))
        self.set(end, hand, -hinge)
        for finger in fingers:
            before, turn = hand, hinge
            for joint in finger.joints:
                bone = self.world(joint) if self.directions[joint].any() else before
                turn = rotations.rotate(rotations.between(before, bone), turn)
                self.set(joint, bone, -turn)
                before = bone

    def palm(self, fingers: list[Chain], hand: Floats, otherwise: Floats) -> Floats:
        """The axis across the flat of the hand, by the row of the knuckles; as the forearm's where there is none."""
        knuckles = [c.joints[0] for kind in _KNUCKLES for c in fingers if c.kind == kind]
        if len(knuckles) < 2:
            return otherwise
        row = self.pose.positions[knuckles[0]] - self.pose.positions[knuckles[-1]]
        axis = np.cross(hand, row)
        return rotations.normalize_vector(axis) if np.linalg.norm(axis) > 1e-3 else otherwise
