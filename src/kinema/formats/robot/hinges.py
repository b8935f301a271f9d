"""Angles of hinges from rotations of joints, and back."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Ints, Singles
from kinema.motion import Motion
from kinema.skeleton import Skeleton


def hinge_angles(motion: Motion) -> tuple[Floats, Floats]:
    """Angles of all hinges `[F, H]`, radians, continuous over time, and the rotations besides them `[F, H]`, radians.

    The part of a joint's rotation about its axis is its twist (Grassia, "Practical parameterization of rotations using
    the exponential map", 1998); a robot cannot perform the rest.
    """
    skeleton = motion.skeleton
    joints, axes = _joints_and_axes(skeleton)
    rest = skeleton.rest_rotations[joints].astype(np.float64)
    turns = rotations.multiply(rotations.inverse(rest), motion.local_rotations[:, joints].astype(np.float64))
    swing, twist = rotations.swing_twist(turns, axes)
    angles = rotations.wrap(2 * np.arctan2(np.einsum("fhc,hc->fh", twist[..., 1:], axes), twist[..., 0]))
    angles = np.unwrap(angles, axis=0)
    if len(angles):
        limited = [np.isfinite(hinge.lower) and np.isfinite(hinge.upper) for hinge in skeleton.hinges]
        aim = [(h.lower + h.upper) / 2 if known else 0 for h, known in zip(skeleton.hinges, limited, strict=True)]
        angles -= 2 * np.pi * np.round((np.median(angles, axis=0) - aim) / (2 * np.pi))
    return angles, rotations.angle(swing)


def hinge_rotations(skeleton: Skeleton, angles: Floats) -> Singles:
    """Local rotations `[F, J, 4]` of joint angles `[F, H]`; other joints stay at rest."""
    joints, axes = _joints_and_axes(skeleton)
    local = np.tile(skeleton.rest_rotations, (len(angles), 1, 1))
    rest = skeleton.rest_rotations[joints].astype(np.float64)
    local[:, joints] = rotations.multiply(rest, rotations.from_axis_angle(axes[None], angles))
    return local


def _joints_and_axes(skeleton: Skeleton) -> tuple[Ints, Floats]:
    joints = np.array([hinge.joint for hinge in skeleton.hinges], np.int64)
    return joints, np.array([hinge.axis for hinge in skeleton.hinges], np.float64).reshape(-1, 3)
