"""The closed-form pass: global rotations of the source become local rotations of the target, all frames at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.retargeting.alignment import Alignment
from kinema.retargeting.mapping import Link, Match
from kinema.retargeting.stance import LIMBS, Stance
from kinema.skeleton import Skeleton

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

KEEP, LINK, LOWER, UPPER = 0, 1, 2, 3  # as in kernels.py, which numba alone may import
_LOWER_BONES, _UPPER_BONES = ("forearm", "shin"), ("upper_arm", "thigh")


@dataclass(frozen=True, eq=False)
class Plan:
    """What is done to each target joint, as arrays of `J` rows.

    Attributes:
        ops: int32 `[J]`: KEEP its rest on its parent, LINK to the source, or take a share of the twist of the bone
            it sits on, which is driven by the bone after (LOWER) or before it (UPPER).
        pairs: int32 `[J, 2]`: source joints of a LINK.
        shares: `[J]`: of the second source joint, or of the twist.
        first, second: `[J, 4]`: from the frame of the source joint to that of the target joint.
        rest: `[J, 4]`: local rotations at rest.
        parents: int32 `[J]`.
        anchors: int32 `[J, 2]`: of a twist joint, the joint of its bone and the one that drives the twist.
        axes: `[J, 3]`: the bone in the frame of its joint.
        seats: `[J, 4]`: from the bone's joint to the twist joint at rest.
        relations: `[J, 4]`: takes the rest out of what the driver does.
    """

    ops: Ints
    pairs: Ints
    shares: Floats
    first: Floats
    second: Floats
    rest: Floats
    parents: Ints
    anchors: Ints
    axes: Floats
    seats: Floats
    relations: Floats

    def arrays(self) -> tuple[NDArray[np.generic], ...]:
        """In the order in which the kernel takes them."""
        return (
            self.ops,
            self.pairs,
            self.shares,
            self.first,
            self.second,
            self.rest,
            self.parents,
            self.anchors,
            self.axes,
            self.seats,
            self.relations,
        )


def plan(match: Match, source: Alignment, target: Alignment, skeleton: Skeleton, stance: Stance) -> Plan:
    """The constants of the transfer.

    Args:
        match: links from source to target joints.
        source, target: the frames of both skeletons.
        skeleton: the target.
        stance: how the target stands. Twists are measured from there: a rest pose laid out along an axis can be half a
            turn away from every pose, where a twist is undefined.
    """
    joints = skeleton.joint_count
    ops, pairs = np.zeros(joints, np.int32), np.zeros((joints, 2), np.int32)
    shares = np.zeros(joints, np.float32)
    first, second = rotations.identity((2, joints), skeleton.rest_rotations)
    for link in match.links:
        ops[link.target], shares[link.target] = LINK, link.share
        pairs[link.target] = link.first, link.second
        first[link.target] = _offset(link, link.first, source, target)
        second[link.target] = _offset(link, link.second, source, target)
    anchors, axes = np.zeros((joints, 2), np.int32), np.zeros((joints, 3), np.float32)
    seats, relations = rotations.identity((2, joints), skeleton.rest_rotations)
    turned, placed = stance.global_rotations, stance.positions
    for joint, bone, driver, lower in _twists(skeleton, ops):
        following = _next(skeleton, bone)
        length = float(np.linalg.norm(placed[following] - placed[bone]))
        axis = rotations.normalize_vector(rotations.inverse_rotate(turned[bone], placed[following] - placed[bone]))
        reach = float(rotations.inverse_rotate(turned[bone], placed[joint] - placed[bone]) @ axis)
        along = float(np.clip(reach / length, 0.0, 1.0)) if length > 1e-6 else 0.0
        ops[joint], anchors[joint], axes[joint] = (LOWER if lower else UPPER), (bone, driver), axis
        shares[joint] = along if lower else along - 1.0
        seats[joint] = rotations.relative(turned[bone], turned[joint])
        ends = (driver, bone) if lower else (bone, driver)
        relations[joint] = rotations.relative(turned[ends[0]], turned[ends[1]])
    return Plan(
        ops, pairs, shares, first, second, skeleton.rest_rotations, skeleton.parents, anchors, axes, seats, relations
    )


def _offset(link: Link, joint: int, source: Alignment, target: Alignment) -> Floats:
    frames = (source.bones, target.bones) if link.by_bones else (source.stance, target.stance)
    return rotations.multiply(frames[0][joint], rotations.inverse(frames[1][link.target]))


def _twists(skeleton: Skeleton, ops: Ints) -> list[tuple[int, int, int, bool]]:
    """Twist joints of limbs: joint, joint of its bone, joint that drives the twist, and whether that comes after."""
    roles = skeleton.roles
    found = []
    for joint, part in enumerate(roles.parts):
        if part != "twist" or ops[joint] == LINK:
            continue
        bone = next((j for j in skeleton.ancestors(joint) if roles.parts[j] in _LOWER_BONES + _UPPER_BONES), None)
        if bone is None or ops[bone] != LINK or _next(skeleton, bone) < 0:
            continue
        lower = roles.parts[bone] in _LOWER_BONES
        driver = _next(skeleton, bone) if lower else int(skeleton.parents[bone])
        while not lower and driver >= 0 and ops[driver] != LINK:
            driver = int(skeleton.parents[driver])
        if driver >= 0 and ops[driver] == LINK:
            found.append((joint, bone, driver, lower))
    return found


def _next(skeleton: Skeleton, joint: int) -> int:
    """The joint after this one in its limb; -1 at the end."""
    for chain in skeleton.roles.chains:
        if chain.kind in LIMBS and joint in chain.joints[:-1]:
            return chain.joints[chain.joints.index(joint) + 1]
    return -1


def turn(plan: Plan, source: Floats) -> Floats:
    """Local rotations `[F, J, 4]` of the target.

    Args:
        plan: see `plan`.
        source: global rotations `[F, S, 4]` of all source joints, float32.
    """
    from kinema.retargeting import kernels  # numba loads on first use

    return kernels.turn(np.ascontiguousarray(source), *plan.arrays())  # pyright: ignore[reportArgumentType]


def turn_reference(plan: Plan, source: Floats) -> Floats:
    """Plain form of `turn`: one joint after another over all frames."""
    frames, joints = source.shape[0], len(plan.ops)
    world = np.empty((joints, frames, 4), np.float32)
    local = np.empty((frames, joints, 4), np.float32)
    for joint in np.flatnonzero(plan.ops == LINK):
        one = rotations.multiply(source[:, plan.pairs[joint, 0]], plan.first[joint])
        other = rotations.multiply(source[:, plan.pairs[joint, 1]], plan.second[joint])
        world[joint] = rotations.slerp(one, other, float(plan.shares[joint])) if plan.shares[joint] > 0 else one
    for joint, parent in enumerate(plan.parents.tolist()):
        if plan.ops[joint] == KEEP:
            local[:, joint] = plan.rest[joint]
            world[joint] = rotations.multiply(world[parent], local[:, joint]) if parent >= 0 else local[:, joint]
            continue
        if plan.ops[joint] != LINK:
            bone, driver = (world[index] for index in plan.anchors[joint])
            if plan.ops[joint] == LOWER:
                relative = rotations.multiply(rotations.relative(bone, driver), plan.relations[joint])
            else:
                relative = rotations.multiply(plan.relations[joint], rotations.relative(driver, bone))
            twist = rotations.log(rotations.swing_twist(relative, plan.axes[joint])[1]) * plan.shares[joint]
            world[joint] = rotations.multiply(rotations.multiply(bone, rotations.exp(twist)), plan.seats[joint])
        local[:, joint] = rotations.relative(world[parent], world[joint]) if parent >= 0 else world[joint]
    return rotations.normalize(local)
