"""Limits of joints: how far a joint may swing and twist from its rest pose.

A hinge is a limit too: `kinema.skeleton.Hinge`, of the skeleton itself or of one call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import pi

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.errors import SkeletonError
from kinema.ik.tasks import Joint
from kinema.pose import Pose
from kinema.rotations import Array, alike
from kinema.skeleton import Hinge, Skeleton


@dataclass(frozen=True)
class Cone:
    """A joint whose bone stays in a cone about its rest direction, and whose twist about it is limited.

    Attributes:
        joint: the joint.
        swing: largest angle between the bone and its rest direction, radians.
        twist: smallest and largest rotation about the bone, radians.
        axis: unit vector along the bone in the joint's own frame; None: towards its first child, or its tip.
    """

    joint: Joint
    swing: float = pi
    twist: tuple[float, float] = (-pi, pi)
    axis: tuple[float, float, float] | None = None


Limit = Cone | Hinge


def bone_axis(skeleton: Skeleton, joint: int) -> Floats:
    """The unit vector `[3]` along the bone of a joint, in its frame: towards its first child, or its tip.

    The Y axis for a joint without either.
    """
    ends = [skeleton.rest_translations[child] for child in skeleton.children[joint]]
    ends += list(skeleton.tip_offsets[skeleton.tip_joints == joint])
    for end in ends:
        length = float(np.linalg.norm(end))
        if length > 1e-6:
            return np.asarray(end, np.float64) / length
    return np.array([0.0, 1.0, 0.0])


def resolved(skeleton: Skeleton, limits: Sequence[Limit]) -> tuple[Skeleton, list[Cone]]:
    """The skeleton with the hinges among the limits, which replace its own, and the cones with indices and axes.

    Raises:
        SkeletonError: a joint does not exist, is limited twice, or a limit makes no sense.
    """
    hinges = {hinge.joint: hinge for hinge in skeleton.hinges}
    hinges |= {limit.joint: limit for limit in limits if isinstance(limit, Hinge)}
    cones: list[Cone] = []
    for cone in limits:
        if isinstance(cone, Cone):
            cones.append(checked(skeleton, cone))
    joints = [cone.joint for cone in cones]
    if len(set(joints)) < len(joints) or hinges.keys() & set(joints):
        raise SkeletonError("a joint has two limits; give it one cone or one hinge")
    return (skeleton.with_hinges(hinges.values()) if len(cones) < len(limits) else skeleton), cones


def checked(skeleton: Skeleton, cone: Cone) -> Cone:
    """The cone with the index of its joint and with an axis.

    Raises:
        SkeletonError: the joint does not exist, or the limit makes no sense.
    """
    joint = joint_index(skeleton, cone.joint)
    axis = bone_axis(skeleton, joint) if cone.axis is None else np.asarray(cone.axis, np.float64)
    lower, upper = cone.twist
    if cone.swing < 0 or not lower <= 0 <= upper or abs(float(axis @ axis) - 1.0) > 1e-3:
        raise SkeletonError(
            f"the cone of joint {skeleton.names[joint]!r} needs a swing from 0, a twist around 0 and a unit axis"
        )
    return replace(cone, joint=joint, axis=(float(axis[0]), float(axis[1]), float(axis[2])))


def joint_index(skeleton: Skeleton, joint: Joint) -> int:
    """The index of a joint that is given by index or name.

    Raises:
        SkeletonError: there is no such joint.
    """
    if isinstance(joint, str):
        return skeleton.index(joint)
    if not 0 <= joint < skeleton.joint_count:
        raise SkeletonError(f"joint {joint} does not exist; there are {skeleton.joint_count}")
    return int(joint)


def clamp_swing_twist(q: Array, axis: Array, swing: float, twist: tuple[float, float]) -> Array:
    """Rotations `[..., 4]` relative to rest, with swing and twist about the unit `axis` `[3]` within limits.

    Args:
        swing: largest angle, radians.
        twist: smallest and largest angle, radians.
    """
    axis = alike(axis, q)
    tilt, turn = rotations.swing_twist(q, axis)
    tilt = clamp_angle(tilt, swing)
    angle = (rotations.log(turn) * axis).sum(-1)
    return rotations.multiply(tilt, rotations.from_axis_angle(axis, angle.clip(*twist)))


def clamp_angle(q: Array, most: Array | float) -> Array:
    """Rotations `[..., 4]` by at most the angle `most` (radians) about their axes."""
    vector = rotations.log(q)
    size = rotations.angle(q)[..., None]
    scale = (most / (size + 1e-12)).clip(None, 1.0)
    return rotations.exp(vector * scale)


def excess(pose: Pose, limits: Sequence[Limit]) -> Array:
    """How far poses exceed each limit, radians `[..., L]`; 0 where they keep it."""
    skeleton = pose.skeleton
    found = [_excess(pose, limit, joint_index(skeleton, limit.joint)) for limit in limits]
    return np.stack(found, axis=-1) if found else np.zeros((*pose.shape, 0))


def _excess(pose: Pose, limit: Limit, joint: int) -> Floats:
    skeleton = pose.skeleton
    local = np.asarray(pose.local_rotations[..., joint, :], np.float64)
    relative = rotations.relative(np.asarray(skeleton.rest_rotations[joint], np.float64), local)
    if isinstance(limit, Hinge):
        axis, most, span = np.asarray(limit.axis, np.float64), 0.0, (limit.lower, limit.upper)
    else:
        cone = checked(skeleton, limit)
        axis, most, span = np.asarray(cone.axis), cone.swing, cone.twist
    swing, twist = rotations.swing_twist(relative, axis)
    angle = (rotations.log(twist) * axis).sum(-1)
    beyond = np.maximum(np.maximum(span[0] - angle, angle - span[1]), 0.0)
    return np.maximum(np.maximum(rotations.angle(swing) - most, 0.0), beyond)
