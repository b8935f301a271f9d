"""The closed-form pass: global rotations of the source become local rotations of the target, all frames at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinema import rotations
from kinema.arrays import Indices, Singles
from kinema.retargeting.alignment import Alignment
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.chains import LIMBS
from kinema.retargeting.mapping import Link, Match
from kinema.retargeting.stance import StandingPose
from kinema.skeleton import Skeleton

KEEP, LINK, LOWER, UPPER = 0, 1, 2, 3
"""What moves a joint: nothing (it keeps its rest rotation on its parent), the source, or a share of the twist of the
bone that it sits on, which is driven by the joint after that bone (LOWER) or before it (UPPER)."""

_LOWER_BONES, _UPPER_BONES = ("forearm", "shin"), ("upper_arm", "thigh")


class Transfer(NamedTuple):
    """How each target joint is moved, as arrays of `J` rows.

    Attributes:
        ops: int32 `[J]`: KEEP, LINK, LOWER or UPPER.
        pairs: int32 `[J, 2]`: source joints of a LINK.
        shares: `[J]`: of the second source joint, or of the twist.
        first, second: `[J, 4]`: from the frame of the source joint to that of the target joint.
        rest: `[J, 4]`: local rotations of the rest pose.
        parents: int32 `[J]`.
        bones, drivers: int32 `[J]`: of a twist joint, the joint of its bone and the joint that drives the twist.
        axes: `[J, 3]`: direction of the bone in the frame of its joint.
        seats: `[J, 4]`: rotation of a twist joint on its bone while the body stands.
        relations: `[J, 4]`: removes the standing pose from the rotation between the driver and the bone.
    """

    ops: Indices
    pairs: Indices
    shares: Singles
    first: Singles
    second: Singles
    rest: Singles
    parents: Indices
    bones: Indices
    drivers: Indices
    axes: Singles
    seats: Singles
    relations: Singles


def transfer(match: Match, source: Anatomy, target: Anatomy) -> Transfer:
    """The constants of the transfer.

    Twists are measured from the standing pose of the target: a rest pose laid out along an axis can be half a turn away
    from every pose, where a twist is undefined.
    """
    skeleton = target.skeleton
    joints = skeleton.joint_count
    identity = rotations.identity((joints,), skeleton.rest_rotations)
    found = Transfer(
        ops=np.full(joints, KEEP, np.int32),
        pairs=np.zeros((joints, 2), np.int32),
        shares=np.zeros(joints, np.float32),
        first=identity.copy(),
        second=identity.copy(),
        rest=skeleton.rest_rotations,
        parents=skeleton.parents,
        bones=np.zeros(joints, np.int32),
        drivers=np.zeros(joints, np.int32),
        axes=np.zeros((joints, 3), np.float32),
        seats=identity.copy(),
        relations=identity.copy(),
    )
    for link in match.links:
        found.ops[link.target], found.shares[link.target] = LINK, link.share
        found.pairs[link.target] = link.first, link.second
        found.first[link.target] = _offset(link, link.first, source.alignment, target.alignment)
        found.second[link.target] = _offset(link, link.second, source.alignment, target.alignment)
    for joint, bone in _twist_joints(skeleton, found.ops):
        lower = skeleton.roles.parts[bone] in _LOWER_BONES
        driver = _next(skeleton, bone) if lower else _linked_above(skeleton, bone, found.ops)
        if driver >= 0 and found.ops[driver] == LINK:
            _set_twist(found, target.standing, joint, bone, driver, _next(skeleton, bone), lower)
    return found


def _offset(link: Link, joint: int, source: Alignment, target: Alignment) -> Singles:
    frames = (source.bones, target.bones) if link.by_bones else (source.stance, target.stance)
    return rotations.multiply(frames[0][joint], rotations.inverse(frames[1][link.target]))


def _twist_joints(skeleton: Skeleton, ops: Indices) -> list[tuple[int, int]]:
    """Twist joints that nothing moves yet, each with the joint of its bone, which the source moves."""
    parts = skeleton.roles.parts
    found = []
    for joint in np.flatnonzero((np.array(parts) == "twist") & (ops == KEEP)).tolist():
        bone = next((j for j in skeleton.ancestors(joint) if parts[j] in _LOWER_BONES + _UPPER_BONES), -1)
        if bone >= 0 and ops[bone] == LINK and _next(skeleton, bone) >= 0:
            found.append((joint, bone))
    return found


def _linked_above(skeleton: Skeleton, joint: int, ops: Indices) -> int:
    """The nearest joint above that the source moves; -1 without one."""
    return next((above for above in skeleton.ancestors(joint) if ops[above] == LINK), -1)


def _next(skeleton: Skeleton, joint: int) -> int:
    """The joint after this one in its limb; -1 at the end."""
    for chain in skeleton.roles.chains:
        if chain.kind in LIMBS and joint in chain.joints[:-1]:
            return chain.joints[chain.joints.index(joint) + 1]
    return -1


def _set_twist(
    found: Transfer, standing: StandingPose, joint: int, bone: int, driver: int, following: int, lower: bool
) -> None:
    """Let a twist joint take its share: by how far along the bone it sits."""
    stood, places = standing.rotations, standing.positions
    line = rotations.inverse_rotate(stood[bone], places[following] - places[bone])
    axis, length = rotations.normalize_vector(line), float(np.linalg.norm(line))
    reach = float(rotations.inverse_rotate(stood[bone], places[joint] - places[bone]) @ axis)
    along = float(np.clip(reach / length, 0.0, 1.0)) if length > 1e-6 else 0.0
    found.ops[joint], found.shares[joint] = (LOWER, along) if lower else (UPPER, along - 1.0)
    found.bones[joint], found.drivers[joint], found.axes[joint] = bone, driver, axis
    found.seats[joint] = rotations.relative(stood[bone], stood[joint])
    ends = (driver, bone) if lower else (bone, driver)
    found.relations[joint] = rotations.relative(stood[ends[0]], stood[ends[1]])


def transfer_reference(constants: Transfer, source: Singles) -> Singles:
    """Plain form of `kernels.transfer_rotations`: one joint after another over all frames.

    Args:
        constants: see `transfer`.
        source: global rotations `[F, S, 4]` of all source joints, float32.

    Returns:
        Local rotations `[F, J, 4]` of the target.
    """
    world = np.empty((len(constants.ops), len(source), 4), np.float32)
    local = np.empty((len(source), len(constants.ops), 4), np.float32)
    for joint in np.flatnonzero(constants.ops == LINK):
        one = rotations.multiply(source[:, constants.pairs[joint, 0]], constants.first[joint])
        other = rotations.multiply(source[:, constants.pairs[joint, 1]], constants.second[joint])
        share = float(constants.shares[joint])
        world[joint] = rotations.slerp(one, other, share) if share > 0 else one
    for joint, parent in enumerate(constants.parents.tolist()):
        if constants.ops[joint] == KEEP:
            local[:, joint] = constants.rest[joint]
            world[joint] = rotations.multiply(world[parent], local[:, joint]) if parent >= 0 else local[:, joint]
            continue
        if constants.ops[joint] != LINK:
            world[joint] = _twisted(constants, joint, world)
        local[:, joint] = rotations.relative(world[parent], world[joint]) if parent >= 0 else world[joint]
    return rotations.normalize(local)


def _twisted(constants: Transfer, joint: int, world: Singles) -> Singles:
    """Global rotations `[F, 4]` of a twist joint."""
    bone, driver = world[constants.bones[joint]], world[constants.drivers[joint]]
    if constants.ops[joint] == LOWER:
        relative = rotations.multiply(rotations.relative(bone, driver), constants.relations[joint])
    else:
        relative = rotations.multiply(constants.relations[joint], rotations.relative(driver, bone))
    twist = rotations.log(rotations.swing_twist(relative, constants.axes[joint])[1]) * constants.shares[joint]
    return rotations.multiply(rotations.multiply(bone, rotations.exp(twist)), constants.seats[joint])
